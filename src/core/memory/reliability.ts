/** What people's decisions say about each reviewer: how many of its claims they confirmed, and how many were false. */
import {
  latestByClaim,
  type Disposition,
  type KnownClaim,
  type ProjectMemory,
} from './known-claim.ts';

export interface ReviewerReliability {
  readonly reviewer: string;
  /** Vendor family; null when nobody knows. */
  readonly family: string | null;
  /** Claims it supported that a person accepted, or tolerates: both are real. */
  readonly confirmed: number;
  /** Claims it supported that a person dismissed as false. */
  readonly rejected: number;
}

/** By name; only reviewers that somebody has judged. A dismissal of a wider scope counts for the one claim it was given for. */
export function reliabilityOf(memory: ProjectMemory): ReviewerReliability[] {
  const tallies = new Map<string, { family: string | null; confirmed: number; rejected: number }>();
  for (const { claim, decision } of decidedClaims(memory)) {
    for (const { reviewer, family } of claim.supporters) {
      const tally = tallies.get(reviewer) ?? { family: null, confirmed: 0, rejected: 0 };
      tallies.set(reviewer, tally);
      tally.family = family ?? tally.family;
      tally[decision.verdict === 'rejected' ? 'rejected' : 'confirmed'] += 1;
    }
  }
  return [...tallies]
    .map(([reviewer, tally]) => ({ reviewer, ...tally }))
    .sort((one, other) => (one.reviewer < other.reviewer ? -1 : 1));
}

export interface DecidedClaim {
  readonly claim: KnownClaim;
  readonly decision: Disposition;
}

/** Each known claim that somebody decided about, with the latest decision. */
export function decidedClaims({ claims, dispositions }: ProjectMemory): DecidedClaim[] {
  const latest = latestByClaim(dispositions);
  return claims.flatMap(claim => {
    const decision = latest.get(claim.id);
    return decision === undefined ? [] : [{ claim, decision }];
  });
}
