/** The lines of a file as a pack quotes them. */
import type { LineRange } from './line-range.ts';

const longestLine = 500;
const cutMark = '… [cut]';

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
  return shown.slice(start - 1, end).map(cutLine).join('\n');
}

export function cutLine(line: string): string {
  if (line.length <= longestLine) return line;
  const last = line.charCodeAt(longestLine - 1);
  return line.slice(0, last >= 0xd800 && last <= 0xdbff ? longestLine - 1 : longestLine) + cutMark;
}

/** First 12 hex digits of the SHA-256 over the lines joined with LF; the whole file without a range. */
export function revisionOf({ original }: Pick<SourceText, 'original'>, range: LineRange | null, hash: (text: string) => string): string {
  return hash((range === null ? original : original.slice(range.start - 1, range.end)).join('\n')).slice(0, 12);
}
