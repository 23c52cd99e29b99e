/** Reads severity lines and headed bullets in one pass: the two formats people and models write by hand. */
import type { StatedFinding } from '../finding.ts';
import { severityOf } from '../severity.ts';
import { layOut, type Line } from './fences.ts';
import { placeIn } from './place.ts';
import { cut, fieldLimit, isBlank, toParagraph } from './plain-text.ts';
import { reject, nothingDropped, type Attempt, type Dropped, type ReadingOptions, type Vote } from './reading.ts';
import { readLabelledLine, type LabelledLine } from './severity-line.ts';
import { createSieve, isStatementOfNone, type Sieve } from './sieve.ts';
import { stateFinding } from './stated.ts';
import { isVerdictHeading, readVerdictLine, type VerdictLine } from './verdict-words.ts';

/** Null when nothing in the text is of these formats: no finding, no statement of none, no vote, nothing dropped. */
export function readLines(text: string, options: ReadingOptions): Attempt {
  const walk = startWalk(options);
  for (const line of layOut(text).lines) {
    takeLine(walk, line);
    if (walk.undeclared !== null) return reject('schema', `Nobody declared the severity of "${cut(walk.undeclared, 120)}".`, { unparsed: [...walk.unparsed, walk.undeclared], dropped: walk.dropped });
  }
  closeFinding(walk);
  return toAttempt(walk);
}

interface OpenFinding {
  readonly finding: StatedFinding;
  readonly details: string[];
}

interface Walk {
  readonly options: ReadingOptions;
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
}

function startWalk(options: ReadingOptions): Walk {
  return {
    options, sieve: createSieve(options.sent), findings: [], runs: [], votes: [], unparsed: [], dropped: nothingDropped(), notes: [],
    open: null, section: null, verdict: null, isVerdictNext: false, isVerdictLast: false, isInItem: false, hasProseBetween: true,
    hasLabelledLine: false, hasLabelledNone: false, undeclared: null,
  };
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
  const label = level >= 2 && level <= 4 ? labelOfHeading(title, walk.options) : null;
  if (label === null && level > 3) return;
  endItem(walk);
  walk.section = label;
}

const headingShape = /^[^\p{L}\p{N}]{0,8}([\p{L}\p{N}][\w-]{0,31}?)(?:\s+(?:issues?|points?|findings?))?(?:s)?[^\p{L}\p{N}]{0,8}(?:\(?\d{1,4}\)?)?[^\p{L}\p{N}]{0,4}$/iu;

function labelOfHeading(title: string, options: ReadingOptions): string | null {
  const label = title.length > 120 ? undefined : headingShape.exec(title.trim())?.[1];
  if (label === undefined) return null;
  return [label, label.replace(/s$/i, '')].map(word => word.toUpperCase()).find(word => severityOf(word, options.scale) !== null) ?? null;
}

function takeEntry(walk: Walk, text: string): void {
  const labelled = readLabelledLine(text.replace(/^#{1,6}\s+/, ''), walk.options.units);
  if (labelled !== null && takeLabelled(walk, labelled, text)) return;
  const bullet = /^(?:[-*+](?![-*+])|\d{1,3}[.)]\s)\s*(.*)$/s.exec(text);
  const isEmphasis = /^\*\S[^*]*\*/.test(text.slice(0, 200));
  if (bullet !== null && !isEmphasis) takeBullet(walk, bullet[1] ?? '', text);
  else takeProse(walk, text);
}

/** False when the line is none after all: its word is not declared and may stay. */
function takeLabelled(walk: Walk, labelled: LabelledLine, text: string): boolean {
  const { label, place } = labelled;
  if (walk.options.voting && /^(?:pass|fail)$/i.test(label)) return takeVote(walk, labelled, text);
  const chaff = walk.sieve(labelled.text, text) ?? (walk.sieve(`${label}|${labelled.text}`) === 'template' ? 'template' : null);
  const severity = severityOf(label, walk.options.scale);
  if (chaff === 'template' || chaff === 'prompt') return drop(walk, chaff);
  if (severity === null && walk.open !== null && /^\s/.test(text)) return false;
  if (severity === null) {
    endItem(walk);
    if (walk.options.undeclaredLabel === 'reject') walk.undeclared = text.trim();
    else walk.unparsed.push(text);
    return true;
  }
  walk.hasLabelledLine = true;
  if (chaff === 'placeholder') {
    walk.hasLabelledNone = true;
    if (isBlank(labelled.text)) walk.notes.push(`A line "${label}|" without text was dropped.`);
    return drop(walk, chaff);
  }
  openFinding(walk, stateFinding({ label, severity, text: labelled.text, place, raw: text }));
  return true;
}

function takeVote(walk: Walk, { label, text }: LabelledLine, raw: string): boolean {
  const isFail = label.toUpperCase() === 'FAIL';
  const number = /^[#(\s]*(\d{1,4})\b[\s.:)|–—-]*/.exec(text);
  const reason = text.slice(number?.[0].length ?? 0).trim();
  const chaff = walk.sieve(reason === '' ? text : reason, raw);
  if (chaff === 'template' || chaff === 'prompt') return drop(walk, chaff);
  walk.hasLabelledLine = true;
  if (number?.[1] !== undefined) walk.votes.push({ criterion: Number(number[1]), vote: isFail ? 'FAIL' : 'PASS' });
  else if (!isFail) walk.unparsed.push(raw);
  if (!isFail) {
    endItem(walk);
    return true;
  }
  const words = number?.[1] === undefined ? reason : reason === '' ? `Criterion ${number[1]} is not met` : `Criterion ${number[1]}: ${reason}`;
  openFinding(walk, stateFinding({ label, severity: 'critical', text: words, place: placeIn(words), raw }));
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
  walk.findings.push(details.length === 0 ? finding : { ...finding, evidence: cut(toParagraph(details.join('\n')), fieldLimit), raw });
  walk.open = null;
}

function toAttempt(walk: Walk): Attempt {
  const { findings, unparsed, dropped, notes, votes, options } = walk;
  const hasChaff = dropped.placeholder + dropped.template + dropped.prompt > 0;
  if (findings.length === 0 && votes.length === 0 && unparsed.length === 0 && !hasChaff && walk.verdict === null) return null;
  if (options.strict && differ(findings, walk.runs)) return reject('ambiguous', 'Two runs of findings, separated by prose, differ.', { unparsed, dropped });
  const isSafe = walk.isVerdictLast && walk.verdict?.verdict === 'safe';
  const mayBeNone = options.strict ? walk.hasLabelledNone : dropped.placeholder > 0;
  return {
    kind: 'draft',
    format: walk.hasLabelledLine || findings.length === 0 ? 'lines' : 'bullets',
    findings,
    improvements: [],
    // A word that nobody declared, or a verdict quoted in the middle, says nothing about how this answer ended.
    verdict: walk.isVerdictLast || !options.strict ? declared(walk.verdict) : null,
    isZeroStated: findings.length === 0 && mayBeNone && (isSafe || unparsed.every(line => isNegative(line))),
    hasEndMark: walk.isVerdictLast,
    doubt: null,
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
  return line.length <= 200 && (isStatementOfNone(line) || /^\W*(?:no|none|nothing|n\/a)\b/i.test(line));
}

function differ(findings: readonly StatedFinding[], runs: readonly number[]): boolean {
  const keys = runs.map((start, index) => findings.slice(start, runs[index + 1]).map(finding => `${finding.severity}|${finding.text}`).sort().join('\n'));
  return new Set(keys).size > 1;
}

/** A reviewer that votes both ways on one criterion has not passed it. */
function settleVotes(votes: readonly Vote[], notes: string[]): Vote[] {
  const settled = new Map<number, Vote>();
  for (const vote of votes) {
    const earlier = settled.get(vote.criterion);
    if (earlier !== undefined && earlier.vote !== vote.vote) notes.push(`Criterion ${vote.criterion} was voted on both ways; FAIL stands.`);
    if (earlier === undefined || vote.vote === 'FAIL') settled.set(vote.criterion, vote);
  }
  return [...settled.values()];
}
