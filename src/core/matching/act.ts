/** From which worth on a claim is worth a person's time: by the figures that were measured with the numbers of the model. */
import type { ActRule } from '../settings.ts';
import type { ConfidenceModel } from './confidence.ts';

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
