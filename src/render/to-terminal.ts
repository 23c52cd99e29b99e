/** Paints a description for a terminal: wrapped at its width, with colours, and with nothing in it that steers the terminal. */
import type { CodeFrame } from '../core/words/code-frame.ts';
import { layTable, openPage, type Page, type RenderOptions } from './page.ts';
import { type Line, numbered, type Section, type Span, type Tone } from './section.ts';
import { cut, manyLines, oneLine, pathText, widthOf, wrap } from './terminal-text.ts';

/**
 * Ends with a line end. An empty line stands before each title and around each group. `longest`: characters of one saying to
 * show, of those that do not say themselves how many.
 */
export function paintTerminal(
  sections: readonly Section[],
  options: RenderOptions,
  longest = 400,
): string {
  const lines = layAll(sections, { ...openPage(options), longest }, 0);
  return `${lines
    .filter((line, index) => line !== '' || (lines[index - 1] ?? '') !== '')
    .join('\n')
    .trimEnd()}\n`;
}

interface Sheet extends Page {
  readonly longest: number;
}

function layAll(sections: readonly Section[], page: Sheet, indent: number): string[] {
  return sections.flatMap((section, index) => {
    const before = sections[index - 1] ?? null;
    const isApart =
      before?.kind === 'group' ||
      (section.kind === 'group' && before !== null && before.kind !== 'title');
    return [...(isApart ? [''] : []), ...lay(section, page, indent, before)];
  });
}

function lay(section: Section, page: Sheet, indent: number, before: Section | null): string[] {
  const blanks = ' '.repeat(indent);
  switch (section.kind) {
    case 'title':
      return [
        ...(before === null ? [] : ['']),
        ...layLine(section.line, page, { lead: blanks, isStrong: true }),
      ];
    case 'list':
      return section.items.flatMap(item =>
        layLine(item, page, { lead: `${blanks}${section.bullets ? '  - ' : ''}` }),
      );
    case 'table':
      return layCells(section, page);
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

function layFrame(frame: CodeFrame, page: Page, blanks: string): string[] {
  return numbered(frame).map(({ lead, text, isMeant }) => {
    const row = manyLines(text).join(' ').trimEnd();
    const line = cut(`${blanks}${lead}${row}`, page.width).trimEnd();
    return isMeant ? line : page.colors.dim(line);
  });
}

function layCells({ columns, rows }: Extract<Section, { kind: 'table' }>, page: Sheet): string[] {
  const paint = (text: string, row: number, column: number): string =>
    paintTone(page, toneOf(rows[row]?.[column] ?? []), text);
  return layTable(
    { columns, rows: rows.map(cells => cells.map(cell => plainText(cell, page))), paint },
    page,
  );
}

function toneOf(line: Line): Tone | null {
  return (
    line
      .map(piece => (typeof piece === 'string' ? null : piece.tone))
      .find(tone => tone !== null) ?? null
  );
}

function plainText(line: Line, page: Sheet): string {
  return line.map(piece => (typeof piece === 'string' ? piece : textOf(piece, page))).join('');
}

function textOf({ text, kind, cap }: Span, { longest }: Sheet): string {
  if (kind === 'ours') return text;
  return kind === 'literal' ? pathText(text) : oneLine(text, cap ?? longest);
}

function paintTone({ colors }: Page, tone: Tone | null, text: string): string {
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
  readonly lead: string;
  /** Columns the other lines begin at; absent: where the text of the first begins. */
  readonly hanging?: number;
  readonly isStrong?: boolean;
}

/** A word as it is laid: its text for measuring, its colours, and whether it may be broken where it is too long. */
interface Word {
  readonly text: string;
  readonly painted: string;
  readonly isWhole: boolean;
}

/** Wraps between words. A literal is never broken: one that is too long for a line stands further left, on a line of its own. */
function layLine(
  line: Line,
  page: Sheet,
  { lead, hanging = widthOf(lead), isStrong = false }: Layout,
): string[] {
  const width = page.measure;
  const rows: string[] = [];
  let [row, used, gap] = [lead, widthOf(lead), 0];
  const start = (columns: number): void => {
    if (row.trim() !== '') rows.push(row.trimEnd());
    [row, used, gap] = [' '.repeat(columns), columns, 0];
  };
  for (const token of tokensOf(line, page, isStrong)) {
    if (typeof token === 'number') {
      gap = row.trim() === '' ? 0 : token;
      continue;
    }
    for (const word of fitWord(token, width - hanging)) {
      const columns = widthOf(word.text);
      if (used + gap + columns > width && row.trim() !== '')
        start(columns + hanging > page.width ? Math.max(0, page.width - columns) : hanging);
      row += ' '.repeat(gap) + word.painted;
      [used, gap] = [used + gap + columns, 0];
    }
  }
  start(0);
  return rows;
}

/** Words, and between them how many blanks. Pieces without a blank between them are one word. */
function tokensOf(line: Line, page: Sheet, isStrong: boolean): (Word | number)[] {
  const tokens: (Word | number)[] = [];
  const paint = (tone: Tone | null, text: string): string =>
    paintTone(page, tone ?? (isStrong ? 'strong' : null), text);
  const add = (text: string, tone: Tone | null, isWhole: boolean): void => {
    const last = tokens.at(-1);
    const word = { text, painted: paint(tone, text), isWhole };
    if (last === undefined || typeof last === 'number') tokens.push(word);
    else
      tokens[tokens.length - 1] = {
        text: last.text + text,
        painted: last.painted + word.painted,
        isWhole: last.isWhole || isWhole,
      };
  };
  for (const piece of line) {
    const span: Pick<Span, 'kind' | 'tone'> =
      typeof piece === 'string' ? { kind: 'data', tone: null } : piece;
    const text = typeof piece === 'string' ? piece : textOf(piece, page);
    if (span.kind !== 'data') add(text, span.tone, true);
    else
      for (const part of text.match(/ +|[^ ]+/g) ?? []) {
        if (part.startsWith(' ')) tokens.push(part.length);
        else add(part, span.tone, false);
      }
  }
  return tokens;
}

/** A word longer than a line, in pieces that are not. */
function fitWord(word: Word, width: number): readonly Word[] {
  if (word.isWhole || (word.text.length <= width && widthOf(word.text) <= width)) return [word];
  return wrap(word.text, width).map(text => ({ text, painted: text, isWhole: false }));
}
