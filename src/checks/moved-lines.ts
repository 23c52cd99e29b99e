/** Lines that were there before: moved into another file, or to the right. What they say is nothing that the change says. */
import type { Change } from '../core/words/change.ts';

const longest = 400;
/** Beyond this many removed lines all lines count as new. */
const mostLines = 300_000;

const known = new WeakMap<Change, ReadonlySet<string>>();

/** True where the line and a neighbour of it went away somewhere in the change, one after the other. */
export function isMoved(change: Change, lines: readonly string[], index: number): boolean {
  const removed = known.get(change) ?? removedPairs(change);
  known.set(change, removed);
  if (removed.size === 0) return false;
  const line = lines[index] ?? '';
  const above = neighbour(lines, index, -1);
  const below = neighbour(lines, index, 1);
  return (
    (above !== null && removed.has(pair(above, line))) ||
    (below !== null && removed.has(pair(line, below)))
  );
}

function removedPairs(change: Change): ReadonlySet<string> {
  const pairs = new Set<string>();
  let count = 0;
  for (const { hunks } of change.files)
    for (const { lines } of hunks) {
      const old = lines
        .filter(line => line.startsWith('-') && line.slice(1).trim() !== '')
        .map(line => line.slice(1));
      count += old.length;
      if (count > mostLines) return new Set();
      for (let index = 1; index < old.length; index += 1)
        pairs.add(pair(old[index - 1] ?? '', old[index] ?? ''));
    }
  return pairs;
}

/** A remark of its author that was there before, alone or at the head of a line that was broken elsewhere. */
export function isRemarkMoved(change: Change, line: string): boolean {
  const before = knownRemarks.get(change) ?? removedRemarks(change);
  knownRemarks.set(change, before);
  const remark = remarkIn(line);
  return remark !== null && before.has(remark);
}

const knownRemarks = new WeakMap<Change, ReadonlySet<string>>();

function removedRemarks(change: Change): ReadonlySet<string> {
  const remarks = new Set<string>();
  for (const { hunks } of change.files)
    for (const { lines } of hunks)
      for (const line of lines) if (line.startsWith('-')) remarks.add(remarkIn(line) ?? '');
  remarks.delete('');
  return remarks;
}

/** Its first words; null where there are too few to know it by. */
function remarkIn(line: string): string | null {
  return /\bFIXME\b\W{0,4}(.{24})/.exec(line.slice(0, longest))?.[1] ?? null;
}

/** Two short lines say nothing about where they come from: braces, and bare marks. */
const telling = 16;

function pair(first: string, second: string): string {
  return `${first.trim().slice(0, longest)}\n${second.trim().slice(0, longest)}`;
}

function neighbour(lines: readonly string[], index: number, step: 1 | -1): string | null {
  for (let at = index + step; at >= 0 && at < lines.length; at += step) {
    const line = lines[at]?.trim() ?? '';
    if (line !== '') return line.length < telling ? null : line;
  }
  return null;
}
