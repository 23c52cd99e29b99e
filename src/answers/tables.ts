/** Tables of an answer: which lines are of one, what their columns mean, and the cells of a row. */
import { trimOff } from '../core/text.ts';
import type { Line } from './layout.ts';

type Column = 'severity' | 'id' | 'section' | 'title' | 'other';

export interface TableHeader {
  readonly columns: readonly Column[];
  readonly names: readonly string[];
}

const columnNames: Readonly<Record<string, Column>> = {
  severity: 'severity',
  sev: 'severity',
  level: 'severity',
  priority: 'severity',
  id: 'id',
  '#': 'id',
  section: 'section',
  area: 'section',
  title: 'title',
  finding: 'title',
  issue: 'title',
  description: 'title',
  problem: 'title',
  message: 'title',
};

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
    if (isInside) {
      if (hasBar) found.set(line, 'row');
      isInside = hasBar;
    } else if (hasBar && head?.text.includes('|') === true && isTableRule(line.text)) {
      found.set(head, 'head');
      isInside = true;
    }
  }
  return found;
}

/** Null when no column is called severity. */
export function readTableHeader(names: readonly string[]): TableHeader | null {
  const columns = names.map(
    name => columnNames[name.toLowerCase().replace(/[^a-z#]/g, '')] ?? 'other',
  );
  return columns.includes('severity') ? { columns, names } : null;
}

export interface Row {
  readonly severity: string;
  readonly id: string;
  readonly section: string;
  readonly title: string;
  /** `Name: value` of every other cell that holds something. */
  readonly extra: readonly string[];
}

export function readRow(cells: readonly string[], { columns, names }: TableHeader): Row {
  const cell = (column: Column): string => cells[columns.indexOf(column)] ?? '';
  return {
    severity: cell('severity'),
    id: trimOff(cell('id'), '*_`[]() \t'),
    section: cell('section').replace(/^["“”]|["“”]$/g, ''),
    title: cell('title'),
    extra: cells.flatMap((value, index) =>
      columns[index] === 'other' && value !== ''
        ? [`${(names[index] ?? '').replace(':', '/')}: ${value}`]
        : [],
    ),
  };
}

export function cellsOf(line: string): string[] {
  const trimmed = line.trim();
  return splitFields(
    trimmed.slice(
      trimmed.startsWith('|') ? 1 : 0,
      trimmed.endsWith('|') && !trimmed.endsWith('\\|') ? -1 : undefined,
    ),
  );
}

/** Splits at bars; an escaped bar is part of the field. */
export function splitFields(body: string): string[] {
  const fields: string[] = [];
  for (const piece of body.split('|')) {
    const last = fields.at(-1);
    if (last?.endsWith('\\')) fields[fields.length - 1] = `${last.slice(0, -1)}|${piece}`;
    else fields.push(piece);
  }
  return fields.map(field => field.trim());
}
