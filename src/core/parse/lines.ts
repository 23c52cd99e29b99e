/**
 * Reads severity lines and headed bullets in one pass, the two formats people and models write by hand, and the votes of
 * verification mode.
 */
import type { StatedFinding } from '../words/finding.ts';
import { ownSeverityOf, severityOf } from '../words/severity.ts';
import { cut, fieldLimit, isBlank, toParagraph } from '../text.ts';
import { linesOfTables } from './index-block.ts';
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
import {
  nothingDropped,
  reject,
  type Attempt,
  type Dropped,
  type ReadingOptions,
  type Vote,
} from './reading.ts';
import { createSieve, isStatementOfNone, type Sieve } from './sieve.ts';
import { placeIn, splitPlace } from './place-in-text.ts';
import { stateFinding } from './stated.ts';

/** Null when nothing in the text is of these formats: no finding, no statement of none, no vote, nothing dropped. */
export function readLines(text: string, options: ReadingOptions): Attempt {
  const walk = startWalk(options);
  const { lines } = layOut(text);
  const tables = linesOfTables(lines);
  for (const line of lines) {
    walk.table = tables.get(line) ?? null;
    takeLine(walk, line);
    if (walk.undeclared !== null)
      return reject('schema', `Nobody declared the severity of "${cut(walk.undeclared, 120)}".`, {
        unparsed: [...walk.unparsed, walk.undeclared],
        dropped: walk.dropped,
      });
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
  if (heading !== null && !isLabelledHeading(heading[2] ?? ''))
    takeHeading(walk, (heading[1] ?? '').length, heading[2] ?? '');
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
  const chaff =
    walk.sieve(labelled.text, text) ??
    (walk.sieve(`${label}|${labelled.text}`) === 'template' ? 'template' : null);
  // In a table the words of other tools are as often the names of rows.
  const severity =
    walk.table === null
      ? severityOf(label, walk.options.scale)
      : ownSeverityOf(label, walk.options.scale);
  if (chaff === 'template' || chaff === 'prompt') return drop(walk, chaff);
  if (severity === null && walk.open !== null && /^\s/.test(text)) return false;
  if (severity === null) return takeUndeclared(walk, labelled, { text, isChaff: chaff !== null });
  walk.hasLabelledLine = true;
  if (chaff === 'placeholder') {
    walk.hasLabelledNone = true;
    if (isBlank(labelled.text)) walk.notes.push(`A line "${label}|" without text was dropped.`);
    return drop(walk, chaff);
  }
  openFinding(walk, stateFinding({ label, severity, text: labelled.text, raw: text }, place));
  return true;
}

/** A word nobody declared makes a finding of the line all the same, if the line has the exact shape of one. */
function takeUndeclared(
  walk: Walk,
  { label, place, text: words }: LabelledLine,
  { text, isChaff }: { readonly text: string; readonly isChaff: boolean },
): boolean {
  endItem(walk);
  const severity = undeclaredSeverityOf(label, walk.options.scale);
  if (severity !== null && !isChaff && walk.table === null && isExact(text)) {
    walk.hasLabelledLine = true;
    openFinding(
      walk,
      stateFinding(
        { label, severity, text: words, raw: text, notes: [undeclaredNote(label, severity)] },
        place,
      ),
    );
    return true;
  }
  const isLoss =
    walk.options.undeclaredLabel === 'reject' && walk.table !== 'head' && !isOtherHead(label);
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
  endItem(walk);
  if (criterion !== null) walk.votes.push({ criterion, vote: label });
  else if (label === 'PASS') walk.unparsed.push(raw);
  if (finding !== null)
    openFinding(
      walk,
      stateFinding(
        { label: line.label, severity: 'critical', text: finding, raw },
        placeIn(finding),
      ),
    );
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
  const { place, text } = splitPlace(content);
  openFinding(walk, stateFinding({ label: walk.section, severity, text, raw }, place));
}

function takeProse(walk: Walk, text: string): void {
  const isIndented = /^\s/.test(text);
  if (walk.open !== null && (isIndented || walk.isInItem)) {
    walk.open.details.push(text);
    return;
  }
  if (
    isIndented ||
    walk.isInItem ||
    /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/.test(text.slice(0, 200))
  )
    return;
  const chaff = walk.sieve(text, text);
  if (chaff !== null) {
    walk.dropped[chaff] += 1;
    return;
  }
  endItem(walk);
  walk.hasProseBetween = true;
  if (walk.section !== null) walk.unparsed.push(text);
}

interface OpenFinding {
  readonly finding: StatedFinding;
  readonly details: string[];
}

interface Walk {
  readonly options: ReadingOptions;
  readonly units: ReadonlySet<string>;
  readonly sieve: Sieve;
  readonly findings: StatedFinding[];
  /** Index into `findings` where each run of entries begins: prose between two entries starts a new one. */
  readonly runs: number[];
  readonly votes: Vote[];
  readonly unparsed: string[];
  readonly dropped: Dropped;
  readonly notes: string[];
  open: OpenFinding | null;
  /** Label of the heading above; null outside of such a section. */
  section: string | null;
  verdict: VerdictLine | null;
  isVerdictNext: boolean;
  /** The last line that is not blank states a verdict. */
  isVerdictLast: boolean;
  /** True once a line continues the bullet above unless it begins something itself. */
  isInItem: boolean;
  hasProseBetween: boolean;
  hasLabelledLine: boolean;
  /** `LABEL|None`, the one way in which untrusted answers may say that there is nothing. */
  hasLabelledNone: boolean;
  undeclared: string | null;
  /** Where the current line stands in a table; null outside. */
  table: 'head' | 'row' | null;
  /** A line that may have been a finding could not be read as one. */
  hasLostLine: boolean;
}

function startWalk(options: ReadingOptions): Walk {
  return {
    options,
    units: new Set(options.units),
    sieve: createSieve(options.sent),
    findings: [],
    runs: [],
    votes: [],
    unparsed: [],
    dropped: nothingDropped(),
    notes: [],
    open: null,
    section: null,
    verdict: null,
    isVerdictNext: false,
    isVerdictLast: false,
    isInItem: false,
    hasProseBetween: true,
    hasLabelledLine: false,
    hasLabelledNone: false,
    undeclared: null,
    table: null,
    hasLostLine: false,
  };
}

/** True, for a caller whose line is dealt with. */
function drop(walk: Walk, chaff: keyof Dropped): boolean {
  endItem(walk);
  walk.dropped[chaff] += 1;
  return true;
}

function openFinding(walk: Walk, finding: StatedFinding): void {
  closeFinding(walk);
  if (walk.hasProseBetween) walk.runs.push(walk.findings.length);
  walk.hasProseBetween = false;
  walk.open = { finding, details: [] };
  walk.isInItem = true;
}

function endItem(walk: Walk): void {
  closeFinding(walk);
  walk.isInItem = false;
}

function closeFinding(walk: Walk): void {
  if (walk.open === null) return;
  const { finding, details } = walk.open;
  const raw = [finding.raw, ...details].join('\n');
  walk.findings.push(
    details.length === 0
      ? finding
      : { ...finding, evidence: cut(toParagraph(details.join('\n')), fieldLimit), raw },
  );
  walk.open = null;
}

/** Null when nothing of these formats was seen. */
function toAttempt(walk: Walk): Attempt {
  const { findings, unparsed, dropped, notes, votes, options } = walk;
  const hasChaff = dropped.placeholder + dropped.template + dropped.prompt > 0;
  if (
    findings.length === 0 &&
    votes.length === 0 &&
    unparsed.length === 0 &&
    !hasChaff &&
    walk.verdict === null
  )
    return null;
  if (options.strict && haveDifferentFindings(findings, walk.runs))
    return reject('ambiguous', 'Two runs of findings, separated by prose, differ.', {
      unparsed,
      dropped,
    });
  const isSafe = walk.isVerdictLast && walk.verdict?.verdict === 'safe';
  const mayBeNone = options.strict ? walk.hasLabelledNone : dropped.placeholder > 0;
  return {
    kind: 'draft',
    format: walk.hasLabelledLine || findings.length === 0 ? 'lines' : 'bullets',
    findings,
    improvements: [],
    // A word that nobody declared, or a verdict quoted in the middle, says nothing about how this answer ended.
    verdict: walk.isVerdictLast || !options.strict ? declared(walk.verdict) : null,
    isZeroStated:
      findings.length === 0 && mayBeNone && (isSafe || unparsed.every(line => isNegative(line))),
    // The end mark that is asked for is taken off before; a verdict on the last line proves as much.
    hasEndMark: walk.isVerdictLast,
    doubt: walk.hasLostLine ? { cause: 'schema' } : null,
    unparsed,
    dropped,
    notes,
    filesReviewed: null,
    votes: settleVotes(votes, notes),
  };
}

function declared(verdict: VerdictLine | null): VerdictLine | null {
  return verdict === null || verdict.verdict === null ? null : verdict;
}

/** Prose in the section of a label that says that the section is empty. */
function isNegative(line: string): boolean {
  return (
    line.length <= 200 && (isStatementOfNone(line) || /^\W*(?:no|none|nothing|n\/a)\b/i.test(line))
  );
}

function haveDifferentFindings(
  findings: readonly StatedFinding[],
  runs: readonly number[],
): boolean {
  const keys = runs.map((start, index) =>
    findings
      .slice(start, runs[index + 1])
      .map(finding => `${finding.severity}|${finding.text}`)
      .sort()
      .join('\n'),
  );
  return new Set(keys).size > 1;
}

interface StatedVote {
  readonly label: Vote['vote'];
  /** Null when no number stands in the line. */
  readonly criterion: number | null;
  readonly reason: string;
  /** Text of the finding that a FAIL is; null for a PASS. */
  readonly finding: string | null;
}

/** Call with lines labelled PASS or FAIL only. */
function readVote({ label, text }: LabelledLine): StatedVote {
  const number = /^[#(\s]*(\d{1,4})\b[\s.:)|–—-]*/.exec(text.slice(0, 100));
  const criterion = number?.[1] === undefined ? null : Number(number[1]);
  const reason = text.slice(number?.[0].length ?? 0).trim();
  if (label.toUpperCase() === 'PASS') return { label: 'PASS', criterion, reason, finding: null };
  const words =
    reason === ''
      ? `Criterion ${criterion ?? ''} is not met`
      : `Criterion ${criterion ?? ''}: ${reason}`;
  return {
    label: 'FAIL',
    criterion,
    reason,
    finding: criterion === null ? reason || 'A criterion is not met' : words,
  };
}

/** The criterion that the finding of a FAIL is about; null where the line named none. */
export function criterionOf({ label, text }: Pick<StatedFinding, 'label' | 'text'>): number | null {
  const [, number] =
    /^Criterion (\d{1,4})(?::| is not met$)/.exec(label.toUpperCase() === 'FAIL' ? text : '') ?? [];
  return number === undefined ? null : Number(number);
}

/** One vote for each criterion: a reviewer that votes both ways has not passed it, and a note says so. */
function settleVotes(votes: readonly Vote[], notes: string[]): Vote[] {
  const settled = new Map<number, Vote>();
  for (const vote of votes) {
    const earlier = settled.get(vote.criterion);
    if (earlier !== undefined && earlier.vote !== vote.vote)
      notes.push(`Criterion ${vote.criterion} was voted on both ways; FAIL stands.`);
    if (earlier === undefined || vote.vote === 'FAIL') settled.set(vote.criterion, vote);
  }
  return [...settled.values()];
}
