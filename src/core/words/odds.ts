/** A logistic model as plain numbers: what evidence is worth in log-odds. */

export interface Logistic {
  readonly intercept: number;
  /** One per piece of evidence, in the order of its names. */
  readonly weights: readonly number[];
}

export function logOdds({ intercept, weights }: Logistic, evidence: readonly number[]) {
  let sum = intercept;
  for (let index = 0; index < weights.length; index += 1)
    sum += (weights[index] ?? 0) * (evidence[index] ?? 0);
  return sum;
}

export function probabilityOf(odds: number) {
  return 1 / (1 + Math.exp(-odds));
}

/** The inverse of `probabilityOf`; the probability is kept a millionth away from 0 and 1. */
export function logOddsOf(probability: number) {
  const kept = clamp(probability, 1e-6, 1 - 1e-6);
  return Math.log(kept / (1 - kept));
}

export function clamp(value: number, least: number, most: number) {
  return Math.max(least, Math.min(most, value));
}

/** A probability with what it is made of. */
export interface Estimate {
  /** 0 to 1. */
  readonly probability: number;
  /** Log-odds before anything is known. */
  readonly start: number;
  /** With `start` they add up to the log-odds of the probability. Largest first. */
  readonly contributions: {
    /** Group of evidence: `words`, `panel`, `place`, `reviewer`. */
    readonly evidence: string;
    /** Half a sentence: "both name getUser". */
    readonly words: string;
    /** Log-odds; below 0 it speaks against. */
    readonly worth: number;
  }[];
}

/** Adds up; what is worth nothing is left out. */
export function estimate(start: number, parts: Estimate['contributions']): Estimate {
  const contributions = parts
    .filter(({ worth }) => worth !== 0)
    .sort((one, other) => Math.abs(other.worth) - Math.abs(one.worth));
  const odds = contributions.reduce((sum, { worth }) => sum + worth, start);
  return { probability: probabilityOf(odds), start, contributions };
}
