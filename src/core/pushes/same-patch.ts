/**
 * Whether a file reads in a change as it did in an earlier state of it: by what was shown of it, not by commits. A rebase that moves
 * its lines leaves it the same; one that changes the lines around them does not.
 */
import type { Change, ChangedFile, Hunk } from '../words/change.ts';
import type { Location } from '../words/finding.ts';

export function isSamePatch(then: ChangedFile, now: ChangedFile): boolean {
  return printOf(then) === printOf(now) && !isMovedWithin(then, now);
}

/** Of the very same text the same lines were changed in another place, as where blocks are alike: nobody has looked at them there. */
function isMovedWithin(then: ChangedFile, now: ChangedFile): boolean {
  return (
    then.oldId === now.oldId &&
    /[^0]/.test(now.oldId) &&
    then.hunks.some(({ oldStart }, index) => oldStart !== now.hunks[index]?.oldStart)
  );
}

/** What is shown as hunks is the same whatever else its file holds; of the rest only the ids can tell. */
function printOf(file: ChangedFile): string {
  const { path, oldPath, status, oldMode, newMode, content, hunks, oldId, newId } = file;
  return JSON.stringify([
    path,
    oldPath,
    status,
    oldMode,
    newMode,
    content,
    hunks.length > 0 ? hunks.map(({ heading, lines }) => [heading, lines]) : [oldId, newId],
  ]);
}

/** By path: the files of a change that read as they did then. */
export function samePaths(then: Change, now: Change): ReadonlySet<string> {
  const before = new Map(then.files.map(file => [file.path, file]));
  return new Set(
    now.files
      .filter(file => {
        const earlier = before.get(file.path);
        return earlier !== undefined && isSamePatch(earlier, file);
      })
      .map(({ path }) => path),
  );
}

/** Where a line of a file with the same patch stands now; null when the patch does not show it. */
export function shownLineNow(
  then: ChangedFile,
  now: ChangedFile,
  { line, side }: Pick<Location, 'side'> & { readonly line: number },
): number | null {
  const at = then.hunks.findIndex(hunk => {
    const { start, lines } = spanOf(hunk, side);
    return line >= start && line < start + lines;
  });
  const [before, after] = [then.hunks[at], now.hunks[at]];
  if (before === undefined || after === undefined) return null;
  return line + spanOf(after, side).start - spanOf(before, side).start;
}

function spanOf(
  { oldStart, oldLines, newStart, newLines }: Hunk,
  side: Location['side'],
): { readonly start: number; readonly lines: number } {
  return side === 'new'
    ? { start: newStart, lines: newLines }
    : { start: oldStart, lines: oldLines };
}

/** Lines of the new side that the patch of then did not add. */
export function linesSince(then: ChangedFile, now: ChangedFile): number[] {
  return beyond(addedLines(now), addedLines(then)).map(({ line }) => line);
}

/** Lines of the new side at which something is new since: those that were added, and those between which others were taken back. */
export function placesSince(then: ChangedFile, now: ChangedFile): number[] {
  const gone = new Set(beyond(addedLines(then), addedLines(now)).map(({ line }) => line));
  const [before, after] = [newSide(then), newSide(now)];
  const around = before.flatMap(({ line }, index) => {
    if (!gone.has(line)) return [];
    const left = before.slice(0, index).findLastIndex(each => !gone.has(each.line));
    const at = left === -1 ? 0 : nearest(after, before[left]?.text ?? '', left);
    return after.slice(at, at + 2).map(each => each.line);
  });
  return [...new Set([...linesSince(then, now), ...around])].toSorted((one, other) => one - other);
}

/** Texts of the lines that were shown as they stood then and are not now, and of those that are removed now and were not. */
export function linesGone(then: ChangedFile | undefined, now: ChangedFile): string[] {
  const shown = then === undefined ? [] : beyond(newSide(then), newSide(now));
  return [...shown, ...beyond(removed(now), then === undefined ? [] : removed(then))].map(
    ({ text }) => text,
  );
}

function removed({ hunks }: ChangedFile): SideLine[] {
  return hunks.flatMap(({ oldStart, lines }) =>
    lines
      .filter(line => line.startsWith('-'))
      .map(line => ({ text: line.slice(1), line: oldStart, isAdded: false })),
  );
}

/** Where a text stands, next to where it stood. */
function nearest(lines: readonly SideLine[], text: string, index: number): number {
  const places = lines.flatMap((line, at) => (line.text === text ? [at] : []));
  return (
    places.toSorted((one, other) => Math.abs(one - index) - Math.abs(other - index))[0] ??
    Math.min(index, lines.length)
  );
}

/** Lines of the one that the other does not have, each as often as it has it more. */
function beyond(one: readonly SideLine[], other: readonly SideLine[]): SideLine[] {
  const known = new Map<string, number>();
  for (const { text } of other) known.set(text, (known.get(text) ?? 0) + 1);
  return one.filter(({ text }) => {
    const left = known.get(text) ?? 0;
    if (left > 0) known.set(text, left - 1);
    return left === 0;
  });
}

interface SideLine {
  /** Without its mark. */
  readonly text: string;
  readonly line: number;
  readonly isAdded: boolean;
}

function addedLines(file: ChangedFile): SideLine[] {
  return newSide(file).filter(({ isAdded }) => isAdded);
}

/** Lines of the new side that are shown. */
function newSide({ hunks }: ChangedFile): SideLine[] {
  return hunks.flatMap(({ newStart, lines }) => {
    let line = newStart;
    return lines.flatMap(text => {
      if (text.startsWith('-') || text.startsWith('\\')) return [];
      line += 1;
      return [{ text: text.slice(1), line: line - 1, isAdded: text.startsWith('+') }];
    });
  });
}

const mostRanges = 12;

/** `3-5, 9`; empty when there are none. */
export function sayRanges(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && line === last[1] + 1) last[1] = line;
    else ranges.push([line, line]);
  }
  const said = ranges
    .slice(0, mostRanges)
    .map(([first, end]) => (first === end ? String(first) : `${first}-${end}`));
  return [...said, ...(ranges.length > mostRanges ? ['…'] : [])].join(', ');
}
