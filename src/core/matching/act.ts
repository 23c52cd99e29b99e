/**
 * From which worth on a claim is worth a person's time, by the figures that were measured with the numbers of the model;
 * and worth once more is known.
 */
import type { ActRule } from '../settings.ts';
import type { Claim } from '../words/claim.ts';
import type { ConfidenceModel } from './confidence.ts';
import { logOddsOf, probabilityOf } from './logistic.ts';

/**
 * `best`: the cut that weighs misses and false alarms alike. `one-in-N`: the lowest one from which on at most one in N of what
 * was selected was false or a trifle; infinite, so that nothing reaches it, where no measured cut kept to that.
 */
export function cutOf(
  rule: ActRule,
  { cuts, bestCut }: Pick<ConfidenceModel, 'cuts' | 'bestCut'>,
): number {
  const [, falseIn] = /^one-in-(\d+)$/.exec(rule) ?? [];
  if (falseIn === undefined) return bestCut;
  const demanded = 1 - 1 / Number(falseIn);
  const failing = cuts.findLastIndex(({ precision }) => precision < demanded);
  return cuts[failing + 1]?.cut ?? Number.POSITIVE_INFINITY;
}

/** What was looked up or asked about a claim moved its confidence: its worth moves along, by what truth counts in it. */
export function withVerifiedWorth(claim: Claim, { worth }: Pick<ConfidenceModel, 'worth'>): Claim {
  const before = claim.verified?.confidenceBefore ?? null;
  if (claim.worth === null || claim.confidence === null || before === null) return claim;
  const [ofTruth = 0] = worth.weights;
  const moved = ofTruth * (logOddsOf(claim.confidence) - logOddsOf(before));
  return { ...claim, worth: probabilityOf(logOddsOf(claim.worth) + moved) };
}
