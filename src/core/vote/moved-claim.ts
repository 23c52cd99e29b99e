/** A claim whose confidence was moved after it was computed: what it is worth to a person moves with it. */
import { confidenceModel } from '../matching/calibrated-model.ts';
import { logOddsOf, probabilityOf } from '../matching/logistic.ts';
import type { Claim } from '../words/claim.ts';

/** Log-odds of worth for each of truth, as the model weighs them. */
const [perOdds = 0] = confidenceModel.worth.weights;

export function withConfidence<Moved extends Pick<Claim, 'confidence' | 'worth'>>(
  claim: Moved,
  confidence: number | null,
): Moved {
  const { confidence: before, worth } = claim;
  if (confidence === null || confidence === before) return claim;
  if (before === null || worth === null) return { ...claim, confidence };
  const moved = logOddsOf(confidence) - logOddsOf(before);
  return { ...claim, confidence, worth: probabilityOf(logOddsOf(worth) + perOdds * moved) };
}

/** The confidence at which the claim would be worth so much; null where nobody knows what it is worth, or nothing is. */
export function confidenceFor(
  worthCut: number,
  { confidence, worth }: Pick<Claim, 'confidence' | 'worth'>,
): number | null {
  if (confidence === null || worth === null || worthCut <= 0 || worthCut >= 1) return null;
  const missing = logOddsOf(worthCut) - logOddsOf(worth);
  return perOdds <= 0 ? null : probabilityOf(logOddsOf(confidence) + missing / perOdds);
}
