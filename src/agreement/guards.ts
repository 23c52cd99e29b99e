/** What keeps two findings apart under every strategy: two categories in one file are two issues, at one line or at two. */
import type { Finding } from '../core/words/finding.ts';

export function mustStayApart(one: Finding, other: Finding): boolean {
  return (
    one.location !== null &&
    one.location.path === other.location?.path &&
    one.category !== null &&
    other.category !== null &&
    normalise(one.category) !== normalise(other.category)
  );
}

function normalise(category: string): string {
  return category.trim().toLowerCase();
}
