/**
 * Takes the blocks of a Findings Index apart: entries `SEVERITY | ID | "Section" | Title` or rows of a table with columns by name, the
 * ways in which they are bent, the verdict, and what is neither.
 */
import {
  type LabelScale,
  type Severity,
  type StatedFinding,
  severityOf,
} from '../core/words/finding.ts';
import { cut, trimOff } from '../core/text.ts';
import { readHead } from './heads.ts';
import {
  isOtherHead,
  readVerdictLine,
  undeclaredNote,
  undeclaredSeverityOf,
  type VerdictLine,
} from './labels.ts';
import {
  isSpoken,
  readHeading,
  type Line,
  cellsOf,
  isTableRow,
  isTableRule,
  readTableHeader,
  readRow,
  splitFields,
  type Row,
  type TableHeader,
} from './layout.ts';
import { placeIn, splitPlace } from './place-in-text.ts';
import { emptyDraft } from './reading.ts';
import { isPlaceholder } from './sieve.ts';
import { hearVerdict } from './walk.ts';
import { placeOf, placeOfFields, stateFinding } from '../core/words/stated.ts';

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
  const { outside, deviations: codes } = block;
  let isInside = false;
  for (const line of lines) {
    const { text } = line;
    const heading = isSpoken(line) ? readHeading(text) : null;
    if (heading) isInside = heading.level <= 4 && /^[*_`]*findings\s+index\b/i.test(heading.title);
    // Lines of the block that are no entry may be findings of another form.
    const isTaken = isInside && isSpoken(line) && (heading !== null || takeLine(block, text));
    if (!isTaken) outside.push(line);
    if (!heading || !isTaken || block.hasIndex) continue;
    block.hasIndex = true;
    if (!/^### Findings Index\s*$/.test(text)) codes.add('heading-level');
    if (outside.some(each => isSpoken(each) && !isEmpty(each.text))) codes.add('not-first-block');
  }
  noteVerdict(block);
  return block;
}

/** Blank, a rule or a comment. */
function isEmpty(line: string) {
  return /^\s*(?:<!--.*|-{3,}\s*|\*{3,}\s*|_{3,}\s*)?$/.test(line.slice(0, 400));
}

/** Is it an entry, or of what a block holds besides? */
function takeLine(block: IndexBlock, line: string) {
  const { draft, deviations: codes, scale } = block;
  const verdict = readVerdictLine(line);
  hearVerdict(block, verdict);
  if (verdict || isEmpty(line)) return true;
  const isRow = isTableRow(line);
  const header = isRow ? readTableHeader(cellsOf(line)) : null;
  block.header = header ?? block.header;
  if (header || (isRow && isTableRule(line))) return true;
  const [, mark = '', body = ''] = itemMark.exec(line) ?? [];
  const context = { scale, raw: line };
  const entry = isRow
    ? readCells(cellsOf(line), context, block.header)
    : readFields(splitFields(body), context);
  const isEntry = typeof entry === 'object';
  // Without a bullet only what has all the looks of an entry is one.
  const isProse = !isRow && mark.trim() === '' && (!isEntry || entry.codes.has('missing-field'));
  const isNone = isPlaceholder(isRow ? '' : body) || (isEntry && isPlaceholder(entry.finding.text));
  if (isProse) draft.unparsed.push(line);
  else if (isNone) draft.dropped.placeholder += 1;
  else if (entry === 'template') {
    draft.dropped.template += 1;
    codes.add('template-leftover');
  } else if (isEntry) {
    const style: Deviation | null = isRow ? 'table-row' : mark === '-' ? null : 'bullet-style';
    for (const code of [...entry.codes, ...(style === null ? [] : [style])]) codes.add(code);
    const isImprovement = improvements.has(entry.finding.label.toUpperCase());
    draft[isImprovement ? 'improvements' : 'findings'].push(entry.finding);
  } else {
    codes.add('prose-bullet');
    draft.unparsed.push(line);
    if (entry === 'undeclared') block.undeclared.push(line);
  }
  return !isProse && (isNone || entry !== 'prose');
}

const itemMark = /^(\s*(?:[-*+](?![-*+])|\d{1,3}[.)](?=\s))?)\s*(.*)$/s;

function noteVerdict(block: IndexBlock) {
  const { deviations: codes } = block;
  if (!block.verdict) {
    const found = block.outside
      .map(line => (isSpoken(line) ? readVerdictLine(line.text) : null))
      .filter(line => line !== null);
    block.verdict = found.find(({ verdict }) => verdict !== null) ?? found[0] ?? null;
    codes.add(block.verdict ? 'verdict-outside-block' : 'verdict-missing');
  }
  if (block.verdict?.verdict === null) codes.add('verdict-unknown');
  if (block.verdict?.isDecorated) codes.add('verdict-decorated');
}

interface Context {
  scale: LabelScale;
  raw: string;
}

/** `undeclared`: shaped like an entry, but nothing in its first field can be a severity. */
type EntryLine =
  { finding: StatedFinding; codes: ReadonlySet<Deviation> } | 'template' | 'undeclared' | 'prose';

/** Without a header that names a severity the cells are taken in the order of an entry; the first may be anything. */
function readCells(
  cells: readonly string[],
  context: Context,
  header: TableHeader | null,
): EntryLine {
  if (header) return toEntry(readRow(cells, header), context, []);
  const [first = ''] = cells;
  return readSeverity(first, context.scale) !== null || /severity/i.test(first)
    ? readFields(cells, context)
    : unread(trimOff(first, dress));
}

/** What begins with a word and cannot be read. */
function unread(field: string): EntryLine {
  const isWord = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_./+-]{0,39}$/u.test(field) && !isOtherHead(field);
  return isWord ? 'undeclared' : 'prose';
}

/** Fewer than four fields: severity, id and the rest as the title. What is quoted or has blanks is no id. */
function readFields(fields: readonly string[], context: Context): EntryLine {
  const [severity = '', first = '', second, ...tail] = fields;
  if (fields.length < 2) return readUnbarred(severity, context);
  if (/^[[<]?severity[\]>]?$/i.test(severity) || fields.some(field => slot.test(field)))
    return 'template';
  const row = { severity, id: '', section: '', title: second ?? first, extra: [] };
  if (second !== undefined && fields.length < 4) {
    const section = /^["“”](.*)["“”]$/s.exec(first)?.[1];
    if (/^[^\s"“”]{1,40}$/.test(first)) row.id = first;
    else if (section === undefined) row.title = `${first} | ${second}`;
    else row.section = section;
  }
  if (fields.length < 4 || second === undefined) return toEntry(row, context, ['missing-field']);
  const extra = [];
  while (tail.length > 1 && isExtra(tail.at(-1) ?? '')) extra.unshift(tail.pop() ?? '');
  const section = quoted.exec(second)?.[1];
  const whole = { ...row, id: first, section: section ?? second, title: tail.join(' | '), extra };
  return toEntry(whole, context, [
    ...(section === undefined ? (['unquoted-section'] as const) : []),
    ...(fields.length > 4 ? (['extra-field'] as const) : []),
  ]);
}

const slot = /^\[(?:id|title|section)\]$/i;

/** `P1: text`, `**P1** text`, `[HIGH] text`. */
function readUnbarred(body: string, context: Context): EntryLine {
  const start = { kind: 'bullet', level: 7, content: body } as const;
  const head = readHead(start, new Map([...improvements, ...context.scale]));
  if (!head) return 'prose';
  const { label } = head;
  const severity = body.startsWith(label) ? label : `[${label}]`;
  const { text: title } = splitPlace(head.title);
  return toEntry({ severity, id: '', section: '', title, extra: [] }, context, ['missing-field']);
}

/** A label nobody declared heads an entry all the same. */
function toEntry(
  { severity: field, id, section, title, extra }: Row,
  { scale, raw }: Context,
  bent: readonly Deviation[],
): EntryLine {
  const label = trimOff(field, dress);
  const known = readSeverity(field, scale);
  const severity = known ?? undeclaredSeverityOf(label, scale);
  if (severity === null) return unread(label);
  const place =
    placeIn(title) ??
    extra
      .map(each => placeOf(each) ?? placeIn(each))
      .find(found => found !== null && found.line !== null) ??
    placeOfFields(extra) ??
    (id === '' ? placeIn(raw) : null);
  const pieces = {
    originalId: trimOff(id, dress),
    label,
    severity,
    // What an entry is about stands below it at times.
    text: title || section || label,
    raw,
    notes: known === null ? [undeclaredNote(label, severity)] : [],
    section: section || null,
    evidence: extra.length === 0 ? null : cut(extra.join('\n'), 2_000),
  };
  const codes = new Set(/^P[0-3]$/.test(field) ? bent : [...bent, 'severity-alias' as const]);
  return { finding: stateFinding(pieces, place), codes };
}

/** Kept, never counted as findings. */
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

function isExtra(field: string) {
  return (
    /^[A-Za-z_][\w -]{0,30}[:=]\s*\S/.test(field) ||
    (/^\S+:\d+(?:-\d+)?$/.test(field.slice(0, 400)) && placeOf(field) !== null)
  );
}

const dress = '*_`[]() \t';
