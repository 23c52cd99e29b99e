/** How an answer is laid out: lines, fences, quotations and tables, headings with the blocks below them, and the mark at its end. */
import { trimOff } from '../core/text.ts';
import { severityOf, type LabelScale } from '../core/words/finding.ts';

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
  readonly mark: string;
  /** Offsets of what stands between the delimiters. */
  readonly start: number;
  end: number;
  isClosed: boolean;
}

/** What stands in code, or is quoted, is no label. */
export function isSpoken({ isQuoted, fence }: Pick<Line, 'isQuoted' | 'fence'>) {
  return !isQuoted && fence === null;
}

const delimiter = /^\s{0,3}(`{3,40}|~{3,40})\s{0,8}([\w+-]{0,40})\s*$/;

/** Expects line feeds only. */
export function layOut(whole: string) {
  const lines = [];
  const fences = [];
  let open: Fence | null = null;
  let start = 0;
  let isCallout = false;
  for (const text of whole.split('\n')) {
    const end = start + text.length;
    const [, mark = '', info] = (text.length > 200 ? null : delimiter.exec(text)) ?? [];
    const isClosing = open !== null && info === '' && mark.startsWith(open.mark);
    if (!open && mark !== '') {
      open = { mark, start: Math.min(end + 1, whole.length), end: whole.length, isClosed: false };
      fences.push(open);
    }
    const fence = open && fences.length - 1;
    const isMarked = fence === null && /^\s{0,3}>/.test(text);
    // A box with a title of its own quotes nobody.
    isCallout = isMarked && (isCallout || /^\s{0,3}>\s?\[!\w+\]/.test(text));
    lines.push({ text, start, end, fence, isQuoted: isMarked && !isCallout });
    if (open && isClosing) {
      Object.assign(open, { end: Math.max(open.start, start - 1), isClosed: true });
      open = null;
    }
    start = end + 1;
  }
  return { lines, fences };
}

const entities = new Map(
  Object.entries({
    quot: '"',
    amp: '&',
    lt: '<',
    gt: '>',
    apos: "'",
    nbsp: ' ',
    vert: '|',
    verbar: '|',
  }),
);

export function decodeEntities(text: string) {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities.get(name.toLowerCase()) ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

const gaps = /[\u00AD\u180E\u200B-\u200F\u2060-\u2064\uFEFF]/g;
const hiddenWord =
  /(?:[\p{L}\p{N}\u00AD\u180E\u200B-\u200F\u2060-\u2064\uFEFF]|&#x?[\da-f]{1,7};)+/giu;

/** Labels as a person sees them: a letter in place of its number, and no gap where there is nothing. Other words stay as they came. */
export function visible(text: string, scale?: LabelScale) {
  return text.replace(hiddenWord, word => {
    const seen = /^\w*$/.test(word) ? word : decodeEntities(word).replace(gaps, '');
    return seen !== word && severityOf(seen, scale) !== null ? seen : word;
  });
}

/** The lines below the first heading that matches, code in them indented, up to the next heading or the tail. Null: no heading does. */
export function sectionOf(lines: readonly Line[], name: RegExp): string[] | null {
  const titleOf = ({ text, fence }: Line): string | undefined =>
    fence === null ? readHeading(text)?.title : undefined;
  const start = lines.findIndex(line => name.test(titleOf(line) ?? '\n'));
  if (start === -1) return null;
  const below = lines.slice(start + 1);
  const length = below.findIndex(line => titleOf(line) !== undefined || isTail(line.text));
  return below
    .slice(0, length === -1 ? undefined : length)
    .map(({ text, fence }) => (fence === null ? text : `    ${text}`));
}

export function isTail(line: string) {
  return /^\s*-{3}\s*VERDICT\s*-{3}\s*$/.test(line.slice(0, 100));
}

/** The lines of a file; one that stands in one fence as a whole is taken out of it. */
export function statedLines(text: string): readonly Line[] {
  const { lines, fences } = layOut(
    visible(text)
      .replace(/^\uFEFF/, '')
      .replace(/\r\n?/g, '\n'),
  );
  const outside = lines.filter(({ fence }) => fence === null);
  const [whole] = fences;
  if (!whole || fences.length > 1 || outside.some(line => line.text.trim() !== '')) return lines;
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

export function readHeading(line: string): { level: number; title: string } | null {
  const found = /^\s{0,3}(#{1,6})\s+(.*)$/s.exec(line.slice(0, 1_000));
  return found?.[1] === undefined
    ? null
    : { level: found[1].length, title: trimOff(found[2] ?? '', '# \t') };
}

export const endMark = 'END OF ANSWER';

/** The text without the mark, and whether the last line that is not blank is one. In a fence or behind `> ` it is a quotation and stays. */
export function takeEndMark(text: string) {
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
function isEndMark(line: Line) {
  return isSpoken(line) && line.text.length <= lineLimit && endMarkShape.test(line.text);
}

type Column = 'severity' | 'id' | 'section' | 'title' | 'other';
export type TableHeader = readonly { readonly column: Column; readonly name: string }[];

const columnWords: readonly (readonly [Column, string])[] = [
  ['severity', ' severity sev level priority '],
  ['id', ' id # '],
  ['section', ' section area '],
  [
    'title',
    ' title finding issue description problem message details detail comment comments item what ',
  ],
];

export function isTableRow(line: string) {
  return /^\s*\|.*\|/.test(line.slice(0, 400));
}

/** `| --- | :-: |` */
export function isTableRule(line: string) {
  return line.length < 2_000 && /^[\s|:-]+$/.test(line) && line.includes('-');
}

/** The lines of tables, with bars at their edges or without: the head above each rule, and the rows below it up to a line without a bar. */
export function linesOfTables(lines: readonly Line[]): ReadonlyMap<Line, 'head' | 'row'> {
  const found = new Map<Line, 'head' | 'row'>();
  let isInside = false;
  for (const [index, line] of lines.entries()) {
    const head = lines[index - 1];
    const hasBar = line.text.includes('|');
    if (isInside && hasBar) found.set(line, 'row');
    const begins = head?.text.includes('|') === true && isTableRule(line.text);
    if (!isInside && hasBar && begins) found.set(head, 'head');
    isInside = hasBar && (isInside || begins);
  }
  return found;
}

/** Null when no column is called severity, unless what stands above says how bad all of it is. */
export function readTableHeader(names: readonly string[], isLabelled = false): TableHeader | null {
  const header = names.map(name => {
    const word = ` ${name.toLowerCase().replace(/[^a-z#]/g, '')} `;
    const [column = 'other' as const] = columnWords.find(([, words]) => words.includes(word)) ?? [];
    return { name, column };
  });
  const wanted = isLabelled ? ['severity', 'title'] : ['severity'];
  return header.some(({ column }) => wanted.includes(column)) ? header : null;
}

export interface Row {
  readonly severity: string;
  readonly id: string;
  readonly section: string;
  readonly title: string;
  /** `Name: value` of every other cell that holds something. */
  readonly extra: readonly string[];
}

export function readRow(cells: readonly string[], header: TableHeader): Row {
  const cell = (wanted: Column) => cells[header.findIndex(({ column }) => column === wanted)] ?? '';
  const graded = header.findIndex(({ name }) => /sever/i.test(name));
  const titles = cells.filter((_, index) => header[index]?.column === 'title');
  return {
    severity: cells[graded] ?? cell('severity'),
    id: trimOff(cell('id'), '*_`[]() \t'),
    section: cell('section').replace(/^["“”]|["“”]$/g, ''),
    title: titles.find(title => /\p{L}/u.test(title)) ?? '',
    extra: header
      .map(({ column, name }, index) => ({ column, name, value: cells[index] ?? '' }))
      .filter(({ column, value }) => column === 'other' && value !== '')
      .map(({ name, value }) => `${name.replace(':', '/')}: ${value}`),
  };
}

export function cellsOf(line: string): string[] {
  return splitFields(line.trim().replace(/^\||(?<!\\)\|$/g, ''));
}

/** Splits at bars; an escaped bar is part of the field. */
export function splitFields(body: string): string[] {
  return body.split(/(?<!\\)\|/).map(field => field.replaceAll(String.raw`\|`, '|').trim());
}
