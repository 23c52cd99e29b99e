/**
 * Which known claims a run shows to be fixed. Silence counts only where the reviewers who said it were listening: each of
 * them completed, read the file in full, and was shown the code if it still stands.
 */
import type { Review } from '../review.ts';
import { type FixedClaim, type KnownClaim, lastState } from './known-claim.ts';
import { findPrint, isGone, linesLeft } from './code-print.ts';
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

/** Null: not shown to be fixed. A claim about what the change takes away does not end with the file or the code. */
function reasonOf(claim: KnownClaim, readers: Readers, sight: Sight): string | null {
  const files = claim.files.map(path => sight.currentPath(path, claim.code));
  const paths = files.filter(path => path !== null);
  const [path] = paths;
  if (path === undefined || files.includes(null)) return null;
  if (claim.side === 'new' && paths.every(file => sight.isDeleted(file))) return 'Its file is gone.';
  const print = claim.code === null ? null : sight.print(path);
  if (print !== null && claim.code !== null && isGone(print, claim.code)) return 'Its code is gone.';
  if (!wasShown(claim, path, sight)) return null;
  const listening = claim.supporters.filter(({ reviewer }) => paths.every(file => readers(file).has(reviewer)));
  if (claim.supporters.length === 0 || listening.length < claim.supporters.length) return null;
  return `${listening.map(({ reviewer }) => reviewer).join(', ')} read it again and ${listening.length === 1 ? 'does' : 'do'} not repeat it.`;
}

/** Code that stands outside of what the reviewers were shown, as it was or in part, is code nobody looked at. */
function wasShown({ code, line }: KnownClaim, path: string, sight: Sight): boolean {
  const print = code === null ? null : sight.print(path);
  if (print === null || code === null) return true;
  const standing = findPrint(print, code, line);
  const left = standing === null ? linesLeft(print, code) : [standing.line];
  return left.length === 0 || left.some(at => sight.isShown(path, at));
}
