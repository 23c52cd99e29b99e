/** From which worth on a claim is worth a person's time, by the figures that were measured with the numbers of the model. */
import type { ActRule } from '../../core/settings.ts';
import type { Finding } from '../../core/words/finding.ts';
import { clamp } from '../../core/words/claim.ts';
import { isReader } from '../../core/words/runner.ts';
import type { Review } from '../../core/words/review.ts';
import { type ConfidenceModel, idsOf } from './confidence.ts';
import { isSeverityStated } from '../../core/words/stated.ts';

/** What the cuts depend on: they were measured on what models say, so that checks do not count. */
interface Listeners {
  /** Readers that could have said something. */
  reviewers: number;
  /** Does one of them state a severity? */
  isGraded: boolean;
}

export function listenersIn(reviews: readonly Review[], findings: readonly Finding[]): Listeners {
  const heard = idsOf(reviews.filter(review => review.status !== 'failed' && isReader(review)));
  return {
    reviewers: heard.size,
    isGraded: findings.some(finding => heard.has(finding.reviewer) && isSeverityStated(finding)),
  };
}

/**
 * `best`: the cut that weighs misses and false alarms alike on such a panel; fewer or more reviewers than were ever measured are
 * taken for the nearest that were. `one-in-N`: the lowest one from which on at most one in N of what was selected was false or a
 * trifle; infinite, so that nothing reaches it, where no measured cut kept to that.
 */
export function cutOf(
  rule: ActRule,
  { cuts, best }: Pick<ConfidenceModel, 'cuts' | 'best'>,
  { reviewers, isGraded }: Listeners,
): number {
  const [, falseIn] = /^one-in-(\d+)$/.exec(rule) ?? [];
  if (falseIn === undefined) {
    const sizes = best.panels.map(panel => panel.reviewers);
    const size = clamp(reviewers, Math.min(...sizes), Math.max(...sizes));
    return best.base + best.growth * Math.log(size) + (isGraded ? best.graded : 0);
  }
  const failing = cuts.findLastIndex(({ precision }) => precision < 1 - 1 / Number(falseIn));
  return cuts[failing + 1]?.cut ?? Number.POSITIVE_INFINITY;
}
