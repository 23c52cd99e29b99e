/**
 * A claim whose confidence was moved after it was computed: what it is worth to a person moves with it. Who says that it is so
 * does not say that it matters: of claims as likely true as it now is, the share that is worth acting on stays as it was.
 */
import { logOddsOf, probabilityOf } from '../words/odds.ts';
import type { Claim } from '../words/claim.ts';

export function withConfidence<Moved extends Pick<Claim, 'confidence' | 'worth'>>(
  claim: Moved,
  confidence: number | null,
): Moved {
  const { confidence: before, worth } = claim;
  if (confidence === null || confidence === before) return claim;
  if (before === null || worth === null) return { ...claim, confidence };
  return { ...claim, confidence, worth: worthAt(confidence, { before, worth }) };
}

/** Worth is computed apart and may lie above the confidence of those who name no places: all that moved is the truth then. */
function worthAt(
  confidence: number,
  { before, worth }: { readonly before: number; readonly worth: number },
): number {
  const share = shareOf(before, worth);
  if (share < 1) return share * confidence;
  return probabilityOf(logOddsOf(worth) + logOddsOf(confidence) - logOddsOf(before));
}

/** If it is true, how probably it is worth acting on; 1 where nobody knows. */
export function shareWorthActing({
  confidence,
  worth,
}: Pick<Claim, 'confidence' | 'worth'>): number {
  return confidence === null || worth === null ? 1 : shareOf(confidence, worth);
}

function shareOf(confidence: number, worth: number): number {
  return worth < confidence ? worth / confidence : 1;
}

/**
 * The confidence at which the claim would be worth so much; null where nobody knows what it is worth, and where nothing that
 * is said about its truth would do.
 */
export function confidenceFor(
  worthCut: number,
  { confidence, worth }: Pick<Claim, 'confidence' | 'worth'>,
): number | null {
  if (confidence === null || worth === null || worthCut <= 0 || worthCut >= 1) return null;
  const share = shareOf(confidence, worth);
  if (share < 1) return worthCut < share ? worthCut / share : null;
  return probabilityOf(logOddsOf(confidence) + logOddsOf(worthCut) - logOddsOf(worth));
}
