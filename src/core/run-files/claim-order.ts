/** The order in which the claims of a run are read. The number of a claim, as people type it, is its place in this order. */
import type { Claim } from '../words/claim.ts';
import { rankOf } from '../words/severity.ts';

interface Ordered {
  readonly claims: readonly Claim[];
  /** Ids of the claims that fail the run. */
  readonly blocking: readonly string[];
}

/** Blocking claims first, closed ones last; between them the most severe, then those that most reviewers support. */
export function orderClaims({ claims, blocking }: Ordered): readonly Claim[] {
  const blockers = new Set(blocking);
  const groupOf = (claim: Claim): number => (isClosed(claim) ? 2 : blockers.has(claim.id) ? 0 : 1);
  return claims.toSorted(
    (one, other) =>
      groupOf(one) - groupOf(other) ||
      rankOf(one.severity) - rankOf(other.severity) ||
      other.supporters.length - one.supporters.length,
  );
}

/** Claim id → its number, counted from 1. */
export function claimNumbers(record: Ordered): ReadonlyMap<string, number> {
  return new Map(orderClaims(record).map(({ id }, index) => [id, index + 1]));
}

/** The claim a number means; null when what was typed is no number, or one that no claim has. */
export function claimNumbered(typed: string, record: Ordered): Claim | null {
  return /^[1-9]\d{0,5}$/.test(typed) ? (orderClaims(record)[Number(typed) - 1] ?? null) : null;
}

/** What was dismissed or is fixed counts no more. */
export function isClosed({ state }: Claim): boolean {
  return state === 'fixed' || state === 'dismissed';
}
