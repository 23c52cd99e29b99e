/**
 * What the reviews of a change come to as a consensus review: a verdict for each reviewer, vetoes, who covered what, what
 * is to be reviewed again and how. Everything is counted here; what a reviewer claims stands beside it.
 */
import { z } from 'zod';
import type { Claim } from './claim.ts';
import type { Seat } from './config.ts';
import { displayName, findGaps, followUpLine, fullyCoveredLine, partialLine } from './context/coverage-report.ts';
import { coverageMatrix, defaultPartialWeight, displayCoverage, weighSupport, weightOf, type Reader } from './context/reader-coverage.ts';
import type { TriagedFile } from './context/triage.ts';
import type { Finding } from './finding.ts';
import { outcomes } from './gate.ts';
import { vouchesForCoverage, type Review } from './review.ts';
import { judgePanel, judgeVerdict, Protocol, type JudgedVerdict, type PanelDecision, type ReviewRules, type VetoFinding } from './veto.ts';

const Verdict = z.enum(['VETO', 'WARN', 'OK']);

export const AgentRow = z.object({
  reviewer: z.string(),
  /** Of its persona, for people: `Code Quality`; its own name where another reviewer has the same persona. */
  name: z.string(),
  /** Null for a review that failed: whoever did not answer has no verdict. */
  verdict: Verdict.nullable(),
  claimed: Verdict.nullable(),
  veto_downgraded: z.boolean(),
  critical: z.int(), high: z.int(), medium: z.int(), low: z.int(),
  files_reviewed: z.int(), files_skipped: z.int(),
  /** `83% ⚠️` */
  coverage: z.string(),
  /** Files that were in its domain and not read, in the order of the change. */
  skipped_files: z.array(z.string()),
  partial: z.boolean(),
  cutoff_reason: z.enum(['budget', 'timeout', 'error']).nullable(),
  /** The finding or the reason a veto rests on, in one line. */
  ground: z.string().nullable(),
});
export type AgentRow = z.infer<typeof AgentRow>;

export const ConsensusReview = z.object({
  verdict: z.string(),
  outcome: z.enum(outcomes),
  protocol: Protocol.nullable(),
  agents: z.array(AgentRow),
  vetoes: z.int(),
  warnings: z.int(),
  matrix: z.object({ reviewers: z.array(z.string()), files: z.array(z.object({ path: z.string(), cells: z.array(z.enum(['Y', 'SKIP', '-'])) })) }),
  /** Lines as a report prints them. */
  partial: z.array(z.string()),
  gaps: z.array(z.string()),
  uncovered: z.array(z.string()),
  blocking: z.array(z.string()),
  fully_covered: z.string(),
  /** The command that reviews every skipped file; null when none was skipped. */
  follow_up: z.string().nullable(),
  /** By claim: the weights of its supporters, partial ones counting less, over those who could have said it. */
  support: z.record(z.string(), z.number()),
  /** Path of the report file, relative to the folder that holds `.jury`; null when none was written. */
  report: z.string().nullable().default(null),
});
export type ConsensusReview = z.infer<typeof ConsensusReview>;

export interface PanelEvidence {
  readonly seats: readonly Seat[];
  readonly reviews: readonly Review[];
  readonly claims: readonly Claim[];
  /** In the order of the change. */
  readonly files: readonly TriagedFile[];
  readonly rules: ReviewRules | null;
  readonly isInterrupted: boolean;
}

export function reviewPanel(evidence: PanelEvidence): ConsensusReview {
  const { seats, reviews, files, claims } = evidence;
  const seated = reviews.flatMap(review => seats.filter(({ id }) => id === review.reviewer).map(seat => ({ seat, review })));
  const readers = seated.map(readerOf);
  const matrix = coverageMatrix(files, readers);
  const agents = seated.map(one => describeAgent(one, evidence));
  const cut = new Set(agents.filter(({ cutoff_reason }) => cutoff_reason === 'budget').map(({ reviewer }) => reviewer));
  const all = findGaps(files, readers, matrix);
  // A gap line speaks of budgets: of a reviewer that failed, everything else says so already.
  const { lines } = findGaps(files, readers, matrix.map(row => ({ ...row, cells: row.cells.map((cell, index) => (cell === 'SKIP' && !cut.has(seated[index]?.seat.id ?? '') ? '-' : cell)) })));
  const counting = agents.filter((_, index) => canVeto(seated[index]?.seat, evidence.rules));
  const decision = decideAs(evidence, { agents: counting, uncovered: all.uncovered.length, blocking: securityBlocks(all.blocking, evidence) });
  return {
    verdict: decision.verdict, outcome: decision.outcome, protocol: evidence.rules?.protocol ?? null, agents,
    vetoes: counting.filter(({ verdict }) => verdict === 'VETO').length,
    warnings: counting.filter(({ verdict }) => verdict === 'WARN').length,
    matrix: { reviewers: seated.map(({ seat }) => seat.id), files: matrix.map(({ path, cells }) => ({ path, cells: [...cells] })) },
    partial: agents.filter(({ reviewer }) => cut.has(reviewer)).map(row => partialLine(row.reviewer, { reviewed: row.files_reviewed, skipped: row.files_skipped })),
    gaps: [...lines], uncovered: [...all.uncovered], blocking: [...securityBlocks(all.blocking, evidence)],
    fully_covered: fullyCoveredLine(matrix),
    follow_up: followUpLine(agents.filter(({ reviewer }) => cut.has(reviewer)).map(row => row.skipped_files)),
    report: null,
    support: Object.fromEntries(claims.map(claim => [claim.id, supportOf(claim, agents)])),
  };
}

interface Seated {
  readonly seat: Seat;
  readonly review: Review;
}

function readerOf({ seat, review }: Seated): Reader {
  const read = vouchesForCoverage(review) ? review.coverage.filter(({ extent }) => extent === 'full').map(({ path }) => path) : [];
  return { name: seat.id, role: seat.persona.role, files: seat.persona.files, read: new Set(read) };
}

function describeAgent({ seat, review }: Seated, { seats, reviews, claims, rules }: PanelEvidence): AgentRow {
  const counted = countedFindings(review, claims, rules?.protocol ?? null);
  const judged = review.status === 'failed' ? noVerdict : judge(seat, review, counted);
  const count = (severity: Finding['severity']): number => counted.filter(finding => finding.severity === severity).length;
  const skipped = review.coverage.filter(({ extent }) => extent === 'skipped' || extent === 'partial').map(({ path }) => path);
  const reviewed = vouchesForCoverage(review) ? review.coverage.filter(({ extent }) => extent === 'full').length : 0;
  const isTwin = reviews.some(other => other.reviewer !== review.reviewer && seats.find(({ id }) => id === other.reviewer)?.persona.name === seat.persona.name);
  const unread = vouchesForCoverage(review) ? skipped : review.coverage.filter(({ extent }) => extent !== 'outside').map(({ path }) => path);
  return {
    reviewer: seat.id, name: displayName(isTwin ? seat.id : seat.persona.name), ...judged,
    critical: count('critical'), high: count('high'), medium: count('medium'), low: count('low'),
    files_reviewed: reviewed, files_skipped: unread.length, coverage: displayCoverage(reviewed, unread.length), skipped_files: unread,
    partial: review.status === 'partial' || cutoffOf(review) === 'budget', cutoff_reason: cutoffOf(review),
    ground: judged.verdict === 'VETO' ? groundOf(seat, review, counted) : null,
  };
}

const noVerdict = { verdict: null, claimed: null, veto_downgraded: false } as const;

/** Why the review is less than whole, in the three words of the contract. */
export function cutoffOf(review: Pick<Review, 'status' | 'failure' | 'spending'>): AgentRow['cutoff_reason'] {
  if (review.status === 'complete') return null;
  if (review.spending?.mode === 'force_return' || review.failure?.cause === 'budget') return 'budget';
  const isLate = ['deadline', 'idle', 'first-output', 'late'].includes(review.failure?.cause ?? '');
  return isLate ? 'timeout' : 'error';
}

/** What was dismissed counts no more; with `vote`, neither does what too few of its readers say, but for grave security. */
function countedFindings(review: Review, claims: readonly Claim[], protocol: Protocol | null): readonly Finding[] {
  const out = new Set(claims.filter(claim => claim.state === 'dismissed' || (protocol === 'vote' && !isVotedIn(claim))).flatMap(({ findings }) => findings.map(({ id }) => id)));
  return review.findings.filter(finding => !finding.isImprovement && !out.has(finding.id));
}

const voteShare = 0.66;

function isVotedIn(claim: Claim): boolean {
  const isGrave = claim.severity === 'critical' || claim.severity === 'high';
  const isSecurity = claim.findings.some(({ category, reviewer }) => /secur|secret|auth|inject|crypt|cve|vuln/i.test(category ?? '') || /secur|vuln/i.test(reviewer));
  return (isGrave && isSecurity) || (claim.electorate > 0 && claim.supporters.length / claim.electorate >= voteShare);
}

function judge({ persona }: Seat, review: Review, findings: readonly Finding[]): JudgedVerdict {
  return judgeVerdict({ role: persona.role, persona: persona.name, hasVeto: persona.veto, findings: findings.map(toVetoFinding), claimed: review.statedVerdict, vetoReasons: review.vetoReasons ?? [] });
}

/** A place that was not found is no ground for a veto. */
function groundOf(seat: Seat, review: Review, findings: readonly Finding[]): string {
  const alone = findings.find(finding => judge(seat, { ...review, statedVerdict: null }, [finding]).verdict === 'VETO') ?? findings.find(({ severity }) => severity === 'critical' || severity === 'high');
  return alone === undefined ? (review.vetoReasons?.[0] ?? 'veto') : `${alone.severity.toUpperCase()} ${alone.text}`;
}

function toVetoFinding({ severity, category, extra, location }: Finding): VetoFinding {
  const isFound = location?.anchoring !== 'unanchored';
  const flag = (name: string): boolean => extra?.[name] === true;
  const cve = extra?.cve;
  return {
    severity: isFound || severity !== 'critical' ? severity : 'high', category: isFound ? category : null,
    exploitPath: isFound && flag('exploit_path'), cve: typeof cve === 'string' ? cve : null, direct: flag('direct'), knownExploit: isFound && flag('known_exploit'),
  };
}

/** Without rules of its own a review of analysers alone stays what the fail rules make of it: they find, they do not judge. */
function canVeto(seat: Seat | undefined, rules: ReviewRules | null): boolean {
  return seat !== undefined && (rules !== null || seat.runner !== 'builtin');
}

/** Without rules of its own, somebody must have been asked and have come back. */
function securityBlocks(blocking: readonly string[], { seats, reviews, rules }: PanelEvidence): readonly string[] {
  if (rules !== null) return blocking;
  const answered = new Set(reviews.filter(({ status }) => status !== 'failed').map(({ reviewer }) => reviewer));
  return seats.some(({ id, runner, persona }) => persona.role === 'security' && runner !== 'builtin' && answered.has(id)) ? blocking : [];
}

interface Tally {
  readonly agents: readonly AgentRow[];
  readonly uncovered: number;
  readonly blocking: readonly string[];
}

function decideAs({ reviews, rules, isInterrupted }: PanelEvidence, { agents, uncovered, blocking }: Tally): PanelDecision {
  const isIncomplete = isInterrupted || uncovered > 0 || reviews.length === 0 || reviews.some(({ status }) => status === 'failed');
  return judgePanel({ verdicts: agents.flatMap(({ verdict }) => verdict ?? []), lacksSecurityCoverage: blocking.length > 0, isIncomplete }, { strict: rules?.strict ?? false, ignoreVetos: rules?.ignoreVetos ?? false });
}

function supportOf(claim: Claim, agents: readonly AgentRow[]): number {
  const partial = new Set(agents.filter(agent => agent.partial).map(({ reviewer }) => reviewer));
  return claim.electorate <= 0 ? 0 : weighSupport(claim.supporters.map(reviewer => ({ reviewer, weight: weightOf(partial.has(reviewer), defaultPartialWeight) })), claim.electorate);
}
