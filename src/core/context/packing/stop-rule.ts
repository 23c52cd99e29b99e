/** When the ladder has been climbed far enough: changed lines shown, names resolved, criteria met. */
import type { Placed } from './candidate.ts';
import type { ChangedPiece } from './changed-lines.ts';
import { holds, subtract, type LineRange } from './line-range.ts';
import type { Unresolved } from './local-pack.ts';

/** A name that a changed line, or a criterion, refers to, and where it is defined. */
export interface Requirement {
  readonly symbol: string;
  /** Where it is referred to: `path:line`, or `acceptance_criteria`. */
  readonly at: string;
  /** Null: nobody knows. */
  readonly definition: { readonly path: string; readonly line: number } | null;
  /** Why `definition` is null. */
  readonly reason: string;
}

/** What the rule misses; empty when it holds. */
export function findUnresolved(anchors: readonly Placed[], pieces: readonly ChangedPiece[], requirements: readonly Requirement[]): Unresolved[] {
  const ranges = rangesByPath(anchors);
  const hidden = pieces.flatMap(({ path, changed }) =>
    changed.flatMap(range => subtract(range, ranges.get(path) ?? [])).map(({ start, end }) => ({ symbol: `${path}:${start}-${end}`, at: `${path}:${start}`, reason: 'changed lines are not shown' })));
  const missing = requirements.filter(({ definition }) => definition === null || !isShown(definition, ranges)).map(({ symbol, at, definition, reason }) =>
    ({ symbol, at, reason: definition === null ? reason : `its definition at ${definition.path}:${definition.line} does not fit` }));
  return [...hidden, ...missing];
}

export function isShown({ path, line }: { readonly path: string; readonly line: number }, ranges: ReadonlyMap<string, readonly LineRange[]>): boolean {
  return (ranges.get(path) ?? []).some(range => holds(range, line));
}

export function rangesByPath(anchors: readonly Pick<Placed, 'path' | 'range'>[]): ReadonlyMap<string, LineRange[]> {
  const ranges = new Map<string, LineRange[]>();
  for (const { path, range } of anchors) {
    if (path === null || range === null) continue;
    const known = ranges.get(path);
    if (known === undefined) ranges.set(path, [range]);
    else known.push(range);
  }
  return ranges;
}

/** An entry of `open_questions` for each thing that is missing; those beyond `most` share one. */
export function toQuestions(unresolved: readonly Unresolved[], most: number): string[] {
  const entries = unresolved.map(({ symbol, at, reason }) => `${symbol} (${at}): ${reason}`);
  if (entries.length <= most) return entries;
  return [...entries.slice(0, most), `and ${entries.length - most} more: ${unresolved.slice(most, most + 20).map(({ symbol }) => symbol).join(', ')}`];
}
