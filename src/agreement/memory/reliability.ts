/** What is known of each reviewer beside its words: how many of its claims people confirmed or dismissed. */
import {
  type KnownClaim,
  lastState,
  latestByClaim,
  type ProjectMemory,
} from '../../core/words/known-claim.ts';

export interface ReviewerReliability {
  readonly reviewer: string;
  /** Vendor family; null when nobody knows. */
  readonly family: string | null;
  /** Claims it supported that a person accepted, or tolerates: both are real. */
  readonly confirmed: number;
  /** Claims it supported that a person dismissed as false. */
  readonly rejected: number;
  /** Claims it supported that nobody decided about, and that a later run found to be fixed. */
  readonly fixed: number;
  /** Answers about claims of others that a person's decision bore out; absent where none was decided. */
  readonly right?: number;
  /** Those that it contradicted. */
  readonly wrong?: number;
}

/**
 * By name; only reviewers with a claim that somebody judged or fixed. A dismissal of a wider scope counts for the one
 * claim it was given for.
 */
export function reliabilityOf(memory: ProjectMemory): ReviewerReliability[] {
  const tallies = new Map<string, Tally>();
  const tallyOf = (reviewer: string, family: string | null): Tally => {
    const tally = tallies.get(reviewer) ?? { family: null, confirmed: 0, rejected: 0, fixed: 0 };
    tallies.set(reviewer, tally);
    tally.family = family ?? tally.family;
    return tally;
  };
  for (const { claim, kind } of settledClaims(memory)) {
    for (const { reviewer, family } of claim.supporters) tallyOf(reviewer, family)[kind] += 1;
    // That nobody repeats it says less than what a person decided.
    if (kind === 'fixed') continue;
    for (const { reviewer, family, isFor } of claim.answers ?? []) {
      const tally = tallyOf(reviewer, family);
      const borne = isFor === (kind === 'confirmed') ? 'right' : 'wrong';
      tally[borne] = (tally[borne] ?? 0) + 1;
    }
  }
  return [...tallies]
    .map(([reviewer, tally]) => ({ reviewer, ...tally }))
    .sort((one, other) => (one.reviewer < other.reviewer ? -1 : 1));
}

type Tally = {
  -readonly [Key in keyof Omit<ReviewerReliability, 'reviewer'>]: ReviewerReliability[Key];
};

interface SettledClaim {
  readonly claim: KnownClaim;
  readonly kind: 'confirmed' | 'rejected' | 'fixed';
}

/** Each known claim that somebody decided about, by the latest decision, or that was fixed without a word. */
function settledClaims({ claims, dispositions }: ProjectMemory): SettledClaim[] {
  const latest = latestByClaim(dispositions);
  return claims.flatMap((claim): SettledClaim[] => {
    const decision = latest.get(claim.id);
    if (decision !== undefined)
      return [{ claim, kind: decision.verdict === 'rejected' ? 'rejected' : 'confirmed' }];
    return lastState(claim) === 'fixed' ? [{ claim, kind: 'fixed' }] : [];
  });
}
