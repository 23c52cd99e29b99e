/** Lines that were there before: moved into another file, or to the right. What they say is nothing that the change says. */
import type { Change } from '../core/words/change.ts';

/** Beyond this many removed lines all lines count as new. */
const mostLines = 300_000;
/** Two short lines say nothing about where they come from: braces, and bare marks. */
const telling = 16;
const longest = 400;

const known = new WeakMap<Change, ReadonlySet<string>>();

/** True where the line and a neighbour of it went away somewhere in the change, one after the other. */
export function isMoved(change: Change, lines: readonly string[], index: number): boolean {
  const removed = known.get(change) ?? new Set(removedPairs(change));
  known.set(change, removed);
  if (removed.size === 0) return false;
  const line = lines[index] ?? '';
  const above = neighbour(lines, index, -1);
  const below = neighbour(lines, index, 1);
  return (
    (above.length >= telling && removed.has(pair(above, line))) ||
    (below.length >= telling && removed.has(pair(line, below)))
  );
}

function removedPairs({ files }: Change): readonly string[] {
  const hunks = files.flatMap(file =>
    file.hunks.map(({ lines }) =>
      lines.filter(line => line.startsWith('-') && isWritten(line.slice(1))),
    ),
  );
  if (hunks.reduce((sum, { length }) => sum + length, 0) > mostLines) return [];
  return hunks.flatMap(old =>
    old.slice(1).map((line, index) => pair(old[index]?.slice(1) ?? '', line.slice(1))),
  );
}

function neighbour(lines: readonly string[], index: number, step: 1 | -1): string {
  let at = index + step;
  while (at in lines && !isWritten(lines[at] ?? '')) at += step;
  return lines[at]?.trim() ?? '';
}

function isWritten(line: string): boolean {
  return line.trim() !== '';
}

function pair(first: string, second: string): string {
  return `${first.trim().slice(0, longest)}\n${second.trim().slice(0, longest)}`;
}
