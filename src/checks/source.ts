/** The new side of one changed file, and which of its lines the change touches, or only moves. */
import type { Change, ChangedFile, Hunk } from '../core/words/change.ts';
import type { Turn } from '../core/ports/runner.ts';
import { addedLinesOf } from '../core/integrity/added-lines.ts';
import { splitLines } from '../core/text.ts';

export interface Source {
  readonly file: ChangedFile;
  readonly path: string;
  /** Empty for a deleted file. Between the hunks of a bare patch the lines are blank. */
  readonly text: string;
  /** Without their line ends. */
  readonly lines: readonly string[];
  readonly isWhole: boolean;
  readonly hasLongLines: boolean;
  /**
   * Lines of the new side that the change added, in order; all of them when files are reviewed as they are. Longer ones than asked for are
   * left out.
   */
  readonly added: readonly number[];
  /** First touched line of the range, both ends included; null when the change leaves it alone. */
  touched(start: number, end: number): number | null;
}

/**
 * Why a check leaves a file to whoever made it; null where it does not. The base says so: what a change says of itself are the words
 * of its author, and a name says nothing.
 */
export async function whyLeftOut(file: ChangedFile, read: Turn['read']): Promise<string | null> {
  const before = file.status === 'added' ? null : await read(file, 'old');
  if (before === null) return null;
  const lines = splitLines(before);
  const head = lines.slice(0, longestHead).map(line => line.slice(0, 300));
  if (head.some(line => byProgram.test(line) || byBundler.test(line)))
    return 'generated at the base';
  return before.length > 20_000 && before.length / lines.length > 300
    ? 'minified at the base'
    : null;
}

const longestHead = 12;
const byProgram = new RegExp(
  '^\\W{0,20}(?:@generated\\b|<auto-?generated\\b|(?:(?:this|code) (?:file )?(?:is' +
    '|was) )?(?:auto(?:matically)?[- ]?)?generated\\b.{0,120}\\bdo not (?:edit|modify)\\b)',
  'i',
);

/** The wrapper that a bundler puts around a library, as one expression. */
const byBundler =
  /^\s*typeof (?:exports|define) === ["'](?:object|function)["'] && .{1,80}\? (?:module\.exports|define)\b/;

/** Lines a hunk may claim to start at, so that a forged header cannot ask for a billion blank lines. */
const lastLine = 1_000_000;

/** Null when nothing of the new side can be had. */
export async function openSource(
  change: Change,
  file: ChangedFile,
  read: Turn['read'],
  longestLine: number,
): Promise<Source | null> {
  if (file.status === 'deleted') return describe(file, '', true, [], longestLine);
  const whole = await read(file, 'new');
  const text = whole ?? rebuild(file.hunks);
  if (text === null) return null;
  const isWhole = whole !== null || file.status === 'added';
  const added = change.source === 'files' ? null : addedLinesOf(file).map(({ line }) => line);
  return describe(file, text, isWhole, added, longestLine);
}

/** `added` null means every line. */
function describe(
  file: ChangedFile,
  text: string,
  isWhole: boolean,
  added: readonly number[] | null,
  longestLine: number,
): Source {
  const lines = splitLines(text);
  const all = added ?? lines.map((_, index) => index + 1);
  const numbers = all.filter(line => (lines[line - 1]?.length ?? 0) <= longestLine);
  return {
    file,
    path: file.path,
    text,
    lines,
    isWhole,
    hasLongLines: numbers.length < all.length,
    added: numbers,
    touched(start, end) {
      const found = numbers[countBelow(numbers, start)];
      return found !== undefined && found <= end ? found : null;
    },
  };
}

/** The new side as far as the hunks show it, every line at its number. Null when they show nothing or lie about it. */
function rebuild(hunks: readonly Hunk[]) {
  const lines: string[] = [];
  for (const hunk of hunks) {
    if (hunk.newStart > lastLine) return null;
    while (lines.length < hunk.newStart - 1) lines.push('');
    for (const text of hunk.lines)
      if (!text.startsWith('-') && !text.startsWith('\\')) lines.push(text.slice(1));
  }
  return lines.length === 0 ? null : `${lines.join('\n')}\n`;
}

/** How many of the ascending numbers are less. */
function countBelow(numbers: readonly number[], bound: number) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Beyond this many removed lines all lines count as new. */
const mostLines = 300_000;
/** Two short lines say nothing about where they come from: braces, and bare marks. */
const telling = 16;
const longest = 400;

const known = new WeakMap<Change, ReadonlySet<string>>();

/** True where the line and a neighbour of it went away somewhere in the change, one after the other. */
export function isMoved(change: Change, lines: readonly string[], index: number) {
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

function removedPairs({ files }: Change) {
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

function neighbour(lines: readonly string[], index: number, step: 1 | -1) {
  let at = index + step;
  while (at in lines && !isWritten(lines[at] ?? '')) at += step;
  return lines[at]?.trim() ?? '';
}

function isWritten(line: string) {
  return line.trim() !== '';
}

function pair(first: string, second: string) {
  return `${first.trim().slice(0, longest)}\n${second.trim().slice(0, longest)}`;
}
