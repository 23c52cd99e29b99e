/** Tables of an answer: which lines are of one, what their columns mean, and the cells of a row. */
import { trimOff } from '../core/text.ts';
import type { Line } from './layout.ts';

type Column = 'severity' | 'id' | 'section' | 'title' | 'other';
export type TableHeader = readonly { readonly column: Column; readonly name: string }[];

const columnWords: readonly (readonly [Column, string])[] = [
  ['severity', ' severity sev level priority '],
  ['id', ' id # '],
  ['section', ' section area '],
  ['title', ' title finding issue description problem message '],
];

export function isTableRow(line: string): boolean {
  return /^\s*\|.*\|/.test(line.slice(0, 400));
}

/** `| --- | :-: |` */
export function isTableRule(line: string): boolean {
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

/** Null when no column is called severity. */
export function readTableHeader(names: readonly string[]): TableHeader | null {
  const header = names.map(name => {
    const word = ` ${name.toLowerCase().replace(/[^a-z#]/g, '')} `;
    const [column = 'other' as const] = columnWords.find(([, words]) => words.includes(word)) ?? [];
    return { name, column };
  });
  return header.some(({ column }) => column === 'severity') ? header : null;
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
  const cell = (wanted: Column): string =>
    cells[header.findIndex(({ column }) => column === wanted)] ?? '';
  return {
    severity: cell('severity'),
    id: trimOff(cell('id'), '*_`[]() \t'),
    section: cell('section').replace(/^["“”]|["“”]$/g, ''),
    title: cell('title'),
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
