/** Ranges of lines, and the lines of a file as a pack quotes them. */
import { sha256 } from '../../hash.ts';
import { withLines } from '../../change/patch.ts';
import { by, sumOf } from '../../groups.ts';
import { visibleName } from '../../safety/visible-text.ts';
import { toOneLine, wholeEnd } from '../../text.ts';
import type { ChangedFile, Hunk } from '../../words/change.ts';

export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export function formatRange({ start, end }: LineRange) {
  return `${start}-${end}`;
}

/** Null when there is no text, or it is not `a-b` with 1 ≤ a ≤ b. */
export function parseRange(text = ''): LineRange | null {
  const [, first, last] = /^([1-9]\d{0,8})-([1-9]\d{0,8})$/.exec(text) ?? [];
  const range = { start: Number(first), end: Number(last) };
  return range.start <= range.end ? range : null;
}

export function lengthOf({ start, end }: LineRange) {
  return end - start + 1;
}

export function holds({ start, end }: LineRange, line: number) {
  return start <= line && line <= end;
}

export function overlaps(one: LineRange, other: LineRange) {
  return one.start <= other.end && other.start <= one.end;
}

export function union(one: LineRange, other: LineRange): LineRange {
  return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
}

/** Consecutive parts of at most `most` lines. */
export function chunk({ start, end }: LineRange, most: number) {
  const parts: LineRange[] = [];
  for (let at = start; at <= end; at += most)
    parts.push({ start: at, end: Math.min(end, at + most - 1) });
  return parts;
}

/** What is left of a range when others are cut out of it. */
export function subtract(range: LineRange, others: readonly LineRange[]) {
  let left = [range];
  // A file may have ten thousand.
  for (const other of others.filter(each => overlaps(range, each))) {
    left = left.flatMap(part =>
      overlaps(part, other)
        ? [
            { start: part.start, end: other.start - 1 },
            { start: other.end + 1, end: part.end },
          ].filter(({ start, end }) => start <= end)
        : part,
    );
  }
  return left;
}

/** Runs of consecutive numbers in a sorted list. */
export function toRuns(lines: readonly number[]): LineRange[] {
  const runs: { start: number; end: number }[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last !== undefined && line <= last.end + 1) last.end = Math.max(last.end, line);
    else runs.push({ start: line, end: line });
  }
  return runs;
}

/** The lines of a side that a hunk shows. */
export function spanOf(hunk: Hunk, side: 'old' | 'new'): LineRange {
  const [start, lines] =
    side === 'new' ? [hunk.newStart, hunk.newLines] : [hunk.oldStart, hunk.oldLines];
  return { start, end: start + lines - 1 };
}

const longestLine = 500;
const cutMark = '… [cut]';

/** The lines of a file as a pack quotes them. */
export interface SourceText {
  /** As they are in the file: revisions are made of them. */
  readonly original: readonly string[];
  /** With secrets taken out, line by line the same. */
  readonly shown: readonly string[];
}

/** Lines of a file, by its path. */
export type LinesOf = (path: string) => readonly string[];

/** Long lines are cut with a mark. */
export function excerptOf({ shown }: SourceText, { start, end }: LineRange) {
  return shown
    .slice(start - 1, end)
    .map(cutLine)
    .join('\n');
}

function cutLine(line: string) {
  if (line.length <= longestLine) return line;
  return line.slice(0, wholeEnd(line, longestLine)) + cutMark;
}

/** First 12 hex digits of the SHA-256 over the lines joined with LF; the whole file without a range. */
export function revisionOf({ original }: Pick<SourceText, 'original'>, range: LineRange | null) {
  return sha256(
    (range === null ? original : original.slice(range.start - 1, range.end)).join('\n'),
  ).slice(0, 12);
}

// Where a change is on the new side of its files, what its added lines are, and how a change too large for one pack is split.

/** One hunk as the ladder sees it. Numbers are those of the new side. */
export interface ChangedPiece {
  readonly path: string;
  /** Lines that were added; where lines were only taken away, the ones beside the gap. */
  readonly changed: readonly LineRange[];
  /** Added lines only: they may name symbols. */
  readonly added: readonly number[];
  readonly removed: readonly RemovedRun[];
  /** The whole hunk with its context. */
  readonly hunk: LineRange;
}

/** Consecutive lines that the change took away. */
interface RemovedRun {
  /** The changed line they stood before, or behind when the piece ends there. */
  readonly at: number;
  readonly isBehind: boolean;
  /** Where they stood, on the old side. */
  readonly old: LineRange;
}

/** Empty for a file without text on the new side. */
export function piecesOf(file: ChangedFile): ChangedPiece[] {
  if (file.content !== 'text' || file.status === 'deleted') return [];
  return file.hunks.flatMap(hunk => pieceOf(file, hunk));
}

function pieceOf(file: ChangedFile, hunk: Hunk) {
  if (hunk.newLines === 0 && hunk.newStart === 0) return [];
  const first = Math.max(1, hunk.newStart);
  const last = Math.max(first, hunk.newStart + hunk.newLines - 1);
  const { hunks } = withLines({ ...file, hunks: [hunk] }, ({ mark }) => mark !== ' ');
  // Git counts the line before the gap when lines were only taken away.
  const runs = hunks.map(run => ({ ...run, at: run.newStart + Number(run.newLines === 0) }));
  const added = runs.flatMap(({ at, newLines }) =>
    Array.from({ length: newLines }, (_, index) => at + index),
  );
  const beside = runs
    .flatMap(({ at, newLines }) => (newLines === 0 ? [at - 1, at] : []))
    .filter(number => number >= first && number <= last);
  const changed = toRuns([...new Set([...added, ...beside])].toSorted(by(Number)));
  const removed = runs
    .filter(({ oldLines }) => oldLines > 0)
    .map(({ at, oldStart, oldLines }) => ({
      at: Math.min(at, last),
      isBehind: at > last,
      old: { start: oldStart, end: oldStart + oldLines - 1 },
    }));
  return changed.length === 0
    ? []
    : { path: file.path, changed, added, removed, hunk: { start: first, end: last } };
}

/** In their order. `tokensOf`: of some lines of a file. */
export function splitChange(
  pieces: readonly ChangedPiece[],
  share: {
    /** Tokens of changed lines that one pack may begin with: the rest of it is for what they refer to. */
    readonly tokens: number;
    /** Places. */
    readonly pieces: number;
  },
  tokensOf: (path: string, range: LineRange) => number,
) {
  const groups: ChangedPiece[][] = [];
  let group: ChangedPiece[] = [];
  let used = 0;
  for (const piece of pieces.flatMap(one => cutPiece(one, share.tokens, tokensOf))) {
    const tokens = sizeOf(piece, tokensOf);
    if (group.length > 0 && (used + tokens > share.tokens || group.length >= share.pieces)) {
      groups.push(group);
      group = [];
      used = 0;
    }
    group.push(piece);
    used += tokens;
  }
  return group.length === 0 ? groups : [...groups, group];
}

/** The label of an anchor and its summary. */
const labelTokens = 40;

/** Tokens of the changed lines of a piece. */
export function sizeOf(
  { path, changed }: ChangedPiece,
  tokensOf: (path: string, range: LineRange) => number,
) {
  return sumOf(changed, range => tokensOf(path, range) + labelTokens);
}

/** A hunk that is a pack's worth by itself. Its lines stay declared for all of its parts. */
function cutPiece(
  piece: ChangedPiece,
  most: number,
  tokensOf: (path: string, range: LineRange) => number,
) {
  const tokens = sizeOf(piece, tokensOf);
  if (tokens <= most) return [piece];
  const lines = sumOf(piece.changed, lengthOf);
  const perPart = Math.max(1, Math.floor((lines * most) / tokens));
  return piece.changed
    .flatMap(range => chunk(range, perPart))
    .map(range => ({
      ...piece,
      changed: [range],
      added: piece.added.filter(line => holds(range, line)),
      removed: piece.removed.filter(({ at }) => holds(range, at)),
    }));
}

// Lines worth a look, without an excerpt: each an anchor of its own.

/** Before it is known whether there is room for it. */
export interface LinePointer {
  readonly path: string;
  readonly line: number;
  /** Our words, names, and lines with their secrets taken out: it is shown without another look. */
  readonly what: string;
  /** The same in fewer words, for where there is little room. */
  readonly brief: string | null;
  /** A piece of the file that may be told behind it where it holds no secret. */
  readonly quote: string | null;
}

interface PointerAnchor {
  readonly path?: string | undefined;
  /** `a-b` */
  readonly lines?: string | undefined;
  readonly ref?: string | undefined;
  readonly name?: string | undefined;
}

/** Its `ref` is the path and its line. */
export function isLinePointer({ path, lines, ref }: PointerAnchor) {
  return (
    path !== undefined &&
    ref !== undefined &&
    lines !== undefined &&
    ref === `${path}:${lines.slice(0, lines.indexOf('-'))}`
  );
}

/** `path:line what`, one line for each. */
export function renderLinePointers(pointers: readonly PointerAnchor[]) {
  return pointers.map(({ ref = '', name = '' }) => visibleName(toOneLine(`${ref} ${name}`)));
}
