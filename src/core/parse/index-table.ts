/** A Findings Index written as a table: columns by name in any order, one entry per row. */
import type { LabelScale } from '../severity.ts';
import { readEntry, readSeverity, readUndeclared, splitFields, type EntryLine } from './index-entry.ts';
import type { Line } from './fences.ts';
import { trimOff } from './plain-text.ts';

type Column = 'severity' | 'id' | 'section' | 'title' | 'other';

export interface TableHeader {
  readonly columns: readonly Column[];
  readonly names: readonly string[];
}

const columnNames: Readonly<Record<string, Column>> = {
  severity: 'severity', sev: 'severity', level: 'severity', priority: 'severity',
  id: 'id', '#': 'id',
  section: 'section', area: 'section',
  title: 'title', finding: 'title', issue: 'title', description: 'title',
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
export function readTableHeader(line: string): TableHeader | null {
  const names = cellsOf(line);
  const columns = names.map(name => columnNames[name.toLowerCase().replace(/[^a-z#]/g, '')] ?? 'other');
  return columns.includes('severity') ? { columns, names } : null;
}

/** Without a header that names a severity the cells are taken in the order of an entry. */
export function readTableRow(line: string, header: TableHeader | null, scale?: LabelScale): EntryLine {
  const cells = cellsOf(line);
  if (header === null) return readEntry(cells.join(' | '), scale, { isTableRow: true });
  const cell = (column: Column): string => cells[header.columns.indexOf(column)] ?? '';
  const head = readSeverity(cell('severity'), scale) ?? readUndeclared(cell('severity'), scale);
  if (head === null) return { kind: cell('severity') === '' ? 'prose' : 'undeclared' };
  const extra = cells.flatMap((value, index) => (header.columns[index] === 'other' && value !== '' ? [`${header.names[index] ?? ''}: ${value}`] : []));
  const id = trimOff(cell('id'), '*_`');
  return {
    kind: 'entry', severity: head.severity, label: head.label, isImprovement: head.isImprovement, id: id === '' ? null : id,
    section: cell('section').replace(/^["“”]|["“”]$/g, ''), title: cell('title'), extra, deviations: head.isAlias ? ['severity-alias', 'table-row'] : ['table-row'],
  };
}

function cellsOf(line: string): string[] {
  const trimmed = line.trim();
  return splitFields(trimmed.slice(trimmed.startsWith('|') ? 1 : 0, trimmed.endsWith('|') && !trimmed.endsWith('\\|') ? -1 : undefined));
}
