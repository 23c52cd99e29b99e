/**
 * How the decisions of a project correct the confidence of its claims: the share that people accepted against what the model
 * said of the same claims. Two figures, drawn towards no correction at all, and none before there are enough decisions.
 */
import { clamp, logOddsOf, probabilityOf } from '../../core/words/odds.ts';
import {
  latestByClaim,
  type ProjectMemory,
  type Recalibration,
} from '../../core/words/known-claim.ts';

/** A claim somebody decided about, with what was said of it when they did. */
export interface DecidedConfidence {
  /** As it was shown, 0 to 1. */
  readonly stated: number;
  /** What the model said before any correction. */
  readonly modelled: number;
  /** Accepted or tolerated, not dismissed as false. */
  readonly isTrue: boolean;
}

/**
 * Decided claims needed, and of each kind. The standard error of a share counted in a hundred cases is at most .05, half a bin
 * of the curve; with fewer than twenty of a kind the slope is a guess.
 */
export const fewestDecisions = { all: 100, ofEachKind: 20 } as const;

/** Precisions of the prior around (0, 1), whose standard deviations are 1 and .5: reviewers of one project are rarely further off. */
const priorPrecision = { intercept: 1, slope: 4 } as const;
const leastSlope = 0.1;
const steps = 50;

/** Those decided claims of which it is known what was said when somebody decided. */
export function decidedConfidences({ claims, dispositions }: ProjectMemory): DecidedConfidence[] {
  const latest = latestByClaim(dispositions);
  return claims.flatMap(({ id, history }) => {
    const decision = latest.get(id);
    if (decision === undefined) return [];
    // That of the last run before the decision.
    const seen = history.findLast(entry => entry.at <= decision.at && entry.confidence !== null);
    return seen?.confidence
      ? [{ ...seen.confidence, isTrue: decision.verdict !== 'rejected' }]
      : [];
  });
}

/**
 * Platt's two-parameter scaling ("Probabilistic outputs for support vector machines", 1999) with a normal prior around (0, 1),
 * by Newton's method. Null with fewer decisions than `fewestDecisions`.
 */
export function recalibrationOf(decided: readonly DecidedConfidence[]): Recalibration | null {
  const right = decided.filter(({ isTrue }) => isTrue).length;
  if (
    decided.length < fewestDecisions.all ||
    Math.min(right, decided.length - right) < fewestDecisions.ofEachKind
  )
    return null;
  let [intercept, slope] = [0, 1];
  for (let step = 0; step < steps; step += 1) {
    let [bendIntercept, bendBoth, bendSlope] = [priorPrecision.intercept, 0, priorPrecision.slope];
    let [pullIntercept, pullSlope] = [-bendIntercept * intercept, -bendSlope * (slope - 1)];
    for (const { modelled, isTrue } of decided) {
      const odds = logOdds(modelled);
      const chance = probabilityOf(intercept + slope * odds);
      const bend = chance * (1 - chance);
      const miss = Number(isTrue) - chance;
      pullIntercept += miss;
      pullSlope += miss * odds;
      bendIntercept += bend;
      bendBoth += bend * odds;
      bendSlope += bend * odds * odds;
    }
    const determinant = bendIntercept * bendSlope - bendBoth * bendBoth;
    intercept += (bendSlope * pullIntercept - bendBoth * pullSlope) / determinant;
    slope += (bendIntercept * pullSlope - bendBoth * pullIntercept) / determinant;
  }
  return { intercept, slope: Math.max(slope, leastSlope), decisions: decided.length };
}

/** A log-odds scale moved and stretched. */
export function withRecalibration(
  modelled: number,
  { intercept, slope }: Pick<Recalibration, 'intercept' | 'slope'>,
): number {
  return probabilityOf(intercept + slope * logOdds(modelled));
}

/** What the model said, of what was shown under a correction. */
export function withoutRecalibration(
  stated: number,
  recalibration: Pick<Recalibration, 'intercept' | 'slope'> | null,
): number {
  if (recalibration === null) return stated;
  return probabilityOf((logOdds(stated) - recalibration.intercept) / recalibration.slope);
}

/** The probability is kept a thousandth away from 0 and 1: one decision must not weigh more than all others. */
function logOdds(probability: number): number {
  return logOddsOf(clamp(probability, 0.001, 0.999));
}
