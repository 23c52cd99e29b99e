/** The one line that says what a review came to. */
import { summaryLimit, summaryOf as summaryIn } from '../parse/index-prose.ts';
import { causes, type Review } from '../review.ts';
import { indexLevelOf, rankOf, severities } from '../severity.ts';
import { cutTo, toOneLine } from './one-line.ts';
import { countedFindings } from '../verdict/review-status.ts';

/**
 * The reviewer's own closing `SUMMARY:` field, else the first sentence of its *Summary* section, else a count of the findings
 * with the most severe one, else `no findings`. For a failed review, why it failed. `answer` is what the reviewer literally
 * said; null when nobody kept it. At most 160 characters.
 */
export function summaryOf(review: Review, answer: string | null): string {
  if (review.status === 'failed') return cutTo(describeFailure(review), summaryLimit);
  const own = answer === null ? '' : summaryIn(answer.split('\n'), '');
  return cutTo(toOneLine(own) || countsOf(review) || 'no findings', summaryLimit);
}

function describeFailure({ failure }: Review): string {
  return failure === null ? 'the review failed' : toOneLine(failure.message) || causes[failure.cause].sentence;
}

/** Empty when there are no findings. */
function countsOf(review: Review): string {
  const findings = countedFindings(review);
  const counts = severities.map(severity => ({ severity, count: findings.filter(finding => finding.severity === severity).length })).filter(({ count }) => count > 0);
  const [top] = [...findings].sort((one, other) => rankOf(one.severity) - rankOf(other.severity));
  return top === undefined ? '' : `${counts.map(({ severity, count }) => `${indexLevelOf(severity)}x${count}`).join(' ')}: ${toOneLine(top.text)}`;
}
