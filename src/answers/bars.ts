/** Lines and rows with bars: `LABEL|path:line|text`, tables with a column of severities, votes. */
import { isBlank } from '../core/text.ts';
import { sayUnmet } from '../core/verdict/verification.ts';
import { ownSeverityOf, severityOf } from '../core/words/severity.ts';
import { isTitle, readField } from './heads.ts';
import { openField } from './items.ts';
import {
  isOtherHead,
  readLabelledLine,
  undeclaredNote,
  undeclaredSeverityOf,
  type LabelledLine,
} from './labels.ts';
import { placeIn } from './place-in-text.ts';
import { placeOfFields } from '../core/words/stated.ts';
import { cellsOf, isTableRow, isTableRule, readRow, readTableHeader } from './tables.ts';
import { noteMentions, type Walk, drop, open, close } from './walk.ts';

/** The parts of a table with a column of severities. Other rows are lines like any others. */
export function takeTable(walk: Walk, text: string): boolean {
  const { table } = walk;
  if (isTableRule(text) && text.includes('|')) return true;
  const cells = cellsOf(text);
  if (table !== 'row') walk.header = table === 'head' ? readTableHeader(cells) : null;
  if (table === 'head' && walk.header !== null) {
    const field = readField(text, walk.options.scale);
    if (field === null) close(walk);
    else openField(walk, text, field);
  }
  // The labels that a table counts are no finding.
  const isCount = cells.every(cell => severityOf(cell, walk.options.scale) !== null);
  if (table === 'head') return walk.header !== null || isCount;
  if (walk.header === null) return false;
  const row = readRow(cells, walk.header);
  const { title } = row;
  const label = /\p{L}[\p{L}\p{M}\p{N}_-]*/u.exec(row.severity)?.[0] ?? row.severity;
  const severity = severityOf(label, walk.options.scale);
  const isList = walk.header.some(({ column }) => column === 'title');
  if (!isList || severity === null || !isTitle(title)) {
    noteMentions(walk, text);
    if (isList) walk.draft.unparsed.push(text);
    walk.isLossy ||= isList && row.severity !== '';
    return true;
  }
  const id = /^\d*$/.test(row.id) ? '' : row.id;
  const place = placeOfFields(row.extra);
  open(walk, text, { kind: 'row', title, label, severity, id, place });
  close(walk);
  return true;
}

/** `LABEL|path:line|text`, in a table without a column of severities as well. */
export function takeLabelled(walk: Walk, text: string): boolean {
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
  const isOwn = walk.table !== null || (row !== bare && placeIn(row) === null);
  const severity = isOwn ? ownSeverityOf(label, scale) : severityOf(label, scale);
  if (chaff === 'template' || chaff === 'prompt') return drop(walk, chaff);
  if (severity === null && ((walk.open !== null && /^\s/.test(text)) || row !== bare)) return false;
  if (severity === null) return takeUndeclared(walk, labelled, text, chaff !== null);
  walk.hasLabelledLine = true;
  if (chaff === 'placeholder') {
    walk.none = 'labelled';
    if (isBlank(labelled.text))
      walk.draft.notes.push(`A line "${label}|" without text was dropped.`);
    return drop(walk, chaff);
  }
  const { place, text: words } = labelled;
  noteMentions(walk, words);
  open(walk, text, { kind: 'line', title: words, label, severity, place });
  return true;
}

/** A word nobody declared makes a finding of the line all the same, if the line has the exact shape of one. */
function takeUndeclared(
  walk: Walk,
  { label, place, text: words, isExact }: LabelledLine,
  text: string,
  isChaff: boolean,
): boolean {
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
  if (isOtherHead(label)) return true;
  noteMentions(walk, text);
  const isLoss = walk.options.undeclaredLabel === 'reject' && table !== 'head';
  // No label, or none that can be understood: asking again may help. Of the row of a table or a heading nobody knows what it is.
  if (isLoss && severity === null && !isRow) walk.undeclared ??= text.trim();
  walk.draft.unparsed.push(text);
  walk.isLossy ||= isLoss && !isChaff;
  return true;
}

/** `PASS|n` and `FAIL|n reason` of verification mode, of which a FAIL is a finding too. */
function takeVote(walk: Walk, { label, text }: LabelledLine, raw: string): boolean {
  const [mark = '', number] = /^[#(\s]*(\d{1,4})\b[\s.:)|–—-]*/.exec(text.slice(0, 100)) ?? [];
  const reason = text.slice(mark.length).trim();
  const vote = label.toUpperCase() === 'PASS' ? 'PASS' : 'FAIL';
  const criterion = number === undefined ? null : Number(number);
  const chaff = walk.sieve(reason === '' ? text : reason, raw);
  if (chaff === 'template' || chaff === 'prompt') return drop(walk, chaff);
  walk.hasLabelledLine = true;
  close(walk);
  if (criterion !== null) walk.draft.votes.push({ criterion, vote });
  else if (vote === 'PASS') walk.draft.unparsed.push(raw);
  if (vote === 'PASS') return true;
  const title = sayUnmet(criterion, reason);
  open(walk, raw, { kind: 'line', title, label, severity: 'critical', place: placeIn(title) });
  return true;
}
