/**
 * Takes the blocks of a Findings Index apart: entries `SEVERITY | ID | "Section" | Title` or rows of a table with columns by name, the
 * ways in which they are bent, the verdict, and what is neither.
 */
import type { StatedFinding } from '../core/words/finding.ts';
import { severityOf, type LabelScale, type Severity } from '../core/words/severity.ts';
import { cut, trimOff } from '../core/text.ts';
import { readHead } from './heads.ts';
import {
  isOtherHead,
  readVerdictLine,
  undeclaredNote,
  undeclaredSeverityOf,
  type Label,
  type VerdictLine,
} from './labels.ts';
import { isSpoken, readHeading, type Line } from './layout.ts';
import { placeIn, splitPlace } from './place-in-text.ts';
import { emptyDraft } from './reading.ts';
import { isStatementOfNone } from './sieve.ts';
import { placeOf, placeOfFields, stateFinding } from '../core/words/stated.ts';
import {
  cellsOf,
  isTableRow,
  isTableRule,
  readTableHeader,
  readRow,
  splitFields,
  type Row,
  type TableHeader,
} from './tables.ts';

export type IndexBlock = ReturnType<typeof startBlock>;

function startBlock(scale: LabelScale) {
  return {
    scale,
    /** Entries, improvements among them apart, and lines that are no entry. */
    draft: emptyDraft('index'),
    /** Those lines that are shaped like an entry and begin with a word nobody declared. */
    undeclared: new Array<string>(),
    deviations: new Set<Deviation>(),
    /** Lines that stand in no block of an index, with what each is. */
    outside: new Array<Line>(),
    /** Is there a heading of an index? */
    hasIndex: false,
    header: null as TableHeader | null,
    /** The one in the block, else the first one elsewhere that is understood, else the first. */
    verdict: null as VerdictLine | null,
  };
}

/** Several blocks are one. */
export function readIndexBlock(lines: readonly Line[], scale: LabelScale): IndexBlock {
  const block = startBlock(scale);
  let isInside = false;
  for (const line of lines) {
    const heading = isSpoken(line) ? readHeading(line.text) : null;
    if (heading !== null)
      isInside = heading.level <= 4 && /^[*_`]*findings\s+index\b/i.test(heading.title);
    if (heading !== null && isInside) noteHeading(block, line.text);
    // Lines of the block that are no entry may be findings of another form.
    else if (!isInside || !isSpoken(line) || !takeLine(block, line.text)) block.outside.push(line);
  }
  noteVerdict(block);
  return block;
}

function noteHeading(block: IndexBlock, heading: string): void {
  const { deviations: codes, outside } = block;
  if (!block.hasIndex && !/^### Findings Index\s*$/.test(heading)) codes.add('heading-level');
  if (!block.hasIndex && outside.some(line => isSpoken(line) && !isEmpty(line.text)))
    codes.add('not-first-block');
  block.hasIndex = true;
}

/** Blank, a rule or a comment. */
function isEmpty(line: string): boolean {
  return /^\s*(?:<!--.*|-{3,}\s*|\*{3,}\s*|_{3,}\s*)?$/.test(line.slice(0, 400));
}

/** Is it an entry, or of what a block holds besides? */
function takeLine(block: IndexBlock, line: string): boolean {
  const verdict = readVerdictLine(line);
  block.verdict ??= verdict;
  if (verdict !== null || isEmpty(line)) return true;
  if (!isTableRow(line)) return takeItem(block, line);
  const cells = cellsOf(line);
  const header = readTableHeader(cells);
  block.header = header ?? block.header;
  if (header !== null || isTableRule(line)) return true;
  block.deviations.add('table-row');
  return takeEntry(block, readTableRow(block, cells), line);
}

function takeItem(block: IndexBlock, line: string): boolean {
  const found = /^(\s*)([-*+](?![-*+])|\d{1,3}[.)](?=\s))?\s*(.*)$/s.exec(line);
  const [, indent = '', bullet = '', body = ''] = found ?? [];
  const { draft, deviations: codes, scale } = block;
  const fields = splitFields(body);
  const entry = fields.length === 1 ? readUnbarred(body, scale) : readEntry(fields, scale);
  const isEntry = typeof entry === 'object';
  // Without a bullet only what has all the looks of an entry is one.
  if (bullet === '' && (!isEntry || entry.deviations.includes('missing-field'))) {
    draft.unparsed.push(line);
    return false;
  }
  if (isEntry && (bullet !== '-' || indent !== '')) codes.add('bullet-style');
  return takeEntry(block, isStatementOfNone(body) ? 'none' : entry, line);
}

function takeEntry(block: IndexBlock, entry: EntryLine, raw: string): boolean {
  const { draft, deviations: codes } = block;
  if (entry === 'none' || (typeof entry === 'object' && isStatementOfNone(entry.title)))
    draft.dropped.placeholder += 1;
  else if (entry === 'template') {
    draft.dropped.template += 1;
    codes.add('template-leftover');
  } else if (typeof entry === 'object') {
    for (const code of entry.deviations) codes.add(code);
    (entry.isImprovement ? draft.improvements : draft.findings).push(stateEntry(entry, raw));
  } else {
    codes.add('prose-bullet');
    draft.unparsed.push(raw);
    if (entry === 'undeclared') block.undeclared.push(raw);
  }
  return entry !== 'prose';
}

function stateEntry(
  { label, severity, notes, id, section, title, extra }: Entry,
  raw: string,
): StatedFinding {
  const place =
    placeIn(title) ??
    extra
      .map(field => placeOf(field) ?? placeIn(field))
      .find(found => found !== null && found.line !== null) ??
    placeOfFields(extra) ??
    (id === '' ? placeIn(raw) : null);
  const evidence = extra.length === 0 ? null : cut(extra.join('\n'), 2_000);
  const pieces = { originalId: trimOff(id, dress), label, severity, text: title, raw, notes };
  return stateFinding({ ...pieces, section: section === '' ? null : section, evidence }, place);
}

function noteVerdict(block: IndexBlock): void {
  const { deviations: codes, outside } = block;
  if (block.verdict === null) {
    const found = outside
      .map(line => (isSpoken(line) ? readVerdictLine(line.text) : null))
      .filter(line => line !== null);
    block.verdict = found.find(({ verdict }) => verdict !== null) ?? found[0] ?? null;
    codes.add(block.verdict === null ? 'verdict-missing' : 'verdict-outside-block');
  }
  if (block.verdict?.verdict === null) codes.add('verdict-unknown');
  if (block.verdict?.isDecorated === true) codes.add('verdict-decorated');
}

/** Everything a Findings Index can do differently from its canonical form and still be read. */
export const deviations = [
  'heading-level',
  'not-first-block',
  'unquoted-section',
  'extra-field',
  'missing-field',
  'severity-alias',
  'bullet-style',
  'table-row',
  'prose-bullet',
  'template-leftover',
  'duplicate-id',
  'verdict-outside-block',
  'verdict-decorated',
  'verdict-unknown',
  'verdict-missing',
] as const;
export type Deviation = (typeof deviations)[number];

interface Entry extends Omit<Row, 'severity'>, Label {
  /** IMP, INFO and NOTE: kept, never counted as findings. */
  readonly isImprovement: boolean;
  readonly notes: StatedFinding['notes'];
  readonly deviations: readonly Deviation[];
}

/** `undeclared`: shaped like an entry, but nothing in its first field can be a severity. */
type EntryLine = Entry | 'template' | 'none' | 'undeclared' | 'prose';

function readEntry(fields: readonly string[], scale: LabelScale): EntryLine {
  const [severity = '', ...rest] = fields;
  if (
    /^[[<]?severity[\]>]?$/i.test(severity) ||
    rest.some(field => /^\[(?:id|title|section)\]$/i.test(field))
  )
    return 'template';
  const row = rest.length < 3 ? rowOfFew(rest) : rowOf(rest);
  const isUnquoted = rest.length > 2 && !quoted.test(rest[1] ?? '');
  return toEntry({ ...row, severity }, scale, [
    ...(rest.length < 3 ? (['missing-field'] as const) : []),
    ...(isUnquoted ? (['unquoted-section'] as const) : []),
    ...(rest.length > 3 ? (['extra-field'] as const) : []),
  ]);
}

/** Without a header that names a severity the cells are taken in the order of an entry; the first may be anything. */
function readTableRow({ header, scale }: IndexBlock, cells: readonly string[]): EntryLine {
  if (header !== null) return toEntry(readRow(cells, header), scale, ['table-row']);
  const [first = ''] = cells;
  const isKnown = readSeverity(first, scale) !== null || /severity/i.test(first);
  return isKnown ? readEntry(cells, scale) : isWord(trimOff(first, dress)) ? 'undeclared' : 'prose';
}

/** A label nobody declared heads an entry all the same. */
function toEntry(
  { severity: field, ...row }: Row,
  scale: LabelScale,
  codes: readonly Deviation[],
): EntryLine {
  const label = trimOff(field, dress);
  const known = readSeverity(field, scale);
  const severity = known ?? undeclaredSeverityOf(label, scale);
  if (severity === null) return isWord(label) ? 'undeclared' : 'prose';
  const isAlias = !/^P[0-3]$/.test(field.trim());
  return {
    ...row,
    label,
    severity,
    isImprovement: improvements.has(label.toUpperCase()),
    notes: known === null ? [undeclaredNote(label, severity)] : [],
    deviations: isAlias ? ['severity-alias', ...codes] : codes,
  };
}

function isWord(field: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_./+-]{0,39}$/u.test(field) && !isOtherHead(field);
}

const improvements: LabelScale = new Map([
  ['IMP', 'low'],
  ['INFO', 'low'],
  ['NOTE', 'low'],
]);

/** Null when the word is no severity. */
export function readSeverity(field: string, scale?: LabelScale): Severity | null {
  const label = trimOff(field, dress);
  return improvements.get(label.toUpperCase()) ?? severityOf(label, scale);
}

const quoted = /^["“”'](.*)["“”']$/s;

function rowOf([id = '', section = '', ...tail]: readonly string[]): Omit<Row, 'severity'> {
  const extra: string[] = [];
  while (tail.length > 1 && isExtra(tail.at(-1) ?? '')) extra.unshift(tail.pop() ?? '');
  return { id, section: quoted.exec(section)?.[1] ?? section, title: tail.join(' | '), extra };
}

/** Fewer than four fields: severity, id and the rest as the title. What is quoted or has blanks is no id. */
function rowOfFew([first = '', second]: readonly string[]): Omit<Row, 'severity'> {
  const row = { id: '', section: '', title: second ?? first, extra: [] };
  if (second === undefined) return row;
  if (/^[^\s"“”]{1,40}$/.test(first)) return { ...row, id: first };
  const section = /^["“”](.*)["“”]$/s.exec(first)?.[1];
  return section === undefined ? { ...row, title: `${first} | ${second}` } : { ...row, section };
}

/** `P1: text`, `**P1** text`, `[HIGH] text`. */
function readUnbarred(body: string, scale: LabelScale): EntryLine {
  const head = readHead(
    { kind: 'bullet', level: 7, content: body },
    new Map([...improvements, ...scale]),
  );
  if (head === null) return 'prose';
  const { label } = head;
  const title = splitPlace(head.title).text;
  const severity = body.startsWith(label) ? label : `[${label}]`;
  return toEntry({ severity, id: '', section: '', title, extra: [] }, scale, ['missing-field']);
}

function isExtra(field: string): boolean {
  return (
    /^[A-Za-z_][\w -]{0,30}[:=]\s*\S/.test(field) ||
    (/^\S+:\d+(?:-\d+)?$/.test(field.slice(0, 400)) && placeOf(field) !== null)
  );
}

const dress = '*_`[]() \t';
