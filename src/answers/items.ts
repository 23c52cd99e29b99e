/**
 * Reads what is written by hand, in one pass over the lines: severity lines, headed bullets, numbered and bold items, fields, tables.
 * A line that names a severity as a label begins a finding of its own, wherever it stands; what quotes, fences or the middle of a
 * sentence say of a severity is left over, for the account of the answer.
 */
import { rankOf, type Severity, ownSeverityOf, severityOf } from '../core/words/finding.ts';
import {
  asideField,
  labelAtStart,
  labelsIn,
  readBadges,
  readField,
  isSettled,
  readHead,
  startOf,
  type Start,
  isTitle,
  undressed,
} from './heads.ts';
import {
  type Entries,
  entryIn,
  labelledPlaceIn,
  otherPart,
  placeIn,
  splitPlace,
} from './place-in-text.ts';
import {
  besideOf,
  isVerdictHeading,
  labelOfHeading,
  isOtherHead,
  readLabelledLine,
  readVerdictLine,
  undeclaredNote,
  undeclaredSeverityOf,
  type LabelledLine,
} from './labels.ts';
import {
  isSpoken,
  linesOfTables,
  isTail,
  type Line,
  cellsOf,
  isTableRow,
  isTableRule,
  readRow,
  readTableHeader,
} from './layout.ts';
import {
  admissionIn,
  endsInNone,
  isPlaceholder,
  isStatementOfNone,
  isUnproved,
  namesFindings,
  tellsOfChange,
} from './sieve.ts';
import { unstatedLabel, placeOfFields } from '../core/words/stated.ts';
import {
  type Walk,
  unstated,
  isChaff,
  isOwner,
  goOn,
  noteMentions,
  notePhrases,
  open,
  close,
  otherField,
  drop,
  beginsFields,
  hearVerdict,
  isRestated,
  startWalk,
  isPlaceAlone,
  namesNewPlace,
  placeAlone,
} from './walk.ts';
import { isBlank } from '../core/text.ts';
import type { Question } from './reading.ts';
import { sayUnmet } from '../core/verdict/verification.ts';

export function readReport(
  lines: readonly Line[],
  options: Question,
  entries: Entries | null = null,
): Walk {
  const walk = startWalk(options, entries);
  const tables = linesOfTables(lines);
  for (const [index, line] of lines.entries()) {
    walk.table = tables.get(line) ?? null;
    const next = lines[index + 1]?.text ?? '';
    walk.isUnderlined = /^\s{0,3}(?:-{3,90}|={3,90})\s*$/.test(next);
    walk.isAboveField = readField(next, options.scale) !== null || labelledPlaceIn(next) !== null;
    takeLine(walk, line);
  }
  close(walk);
  return walk;
}

function takeLine(walk: Walk, line: Line) {
  const { text } = line;
  if (!isSpoken(line)) {
    if (labelAtStart(text, walk.options.scale) && walk.options.sieve(text, text) === null)
      walk.draft.left.push(text);
    else noteMentions(walk, text);
    goOn(walk, line);
    return;
  }
  if (text.trim() === '') {
    walk.isAfterBlank = true;
    walk.open?.body.push(line);
    return;
  }
  if (
    !takeVerdict(walk, text) &&
    !takeNamed(walk, text) &&
    !takeTable(walk, text) &&
    !takeLabelled(walk, text) &&
    !takeField(walk, text)
  )
    takeItem(walk, line);
  walk.isAfterBlank = false;
}

/** The verdict, or the heading above it. */
function takeVerdict(walk: Walk, text: string) {
  const said = text.replace(/^\s*[-*+] \[x\] /i, '');
  const found = readVerdictLine(walk.isVerdictNext ? `Verdict: ${said.trim()}` : said);
  // The names of columns are none.
  const verdict = walk.table === 'head' && found?.verdict === null ? null : found;
  const isUnderstood = typeof verdict?.verdict === 'string';
  walk.isVerdictNext = isVerdictHeading(text);
  walk.isVerdictLast = isUnderstood;
  hearVerdict(walk, verdict);
  if (!verdict && !walk.isVerdictNext) {
    // What is said against the change beside another sentence.
    for (const sentence of text.split(/(?<=[.!?])\s+/)) {
      const behind = readVerdictLine(sentence);
      if (behind && behind.verdict !== 'safe') hearVerdict(walk, behind);
    }
    return false;
  }
  close(walk);
  walk.admission ??= admissionIn(verdict?.words ?? '', true);
  // What has to be fixed before a merge stands below it.
  return !takeSection(walk, startOf(text, true));
}

/** An item that the index names: until the next one, whatever lists and paragraphs stand between. */
function takeNamed(walk: Walk, text: string) {
  const { entries, isAfterBlank, options } = walk;
  if (!entries) return false;
  const start = startOf(text, true);
  const isHeading = start.kind === 'heading';
  const found = walk.isBeside ? null : entryIn(text, isAfterBlank, entries);
  if (!found) {
    if (!isHeading && !isTail(text)) return false;
    walk.isBeside = isTail(text) || otherPart.test(start.content);
    walk.level = start.level;
    return false;
  }
  const { entry, rest } = found;
  const { label, severity } = readHead(start, options.scale) ?? entry;
  const { originalId: id, text: title } = entry;
  const level = isHeading ? start.level : walk.level;
  open(walk, text, { kind: 'named', level, content: rest, title, label, severity, id });
  return true;
}

/**
 * `Severity: X` tells how bad the open item is; where that is known and milder, or was told so already, the line begins an item of
 * its own. So do badges.
 */
function takeField(walk: Walk, text: string) {
  const { open: item, options } = walk;
  const field = readField(text, options.scale);
  const found = field ?? readBadges(text, options.scale);
  if (!found) return false;
  const { label, severity } = found;
  const isWorse = !item || rankOf(severity) < rankOf(item.severity ?? 'low');
  const isOwn = !item || item.kind === 'line' || item.hasField || !field;
  if (isOwn || (item.isStated && isWorse)) {
    openField(walk, text, found);
    return true;
  }
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
) {
  const isStated = severity !== null;
  open(walk, text, { kind: 'field', title, label, severity, isStated, hasField: isStated });
}

function takeItem(walk: Walk, line: Line) {
  const { text } = line;
  const { scale } = walk.options;
  if (beginsFields(walk, text)) {
    openField(walk, text, { label: '', severity: null, title: '' });
    return;
  }
  const start = startOf(text, walk.isAfterBlank);
  if (start.kind === 'heading') walk.file = null;
  if (
    start.kind === 'plain' &&
    walk.isAfterBlank &&
    walk.isAboveField &&
    walk.open?.severity !== null &&
    title.test(text)
  ) {
    openField(walk, text, { label: '', severity: null, title: text.trim() });
    return;
  }
  if (takeSection(walk, start) || takeSettled(walk, start)) return;
  const head = readHead(start, scale);
  if (head && (start.kind === 'heading' || !isRestated(walk, head, text)))
    open(walk, text, { ...start, ...head });
  else if (head) goOn(walk, line);
  else if (start.kind === 'plain' || start.kind === 'place') takePlain(walk, line, start);
  else if (isDetail(walk, start, text)) goOn(walk, line);
  else takeUnlabelled(walk, start, line);
}

/** Words of their own, above the fields of an item. */
const title = /\p{L}\s.*\p{L}\W*(?<![:：])$/u;

/** What was found earlier and is no more: in a part of that name, where the line itself says so as well. */
function takeSettled(walk: Walk, { kind, content }: Start) {
  if (kind === 'plain' && /[:：]$/.test(content) && besideOf(content) === 'settled') {
    close(walk);
    walk.beside = 'settled';
    return true;
  }
  const rest = content.replace(/^\W*~~.+~~/, '');
  const isStruck =
    rest !== content && placeIn(rest) === null && labelsIn(rest, walk.options.scale).length === 0;
  return (walk.beside === 'settled' || isStruck) && kind !== 'heading' && isSettled(content);
}

/** The heading of a section that is called by a label. */
function takeSection(walk: Walk, { kind, level, content }: Start) {
  const title = undressed(content);
  const isAlone =
    walk.isUnderlined ||
    title !== content ||
    (kind === 'plain' && /^\p{Lu}[\p{Lu}\p{N}_]+$/u.test(content)) ||
    (level === 7 && kind !== 'plain' && /^\p{L}+$/u.test(content));
  if (kind !== 'heading' && kind !== 'bold' && !isAlone && !/[:：]$/.test(content)) return false;
  const label = labelOfHeading(title, walk.options.scale);
  if (!label) return false;
  close(walk);
  walk.section = { ...label, level };
  walk.isEmpty = takeZero(walk, content);
  // More than stands below it.
  if (/\([1-9]\d{0,3}\)\W*$/.test(content)) walk.draft.mentions.push({ ...label, line: content });
  walk.among = null;
  return true;
}

/** `Critical (0)`, above nothing or in a table. */
function takeZero(walk: Walk, text: string) {
  const isZero = isPlaceholder(text);
  if (isZero) walk.none ??= 'line';
  return isZero;
}

/** Does a heading or an item of a list without a label of its own belong to what is open? */
function isDetail({ open: item, isAfterBlank }: Walk, { kind, level }: Start, text: string) {
  if (!item) return false;
  if (item.kind === 'named') return kind !== 'heading' || level > item.level;
  const isBare = item.kind === 'field' && item.body.every(line => line.text.trim() === '');
  if ((item.kind === 'heading' || item.kind === 'field') && otherField.test(text)) return true;
  if (isBare && item.title === '' && kind !== 'heading') return true;
  if (kind === 'bold' && !/^\*\*[^*]{1,300}\*\*:?\s*$/.test(text)) return true;
  if (
    kind === 'bullet' &&
    !isAfterBlank &&
    /^\s*[-*+] \*\*/.test(text) &&
    otherField.test(text) &&
    !placeIn(text)
  )
    return true;
  if (kind !== 'heading' && /^\s/.test(text) && (text.search(/\S/) > item.indent || !isAfterBlank))
    return true;
  return isOwner(item) && (level > item.level || kind === 'bullet');
}

/** An item without a label: what its section says of it; among findings one whose severity is not stated; else what a field will say. */
function takeUnlabelled(walk: Walk, { kind, level, content }: Start, { text }: Line) {
  close(walk);
  const { among } = walk;
  if (kind === 'heading') {
    walk.among = null;
    if (walk.section && level <= walk.section.level) walk.section = null;
    walk.beside = besideOf(content);
    walk.isAboutFindings = namesFindings(content);
  }
  if (/^[-*_\s]*$/.test(content.slice(0, 200)) || asideField.test(content.slice(0, 200))) return;
  const isListed = kind === 'number' || kind === 'bullet';
  if (kind !== 'heading' && isChaff(walk, content, text)) return;
  if (endsInNone(content)) walk.none ??= 'prose';
  notePhrases(walk, text, true);
  if (!isListed && isPlaceAlone(walk, content)) return;
  const isNext = isListed && (among === kind || (!walk.beside && namesNewPlace(walk, content)));
  const known = walk.section ?? (isNext ? unstated : null);
  if (!known && kind === 'bullet') {
    const place = placeAlone(walk, content);
    if (!walk.beside && place?.line !== null && !ticked.test(text) && !tellsOfChange(content))
      walk.draft.unparsed.push(text);
    walk.among = among;
  }
  const title = content.replace(/^\d{1,3}[.):]\s+/, '');
  const { label, severity } = known ?? { label: '', severity: null };
  open(walk, text, { kind, level, content, title, label, severity, isStated: false });
}

const ticked = /^\s*[-*+]\s+\[x\].*\b(?:ok|pass(?:ed)?|fine|clean|good|done)\W*$/i;

function takePlain(walk: Walk, line: Line, { content }: Start) {
  const { text } = line;
  if (/^\s/.test(text) || (walk.open && isOwner(walk.open))) {
    goOn(walk, line);
    return;
  }
  const isBelowPlace = walk.at !== null && !walk.open && !isStatementOfNone(text);
  if (isPlaceAlone(walk, text)) close(walk);
  else if (isBelowPlace || namesNewPlace(walk, content)) {
    notePhrases(walk, text, true);
    const title = splitPlace(content).text;
    const { label, severity } = walk.section ?? unstated;
    open(walk, text, { kind: 'place', content, title, label, severity, isStated: false });
  } else goOn(walk, line);
}

/** The parts of a table with a column of severities. Other rows are lines like any others. */
function takeTable(walk: Walk, text: string) {
  const { table } = walk;
  if (isTableRule(text) && text.includes('|')) return true;
  const cells = cellsOf(text);
  if (table !== 'row') {
    walk.header = table === 'head' ? readTableHeader(cells, walk.section !== null) : null;
    walk.columns = table === 'head' ? cells : [];
  }
  if (table === 'head' && walk.header) {
    const field = readField(text, walk.options.scale);
    if (!field) close(walk);
    else openField(walk, text, field);
  }
  // The labels that a table counts are no finding.
  const isCount = cells.every(cell => severityOf(cell, walk.options.scale) !== null);
  if (table === 'head') return walk.header !== null || isCount;
  if (!walk.header) {
    // What the columns say of the answer itself: `| Verdict | Reason |`, `| File | Reviewed |`.
    for (const [index, name] of walk.columns.entries()) {
      const said = `${name}: ${cells[index] ?? ''}`;
      hearVerdict(walk, readVerdictLine(said));
      walk.admission ??= admissionIn(said, true);
    }
    return false;
  }
  const row = readRow(cells, walk.header);
  const { title } = row;
  const graded = row.severity || (walk.section?.label ?? '');
  const label = /\p{L}[\p{L}\p{M}\p{N}_-]*/u.exec(graded)?.[0] ?? graded;
  const severity = severityOf(label, walk.options.scale);
  const isList = walk.header.some(({ column }) => column === 'title');
  if (!isList || severity === null || !isTitle(title)) {
    const isZero = takeZero(walk, isList ? title : text);
    if (!isZero) noteMentions(walk, text);
    if (isList && !isZero) walk.draft.unparsed.push(text);
    walk.isLossy ||= isList && !isZero && row.severity !== '';
    return true;
  }
  const id = /^\d*$/.test(row.id) ? '' : row.id;
  const place = placeOfFields([...row.extra, `file: ${walk.file ?? ''}`]);
  open(walk, text, { kind: 'row', title, label, severity, id, place });
  close(walk);
  return true;
}

/** `LABEL|path:line|text`, in a table without a column of severities as well. */
function takeLabelled(walk: Walk, text: string) {
  const { scale, voting } = walk.options;
  const headless = text.replace(/^#{1,6}\s+/, '');
  const bare = voting ? headless.replace(numberedVote, '$2|$1 $3') : headless;
  const row = isTableRow(bare) ? bare.replace(/^\s*\||\|\s*$/g, '') : bare;
  const labelled = readLabelledLine(row, walk.units);
  if (!labelled) return false;
  if (voting && /^(?:pass|fail)$/i.test(labelled.label)) return takeVote(walk, labelled, text);
  const { label } = labelled;
  const chaff =
    walk.options.sieve(labelled.text, text) ??
    (walk.options.sieve(`${label}|${labelled.text}`) === 'template' ? 'template' : null);
  // In a table the words of other tools are as often the names of rows.
  const isOwn = walk.table !== null || (row !== bare && !placeIn(row));
  const severity = isOwn ? ownSeverityOf(label, scale) : severityOf(label, scale);
  if (chaff === 'template' || chaff === 'prompt') return drop(walk, chaff, text);
  if (severity === null && ((walk.open && /^\s/.test(text)) || row !== bare)) return false;
  if (severity === null) return takeUndeclared(walk, labelled, text, chaff !== null);
  walk.hasLabelledLine = true;
  const { place, text: words } = labelled;
  // What was found at a place may stand on the next line.
  if (chaff === 'placeholder' && (place === null || !isBlank(words))) {
    walk.none = 'labelled';
    if (isBlank(words)) walk.draft.notes.push(`A line "${label}|" without text was dropped.`);
    return drop(walk, chaff, text);
  }
  open(walk, text, { kind: 'line', title: words, label, severity, place });
  return true;
}

/** `2. FAIL: it is slow` */
const numberedVote = /^\W{0,4}(\d{1,4})[.):]\W{1,4}(PASS|FAIL)(?:\b\W{1,6}(.*)|)$/;

/** A word nobody declared makes a finding of the line all the same, if the line has the exact shape of one. */
function takeUndeclared(
  walk: Walk,
  { label, place, text: words, isExact }: LabelledLine,
  text: string,
  isChaff: boolean,
) {
  close(walk);
  const { table } = walk;
  const severity = undeclaredSeverityOf(label, walk.options.scale);
  const isRow = table !== null || isTableRow(text);
  if (severity !== null && !isChaff && !isRow && isExact && !/^\s*#/.test(text)) {
    walk.hasLabelledLine = true;
    const notes = [undeclaredNote(label, severity)];
    open(walk, text, { kind: 'line', title: words, label, severity, place, notes });
    return true;
  }
  noteMentions(walk, text);
  if (isOtherHead(label)) return true;
  const isLoss = walk.options.undeclaredLabel === 'reject' && table !== 'head';
  // No label, or none that can be understood: asking again may help. Of the row of a table or a heading nobody knows what it is.
  if (isLoss && severity === null && !isRow) walk.undeclared ??= text.trim();
  walk.draft.unparsed.push(text);
  walk.isLossy ||= isLoss && !isChaff;
  return true;
}

/** `PASS|n` and `FAIL|n reason` of verification mode, of which a FAIL is a finding too. */
function takeVote(walk: Walk, { label, text }: LabelledLine, raw: string) {
  const [mark = '', number] = /^[#(\s]*(\d{1,4})\b[\s.:)|–—-]*/.exec(text.slice(0, 100)) ?? [];
  const reason = text.slice(mark.length).trim();
  const vote = label.toUpperCase() === 'PASS' ? 'PASS' : 'FAIL';
  const criterion = number === undefined ? null : Number(number);
  const chaff = walk.options.sieve(reason === '' ? text : reason, raw);
  if (chaff === 'template' || chaff === 'prompt') return drop(walk, chaff, raw);
  walk.hasLabelledLine = true;
  close(walk);
  const isOpen = vote === 'PASS' && isUnproved(reason);
  if (criterion !== null && !isOpen) walk.draft.votes.push({ criterion, vote });
  else if (vote === 'PASS') walk.draft.unparsed.push(raw);
  if (vote === 'PASS') return true;
  const title = sayUnmet(criterion, reason);
  open(walk, raw, { kind: 'line', title, label, severity: 'critical', place: placeIn(title) });
  return true;
}
