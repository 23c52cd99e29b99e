/**
 * Whether a file reads in a change as it did in an earlier state of it, and at the same place: what was shown of it is the same, and
 * whatever the base has gained since lies below it, or above all that heads it. Commits do not count.
 */
import type { Change, ChangedFile, Hunk } from '../words/change.ts';
import type { Location } from '../words/finding.ts';

/** The old side of a changed file; null where nobody has it any more. */
type OldText = (file: ChangedFile) => Promise<string | null>;

/** By path: the files of a change of which a reading of then holds now. */
export async function samePaths(
  then: Change,
  now: Change,
  textOf: OldText,
): Promise<ReadonlySet<string>> {
  const before = new Map(then.files.map(file => [file.path, file]));
  const same = new Set<string>();
  for (const file of now.files) {
    const earlier = before.get(file.path);
    if (
      earlier !== undefined &&
      printOf(earlier) === printOf(file) &&
      (await isInPlace(earlier, file, textOf))
    )
      same.add(file.path);
  }
  return same;
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

/** Of files whose hunks read alike. Blocks may be alike too: the text of a hunk does not tell where it stands. */
async function isInPlace(then: ChangedFile, now: ChangedFile, textOf: OldText): Promise<boolean> {
  const places = then.hunks.map((hunk, index) => [hunk, now.hunks[index] ?? hunk] as const);
  if (then.oldId === now.oldId && (/[^0]/.test(now.oldId) || now.oldMode === '000000'))
    return places.every(([before, after]) => before.oldStart === after.oldStart);
  const [before, after] = await Promise.all([textOf(then), textOf(now)]);
  if (before === null || after === null) return false;
  const bases = compareBases(before.split('\n'), after.split('\n'));
  return places.every(([hunk, { oldStart }]) => placeNow(hunk, bases) === oldStart);
}

interface Bases {
  /** Lines of the earlier one. */
  readonly lines: readonly string[];
  /** How many of them, from the first on, are the same in the later one. */
  readonly head: number;
  /** Lines that the later one has more, where it has the earlier one whole, in two pieces at most; else null. */
  readonly inserted: number | null;
}

function compareBases(lines: readonly string[], after: readonly string[]): Bases {
  const least = Math.min(lines.length, after.length);
  let [head, tail] = [0, 0];
  while (head < least && lines[head] === after[head]) head++;
  while (tail < least && lines.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const inserted = head + tail < lines.length ? null : after.length - lines.length;
  return { lines, head, inserted };
}

/** Line of the later base at which a hunk of the earlier one starts; null where nobody can tell for certain. */
function placeNow(
  { oldStart, oldLines, heading }: Hunk,
  { lines, head, inserted }: Bases,
): number | null {
  const start = oldLines === 0 ? oldStart : oldStart - 1;
  if (start + oldLines <= head) return oldStart;
  // Git names behind the second @@ the nearest line above that it takes for a heading.
  const headed = heading === '' ? 0 : findAbove(lines, start, heading);
  // A line that git takes for none may name the block: it stands where the block begins.
  const top = Math.min(headed, lines.slice(0, start).lastIndexOf('') + 1);
  return inserted !== null && top >= head ? oldStart + inserted : null;
}

/** -1 where none begins so. */
function findAbove(lines: readonly string[], start: number, text: string): number {
  for (let at = start - 1; at >= 0; at--) if (lines[at]?.startsWith(text) === true) return at;
  return -1;
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
  const places = [...new Set([...linesSince(then, now), ...around])];
  // Where no line is new, the same ones may stand in another place.
  return places.length > 0
    ? places.toSorted((one, other) => one - other)
    : addedLines(now).map(({ line }) => line);
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
