/**
 * What a shared weakness is worth to two short remarks, in log-odds. Written by `bench/consensus/short-fit.mjs`; not to be
 * changed by hand. Fitted on the hand-written pairs of the benchmark, no two of a kind weighing more than another: same
 * troubles, different troubles of one subject, remarks on two themes.
 */
export const shortWeights = {
  intercept: -2.005,
  /** Of the log-odds by the words. */
  wording: 0.1458,
  /** Of a kinship of 1. */
  kinship: 8.396,
} as const;
