/** What the record of a run says of what it did not ask again. */
import type { z } from 'zod';
import { Carried } from '../words/run.ts';
import type { Review } from '../words/review.ts';
import type { Since } from './since.ts';

/** As a journal keeps it, from before anybody is asked. */
export const CarriedFrom = Carried.pick({ run: true, whole: true });
export type CarriedFrom = z.infer<typeof CarriedFrom>;

/** Null where nobody kept anything. */
export function describeCarried(
  { run, whole }: CarriedFrom,
  reviews: readonly Pick<Review, 'reviewer' | 'coverage'>[],
  since: ReadonlyMap<string, Since>,
): Carried | null {
  const own = reviews.flatMap(({ reviewer, coverage }) => {
    const told = since.get(reviewer);
    return told === undefined
      ? []
      : [
          {
            reviewer,
            asked: told.files.map(({ path }) => path),
            kept: coverage.filter(({ from }) => from !== undefined).map(({ path }) => path),
          },
        ];
  });
  if (own.length === 0) return null;
  const asked = new Set(own.flatMap(each => each.asked));
  const files = new Set(own.flatMap(each => [...each.asked, ...each.kept]));
  return {
    run,
    files: files.size,
    asked: asked.size,
    kept: files.size - asked.size,
    reviewers: own.map(each => ({
      reviewer: each.reviewer,
      asked: each.asked.length,
      kept: each.kept.length,
    })),
    whole: [...whole],
  };
}

/** One line: how much of the change was asked about, and where the rest comes from. */
export function sayCarried({ run, files, asked, kept, whole }: Carried): string {
  const others = whole.map(({ reviewer }) => reviewer);
  return (
    `Second review: ${asked === 0 ? 'none' : asked} of ${files} ${files === 1 ? 'file' : 'files'} asked, ` +
    `${kept} kept from run ${run}` +
    (others.length === 0 ? '' : `; asked about all of it: ${others.join(', ')}`)
  );
}
