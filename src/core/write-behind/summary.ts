/** The one line that says what a review came to. */
import type { Review } from '../review.ts';
import { indexLevelOf, rankOf, severities } from '../severity.ts';
import { cutTo, toOneLine } from './one-line.ts';
import { countedFindings } from './standing.ts';

/** Longest summary, in characters. */
const summaryLength = 160;

/**
 * The reviewer's own closing `SUMMARY:` field, else the first sentence of its *Summary* section, else a count of the findings
 * with the most severe one, else `no findings`. `answer` is what it literally said; null when nobody kept it.
 */
export function summaryOf(review: Review, answer: string | null): string {
  const failure = review.status === 'failed' ? toOneLine(review.failure?.message ?? '') : '';
  const own = review.status === 'failed' || answer === null ? '' : (tailSummary(answer) ?? firstSentence(answer) ?? '');
  return cutTo(failure || toOneLine(own) || countsOf(review) || 'no findings', summaryLength);
}

/** Empty when there are no findings. */
function countsOf(review: Review): string {
  const findings = countedFindings(review);
  const counts = severities.map(severity => ({ severity, count: findings.filter(finding => finding.severity === severity).length })).filter(({ count }) => count > 0);
  const [top] = [...findings].sort((one, other) => rankOf(one.severity) - rankOf(other.severity));
  return top === undefined ? '' : `${counts.map(({ severity, count }) => `${indexLevelOf(severity)}x${count}`).join(' ')}: ${toOneLine(top.text)}`;
}

/** The block `--- VERDICT ---` at the end of an answer supplies this one line and nothing else. */
function tailSummary(answer: string): string | null {
  const lines = answer.split('\n');
  const start = lines.findLastIndex(line => /^-{2,}\s*VERDICT\s*-{2,}\s*$/i.test(line.trim().slice(0, 40)));
  if (start === -1) return null;
  const field = lines.slice(start + 1).find(line => /^\s*SUMMARY:/i.test(line));
  return field?.slice(field.indexOf(':') + 1).trim() || null;
}

function firstSentence(answer: string): string | null {
  const lines = answer.split('\n');
  const start = lines.findIndex(line => /^#{1,4}\s+Summary\s*:?\s*$/i.test(line.slice(0, 60).trimEnd()));
  if (start === -1) return null;
  const section = lines.slice(start + 1);
  const end = section.findIndex(line => /^#{1,6}\s/.test(line));
  const text = toOneLine((end === -1 ? section : section.slice(0, end)).join(' ').slice(0, 4000));
  return text.split(/(?<=[.!?])\s/, 1)[0] || null;
}
