/** Reviewers asked one group after the other: a later stage is asked only when those before it give a reason to. */
import { z } from 'zod';
import type { Review } from '../words/review.ts';
import { isAtLeast } from '../words/severity.ts';

/** What became of a stage. */
export const StageRecord = z.object({
  reviewers: z.array(z.string()),
  asked: z.boolean(),
  /** Why it was asked, or was not. */
  why: z.string(),
});
export type StageRecord = z.infer<typeof StageRecord>;

export interface StagePolicy {
  /** Complete reviews the gate wants. */
  readonly quorum: number;
  /** Ask every stage, whatever is found. */
  readonly all: boolean;
}

/** `warranted: false` only where the earlier stages were complete and found nothing of weight. */
export function judgeNextStage(
  reviews: readonly Review[],
  { quorum, all }: StagePolicy,
): { readonly warranted: boolean; readonly why: string } {
  if (all) return { warranted: true, why: 'every stage was asked for' };
  const incomplete = reviews.find(({ status }) => status !== 'complete');
  if (incomplete !== undefined)
    return { warranted: true, why: `${incomplete.reviewer} did not complete` };
  if (reviews.length < quorum) return { warranted: true, why: `the quorum is ${quorum}` };
  const grave = reviews
    .flatMap(({ findings }) => findings)
    .find(({ isImprovement, severity }) => !isImprovement && isAtLeast(severity, 'high'));
  if (grave !== undefined) return { warranted: true, why: `${grave.id} is ${grave.severity}` };
  return {
    warranted: false,
    why: 'the earlier stages are complete and found nothing of P1 or worse',
  };
}
