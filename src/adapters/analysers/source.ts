/** The new side of one changed file, and which of its lines the change touches. */
import type { Change, ChangedFile, Hunk } from '../../core/words/change.ts';
import type { CommentManners } from '../../core/languages/language.ts';
import { families, type Family } from '../../core/languages/languages.ts';
import type { Turn } from '../../core/ports.ts';

export interface Source {
  readonly file: ChangedFile;
  readonly path: string;
  /** Empty for a deleted file. Between the hunks of a bare patch the lines are blank. */
  readonly text: string;
  /** Without their line ends. */
  readonly lines: readonly string[];
  readonly isWhole: boolean;
  /** Lines of the new side that the change added, in order; all of them when files are reviewed as they are. */
  readonly added: readonly number[];
  /** First touched line of the range, both ends included; null when the change leaves it alone. */
  touched(start: number, end: number): number | null;
}

/** Lines a hunk may claim to start at, so that a forged header cannot ask for a billion blank lines. */
const lastLine = 1_000_000;

/** Null when nothing of the new side can be had. */
export async function openSource(
  change: Change,
  file: ChangedFile,
  read: Turn['read'],
): Promise<Source | null> {
  if (file.status === 'deleted') return describe(file, '', true, []);
  const whole = await read(file, 'new');
  const text = whole ?? rebuild(file.hunks);
  if (text === null) return null;
  const isWhole = whole !== null || file.status === 'added';
  return describe(file, text, isWhole, change.source === 'files' ? null : addedLines(file.hunks));
}

/** `added` null means every line. */
function describe(
  file: ChangedFile,
  text: string,
  isWhole: boolean,
  added: readonly number[] | null,
): Source {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  const numbers = added ?? lines.map((_, index) => index + 1);
  return {
    file,
    path: file.path,
    text,
    lines,
    isWhole,
    added: numbers,
    touched: (start, end) => firstWithin(numbers, start, end),
  };
}

/** Numbers on the new side of the lines that begin with `+`, ascending. */
function addedLines(hunks: readonly Hunk[]): number[] {
  const added: number[] = [];
  for (const hunk of hunks) {
    let line = hunk.newStart;
    for (const text of hunk.lines) {
      if (text.startsWith('+')) added.push(line);
      if (!text.startsWith('-') && !text.startsWith('\\')) line += 1;
    }
  }
  return added;
}

/** The new side as far as the hunks show it, every line at its number. Null when they show nothing or lie about it. */
function rebuild(hunks: readonly Hunk[]): string | null {
  const lines: string[] = [];
  for (const hunk of hunks) {
    if (hunk.newStart > lastLine) return null;
    while (lines.length < hunk.newStart - 1) lines.push('');
    for (const text of hunk.lines)
      if (!text.startsWith('-') && !text.startsWith('\\')) lines.push(text.slice(1));
  }
  return lines.length === 0 ? null : `${lines.join('\n')}\n`;
}

function firstWithin(numbers: readonly number[], start: number, end: number): number | null {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  const found = numbers[low];
  return found !== undefined && found <= end ? found : null;
}

// Separates code from comments and strings without parsing: one pass, linear on any input. Both results have the length
// and the line breaks of the text; what does not belong is blank. Quotation marks stay in the code.

interface MaskedText {
  readonly code: string;
  readonly comments: string;
}

type Kind = 'code' | 'comment' | 'string';

/** Unknown families keep their whole text on both sides. */
export function maskText(text: string, family: Family | null): MaskedText {
  if (family === null) return { code: text, comments: text };
  const code: string[] = [];
  const comments: string[] = [];
  let position = 0;
  const take = (end: number, kind: Kind): void => {
    const piece = text.slice(position, end);
    code.push(kind === 'code' ? piece : kind === 'string' ? hollow(piece) : blank(piece));
    comments.push(kind === 'comment' ? piece : blank(piece));
    position = end;
  };
  while (position < text.length) {
    const token = nextToken(text, position, families[family].comments);
    if (token.start > position) take(token.start, 'code');
    if (token.end > token.start) take(token.end, token.kind);
  }
  return { code: code.join(''), comments: comments.join('') };
}

interface Token {
  readonly start: number;
  readonly end: number;
  readonly kind: Kind;
}

/** The next comment, string or regular expression at or behind `from`; an empty one at the end of the text. */
function nextToken(
  text: string,
  from: number,
  { lineComment, hasBlockComments, quotes, longQuotes, hasRegularExpressions }: CommentManners,
): Token {
  for (let start = from; start < text.length; start += 1) {
    const character = text[start] ?? '';
    if (!'#/"\'`'.includes(character)) continue;
    const long = longQuotes.find(quote => text.startsWith(quote, start));
    if (long !== undefined)
      return { start, end: endOfString(text, start + long.length, long, true), kind: 'string' };
    if (quotes.includes(character))
      return { start, end: endOfString(text, start + 1, character, false), kind: 'string' };
    if (lineComment !== null) {
      lineComment.lastIndex = start;
      if (lineComment.test(text)) return { start, end: lineEnd(text, start), kind: 'comment' };
    }
    if (character === '/' && text[start + 1] === '*' && hasBlockComments) {
      const close = text.indexOf('*/', start + 2);
      return { start, end: close === -1 ? text.length : close + 2, kind: 'comment' };
    }
    if (character === '/' && hasRegularExpressions && opensExpression(text, start)) {
      const end = endOfExpression(text, start + 1);
      if (end !== null) return { start, end, kind: 'string' };
    }
  }
  return { start: text.length, end: text.length, kind: 'code' };
}

function endOfString(text: string, from: number, quote: string, isLong: boolean): number {
  for (let position = from; position < text.length; position += 1) {
    if (text[position] === '\\') position += 1;
    else if (text.startsWith(quote, position)) return position + quote.length;
    else if (text[position] === '\n' && !isLong) return position;
  }
  return text.length;
}

/** A slash begins a regular expression where an operand is expected. */
function opensExpression(text: string, slash: number): boolean {
  const before = text.slice(Math.max(0, slash - 24), slash).trimEnd();
  return (
    before === '' ||
    /(?:[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|of|in|do|else))$/.test(before)
  );
}

/** Behind the closing slash; null when the line ends before it. */
function endOfExpression(text: string, from: number): number | null {
  let inClass = false;
  const limit = Math.min(text.length, from + 500);
  for (let position = from; position < limit; position += 1) {
    const character = text[position];
    if (character === '\\') position += 1;
    else if (character === '\n') return null;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return position + 1;
  }
  return null;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

/** Keeps the first and the last character: the marks that say that a string stands here. */
function hollow(text: string): string {
  return text.length < 2
    ? text
    : text.charAt(0) + blank(text.slice(1, -1)) + text.charAt(text.length - 1);
}
