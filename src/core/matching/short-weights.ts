/**
 * What a shared weakness is worth to two short remarks, in log-odds. Written by `bench/consensus/short-fit.mjs`; not to be
 * changed by hand. Fitted on the hand-written pairs of the benchmark, no two of a kind weighing more than another: same
 * troubles, different troubles of one subject, remarks on two themes.
 */
export const shortWeights = {
  intercept: -1.998,
  /** Of the log-odds by the words. */
  wording: 0.06527,
  /** Of a kinship of 1. */
  kinship: 8.313,
} as const;
