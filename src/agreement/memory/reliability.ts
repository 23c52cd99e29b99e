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
  /** Answers about claims of others that a person's decision bore out; absent where none was decided. */
  readonly right?: number;
  /** Those that it contradicted. */
  readonly wrong?: number;
}

type Tally = Omit<ReviewerReliability, 'reviewer'>;

/**
 * By name; only reviewers with a claim that was judged or fixed. A dismissal of a wider scope counts for the one
 * claim it was given for.
 */
export function reliabilityOf({ claims, dispositions }: ProjectMemory): ReviewerReliability[] {
  const latest = latestByClaim(dispositions);
  const tallies = new Map<string, Tally>();
  const add = (
    reviewer: string,
    family: string | null,
    kind: Exclude<keyof Tally, 'family'>,
  ): void => {
    const tally = tallies.get(reviewer) ?? { family: null, confirmed: 0, rejected: 0, fixed: 0 };
    const count = (tally[kind] ?? 0) + 1;
    tallies.set(reviewer, { ...tally, family: family ?? tally.family, [kind]: count });
  };
  for (const claim of claims) {
    const verdict = latest.get(claim.id)?.verdict;
    if (verdict === undefined && lastState(claim) !== 'fixed') continue;
    const isTrue = verdict !== 'rejected';
    const kind = verdict === undefined ? 'fixed' : isTrue ? 'confirmed' : 'rejected';
    for (const { reviewer, family } of claim.supporters) add(reviewer, family, kind);
    // That it is not repeated says less than what a person decided.
    if (verdict === undefined) continue;
    for (const { reviewer, family, isFor } of claim.answers ?? [])
      add(reviewer, family, isFor === isTrue ? 'right' : 'wrong');
  }
  return [...tallies]
    .map(([reviewer, tally]) => ({ reviewer, ...tally }))
    .sort((one, other) => (one.reviewer < other.reviewer ? -1 : 1));
}
