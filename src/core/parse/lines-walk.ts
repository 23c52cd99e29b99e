/** What is remembered on the way through an answer of lines and bullets, and what it comes to at the end. */
import type { StatedFinding } from '../finding.ts';
import { cut, fieldLimit, toParagraph } from './plain-text.ts';
import { nothingDropped, reject, type Attempt, type Dropped, type ReadingOptions, type Vote } from './reading.ts';
import { createSieve, isStatementOfNone, type Sieve } from './sieve.ts';
import type { VerdictLine } from './verdict-words.ts';
import { settleVotes } from './votes.ts';

interface OpenFinding {
  readonly finding: StatedFinding;
  readonly details: string[];
}

export interface Walk {
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

export function startWalk(options: ReadingOptions): Walk {
  return {
    options, units: new Set(options.units), sieve: createSieve(options.sent), findings: [], runs: [], votes: [], unparsed: [], dropped: nothingDropped(), notes: [],
    open: null, section: null, verdict: null, isVerdictNext: false, isVerdictLast: false, isInItem: false, hasProseBetween: true,
    hasLabelledLine: false, hasLabelledNone: false, undeclared: null, table: null, hasLostLine: false,
  };
}

/** True, for a caller whose line is dealt with. */
export function drop(walk: Walk, chaff: keyof Dropped): boolean {
  endItem(walk);
  walk.dropped[chaff] += 1;
  return true;
}

export function openFinding(walk: Walk, finding: StatedFinding): void {
  closeFinding(walk);
  if (walk.hasProseBetween) walk.runs.push(walk.findings.length);
  walk.hasProseBetween = false;
  walk.open = { finding, details: [] };
  walk.isInItem = true;
}

export function endItem(walk: Walk): void {
  closeFinding(walk);
  walk.isInItem = false;
}

export function closeFinding(walk: Walk): void {
  if (walk.open === null) return;
  const { finding, details } = walk.open;
  const raw = [finding.raw, ...details].join('\n');
  walk.findings.push(details.length === 0 ? finding : { ...finding, evidence: cut(toParagraph(details.join('\n')), fieldLimit), raw });
  walk.open = null;
}

/** Null when nothing of these formats was seen. */
export function toAttempt(walk: Walk): Attempt {
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
  return line.length <= 200 && (isStatementOfNone(line) || /^\W*(?:no|none|nothing|n\/a)\b/i.test(line));
}

function differ(findings: readonly StatedFinding[], runs: readonly number[]): boolean {
  const keys = runs.map((start, index) => findings.slice(start, runs[index + 1]).map(finding => `${finding.severity}|${finding.text}`).sort().join('\n'));
  return new Set(keys).size > 1;
}
