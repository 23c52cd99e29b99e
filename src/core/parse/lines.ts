/** Reads severity lines and headed bullets in one pass: the two formats people and models write by hand. */
import { ownSeverityOf, severityOf } from '../severity.ts';
import { layOut, type Line } from './fences.ts';
import { linesOfTables } from './index-table.ts';
import { labelOfHeading } from './label-heading.ts';
import { closeFinding, drop, endItem, openFinding, startWalk, toAttempt, type Walk } from './lines-walk.ts';
import { placeIn } from './place.ts';
import { cut, isBlank } from './plain-text.ts';
import { reject, type Attempt, type ReadingOptions } from './reading.ts';
import { readLabelledLine, type LabelledLine } from './severity-line.ts';
import { stateFinding } from './stated.ts';
import { isOtherHead, undeclaredNote, undeclaredSeverityOf } from './undeclared-label.ts';
import { isVerdictHeading, readVerdictLine } from './verdict-words.ts';
import { readVote } from './votes.ts';

/** Null when nothing in the text is of these formats: no finding, no statement of none, no vote, nothing dropped. */
export function readLines(text: string, options: ReadingOptions): Attempt {
  const walk = startWalk(options);
  const { lines } = layOut(text);
  const tables = linesOfTables(lines);
  for (const line of lines) {
    walk.table = tables.get(line) ?? null;
    takeLine(walk, line);
    if (walk.undeclared !== null) return reject('schema', `Nobody declared the severity of "${cut(walk.undeclared, 120)}".`, { unparsed: [...walk.unparsed, walk.undeclared], dropped: walk.dropped });
  }
  closeFinding(walk);
  return toAttempt(walk);
}

function takeLine(walk: Walk, line: Line): void {
  if (line.fence !== null || line.isQuoted) return;
  const { text } = line;
  if (text.trim() === '') {
    walk.isInItem = false;
    return;
  }
  const wasVerdictNext = walk.isVerdictNext;
  walk.isVerdictNext = isVerdictHeading(text);
  const verdict = readVerdictLine(wasVerdictNext ? `Verdict: ${text.trim()}` : text);
  walk.isVerdictLast = verdict !== null && verdict.verdict !== null;
  if (verdict !== null) {
    if (verdict.verdict !== null || walk.verdict === null) walk.verdict = verdict;
    endItem(walk);
    return;
  }
  const heading = /^(#{1,6})\s+(.*)$/.exec(text);
  if (heading !== null && !isLabelledHeading(heading[2] ?? '')) takeHeading(walk, (heading[1] ?? '').length, heading[2] ?? '');
  else takeEntry(walk, text);
}

function isLabelledHeading(text: string): boolean {
  return readLabelledLine(text) !== null;
}

function takeHeading(walk: Walk, level: number, title: string): void {
  const label = level >= 2 && level <= 4 ? labelOfHeading(title, walk.options.scale) : null;
  if (label === null && level > 3) return;
  endItem(walk);
  walk.section = label;
}

function takeEntry(walk: Walk, text: string): void {
  const labelled = readLabelledLine(text.replace(/^#{1,6}\s+/, ''), walk.units);
  if (labelled !== null && takeLabelled(walk, labelled, text)) return;
  const bullet = /^(?:[-*+](?![-*+])|\d{1,3}[.)]\s)\s*(.*)$/s.exec(text);
  const isEmphasis = /^\*\S[^*]*\*/.test(text.slice(0, 200));
  if (bullet !== null && !isEmphasis) takeBullet(walk, bullet[1] ?? '', text);
  else takeProse(walk, text);
}

/** False when the line is none after all: it goes on with the finding above. */
function takeLabelled(walk: Walk, labelled: LabelledLine, text: string): boolean {
  const { label, place } = labelled;
  if (walk.options.voting && /^(?:pass|fail)$/i.test(label)) return takeVote(walk, labelled, text);
  const chaff = walk.sieve(labelled.text, text) ?? (walk.sieve(`${label}|${labelled.text}`) === 'template' ? 'template' : null);
  // In a table the words of other tools are as often the names of rows.
  const severity = walk.table === null ? severityOf(label, walk.options.scale) : ownSeverityOf(label, walk.options.scale);
  if (chaff === 'template' || chaff === 'prompt') return drop(walk, chaff);
  if (severity === null && walk.open !== null && /^\s/.test(text)) return false;
  if (severity === null) return takeUndeclared(walk, labelled, { text, isChaff: chaff !== null });
  walk.hasLabelledLine = true;
  if (chaff === 'placeholder') {
    walk.hasLabelledNone = true;
    if (isBlank(labelled.text)) walk.notes.push(`A line "${label}|" without text was dropped.`);
    return drop(walk, chaff);
  }
  openFinding(walk, stateFinding({ label, severity, text: labelled.text, place, raw: text }));
  return true;
}

/** A word nobody declared makes a finding of the line all the same, if the line has the exact shape of one. */
function takeUndeclared(walk: Walk, { label, place, text: words }: LabelledLine, { text, isChaff }: { readonly text: string; readonly isChaff: boolean }): boolean {
  endItem(walk);
  const severity = undeclaredSeverityOf(label, walk.options.scale);
  if (severity !== null && !isChaff && walk.table === null && isExact(text)) {
    walk.hasLabelledLine = true;
    openFinding(walk, stateFinding({ label, severity, text: words, place, raw: text, notes: [undeclaredNote(label, severity)] }));
    return true;
  }
  const isLoss = walk.options.undeclaredLabel === 'reject' && walk.table !== 'head' && !isOtherHead(label);
  // No label, or none that can be understood: asking again may help. Of the row of a table or a heading nobody knows what it is.
  if (isLoss && severity === null && walk.table === null) walk.undeclared = text.trim();
  else walk.unparsed.push(text);
  walk.hasLostLine ||= isLoss && !isChaff;
  return true;
}

/** No heading, and no code or bracket that opens before the bar and closes behind it. */
function isExact(line: string): boolean {
  const head = line.slice(0, line.indexOf('|'));
  const count = (mark: string): number => head.split(mark).length - 1;
  return !/^\s*#/.test(head) && count('`') % 2 === 0 && count('[') === count(']') && count('(') === count(')');
}

function takeVote(walk: Walk, line: LabelledLine, raw: string): boolean {
  const { label, criterion, reason, finding } = readVote(line);
  const chaff = walk.sieve(reason === '' ? line.text : reason, raw);
  if (chaff === 'template' || chaff === 'prompt') return drop(walk, chaff);
  walk.hasLabelledLine = true;
  endItem(walk);
  if (criterion !== null) walk.votes.push({ criterion, vote: label });
  else if (label === 'PASS') walk.unparsed.push(raw);
  if (finding !== null) openFinding(walk, stateFinding({ label: line.label, severity: 'critical', text: finding, place: placeIn(finding), raw }));
  return true;
}

function takeBullet(walk: Walk, content: string, raw: string): void {
  endItem(walk);
  if (content.trim() === '' || /^[-*_\s]+$/.test(content.slice(0, 200))) return;
  const chaff = walk.sieve(content, raw);
  if (chaff !== null) {
    walk.dropped[chaff] += 1;
    return;
  }
  const severity = walk.section === null ? null : severityOf(walk.section, walk.options.scale);
  if (walk.section === null || severity === null) {
    walk.unparsed.push(raw);
    walk.isInItem = true;
    return;
  }
  openFinding(walk, stateFinding({ label: walk.section, severity, text: content, place: placeIn(content), raw }));
}

function takeProse(walk: Walk, text: string): void {
  const isIndented = /^\s/.test(text);
  if (walk.open !== null && (isIndented || walk.isInItem)) {
    walk.open.details.push(text);
    return;
  }
  if (isIndented || walk.isInItem || /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/.test(text.slice(0, 200))) return;
  const chaff = walk.sieve(text, text);
  if (chaff !== null) {
    walk.dropped[chaff] += 1;
    return;
  }
  endItem(walk);
  walk.hasProseBetween = true;
  if (walk.section !== null) walk.unparsed.push(text);
}
