/** What is known of each reviewer beside its words: how many of its claims people confirmed or dismissed. */
import { lastState, latestByClaim, type ProjectMemory } from '../../core/words/known-claim.ts';

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
}

/**
 * By name; only reviewers with a claim that was judged or fixed. A dismissal of a wider scope counts for the one
 * claim it was given for.
 */
export function reliabilityOf({ claims, dispositions }: ProjectMemory): ReviewerReliability[] {
  const latest = latestByClaim(dispositions);
  const tallies = new Map<string, ReviewerReliability>();
  const add = (
    { reviewer, family }: Pick<ReviewerReliability, 'reviewer' | 'family'>,
    kind: 'confirmed' | 'rejected' | 'fixed',
  ) => {
    const tally = tallies.get(reviewer) ?? {
      reviewer,
      family,
      confirmed: 0,
      rejected: 0,
      fixed: 0,
    };
    tallies.set(reviewer, {
      ...tally,
      family: family ?? tally.family,
      [kind]: tally[kind] + 1,
    });
  };
  for (const claim of claims) {
    const decided = latest.get(claim.id);
    // That it is the same trouble as another claim says nothing of who is right.
    const verdict = decided?.sameAs === undefined ? decided?.verdict : undefined;
    if (verdict === undefined && lastState(claim) !== 'fixed') continue;
    const isTrue = verdict !== 'rejected';
    const kind = verdict === undefined ? 'fixed' : isTrue ? 'confirmed' : 'rejected';
    for (const supporter of claim.supporters) add(supporter, kind);
  }
  return [...tallies.values()].sort((one, other) => (one.reviewer < other.reviewer ? -1 : 1));
}
