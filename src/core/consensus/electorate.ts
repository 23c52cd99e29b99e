/** Who could have said something about a place: the reviewers whose silence counts. */
import type { Review } from '../review.ts';
import { counts } from '../verdict/coverage.ts';

/** Ids of the reviewers that are listened to for a file; for null, or a file that nobody was shown, of the whole subject. */
export type Electorate = (path: string | null) => ReadonlySet<string>;

/**
 * A completed review counts everywhere it read the file in full; a partial one only there, and never for the subject as
 * a whole. A path that no reviewer was given cannot make anybody leave: a made-up place must not raise an agreement.
 */
export function electorateOf(reviews: readonly Review[]): Electorate {
  const completed = new Set(reviews.filter(review => review.status === 'complete').map(review => review.reviewer));
  const readers = new Map<string, Set<string>>();
  for (const review of reviews) {
    for (const { path, extent } of review.coverage) {
      const list = readers.get(path) ?? new Set();
      readers.set(path, list);
      if (counts(review, { extent })) list.add(review.reviewer);
    }
  }
  return path => (path === null ? undefined : readers.get(path)) ?? completed;
}
