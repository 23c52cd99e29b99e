/** The rounds of a run in its journal: what each reviewer said in which, and which came to their end. Round 0 is an earlier run. */
import type { Seat } from '../../core/words/config.ts';
import type { Recall } from '../../core/ports/steps.ts';
import { Since } from '../../core/pushes/since.ts';
import { type FileReading, Review } from '../../core/words/review.ts';

type Reviewer = Pick<Seat, 'id'>;

/** The review that need not be asked for again: that of this round as it is, that of an earlier one when it is complete. */
export async function recallReview(
  steps: Recall,
  seat: Reviewer,
  round: number,
): Promise<Review | null> {
  return (
    (await steps.recall(reviewKey(seat, round), Review)) ?? (await recallComplete(steps, seat))
  );
}

/** The complete review of this reviewer in any round of a journal. */
async function recallComplete(steps: Recall, seat: Reviewer) {
  const last = await nextRound(steps);
  for (let round = 0; round <= last; round++) {
    const known = await steps.recall(reviewKey(seat, round), Review);
    if (known?.status === 'complete') return known;
  }
  return null;
}

/**
 * What a journal holds of this reviewer that another run of the same plan need not ask for again, or must not lose.
 */
export async function recallUsable(steps: Recall, seat: Reviewer): Promise<Review | null> {
  const review =
    (await recallComplete(steps, seat)) ??
    (await recallEarlier(steps, seat, await nextRound(steps)));
  return review && (review.status === 'complete' || isBegun(review) || review.findings.length > 0)
    ? review
    : null;
}

/** The review of the last round before this one that came to its end with this reviewer. */
export async function recallEarlier(
  steps: Recall,
  seat: Reviewer,
  round: number,
): Promise<Review | null> {
  for (let earlier = round - 1; earlier >= 0; earlier--) {
    const known = await steps.recall(reviewKey(seat, earlier), Review);
    if (known) return known;
  }
  return null;
}

/**
 * How much of each file is sure to have been read: that which a usable answer was about, whatever ended the review after it. What a
 * question that failed or broke off was about is asked again.
 */
export function readIn(review: Review | null): ReadonlyMap<string, FileReading['extent']> {
  if (!review || review.status === 'failed') return new Map();
  return new Map(review.coverage.filter(isShown).map(({ path, extent }) => [path, extent]));
}

export function isShown({ extent }: FileReading): boolean {
  return extent === 'full' || extent === 'partial';
}

/** Can the review be gone on with, or must its reviewer start anew? */
export function isBegun(review: Review): boolean {
  return [...readIn(review).values()].includes('full');
}

/** The round to work in: one more than those that came to an end. */
export async function nextRound(steps: Recall): Promise<number> {
  let round = 1;
  while ((await steps.recall(endKey(round))) !== undefined) round++;
  return round;
}

export function reviewKey(seat: Reviewer, round: number): string {
  return `review/${seat.id}/${round}`;
}

export function endKey(round: number): string {
  return `end/${round}`;
}

/** Where a round that came to its end notes what the run has spent until then. */
export function spentKey(round: number): string {
  return `spent/${round}`;
}

/** Where a run notes what a reviewer that has read an earlier state of the change is told about that. */
export function sinceKey(seat: Reviewer): string {
  return `since/${seat.id}`;
}

/** Where a run notes of which earlier run, of an earlier state of its change, it began with what still stands. */
export const carriedKey = 'carried';

/** Where a run notes whose answers of an earlier run it began with. */
export const adoptedKey = 'adopted';

/**
 * By seat: what it is told of that. Whose review was not kept, should the process have been killed before, is asked anew and told
 * nothing.
 */
export async function sinceIn(seats: readonly Seat[], steps: Recall): Promise<Map<string, Since>> {
  const all = new Map<string, Since>();
  for (const seat of seats) {
    const known = await steps.recall(sinceKey(seat), Since);
    if (known && (await recallEarlier(steps, seat, 1))) all.set(seat.id, known);
  }
  return all;
}
