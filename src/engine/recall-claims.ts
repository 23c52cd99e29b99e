/** Gives the claims of a run the ids and states they have in the memory of the project. */
import type { Subject } from '../core/words/change.ts';
import type { Claim } from '../core/words/claim.ts';
import type { RememberedRun } from '../core/memory/known-claim.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Review } from '../core/words/review.ts';
import { familiesOf } from './confidence-settings.ts';
import type { World } from './world.ts';

export interface RecallRequest {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly reviews: readonly Review[];
  readonly claims: readonly Claim[];
  /** ISO time. */
  readonly completedAt: string;
  /** Does the run come to a decision with these claims? */
  readonly isDecided: (claims: readonly Claim[]) => boolean;
}

/** Questions have no memory: every claim is new. */
export async function recallClaims(
  { plan, subject, reviews, claims, completedAt, isDecided }: RecallRequest,
  { memory, repository, hash }: Pick<World, 'memory' | 'repository' | 'hash'>,
): Promise<Omit<RememberedRun, 'changed'>> {
  if (memory === null || subject.kind !== 'change') return { claims, fixed: [], dismissed: [] };
  return memory.remember({
    run: plan.run,
    at: completedAt,
    change: subject,
    reviews,
    claims,
    hash,
    families: familiesOf(plan.seats),
    read: (file, side) => repository?.read(file, side) ?? Promise.resolve(null),
    isDecided,
  });
}
