/** How sure a share is that was counted in few cases. */

/** 97.5 % point of the standard normal distribution: 95 % lie between minus and plus this. */
const quantile = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * 95 % interval of a share, 0 to 1, after Wilson, "Probable inference, the law of succession, and statistical inference",
 * Journal of the American Statistical Association 22 (1927), pages 209 to 212. Of nothing: everything from 0 to 1.
 */
export function wilsonInterval(hits: number, cases: number): Interval {
  if (cases === 0) return { low: 0, high: 1 };
  const share = hits / cases;
  const square = quantile ** 2;
  const centre = (share + square / (2 * cases)) / (1 + square / cases);
  const half = (quantile / (1 + square / cases)) * Math.sqrt((share * (1 - share)) / cases + square / (4 * cases ** 2));
  return { low: hits === 0 ? 0 : Math.max(0, centre - half), high: hits === cases ? 1 : Math.min(1, centre + half) };
}
