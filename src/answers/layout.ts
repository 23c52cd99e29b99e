/** How an answer is laid out: lines, fences and quotations, headings with the blocks below them, and the mark at its end. */
import { trimOff } from '../core/text.ts';

export interface Line {
  readonly text: string;
  /** Offsets in the text, without the line break. */
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** Index of the fence it belongs to, delimiters included; null outside. */
  readonly fence: number | null;
}

export interface Fence {
  /** Offsets of what stands between the delimiters. */
  readonly start: number;
  readonly end: number;
  readonly isClosed: boolean;
  readonly mark: '`' | '~';
}

export interface Layout {
  readonly lines: readonly Line[];
  readonly fences: readonly Fence[];
}

/** What stands in code, or is quoted, is no label. */
export function isSpoken({ isQuoted, fence }: Pick<Line, 'isQuoted' | 'fence'>): boolean {
  return !isQuoted && fence === null;
}

/** Expects line feeds only. */
export function layOut(text: string): Layout {
  const lines: Line[] = [];
  const open: { mark: string; start: number; end: number; isClosed: boolean }[] = [];
  let current: (typeof open)[number] | null = null;
  for (let start = 0, end = 0; start <= text.length; start = end + 1) {
    const newline = text.indexOf('\n', start);
    end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    const delimiter = delimiterOf(line);
    if (current === null && delimiter !== null) {
      current = {
        mark: delimiter.mark,
        start: Math.min(end + 1, text.length),
        end: text.length,
        isClosed: false,
      };
      open.push(current);
      lines.push({ text: line, start, end, isQuoted: false, fence: open.length - 1 });
      continue;
    }
    const fence: number | null = current === null ? null : open.length - 1;
    lines.push({
      text: line,
      start,
      end,
      isQuoted: fence === null && /^\s{0,3}>/.test(line),
      fence,
    });
    if (current !== null && delimiter !== null && closes(delimiter, current.mark)) {
      Object.assign(current, { end: Math.max(current.start, start - 1), isClosed: true });
      current = null;
    }
  }
  return {
    lines,
    fences: open.map(({ mark, start, end, isClosed }) => ({
      mark: mark.startsWith('`') ? '`' : '~',
      start,
      end,
      isClosed,
    })),
  };
}

function delimiterOf(line: string): { readonly mark: string; readonly info: string } | null {
  if (line.length > 200 || !(line.includes('```') || line.includes('~~~'))) return null;
  const found = /^\s{0,3}(`{3,40}|~{3,40})\s{0,8}([\w+-]{0,40})\s*$/.exec(line);
  return found?.[1] === undefined ? null : { mark: found[1], info: found[2] ?? '' };
}

function closes(
  delimiter: { readonly mark: string; readonly info: string },
  mark: string,
): boolean {
  return delimiter.info === '' && delimiter.mark.startsWith(mark);
}

/**
 * Lines below each heading whose title is one of `names` (any level and letter case), up to the next heading. The first block of
 * a name counts.
 */
export function readBlocks<Name extends string>(
  text: string,
  names: readonly Name[],
): ReadonlyMap<Name, readonly string[]> {
  const blocks = new Map<Name, string[]>();
  let open: string[] | null = null;
  for (const { text: line, fence } of statedLines(text)) {
    const heading = fence === null ? readHeading(line) : null;
    if (heading === null) {
      open?.push(fence === null ? line : `    ${line}`);
      continue;
    }
    const title = heading.title
      .replace(/[*_`:]/g, '')
      .trim()
      .toLowerCase();
    const name = names.find(candidate => candidate.toLowerCase() === title);
    open = name === undefined || blocks.has(name) ? null : [];
    if (name !== undefined && open !== null) blocks.set(name, open);
  }
  return blocks;
}

/** The lines of a file; one that stands in one fence as a whole is taken out of it. */
export function statedLines(text: string): readonly Line[] {
  const { lines, fences } = layOut(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
  const outside = lines.filter(({ fence }) => fence === null);
  const [whole] = fences;
  if (whole === undefined || fences.length > 1 || outside.some(line => line.text.trim() !== ''))
    return lines;
  return lines
    .filter(({ fence }) => fence !== null)
    .slice(1, whole.isClosed ? -1 : undefined)
    .map(line => ({ ...line, fence: null }));
}

/** Items of a list: bullets or numbers in any of the usual forms, each with the indented lines below it. */
export function readItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    const item = /^\s{0,3}(?:[-*+•]|\d{1,3}[.)])\s+(\S.*)$/.exec(line.slice(0, 16_000))?.[1];
    if (item !== undefined) items.push(item);
    else if (line.trim() !== '' && items.length > 0 && /^\s/.test(line))
      items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return items.slice(0, 1_000);
}

interface Heading {
  readonly level: number;
  readonly title: string;
}

export function readHeading(line: string): Heading | null {
  const found = /^\s{0,3}(#{1,6})\s+(.*)$/s.exec(line.slice(0, 1_000));
  return found?.[1] === undefined
    ? null
    : { level: found[1].length, title: trimOff(found[2] ?? '', '# \t') };
}

export const endMark = 'END OF ANSWER';

interface Unmarked {
  /** Without the mark, wherever it stood; the same text when it stood nowhere. */
  readonly text: string;
  /** The last line that is not blank is the mark. */
  readonly isMarked: boolean;
}

/** In a fence or behind `> ` the mark is a quotation and stays. */
export function takeEndMark(text: string): Unmarked {
  if (!mention.test(text)) return { text, isMarked: false };
  const { lines } = layOut(text);
  const last = lines.findLast(line => line.text.trim() !== '');
  return {
    text: lines.map(line => (isEndMark(line) ? '' : line.text)).join('\n'),
    isMarked: last !== undefined && isEndMark(last),
  };
}

const mention = /end of answer/i;
const lineLimit = 60;
const endMarkShape =
  /^\s*(?:[-*+]\s+|#{1,6}\s+)?[^\p{L}\p{N}|>]{0,6}end of answer[^\p{L}\p{N}|]{0,6}$/iu;

/** Emphasis, brackets, a bullet and a full stop are dress. */
function isEndMark({ text, fence, isQuoted }: Line): boolean {
  return fence === null && !isQuoted && text.length <= lineLimit && endMarkShape.test(text);
}
