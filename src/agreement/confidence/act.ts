/**
 * From which worth on a claim is worth a person's time, by the figures that were measured with the numbers of the model.
 */
import type { ActRule } from '../../core/settings.ts';
import { isReader } from '../../core/words/reader.ts';
import type { Review } from '../../core/words/review.ts';
import type { ConfidenceModel } from './confidence.ts';
import { clamp } from '../../core/words/odds.ts';

/**
 * `best`: the cut that weighs misses and false alarms alike on a panel of so many `reviewers`; fewer or more than were ever
 * measured are taken for the nearest that were. `one-in-N`: the lowest one from which on at most one in N of what was selected
 * was false or a trifle; infinite, so that nothing reaches it, where no measured cut kept to that.
 */
export function cutOf(
  rule: ActRule,
  { cuts, best }: Pick<ConfidenceModel, 'cuts' | 'best'>,
  reviewers: number,
): number {
  const [, falseIn] = /^one-in-(\d+)$/.exec(rule) ?? [];
  if (falseIn === undefined) return bestCutOf(best, reviewers);
  const demanded = 1 - 1 / Number(falseIn);
  const failing = cuts.findLastIndex(({ precision }) => precision < demanded);
  return cuts[failing + 1]?.cut ?? Number.POSITIVE_INFINITY;
}

/** How many readers could have said something: the cuts were measured on what models say. */
export function listenersIn(
  reviews: readonly Pick<Review, 'runner' | 'role' | 'status'>[],
): number {
  return reviews.filter(review => review.status !== 'failed' && isReader(review)).length;
}

function bestCutOf({ base, growth, panels }: ConfidenceModel['best'], reviewers: number): number {
  const [fewest, most] = [panels[0], panels.at(-1)].map(panel => panel?.reviewers ?? reviewers);
  return base + growth * Math.log(clamp(reviewers, fewest ?? reviewers, most ?? reviewers));
}
