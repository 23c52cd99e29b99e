/**
 * Reads what is written by hand, in one pass over the lines: severity lines, headed bullets, numbered and bold items, fields, tables.
 * A line that names a severity as a label begins a finding of its own, wherever it stands; what quotes, fences or the middle of a
 * sentence say of a severity is left over, for the account of the answer.
 */
import type { StatedFinding } from '../words/finding.ts';
import {
  ownSeverityOf,
  rankOf,
  severityOf,
  unstatedSeverity,
  type Severity,
} from '../words/severity.ts';
import { cut, isBlank, trimOff } from '../text.ts';
import {
  isTitle,
  labelAtStart,
  labelsIn,
  readBadges,
  readField,
  readHead,
  startOf,
  type Head,
  type Kind,
  type Label,
  type Start,
} from './heads.ts';
import { isTail, nameIn, otherPart, toIssue, type Names, type ProseLine } from './issues.ts';
import {
  isOtherHead,
  isVerdictHeading,
  labelOfHeading,
  readLabelledLine,
  readVerdictLine,
  undeclaredNote,
  undeclaredSeverityOf,
  type LabelledLine,
  type VerdictLine,
} from './labels.ts';
import { layOut, type Line } from './layout.ts';
import { labelledPlaceIn, placeIn, splitPlace } from './place-in-text.ts';
import {
  nothingDropped,
  reject,
  type Attempt,
  type Dropped,
  type Mention,
  type ReadingOptions,
  type Vote,
} from './reading.ts';
import { createSieve, endsInNone, isStatementOfNone, type Sieve } from './sieve.ts';
import { placeOf, placeOfFields, stateFinding, unstatedLabel, type Place } from './stated.ts';
import {
  cellsOf,
  isTableRow,
  isTableRule,
  linesOfTables,
  readTableHeader,
  type TableHeader,
} from './tables.ts';
import { readVote, settleVotes } from './votes.ts';

export interface Report {
  readonly findings: readonly StatedFinding[];
  /** Indexes into `findings` where each run of them begins: prose between two starts a new one. */
  readonly runs: readonly number[];
  readonly votes: readonly Vote[];
  readonly verdict: VerdictLine | null;
  readonly isVerdictLast: boolean;
  readonly unparsed: readonly string[];
  /** Lines in quotations and fences that would begin a finding if they stood alone. */
  readonly left: readonly string[];
  /** Labels in the middle of lines. */
  readonly mentions: readonly Mention[];
  readonly dropped: Dropped;
  readonly notes: readonly string[];
  /** The answer says that there is nothing: in a line, in a line with a label, or at the end of its prose. */
  readonly none: 'labelled' | 'line' | 'prose' | null;
  readonly hasLabelledLine: boolean;
  /** A line that may have been a finding and could not be read as one. */
  readonly isLossy: boolean;
  /** A line of the exact shape whose label nobody can understand. */
  readonly undeclared: string | null;
}

export function readReport(text: string, options: ReadingOptions): Report {
  return readReportLines(layOut(text).lines, options);
}

/** What an index names: its items in the prose are headed by their ids or their titles. */
export interface Entries {
  readonly names: Names;
  readonly labels: ReadonlyMap<string, Label>;
}

export function readReportLines(
  lines: readonly Line[],
  options: ReadingOptions,
  entries: Entries | null = null,
): Report {
  const walk = startWalk(options, entries);
  const tables = linesOfTables(lines);
  for (const line of lines) takeLine(walk, line, tables.get(line) ?? null);
  close(walk);
  return { ...walk, notes: [...new Set(walk.notes)] };
}

interface Item {
  readonly kind: Kind | 'line' | 'row' | 'field' | 'named';
  readonly level: number;
  readonly indent: number;
  /** What stands behind the mark, the label and all. */
  readonly content: string;
  readonly title: string;
  readonly id: string | null;
  label: string;
  severity: Severity | null;
  /** Where the label stands on the line itself. */
  readonly place: Place | null;
  /** The place on a line of its own above. */
  readonly at: Place | null;
  /** Its severity stands in its own words, not in the heading above. */
  isStated: boolean;
  /** A field tells it. */
  hasField: boolean;
  readonly notes: readonly string[];
  readonly raw: string[];
  readonly body: ProseLine[];
}

interface Walk {
  readonly options: ReadingOptions;
  readonly entries: Entries | null;
  /** Of the last heading that is no item. */
  level: number;
  /** In a part of an index file that says nothing of its entries. */
  isBeside: boolean;
  readonly units: ReadonlySet<string>;
  readonly sieve: Sieve;
  readonly findings: StatedFinding[];
  readonly runs: number[];
  readonly votes: Vote[];
  readonly unparsed: string[];
  readonly left: string[];
  readonly mentions: Mention[];
  readonly dropped: Dropped;
  readonly notes: string[];
  none: Report['none'];
  open: Item | null;
  /** The heading whose label holds for what stands below it. */
  section: (Label & { readonly level: number }) | null;
  /** The kind of item that the last finding below this heading was. */
  among: Item['kind'] | null;
  /** A line that is nothing but a place: that of the next finding. */
  at: Place | null;
  header: TableHeader | null;
  isAfterBlank: boolean;
  hasProseBetween: boolean;
  verdict: VerdictLine | null;
  isVerdictNext: boolean;
  isVerdictLast: boolean;
  hasLabelledLine: boolean;
  isLossy: boolean;
  undeclared: string | null;
}

function startWalk(options: ReadingOptions, entries: Entries | null): Walk {
  return {
    options,
    entries,
    level: 7,
    isBeside: false,
    units: new Set(options.units),
    sieve: createSieve(options.sent),
    findings: [],
    runs: [],
    votes: [],
    unparsed: [],
    left: [],
    mentions: [],
    dropped: nothingDropped(),
    notes: [],
    none: null,
    open: null,
    section: null,
    among: null,
    at: null,
    header: null,
    isAfterBlank: true,
    hasProseBetween: true,
    verdict: null,
    isVerdictNext: false,
    isVerdictLast: false,
    hasLabelledLine: false,
    isLossy: false,
    undeclared: null,
  };
}

/** An item that the index names: until the next one, whatever lists and paragraphs stand between. */
function takeNamed(walk: Walk, text: string): boolean {
  const { entries, isAfterBlank, options } = walk;
  if (entries === null) return false;
  const { kind, level, content } = startOf(text, true);
  const found = walk.isBeside ? null : nameIn(text, isAfterBlank, entries.names);
  const label = found === null ? undefined : entries.labels.get(found.id);
  if (found === null || label === undefined) {
    if (kind === 'heading' || isTail(text)) {
      walk.isBeside = isTail(text) || otherPart.test(content);
      walk.level = level;
    }
    return false;
  }
  const { id, rest } = found;
  const head = readHead({ kind, level, content }, options.scale) ?? label;
  open(walk, {
    kind: 'named',
    level: kind === 'heading' ? level : walk.level,
    content: rest,
    title: entries.names.titles.get(id) ?? rest,
    label: head.label,
    severity: head.severity,
    id,
    place: null,
    text,
  });
  return true;
}

type Table = 'head' | 'row' | null;

function takeLine(walk: Walk, line: Line, table: Table): void {
  const { text } = line;
  if (line.fence !== null || line.isQuoted) {
    if (labelAtStart(text, walk.options.scale) !== null && walk.sieve(text, text) === null)
      walk.left.push(text);
    else noteMentions(walk, text);
    goOn(walk, line);
    return;
  }
  if (text.trim() === '') {
    walk.isAfterBlank = true;
    walk.open?.body.push(line);
    return;
  }
  const wasVerdictNext = walk.isVerdictNext;
  walk.isVerdictNext = isVerdictHeading(text);
  const verdict = readVerdictLine(wasVerdictNext ? `Verdict: ${text.trim()}` : text);
  walk.isVerdictLast = verdict !== null && verdict.verdict !== null;
  if (verdict !== null || walk.isVerdictNext) {
    if (verdict !== null && (verdict.verdict !== null || walk.verdict === null))
      walk.verdict = verdict;
    close(walk);
  } else if (
    !takeNamed(walk, text) &&
    !takeTable(walk, line, table) &&
    !takeLabelled(walk, line, table) &&
    !takeField(walk, text)
  )
    takeItem(walk, line);
  walk.isAfterBlank = false;
}

/** The parts of a table with a column of severities. Other rows are lines like any others. */
function takeTable(walk: Walk, { text }: Line, table: Table): boolean {
  if (isTableRule(text) && text.includes('|')) return true;
  if (table !== 'row') walk.header = table === 'head' ? readTableHeader(text) : null;
  if (table === 'head' && walk.header !== null) {
    const field = readField(text, walk.options.scale);
    if (field === null) close(walk);
    else openField(walk, text, field);
  }
  if (table === 'head') return walk.header !== null;
  if (walk.header === null || !walk.header.columns.includes('title')) return walk.header !== null;
  const { columns, names } = walk.header;
  const cells = cellsOf(text);
  const cell = (column: (typeof columns)[number]): string => cells[columns.indexOf(column)] ?? '';
  const label = /\p{L}[\p{L}\p{M}\p{N}_-]*/u.exec(cell('severity'))?.[0] ?? cell('severity');
  const severity = severityOf(label, walk.options.scale);
  if (severity === null || !isTitle(cell('title'))) {
    walk.unparsed.push(text);
    walk.isLossy ||= cell('severity') !== '';
    return true;
  }
  const fields = cells.map((value, index) => `${(names[index] ?? '').replace(':', '/')}: ${value}`);
  const id = cell('id').replace(/^[*_`]+|[*_`]+$/g, '');
  open(walk, {
    kind: 'row',
    content: cell('title'),
    title: cell('title'),
    label,
    severity,
    id: id === '' || /^\d+$/.test(id) ? null : id,
    place: placeOfFields(fields),
    text,
  });
  close(walk);
  return true;
}

/** `LABEL|path:line|text`, in a table without a column of severities as well. */
function takeLabelled(walk: Walk, { text }: Line, table: Table): boolean {
  const { scale, voting } = walk.options;
  const bare = text.replace(/^#{1,6}\s+/, '');
  const row = isTableRow(bare) ? bare.replace(/^\s*\||\|\s*$/g, '') : bare;
  const labelled = readLabelledLine(row, walk.units);
  if (labelled === null) return false;
  if (voting && /^(?:pass|fail)$/i.test(labelled.label)) return takeVote(walk, labelled, text);
  const { label } = labelled;
  const chaff =
    walk.sieve(labelled.text, text) ??
    (walk.sieve(`${label}|${labelled.text}`) === 'template' ? 'template' : null);
  // In a table the words of other tools are as often the names of rows.
  const isOwn = table !== null || (row !== bare && placeIn(row) === null);
  const severity = isOwn ? ownSeverityOf(label, scale) : severityOf(label, scale);
  if (chaff === 'template' || chaff === 'prompt') return drop(walk, chaff);
  if (severity === null && ((walk.open !== null && /^\s/.test(text)) || row !== bare)) return false;
  if (severity === null)
    return takeUndeclared(walk, labelled, { text, isChaff: chaff !== null, table });
  walk.hasLabelledLine = true;
  if (chaff === 'placeholder') {
    walk.none = 'labelled';
    if (isBlank(labelled.text)) walk.notes.push(`A line "${label}|" without text was dropped.`);
    return drop(walk, chaff);
  }
  const { place, text: words } = inColumns(labelled, row);
  open(walk, {
    kind: 'line',
    content: words,
    title: words,
    label: labelled.label,
    severity,
    place,
    text,
  });
  return true;
}

/** `LABEL|path|line|text|more`: what stands behind the text stays with it. */
function inColumns(
  { place, text }: LabelledLine,
  line: string,
): Pick<LabelledLine, 'place' | 'text'> {
  const [, number, rest] =
    /^\s*(\d{1,9}(?:\s?[-–]\s?\d{1,9})?)\s*[|｜]\s*(\S.*)$/s.exec(text) ?? [];
  return place === null || place.line !== null || number === undefined || rest === undefined
    ? { place, text }
    : {
        place: placeOf(`${place.path}:${number.replaceAll(/\s/g, '')}`) ?? place,
        text: rest.replace(/\s*\|\s*$/, line.trimEnd().endsWith('|') ? '' : '$&'),
      };
}

/** A word nobody declared makes a finding of the line all the same, if the line has the exact shape of one. */
function takeUndeclared(
  walk: Walk,
  { label, place, text: words }: LabelledLine,
  {
    text,
    isChaff,
    table,
  }: { readonly text: string; readonly isChaff: boolean; readonly table: Table },
): boolean {
  close(walk);
  const severity = undeclaredSeverityOf(label, walk.options.scale);
  const isRow = table !== null || isTableRow(text);
  if (severity !== null && !isChaff && !isRow && isExact(text)) {
    walk.hasLabelledLine = true;
    const notes = [undeclaredNote(label, severity)];
    open(walk, { kind: 'line', content: words, title: words, label, severity, place, notes, text });
    return true;
  }
  if (isOtherHead(label)) return true;
  const isLoss = walk.options.undeclaredLabel === 'reject' && table !== 'head';
  // No label, or none that can be understood: asking again may help. Of the row of a table or a heading nobody knows what it is.
  if (isLoss && severity === null && !isRow) walk.undeclared ??= text.trim();
  walk.unparsed.push(text);
  walk.isLossy ||= isLoss && !isChaff;
  return true;
}

/** No heading, and no code or bracket that opens before the bar and closes behind it. */
function isExact(line: string): boolean {
  const head = line.slice(0, line.indexOf('|'));
  const count = (mark: string): number => head.split(mark).length - 1;
  return (
    !/^\s*#/.test(head) &&
    count('`') % 2 === 0 &&
    count('[') === count(']') &&
    count('(') === count(')')
  );
}

function takeVote(walk: Walk, line: LabelledLine, raw: string): boolean {
  const { label, criterion, reason, finding } = readVote(line);
  const chaff = walk.sieve(reason === '' ? line.text : reason, raw);
  if (chaff === 'template' || chaff === 'prompt') return drop(walk, chaff);
  walk.hasLabelledLine = true;
  close(walk);
  if (criterion !== null) walk.votes.push({ criterion, vote: label });
  else if (label === 'PASS') walk.unparsed.push(raw);
  if (finding !== null)
    open(walk, {
      kind: 'line',
      content: finding,
      title: finding,
      label: line.label,
      severity: 'critical',
      place: placeIn(finding),
      text: raw,
    });
  return true;
}

/**
 * `Severity: X` tells how bad the open item is; where that is known and milder, or was told so already, the line begins an item of
 * its own. So do badges.
 */
function takeField(walk: Walk, text: string): boolean {
  const { scale } = walk.options;
  const field = readField(text, scale);
  const badges = field === null ? readBadges(text, scale) : null;
  if (badges !== null) openField(walk, text, { ...badges, title: '' });
  if (field === null) return badges !== null;
  const { open: item } = walk;
  const isWorse = item === null || rankOf(field.severity) < rankOf(item.severity ?? 'low');
  if (item === null || item.kind === 'line' || item.hasField || (item.isStated && isWorse)) {
    openField(walk, text, field);
    return true;
  }
  const { label, severity } = field;
  if (isWorse || item.severity === null || item.label === unstatedLabel)
    Object.assign(item, { label, severity });
  Object.assign(item, { isStated: true, hasField: true });
  item.raw.push(text);
  return true;
}

function openField(
  walk: Walk,
  text: string,
  { label, severity, title }: { label: string; severity: Severity | null; title: string },
): void {
  const isStated = severity !== null;
  open(walk, {
    kind: 'field',
    content: title,
    title,
    label,
    severity,
    place: null,
    isStated,
    hasField: isStated,
    text,
  });
}

function takeItem(walk: Walk, line: Line): void {
  const { text } = line;
  const { scale } = walk.options;
  if (beginsFields(walk, text)) {
    openField(walk, text, { label: '', severity: null, title: '' });
    return;
  }
  const start = startOf(text, walk.isAfterBlank);
  if (takeSection(walk, start)) return;
  const head = readHead(start, scale);
  if (head !== null && (start.kind === 'heading' || !isRestated(walk, head, text)))
    openItem(walk, start, head, text);
  else if (head !== null) goOn(walk, line);
  else if (start.kind === 'plain' || start.kind === 'place') takePlain(walk, line, start);
  else if (isDetail(walk, start, text)) goOn(walk, line);
  else takeUnlabelled(walk, start, line);
}

/** `File: src/a.ts:3` above the other fields of an item, or again below the fields of another one. */
function beginsFields({ open: item }: Walk, text: string): boolean {
  if (labelledPlaceIn(text) === null) return false;
  if (item === null || item.kind === 'line' || item.kind === 'place') return true;
  return (
    item.kind === 'field' &&
    item.severity !== null &&
    item.raw.some(line => labelledPlaceIn(line) !== null)
  );
}

/** A label without a place below an item of the same weight tells more of it: `- **High** impact, since …`. */
function isRestated({ open: item }: Walk, head: Head, text: string): boolean {
  return (
    item !== null &&
    item.severity === head.severity &&
    isOwner(item) &&
    /^\s/.test(text) &&
    placeIn(head.title) === null
  );
}

function openItem(walk: Walk, { kind, level, content }: Start, head: Head, text: string): void {
  open(walk, { kind, level, content, ...head, place: null, text });
}

/** The heading of a section that is called by a label. */
function takeSection(walk: Walk, { kind, level, content }: Start): boolean {
  if (kind !== 'heading' && kind !== 'bold') return false;
  const label = labelOfHeading(content.replace(/^[*_]{2}|[*_]{2}:?$/g, ''), walk.options.scale);
  const severity = label === null ? null : severityOf(label, walk.options.scale);
  if (label === null || severity === null) return false;
  close(walk);
  Object.assign(walk, { section: { label, severity, level }, among: null });
  return true;
}

/** A heading, a number or a bold line holds what stands below it, whether its severity is known already or not. */
function isOwner({ kind, severity }: Item): boolean {
  return (
    kind === 'number' ||
    kind === 'named' ||
    kind === 'bold' ||
    kind === 'field' ||
    (kind === 'heading' && severity !== null)
  );
}

/** Does a heading or an item of a list without a label of its own belong to what is open? */
function isDetail(
  { open: item, isAfterBlank }: Walk,
  { kind, level }: Start,
  text: string,
): boolean {
  if (item === null) return false;
  if (item.kind === 'named') return kind !== 'heading' || level > item.level;
  if ((item.kind === 'heading' || item.kind === 'field') && otherField.test(text)) return true;
  const isBare = item.kind === 'field' && item.body.every(line => line.text.trim() === '');
  if (isBare && item.title === '' && kind !== 'heading') return true;
  if (kind === 'bold' && !isWholeBold(text)) return true;
  if (kind !== 'heading' && /^\s/.test(text) && (text.search(/\S/) > item.indent || !isAfterBlank))
    return true;
  return isOwner(item) && (level > item.level || kind === 'bullet');
}

function isWholeBold(text: string): boolean {
  return /^\*\*[^*]{1,300}\*\*:?\s*$/.test(text);
}

/** An item without a label: what its section says of it; among findings one whose severity is not stated; else what a field will say. */
function takeUnlabelled(walk: Walk, { kind, level, content }: Start, { text }: Line): void {
  close(walk);
  const { among } = walk;
  if (kind === 'heading') {
    walk.among = null;
    if (walk.section !== null && level <= walk.section.level) walk.section = null;
  }
  if (/^[-*_\s]*$/.test(content.slice(0, 200))) return;
  const isListed = kind === 'number' || kind === 'bullet';
  const chaff = kind === 'heading' ? null : walk.sieve(content, text);
  if (chaff !== null) {
    if (chaff === 'placeholder') walk.none ??= 'line';
    walk.dropped[chaff] += 1;
    return;
  }
  if (endsInNone(content)) walk.none ??= 'prose';
  noteMentions(walk, text);
  const isSibling = isListed && among === kind;
  const known = walk.section ?? (isSibling ? unstated : null);
  if (known === null && kind === 'bullet') {
    walk.unparsed.push(text);
    walk.among = among;
  }
  const title = content.replace(/^\d{1,3}[.):]\s+/, '');
  open(walk, {
    kind,
    level,
    content,
    title,
    label: known?.label ?? '',
    severity: known?.severity ?? null,
    place: null,
    isStated: false,
    text,
  });
}

/** Its severity is a value of its own, read as medium where an order is needed. */
const unstated: Label = { label: unstatedLabel, severity: unstatedSeverity };

function takePlain(walk: Walk, line: Line, { content }: Start): void {
  const { text } = line;
  if (/^\s/.test(text) || (walk.open !== null && isOwner(walk.open))) {
    goOn(walk, line);
    return;
  }
  const bare = text.trim().replace(/[:：]$/, '');
  const only = /\s/.test(bare) ? null : placeOf(bare, walk.units);
  const isBelowPlace = walk.at !== null && walk.open === null && !isStatementOfNone(text);
  if (only !== null && only.line !== null) {
    close(walk);
    walk.at = only;
  } else if (isBelowPlace || beginsWithPlace(content)) {
    const title = splitPlace(content).text;
    const known = walk.section ?? unstated;
    open(walk, { kind: 'place', content, title, ...known, place: null, isStated: false, text });
  } else goOn(walk, line);
}

/** A file and line at the beginning, set off from what is said of it. */
function beginsWithPlace(content: string): boolean {
  const { place, text } = splitPlace(content);
  const start = /^[`*_[]*/.exec(content)?.[0].length ?? 0;
  return (
    place !== null &&
    place.line !== null &&
    text !== content &&
    content.startsWith(place.path, start)
  );
}

/** What stands below or behind an item goes to it; else it is prose. */
function goOn(walk: Walk, line: Line): void {
  const { text } = line;
  const { open: item } = walk;
  if (!line.isQuoted && line.fence === null) noteMentions(walk, text);
  const isIndented = /^\s/.test(text);
  const isBeside = line.isQuoted || line.fence !== null;
  if (
    item !== null &&
    (isIndented || isOwner(item) || item.kind === 'heading' || !walk.isAfterBlank)
  ) {
    item.raw.push(text);
    item.body.push(line);
    if (item.severity !== null || isBeside) return;
  } else if (isIndented || isBeside || isRule(text)) return;
  else {
    close(walk);
    walk.among = null;
  }
  const chaff = walk.sieve(text, text);
  if (chaff !== null) {
    if (chaff === 'placeholder') walk.none ??= 'line';
    walk.dropped[chaff] += 1;
    return;
  }
  if (endsInNone(text)) walk.none ??= 'prose';
  walk.hasProseBetween = true;
  if (walk.section === null) return;
  walk.unparsed.push(text);
  if (!isNegative(text)) walk.mentions.push({ ...walk.section, line: text });
}

function isRule(text: string): boolean {
  return /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/.test(text.slice(0, 200));
}

function noteMentions(walk: Walk, text: string): void {
  const found = labelsIn(text.slice(0, 4_000), walk.options.scale);
  if (found.length > 0 && walk.sieve('words', text) === null)
    for (const label of found) walk.mentions.push({ ...label, line: text });
}

/** True, for a caller whose line is dealt with. */
function drop(walk: Walk, chaff: keyof Dropped): boolean {
  close(walk);
  walk.dropped[chaff] += 1;
  return true;
}

type NewItem = Pick<Item, 'kind' | 'content' | 'title' | 'label' | 'severity' | 'place'> &
  Partial<Pick<Item, 'id' | 'level' | 'notes' | 'isStated' | 'hasField'>> & {
    readonly text: string;
  };

function open(walk: Walk, { text, ...item }: NewItem): void {
  close(walk);
  walk.open = {
    id: null,
    level: 7,
    notes: [],
    isStated: true,
    hasField: false,
    ...item,
    at: walk.at,
    indent: text.search(/\S/),
    raw: [text],
    body: [],
  };
  walk.at = null;
}

function close(walk: Walk): void {
  const item = walk.open;
  walk.open = null;
  if (item === null) return;
  // Fields without one of a severity.
  const isUnstated = item.kind === 'field' && item.body.some(({ text }) => titleField.test(text));
  if (item.severity === null && isUnstated) Object.assign(item, unstated);
  if (item.severity === null) return;
  const finding = toFinding(item, item.severity);
  const chaff = walk.sieve(finding.text, item.raw[0]);
  if (isBlank(finding.text)) {
    walk.left.push(item.raw[0] ?? '');
    return;
  }
  if (chaff !== null) {
    if (chaff === 'placeholder') walk.none ??= 'line';
    walk.dropped[chaff] += 1;
    return;
  }
  if (walk.hasProseBetween) walk.runs.push(walk.findings.length);
  walk.hasProseBetween = false;
  walk.findings.push(finding);
  walk.among = item.kind;
}

const titleField =
  /^\s*(?:[-*+]\s+)?[*_`]{0,3}(?:issue|title|problem|finding|description|summary|message|details|titel|beschreibung|问题|描述)[*_`]{0,3}\s?[:：=][*_`]{0,3}\s{0,3}"?(\S.*?)"?$/isu;
const otherField = /^\s*(?:[-*+]\s+)?[*_`]{0,3}\p{L}[\p{L} ]{1,20}[*_`]{0,3}\s?[:：]/u;

function toFinding(item: Item, severity: Severity): StatedFinding {
  const { content, title, label, id, place, notes, raw, body } = item;
  const spoken = body.map(({ text, isQuoted, fence }) => (isQuoted || fence !== null ? '' : text));
  const isUntitled = /^[*_]{0,3}$/.test(title) || readField(title, new Map()) !== null;
  const titled = spoken.findIndex(line => titleField.test(line));
  const at = !isUntitled
    ? -1
    : titled !== -1
      ? titled
      : spoken.findIndex(line => /\p{L}{2}/u.test(line) && !otherField.test(line));
  const said = at === -1 ? title : (titleField.exec(spoken[at] ?? '')?.[1] ?? spoken[at] ?? title);
  const rest = body.filter((_, index) => index !== at);
  if (item.kind === 'named') {
    const words = content.startsWith(title) ? content.slice(title.length) : content;
    rest.unshift({ text: trimOff(words, ' :—–-*_'), isQuoted: false, fence: null });
  }
  const first = item.kind === 'field' ? [raw[0] ?? ''] : [];
  const whole = [...first, said, ...rest.map(({ text }) => text)].join('\n');
  const head = splitPlace(content);
  const words = splitPlace(said);
  const labelled = labelledPlaceIn(whole);
  const isExact = item.kind === 'line';
  return stateFinding(
    {
      originalId: id ?? '',
      label,
      severity,
      text: isExact ? said : words.text,
      raw: raw.join('\n'),
      ...toIssue(rest),
      notes: [...notes],
    },
    place ??
      (isExact
        ? item.at
        : ((head.text === content ? null : head.place) ??
          (labelled?.line === null ? placeOfFields(raw.map(line => line.trim())) : null) ??
          labelled ??
          head.place ??
          placeIn(whole) ??
          item.at)),
  );
}

/** Null when nothing was seen: no finding, no statement of none, no vote, nothing dropped or left over. */
export function draftOf(report: Report, { strict }: ReadingOptions): Attempt {
  const { findings, unparsed, dropped, votes, verdict, isVerdictLast, none, left, mentions } =
    report;
  const seen = [findings, votes, unparsed, left, mentions].some(list => list.length > 0);
  const hasChaff = dropped.placeholder + dropped.template + dropped.prompt > 0;
  if (!seen && !hasChaff && verdict === null && none === null) return null;
  if (report.undeclared !== null)
    return reject('schema', `Nobody declared the severity of "${cut(report.undeclared, 120)}".`, {
      unparsed,
      dropped,
    });
  if (strict && haveDifferentFindings(report))
    return reject('ambiguous', 'Two runs of findings, separated by prose, differ.', {
      unparsed,
      dropped,
    });
  const notes = [...report.notes];
  return {
    kind: 'draft',
    format: report.hasLabelledLine || findings.length === 0 ? 'lines' : 'bullets',
    findings,
    improvements: [],
    // A word that nobody declared, or a verdict quoted in the middle, says nothing about how this answer ended.
    verdict: (isVerdictLast || !strict) && verdict?.verdict !== null ? verdict : null,
    isZeroStated: strict ? none === 'labelled' && saysNone(report) : saysNone(report),
    // The end mark that is asked for is taken off before; a verdict on the last line proves as much.
    hasEndMark: isVerdictLast,
    doubt: report.isLossy ? { cause: 'schema' } : null,
    unparsed,
    left,
    mentions,
    dropped,
    notes,
    filesReviewed: null,
    votes: settleVotes(votes, notes),
  };
}

/** Does a statement of none speak for the whole answer? */
function saysNone({
  findings,
  none,
  unparsed,
  mentions,
  left,
  isVerdictLast,
  verdict,
}: Report): boolean {
  const isSafe = isVerdictLast && verdict?.verdict === 'safe';
  return (
    findings.length === 0 &&
    none !== null &&
    (none !== 'prose' || mentions.length + left.length === 0) &&
    (isSafe || unparsed.every(isNegative))
  );
}

/** Prose in the section of a label that says that the section is empty. */
function isNegative(line: string): boolean {
  return (
    line.length <= 200 &&
    (isStatementOfNone(line) || endsInNone(line) || /^\W*(?:no|none|nothing|n\/a)\b/i.test(line))
  );
}

function haveDifferentFindings({ findings, runs }: Report): boolean {
  const keys = runs.map((start, index) =>
    findings
      .slice(start, runs[index + 1])
      .map(finding => `${finding.severity}|${finding.text}`)
      .sort()
      .join('\n'),
  );
  return new Set(keys).size > 1;
}
