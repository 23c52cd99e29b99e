/** Paints a description for a terminal: wrapped at its width, with colours, and with nothing in it that steers the terminal. */
import type { CodeFrame } from '../core/words/code-index.ts';
import picocolors from 'picocolors';
import { wrapAnsi } from 'fast-wrap-ansi';
import { type Column, type Line, numbered, type Section, type Span, type Tone } from './section.ts';
import { cut, manyLines, oneLine, pad, pathText, widthOf, wrap } from './figures.ts';
import { present } from '../core/groups.ts';

export interface RenderOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

interface Sheet {
  width: number;
  colors: ReturnType<typeof picocolors.createColors>;
  /** Characters of one saying to show. */
  longest: number;
}

const narrowest = 32;
/** Running text is never so wide that the eye loses the line. */
const widestText = 110;

/**
 * Ends with a line end. An empty line stands before each title and around each group. `longest`: characters of one saying to
 * show, of those that do not say themselves how many.
 */
export function paintTerminal(sections: readonly Section[], options: RenderOptions, longest = 400) {
  const width = Math.max(narrowest, Math.floor(options.width) || narrowest);
  const colors = picocolors.createColors(options.color);
  const lines = layAll(sections, { width, colors, longest }, 0);
  return `${lines
    .filter((line, index) => line !== '' || (lines[index - 1] ?? '') !== '')
    .join('\n')
    .trimEnd()}\n`;
}

function layAll(sections: readonly Section[], page: Sheet, indent: number): string[] {
  return sections.flatMap((section, index) => {
    const before = sections[index - 1] ?? null;
    const isApart =
      before?.kind === 'group' ||
      (section.kind === 'group' && before !== null && before.kind !== 'title');
    return present(isApart && '', ...lay(section, page, indent, before));
  });
}

function lay(section: Section, page: Sheet, indent: number, before: Section | null): string[] {
  const blanks = ' '.repeat(indent);
  switch (section.kind) {
    case 'title':
      return present(
        before !== null && '',
        ...layLine(section.line, page, { lead: blanks, isStrong: true }),
      );
    case 'list':
      return section.items.flatMap(item =>
        layLine(item, page, { lead: `${blanks}${section.bullets ? '  - ' : ''}` }),
      );
    case 'table':
      return layTable(section, page);
    case 'quote':
      return manyLines(section.text).map(
        line => `${blanks}${before?.kind === 'list' && before.bullets ? '      ' : '  '}${line}`,
      );
    case 'frame':
      return layFrame(section.frame, page, blanks);
    case 'group':
    default:
      return layGroup(section, page, indent);
  }
}

/** What belongs to a head stands below it, three columns in. */
function layGroup(
  { head, body }: Extract<Section, { kind: 'group' }>,
  page: Sheet,
  indent: number,
): string[] {
  const lines = layLine(head, page, { lead: ' '.repeat(indent), hanging: indent + 3 });
  return [...lines, ...layAll(body, page, indent + 3)];
}

function layFrame(frame: CodeFrame, page: Sheet, blanks: string) {
  return numbered(frame).map(({ lead, text, isMeant }) => {
    const row = manyLines(text).join(' ').trimEnd();
    const line = cut(`${blanks}${lead}${row}`, page.width).trimEnd();
    return isMeant ? line : page.colors.dim(line);
  });
}

const indent = '  ';
const gap = '  ';

/** A table without rules or boxes: flexible columns shrink and wrap, optional ones give way. */
function layTable({ columns, rows }: Extract<Section, { kind: 'table' }>, page: Sheet) {
  const cells = rows.map(row =>
    row.map(cell =>
      cell.map(piece => (typeof piece === 'string' ? piece : textOf(piece, page))).join(''),
    ),
  );
  const widths = fitColumns(columns, cells, page.width);
  const titles = columns.map(({ title }) => title);
  return [
    ...layRow(columns, titles, widths, text => page.colors.dim(text)),
    ...cells.flatMap((row, index) =>
      layRow(columns, row, widths, (text, column) =>
        paintTone(page, toneOf(rows[index]?.[column] ?? []), text),
      ),
    ),
  ];
}

/**
 * Width per column; 0 for a column that left. Cells that may be cut give way first, then columns leave, and only then
 * does text wrap: a wrapped cell is the hardest to read.
 */
function fitColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
) {
  const natural = columns.map((column, index) =>
    rows.reduce(
      (widest, row) => Math.max(widest, widthOf(row[index] ?? '')),
      widthOf(column.title),
    ),
  );
  let widths = shrink(columns, natural, width, 'cut');
  const leaving = [...columns.entries()]
    .filter(([, { leaves }]) => leaves !== undefined)
    .sort(([, one], [, other]) => (one.leaves ?? 0) - (other.leaves ?? 0));
  for (const [index] of leaving) {
    if (totalOf(widths) <= width) return widths;
    natural[index] = 0;
    widths = shrink(columns, natural, width, 'cut');
  }
  return shrink(columns, widths, width, 'wrap');
}

function shrink(
  columns: readonly Column[],
  given: readonly number[],
  width: number,
  overflow: 'wrap' | 'cut',
) {
  const widths = [...given];
  let excess = totalOf(widths) - width;
  for (const [index, column] of columns.entries()) {
    const current = widths[index] ?? 0;
    if (
      excess <= 0 ||
      current === 0 ||
      column.least === undefined ||
      (column.overflow ?? 'wrap') !== overflow
    )
      continue;
    const taken = Math.min(
      excess,
      Math.max(0, current - Math.max(column.least, widthOf(column.title))),
    );
    widths[index] = current - taken;
    excess -= taken;
  }
  return widths;
}

function totalOf(widths: readonly number[]) {
  const present = widths.filter(width => width > 0);
  return present.reduce(
    (sum, width) => sum + width,
    indent.length + gap.length * Math.max(0, present.length - 1),
  );
}

function layRow(
  columns: readonly Column[],
  cells: readonly string[],
  widths: readonly number[],
  paint: (text: string, column: number) => string,
) {
  const laid = columns.map((column, index) =>
    layCell(cells[index] ?? '', widths[index] ?? 0, column),
  );
  const height = laid.reduce((most, lines) => Math.max(most, lines.length), 1);
  const present = columns.map((_, index) => index).filter(index => (widths[index] ?? 0) > 0);
  return Array.from({ length: height }, (_, line) => {
    const parts = present.map(index =>
      pad(paint(laid[index]?.[line] ?? '', index), widths[index] ?? 0, columns[index]?.align),
    );
    return `${indent}${parts.join(gap)}`.trimEnd();
  });
}

function layCell(text: string, width: number, column: Column) {
  if (width === 0) return [];
  return column.overflow === 'cut' ? [cut(text, width)] : wrap(text, width);
}

function toneOf(line: Line) {
  return (
    line
      .map(piece => (typeof piece === 'string' ? null : piece.tone))
      .find(tone => tone !== null) ?? null
  );
}

function textOf({ text, kind, cap }: Span, { longest }: Sheet) {
  if (kind === 'ours') return text;
  return kind === 'literal' ? pathText(text) : oneLine(text, cap ?? longest);
}

function paintTone({ colors }: Sheet, tone: Tone | null, text: string) {
  if (tone === null) return text;
  const { bold, dim, red, yellow, green, cyan } = colors;
  const paints: Readonly<Record<Tone, (word: string) => string>> = {
    critical: word => bold(red(word)),
    high: red,
    medium: yellow,
    low: word => dim(cyan(word)),
    PASS: word => bold(green(word)),
    FAIL: word => bold(red(word)),
    INCOMPLETE: word => bold(yellow(word)),
    strong: bold,
    faint: dim,
    good: green,
    poor: yellow,
    bad: red,
  };
  return paints[tone](text);
}

interface Layout {
  /** What the first line begins with. */
  lead: string;
  /** Columns the other lines begin at; absent: where the text of the first begins. */
  hanging?: number;
  isStrong?: boolean;
}

/** Stands for the blanks of what stays on one line. */
const glue = '\uFFFE';

/** Wraps between words. A literal is never broken: one that is too long for a line stands further left, on a line of its own. */
function layLine(
  line: Line,
  page: Sheet,
  { lead, hanging = widthOf(lead), isStrong = false }: Layout,
) {
  const room = Math.max(1, Math.min(page.width, widestText) - hanging);
  const words = line.map(piece => {
    const { kind, tone }: Pick<Span, 'kind' | 'tone'> =
      typeof piece === 'string' ? { kind: 'data', tone: null } : piece;
    const text = typeof piece === 'string' ? piece : textOf(piece, page);
    const paint = (word: string) => paintTone(page, tone ?? (isStrong ? 'strong' : null), word);
    return kind === 'data'
      ? text.replace(/[^ ]+/g, word => wrap(word, room).map(paint).join(' '))
      : paint(text.replaceAll(' ', glue));
  });
  return wrapAnsi(words.join(''), room)
    .split('\n')
    .map(row => row.replaceAll(glue, ' ').trimEnd())
    .filter(row => row !== '')
    .map((row, index) => {
      const blanks = hanging + widthOf(row) > page.width ? page.width - widthOf(row) : hanging;
      return `${index === 0 ? lead : ' '.repeat(Math.max(0, blanks))}${row}`;
    });
}
