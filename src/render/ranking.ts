/** The order in which claims are read, and the names of the tiers they are grouped under. */
import type { Agreement, Claim } from '../core/claim.ts';
import { rankOf } from '../core/severity.ts';

/** Strongest first. */
const tierNames: Readonly<Record<Agreement, string>> = { all: 'All agree', majority: 'Several agree', single: 'One reviewer' };

export interface Tier {
  readonly name: string;
  readonly claims: readonly Claim[];
}

/** Blocking first, closed ones last, between them by severity and support: what is cut off is what matters least. */
export function rankClaims(claims: readonly Claim[], blocking: readonly string[]): Claim[] {
  const blockers = new Set(blocking);
  const weigh = (claim: Claim) => (blockers.has(claim.id) ? 0 : isClosed(claim) ? 2 : 1);
  return [...claims].sort((one, other) => weigh(one) - weigh(other) || rankOf(one.severity) - rankOf(other.severity) || other.supporters.length - one.supporters.length);
}

/** Tiers that hold a claim; within each the claims keep their order. */
export function tiersOf(claims: readonly Claim[]): Tier[] {
  return (['all', 'majority', 'single'] as const).map(tier => ({ name: tierNames[tier], claims: claims.filter(claim => claim.agreement === tier) })).filter(tier => tier.claims.length > 0);
}

export function isClosed(claim: Claim): boolean {
  return claim.state === 'fixed' || claim.state === 'dismissed';
}
