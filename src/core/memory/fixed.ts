/**
 * Which known claims a run shows to be fixed. Silence counts only where the reviewers who said it were listening: each of
 * them completed, read the file in full, and was shown the code if it still stands.
 */
import type { Review } from '../review.ts';
import type { FixedClaim } from './closed-claim.ts';
import { findPrint, isGone } from './code-print.ts';
import { lastState, type KnownClaim } from './known-claim.ts';
import type { Sight } from './sight.ts';

export interface Silence {
  readonly reviews: readonly Review[];
  readonly sight: Sight;
}

/** `unsaid`: known claims that nobody repeats in the run. Dismissed ones stay dismissed. */
export function findFixed(unsaid: readonly KnownClaim[], { reviews, sight }: Silence): FixedClaim[] {
  const readers = readersOf(reviews);
  return unsaid.filter(isOpen).flatMap(claim => {
    const reason = reasonOf(claim, readers, sight);
    if (reason === null) return [];
    const { id, severity, text, path, line } = claim;
    return [{ id, severity, text, location: path === null ? null : { path, line }, reason }];
  }).sort((one, other) => (one.id < other.id ? -1 : 1));
}

function isOpen(claim: KnownClaim): boolean {
  return !['fixed', 'dismissed'].includes(lastState(claim));
}

type Readers = (path: string) => ReadonlySet<string>;

function readersOf(reviews: readonly Review[]): Readers {
  const readers = new Map<string, Set<string>>();
  for (const { reviewer, status, coverage } of reviews) {
    if (status !== 'complete') continue;
    for (const { path, extent } of coverage) if (extent === 'full') readers.set(path, (readers.get(path) ?? new Set()).add(reviewer));
  }
  return path => readers.get(path) ?? new Set();
}

/** Null: not shown to be fixed. */
function reasonOf(claim: KnownClaim, readers: Readers, sight: Sight): string | null {
  const files = claim.files.map(path => sight.currentPath(path, claim.code));
  if (files.length === 0 || files.includes(null)) return null;
  const paths = files.filter(path => path !== null);
  if (paths.every(path => sight.isDeleted(path))) return 'Its file is gone.';
  const [path = ''] = paths;
  const print = claim.code === null ? null : sight.print(path);
  if (print !== null && claim.code !== null && isGone(print, claim.code)) return 'Its code is gone.';
  if (!wasShown(claim, path, sight)) return null;
  const listening = claim.supporters.filter(({ reviewer }) => paths.every(file => sight.isDeleted(file) || readers(file).has(reviewer)));
  if (claim.supporters.length === 0 || listening.length < claim.supporters.length) return null;
  return `${listening.map(({ reviewer }) => reviewer).join(', ')} read it again and ${listening.length === 1 ? 'does' : 'do'} not repeat it.`;
}

/** Code that stands as it was outside of what the reviewers were shown is code nobody looked at. */
function wasShown({ code, line }: KnownClaim, path: string, sight: Sight): boolean {
  const print = code === null ? null : sight.print(path);
  const standing = print === null || code === null ? null : findPrint(print, code, line);
  return standing === null || !standing.isWhole || sight.isShown(path, standing.line);
}
