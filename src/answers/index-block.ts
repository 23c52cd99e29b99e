/**
 * Walks a file to its Findings Index and takes the block apart: entries `SEVERITY | ID | "Section" | Title` or rows of a table
 * with columns by name, the ways in which they are bent, the verdict, and what is neither.
 */
import type { StatedFinding } from '../core/words/finding.ts';
import {
  ownSeverityOf,
  severityOf,
  type LabelScale,
  type Severity,
} from '../core/words/severity.ts';
import { cut, trimOff } from '../core/text.ts';
import {
  isOtherHead,
  readVerdictLine,
  undeclaredNote,
  undeclaredSeverityOf,
  type VerdictLine,
} from './labels.ts';
import { readHeading, statedLines, type Line } from './layout.ts';
import { placeIn } from './place-in-text.ts';
import { nothingDropped, type Dropped } from './reading.ts';
import { isStatementOfNone } from './sieve.ts';
import { placeOf, placeOfFields, stateFinding } from '../core/words/stated.ts';
import {
  cellsOf,
  isTableRow,
  isTableRule,
  readTableHeader,
  readRow,
  splitFields,
  type TableHeader,
} from './tables.ts';

export interface IndexBlock extends Walk {
  /** Is there a heading of an index? */
  readonly hasIndex: boolean;
  /** All lines of the file that are no quotation. */
  readonly lines: readonly string[];
  /** Lines that stand in no block of an index, with what each is. */
  readonly outside: readonly Line[];
}

/** Several blocks are one. */
export function readIndexBlock(text: string, scale?: LabelScale): IndexBlock {
  const prose = statedLines(text);
  const stated = prose.filter(line => line.fence === null && !line.isQuoted);
  const lines = stated.map(line => line.text);
  const walk: Walk = {
    scale,
    entries: [],
    improvements: [],
    unparsed: [],
    undeclared: [],
    dropped: nothingDropped(),
    deviations: new Set(),
    header: null,
    verdict: null,
  };
  const inside = new Set<Line>();
  let isInside = false;
  let hasIndex = false;
  for (const [index, line] of stated.entries()) {
    if (isIndexHeading(line.text)) {
      if (!hasIndex) noteHeading(walk, lines, index);
      hasIndex = true;
      isInside = true;
    } else if (isInside && readHeading(line.text) !== null) isInside = false;
    else if (isInside) takeLine(walk, line.text);
    // Lines of the block that are no entry may be findings of another form.
    const isProse = walk.unparsed.at(-1) === line.text && !walk.undeclared.includes(line.text);
    if (isInside && !isProse) inside.add(line);
  }
  const outside = prose.filter(line => !inside.has(line));
  walk.verdict ??= verdictOutside(
    outside.filter(line => line.fence === null && !line.isQuoted).map(line => line.text),
    walk,
  );
  noteVerdict(walk);
  return { ...walk, hasIndex, lines, outside };
}

interface Walk {
  readonly scale: LabelScale | undefined;
  /** `originalId` is empty where an entry has none. */
  readonly entries: StatedFinding[];
  /** Entries of the kinds IMP, INFO and NOTE. */
  readonly improvements: StatedFinding[];
  /** Lines of the block that are no entry. */
  readonly unparsed: string[];
  /** Those of them that are shaped like an entry and begin with a word nobody declared. */
  readonly undeclared: string[];
  readonly dropped: Dropped;
  readonly deviations: Set<Deviation>;
  header: TableHeader | null;
  /** The one in the block, else the first one elsewhere that is understood, else the first. */
  verdict: VerdictLine | null;
}

export function isIndexHeading(line: string): boolean {
  const heading = readHeading(line);
  return heading !== null && heading.level <= 4 && /^[*_`]*findings\s+index\b/i.test(heading.title);
}

function noteHeading(walk: Walk, lines: readonly string[], start: number): void {
  if (!/^### Findings Index\s*$/.test(lines[start] ?? '')) walk.deviations.add('heading-level');
  if (
    lines
      .slice(0, start)
      .some(line => line.trim() !== '' && !/^\s*<!--.*-->\s*$/.test(line.slice(0, 400)))
  )
    walk.deviations.add('not-first-block');
}

function takeLine(walk: Walk, line: string): void {
  if (
    line.trim() === '' ||
    /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line.slice(0, 200)) ||
    /^\s*<!--/.test(line.slice(0, 200))
  )
    return;
  const verdict = readVerdictLine(line);
  if (verdict !== null) {
    walk.verdict ??= verdict;
    return;
  }
  if (isTableRow(line)) takeRow(walk, line);
  else takeItem(walk, line);
}

function takeRow(walk: Walk, line: string): void {
  if (isTableRule(line)) return;
  const header = readTableHeader(line);
  if (header !== null) {
    walk.header = header;
    return;
  }
  walk.deviations.add('table-row');
  takeEntry(walk, readTableRow(line, walk.header, walk.scale), line);
}

function takeItem(walk: Walk, line: string): void {
  const found = /^(\s*)([-*+](?![-*+])|\d{1,3}[.)](?=\s))?\s*(.*)$/s.exec(line);
  const [, indent = '', bullet = '', body = ''] = found ?? [];
  const entry = readEntry(body, walk.scale);
  // Without a bullet only what has all the looks of an entry is one.
  if (bullet === '' && (entry.kind !== 'entry' || entry.deviations.includes('missing-field'))) {
    walk.unparsed.push(line);
    return;
  }
  if (isStatementOfNone(body)) {
    walk.dropped.placeholder += 1;
    return;
  }
  if (entry.kind === 'entry' && (bullet !== '-' || indent !== ''))
    walk.deviations.add('bullet-style');
  takeEntry(walk, entry, line);
}

function takeEntry(walk: Walk, entry: EntryLine, raw: string): void {
  if (entry.kind === 'template') {
    walk.dropped.template += 1;
    walk.deviations.add('template-leftover');
  } else if (entry.kind === 'entry') {
    if (isStatementOfNone(entry.title)) {
      walk.dropped.placeholder += 1;
      return;
    }
    for (const code of entry.deviations) walk.deviations.add(code);
    (entry.isImprovement ? walk.improvements : walk.entries).push(stateEntry(entry, raw));
  } else {
    walk.deviations.add('prose-bullet');
    walk.unparsed.push(raw);
    if (entry.kind === 'undeclared') walk.undeclared.push(raw);
  }
}

function stateEntry(entry: EntryFields, raw: string): StatedFinding {
  const { severity, label, id, section, title, extra, notes } = entry;
  const place =
    placeIn(title) ??
    extra
      .map(field => placeOf(field) ?? placeIn(field))
      .find(found => found !== null && found.line !== null) ??
    placeOfFields(extra);
  const pieces = { originalId: id, label, severity, text: title, raw, notes: [...notes] };
  const evidence = extra.length === 0 ? null : cut(extra.join('\n'), 2_000);
  return stateFinding({ ...pieces, section: section === '' ? null : section, evidence }, place);
}

function verdictOutside(lines: readonly string[], walk: Walk): VerdictLine | null {
  const found = lines.map(readVerdictLine).filter(line => line !== null);
  const verdict = found.find(line => line.verdict !== null) ?? found[0] ?? null;
  if (verdict !== null) walk.deviations.add('verdict-outside-block');
  return verdict;
}

function noteVerdict({ verdict, deviations: codes }: Walk): void {
  if (verdict === null) codes.add('verdict-missing');
  else if (verdict.verdict === null) codes.add('verdict-unknown');
  if (verdict?.isDecorated === true) codes.add('verdict-decorated');
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

interface Head {
  readonly severity: Severity;
  /** As written, without emphasis. */
  readonly label: string;
  /** IMP, INFO and NOTE: kept, never counted as findings. */
  readonly isImprovement: boolean;
  readonly isAlias: boolean;
  readonly notes: readonly string[];
}

interface EntryFields extends Head {
  readonly kind: 'entry';
  /** Empty when the entry has none. */
  readonly id: string;
  readonly section: string;
  readonly title: string;
  readonly extra: readonly string[];
  readonly deviations: readonly Deviation[];
}

/** `undeclared`: shaped like an entry, but nothing in its first field can be a severity. */
type EntryLine = EntryFields | { readonly kind: 'template' | 'undeclared' | 'prose' };

/** `body` is the line without its bullet. The first cell of a table may be anything: there a label must be a declared one. */
function readEntry(body: string, scale?: LabelScale, { isTableRow = false } = {}): EntryLine {
  const fields = splitFields(body);
  if (fields.length === 1) return readUnbarred(body, scale);
  const [first = '', ...rest] = fields;
  if (
    /^[[<]?severity[\]>]?$/i.test(first) ||
    rest.some(field => /^\[(?:id|title|section)\]$/i.test(field))
  )
    return { kind: 'template' };
  const head = readSeverity(first, scale) ?? (isTableRow ? null : readUndeclared(first, scale));
  if (head === null) return { kind: isWord(undecorated(first)) ? 'undeclared' : 'prose' };
  return rest.length < 3 ? fromFew(head, rest) : fromFields(head, rest);
}

function isWord(field: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_./+-]{0,39}$/u.test(field) && !isOtherHead(field);
}

const improvementWords: ReadonlySet<string> = new Set(['IMP', 'INFO', 'NOTE']);

/** Null when the word is no severity. */
export function readSeverity(field: string, scale?: LabelScale): Head | null {
  const label = undecorated(field);
  const isImprovement = improvementWords.has(label.toUpperCase());
  const severity = isImprovement ? 'low' : severityOf(label, scale);
  return severity === null
    ? null
    : { severity, label, isImprovement, isAlias: !/^P[0-3]$/.test(field.trim()), notes: [] };
}

/** A label nobody declared heads an entry all the same; null for what is no label. */
function readUndeclared(field: string, scale?: LabelScale): Head | null {
  const label = undecorated(field);
  const severity = undeclaredSeverityOf(label, scale);
  const notes = severity === null ? [] : [undeclaredNote(label, severity)];
  return severity === null ? null : { severity, label, isImprovement: false, isAlias: true, notes };
}

function fromFields(head: Head, [id = '', section = '', ...tail]: readonly string[]): EntryFields {
  const extra: string[] = [];
  const title = [...tail];
  while (title.length > 1 && isExtra(title.at(-1) ?? '')) extra.unshift(title.pop() ?? '');
  const quoted = /^["“”'](.*)["“”']$/s.exec(section)?.[1];
  const codes: Deviation[] = quoted === undefined ? ['unquoted-section'] : [];
  if (tail.length > 1) codes.push('extra-field');
  return toEntry(head, codes, { id, section: quoted ?? section, title: title.join(' | '), extra });
}

/** Fewer than four fields: severity, id and the rest as the title. What is quoted or has blanks is no id. */
function fromFew(head: Head, [first = '', second]: readonly string[]): EntryFields {
  const few = (title: string, parts: Partial<EntryFields> = {}): EntryFields =>
    toEntry(head, ['missing-field'], { title, ...parts });
  if (second === undefined) return few(first);
  if (/^[^\s"“”]{1,40}$/.test(first)) return few(second, { id: first });
  const section = /^["“”](.*)["“”]$/s.exec(first)?.[1];
  return section === undefined ? few(`${first} | ${second}`) : few(second, { section });
}

function toEntry(
  head: Head,
  codes: readonly Deviation[],
  { id = '', ...parts }: Pick<EntryFields, 'title'> & Partial<EntryFields>,
): EntryFields {
  return {
    ...head,
    kind: 'entry',
    section: '',
    extra: [],
    deviations: head.isAlias ? ['severity-alias', ...codes] : codes,
    ...parts,
    id: undecorated(id),
  };
}

/** `P1: text`, `**P1** text`, `[HIGH] text`. A plain word such as "High" needs a mark: prose begins like that, also with "Error:". */
function readUnbarred(body: string, scale?: LabelScale): EntryLine {
  const found =
    /^([*_`[(]{0,4})([A-Za-z][A-Za-z0-9_-]{1,31})([*_`\])]{0,4})(\s{0,4}[:—–]|\s{1,4}-(?=\s))?[*_`]{0,3}\s+(\S.*)$/s.exec(
      body,
    );
  if (found === null) return { kind: 'prose' };
  const [, before = '', word = '', , mark = '', title = ''] = found;
  const head =
    improvementWords.has(word.toUpperCase()) || ownSeverityOf(word, scale) !== null
      ? readSeverity(word, scale)
      : null;
  const isMarked = before !== '' || mark !== '' || /^P[0-3]$/.test(word);
  if (head === null || !isMarked) return { kind: 'prose' };
  const isAlias = head.isAlias || before !== '';
  return toEntry({ ...head, isAlias }, ['missing-field'], { title });
}

function isExtra(field: string): boolean {
  return (
    /^[A-Za-z_][\w -]{0,30}[:=]\s*\S/.test(field) ||
    (/^\S+:\d+(?:-\d+)?$/.test(field.slice(0, 400)) && placeOf(field) !== null)
  );
}

function undecorated(field: string): string {
  return trimOff(field, '*_`[]() \t');
}

/** Without a header that names a severity the cells are taken in the order of an entry. */
function readTableRow(line: string, header: TableHeader | null, scale?: LabelScale): EntryLine {
  if (header === null) return readEntry(cellsOf(line).join(' | '), scale, { isTableRow: true });
  const { severity, ...parts } = readRow(line, header);
  const head = readSeverity(severity, scale) ?? readUndeclared(severity, scale);
  return head === null
    ? { kind: severity === '' ? 'prose' : 'undeclared' }
    : toEntry(head, ['table-row'], parts);
}
