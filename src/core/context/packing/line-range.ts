/** Ranges of lines, and the lines of a file as a pack quotes them. */

export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export function formatRange({ start, end }: LineRange): string {
  return `${start}-${end}`;
}

/** Null when the text is not `a-b` with 1 ≤ a ≤ b. */
export function parseRange(text: string): LineRange | null {
  const [, first, last] = /^([1-9]\d{0,8})-([1-9]\d{0,8})$/.exec(text) ?? [];
  const range = { start: Number(first), end: Number(last) };
  return range.start <= range.end ? range : null;
}

export function lengthOf({ start, end }: LineRange): number {
  return end - start + 1;
}

export function holds({ start, end }: LineRange, line: number): boolean {
  return start <= line && line <= end;
}

export function overlaps(one: LineRange, other: LineRange): boolean {
  return one.start <= other.end && other.start <= one.end;
}

export function union(one: LineRange, other: LineRange): LineRange {
  return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
}

/** The range without its end beyond `lines`; null when nothing is left. */
export function clip(
  { start, end }: LineRange,
  { start: first, end: last }: LineRange,
): LineRange | null {
  const range = { start: Math.max(start, first), end: Math.min(end, last) };
  return range.start <= range.end ? range : null;
}

/** Consecutive parts of at most `most` lines. */
export function chunk({ start, end }: LineRange, most: number): LineRange[] {
  const parts: LineRange[] = [];
  for (let at = start; at <= end; at += most)
    parts.push({ start: at, end: Math.min(end, at + most - 1) });
  return parts;
}

/** What is left of a range when others are cut out of it. */
export function subtract(range: LineRange, others: readonly LineRange[]): LineRange[] {
  let left = [range];
  for (const other of others) {
    left = left.flatMap(part =>
      overlaps(part, other)
        ? [
            { start: part.start, end: other.start - 1 },
            { start: other.end + 1, end: part.end },
          ].filter(({ start, end }) => start <= end)
        : [part],
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

const longestLine = 500;
const cutMark = '… [cut]';

/** The lines of a file as a pack quotes them. */
export interface SourceText {
  /** As they are in the file: revisions are made of them. */
  readonly original: readonly string[];
  /** With secrets taken out, line by line the same. */
  readonly shown: readonly string[];
}

export function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Long lines are cut with a mark. */
export function excerptOf({ shown }: SourceText, { start, end }: LineRange): string {
  return shown
    .slice(start - 1, end)
    .map(cutLine)
    .join('\n');
}

function cutLine(line: string): string {
  if (line.length <= longestLine) return line;
  const last = line.charCodeAt(longestLine - 1);
  return line.slice(0, last >= 0xd800 && last <= 0xdbff ? longestLine - 1 : longestLine) + cutMark;
}

/** First 12 hex digits of the SHA-256 over the lines joined with LF; the whole file without a range. */
export function revisionOf(
  { original }: Pick<SourceText, 'original'>,
  range: LineRange | null,
  hash: (text: string) => string,
): string {
  return hash(
    (range === null ? original : original.slice(range.start - 1, range.end)).join('\n'),
  ).slice(0, 12);
}
