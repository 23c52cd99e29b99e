/**
 * How the decisions of a project correct the confidence of its claims: the share that people accepted against what the model
 * said of the same claims. Two figures, drawn towards no correction at all, and none before there are enough decisions.
 */
import { clamp, logOddsOf, probabilityOf } from '../../core/words/odds.ts';
import {
  type Disposition,
  type KnownClaim,
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

/** Standard deviations of the prior around (0, 1): reviewers of one project are rarely further off. */
const priorSpread = { intercept: 1, slope: 0.5 } as const;
const leastSlope = 0.1;
const steps = 50;

/** Those decided claims of which it is known what was said when somebody decided. */
export function decidedConfidences({ claims, dispositions }: ProjectMemory): DecidedConfidence[] {
  const latest = latestByClaim(dispositions);
  return claims.flatMap(claim => {
    const decision = latest.get(claim.id);
    const stated = decision === undefined ? null : confidenceAt(claim, decision.at);
    return decision === undefined || stated === null
      ? []
      : [{ ...stated, isTrue: decision.verdict !== 'rejected' }];
  });
}

/** That of the last run before the decision. */
function confidenceAt(
  { history }: Pick<KnownClaim, 'history'>,
  at: Disposition['at'],
): Pick<DecidedConfidence, 'stated' | 'modelled'> | null {
  const seen = history.findLast(entry => entry.at <= at && entry.confidence !== null)?.confidence;
  return seen ?? null;
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
  const points = decided.map(({ modelled, isTrue }) => ({
    odds: logOdds(modelled),
    truth: Number(isTrue),
  }));
  let [intercept, slope] = [0, 1];
  for (let step = 0; step < steps; step += 1) {
    const move = newtonStep(points, intercept, slope);
    intercept += move[0];
    slope += move[1];
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

interface Point {
  readonly odds: number;
  readonly truth: number;
}

function newtonStep(
  points: readonly Point[],
  intercept: number,
  slope: number,
): readonly [intercept: number, slope: number] {
  const [looseIntercept, looseSlope] = [priorSpread.intercept ** -2, priorSpread.slope ** -2];
  let [pullIntercept, pullSlope] = [-looseIntercept * intercept, -looseSlope * (slope - 1)];
  let [bendIntercept, bendBoth, bendSlope] = [looseIntercept, 0, looseSlope];
  for (const { odds, truth } of points) {
    const chance = probabilityOf(intercept + slope * odds);
    const bend = chance * (1 - chance);
    pullIntercept += truth - chance;
    pullSlope += (truth - chance) * odds;
    bendIntercept += bend;
    bendBoth += bend * odds;
    bendSlope += bend * odds * odds;
  }
  const determinant = bendIntercept * bendSlope - bendBoth * bendBoth;
  return [
    (bendSlope * pullIntercept - bendBoth * pullSlope) / determinant,
    (bendIntercept * pullSlope - bendBoth * pullIntercept) / determinant,
  ];
}

/** The probability is kept a thousandth away from 0 and 1: one decision must not weigh more than all others. */
function logOdds(probability: number): number {
  return logOddsOf(clamp(probability, 0.001, 0.999));
}
