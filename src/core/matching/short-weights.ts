/**
 * What a shared weakness is worth to two short remarks, in log-odds. Written by `bench/consensus/short-fit.mjs`; not to be
 * changed by hand. Fitted on the hand-written pairs of the benchmark, no two of a kind weighing more than another: same
 * troubles, different troubles of one subject, remarks on two themes.
 */
export const shortWeights = {
  intercept: -2.112,
  /** Of the log-odds by the words. */
  wording: 0.13,
  /** Of a kinship of 1. */
  kinship: 8.342,
} as const;
