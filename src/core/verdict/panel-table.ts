/**
 * What the reviews of a change come to as a consensus review: a verdict for each reviewer, who covered what, what is to be
 * reviewed again and how. Everything is counted here; what a reviewer claims stands beside it. Nothing is decided.
 */
import { z } from 'zod';
import { type Claim, countSupport } from '../words/claim.ts';
import type { Seat } from '../words/config.ts';
import { roundPercent } from '../context/budget.ts';
import { present } from '../groups.ts';
import { type Finding, countSeverities, isAtLeast } from '../words/finding.ts';
import { type Persona, hasSecurityWeight } from '../words/persona.ts';
import { isReader } from '../words/runner.ts';
import { isShortOfTokens, type Review } from '../words/review.ts';
import {
  type CoverageMatrix,
  continueCommand,
  isReadBySomebody,
  isReadable,
  printCell,
} from './coverage.ts';
import type { Outcome, Reason } from './record.ts';
import type { OutcomeRules } from './rule-set.ts';
import { describeVerdict } from './outcome.ts';
import { Amount, Flag, NullableText, Rows, Text, Texts, Whole } from '../words/fields.ts';
import { upperFirst } from '../text.ts';

const Verdict = z.enum(['VETO', 'WARN', 'OK']);
type Verdict = z.infer<typeof Verdict>;

const AgentRow = z.object({
  reviewer: Text,
  /** Of its persona, for people: `Code Quality`; its own name where another reviewer has the same persona. */
  name: Text,
  /** Null for a review that failed: whoever did not answer has no verdict. */
  verdict: Verdict.nullable(),
  claimed: Verdict.nullable(),
  veto_downgraded: Flag,
  critical: Whole,
  high: Whole,
  medium: Whole,
  low: Whole,
  files_reviewed: Whole,
  files_skipped: Whole,
  /** `83% ⚠️` */
  coverage: Text,
  /** Files that were in its domain and not read, in the order of the change. */
  skipped_files: Texts,
  partial: Flag,
  cutoff_reason: z.enum(['budget', 'timeout', 'error']).nullable(),
  /** The finding or the reason a veto rests on, in one line. */
  ground: NullableText,
});
export type AgentRow = z.infer<typeof AgentRow>;

export const ConsensusReview = z.object({
  /** `APPROVED`, `BLOCKED (…)`, `ADVISORY` or `INCOMPLETE`, made of the reasons of the run. */
  verdict: Text,
  /** Name of the rule set that decided; null in records of version 0.1. */
  rules: NullableText.default(null),
  agents: z.array(AgentRow),
  vetoes: Whole,
  warnings: Whole,
  matrix: z.object({
    reviewers: Texts,
    files: Rows({ path: Text, cells: z.array(z.enum(['Y', 'SKIP', '-'])) }),
  }),
  /** Lines as a report prints them. */
  partial: Texts,
  gaps: Texts,
  uncovered: Texts,
  blocking: Texts,
  fully_covered: Text,
  /** The command that goes on with what reviewers left when their budget ended; null where nothing more can be read. */
  follow_up: NullableText,
  /** By claim: the weights of its supporters, partial ones counting less, over those who could have said it. */
  support: z.record(Text, Amount),
  /** Path of the report file, relative to the folder that holds `.jury`; null when none was written. */
  report: NullableText.default(null),
});
export type ConsensusReview = z.infer<typeof ConsensusReview>;

interface PanelEvidence {
  readonly seats: readonly Seat[];
  readonly reviews: readonly Review[];
  readonly claims: readonly Claim[];
  readonly matrix: CoverageMatrix;
  readonly rules: OutcomeRules;
}

/** A row for each reviewer, in the order of the reviews. */
export function describeAgents({ seats, reviews, claims, rules }: PanelEvidence): AgentRow[] {
  const seated = seatedIn(seats, reviews);
  const unheard = new Set(
    claims
      .filter(claim => claim.state === 'dismissed' || !isHeard(claim, seats, rules))
      .flatMap(({ findings }) => findings.map(({ id }) => id)),
  );
  return seated.map(({ seat, review }) => {
    const isTwin = seated.some(
      other => other.seat !== seat && other.seat.persona.name === seat.persona.name,
    );
    const name = displayName(isTwin ? seat.id : seat.persona.name);
    return describeAgent(seat, review, name, unheard);
  });
}

interface PanelRequest extends PanelEvidence {
  /** Id of the run. */
  readonly run: string;
  /** Did the last round find nothing that could be asked? */
  readonly isStill: boolean;
}

export function describePanel(
  { run, isStill, ...evidence }: PanelRequest,
  { outcome, reasons }: { readonly outcome: Outcome | null; readonly reasons: readonly Reason[] },
): ConsensusReview {
  const { seats, reviews, matrix, claims, rules } = evidence;
  const agents = describeAgents(evidence);
  const cut = agents.filter(({ cutoff_reason }) => cutoff_reason === 'budget');
  const judged = { verdicts: agents, seats };
  const heard = vetoesIn(judged, rules);
  const warnings = heardIn(judged, rules).filter(({ verdict }) => verdict === 'WARN').length;
  return {
    verdict: describeVerdict(outcome, reasons, {
      warnings,
      advice: rules.parameters.vetoes.effect === 'none' ? heard.length : 0,
    }),
    rules: rules.name,
    agents,
    vetoes: heard.filter(({ verdict }) => verdict === 'VETO').length,
    warnings,
    matrix: {
      reviewers: agents.map(({ reviewer }) => reviewer),
      files: matrix.map(({ path, cells }) => ({ path, cells: cells.map(printCell) })),
    },
    partial: cut.map(
      ({ reviewer, files_reviewed: read, files_skipped: left }) =>
        `⚠️  Partial results: ${reviewer} hit budget limit (${read}/${read + left} files)`,
    ),
    gaps: gapLines(matrix, new Set(cut.map(({ reviewer }) => reviewer)), run),
    uncovered: matrix.filter(row => !isReadBySomebody(row)).map(({ path }) => `UNCOVERED: ${path}`),
    blocking: reasons
      .filter(({ rule }) => rule === 'security')
      .map(({ sentence }) => sentence.replace(/\.$/, '')),
    fully_covered: fullyCoveredLine(matrix),
    follow_up: isStill ? null : followUpLine(run, reviews),
    report: null,
    support: Object.fromEntries(claims.map(claim => [claim.id, supportOf(claim, agents)])),
  };
}

interface Judged {
  readonly verdicts: readonly Pick<AgentRow, 'reviewer' | 'verdict' | 'ground'>[];
  readonly seats: readonly Pick<Seat, 'id' | 'runner' | 'role'>[];
}

/** The verdicts that are vetoes under a rule set, whether they decide or are advice. */
export function vetoesIn(judged: Judged, rules: OutcomeRules) {
  const { warnings } = rules.parameters.vetoes;
  return heardIn(judged, rules).filter(
    ({ verdict }) => verdict === 'VETO' || (warnings && verdict === 'WARN'),
  );
}

function heardIn({ verdicts, seats }: Judged, { parameters: { vetoes } }: OutcomeRules) {
  const checks = new Set(seats.filter(seat => !isReader(seat)).map(({ id }) => id));
  return verdicts.filter(({ reviewer }) => vetoes.analysers || !checks.has(reviewer));
}

function seatedIn(seats: readonly Seat[], reviews: readonly Review[]) {
  return reviews.flatMap(review =>
    seats.filter(({ id }) => id === review.reviewer).map(seat => ({ seat, review })),
  );
}

/** With a vote, what too few of its readers say is not heard, but for grave findings about security. */
function isHeard(claim: Claim, seats: readonly Seat[], { parameters: { vote } }: OutcomeRules) {
  if (vote === null) return true;
  const isGrave = isAtLeast(claim.severity, 'high');
  const weighty = new Set(
    seats.filter(({ persona }) => hasSecurityWeight(persona)).map(({ id }) => id),
  );
  const isSecurity = claim.findings.some(
    ({ category, reviewer }) =>
      weighty.has(reviewer) || /secur|secret|auth|inject|crypt|cve|vuln/i.test(category ?? ''),
  );
  const [part, whole] = vote;
  return (
    (isGrave && isSecurity) ||
    (claim.electorate > 0 && countSupport(claim) * whole >= claim.electorate * part)
  );
}

/** `unheard`: ids of findings that count no more. */
function describeAgent(seat: Seat, review: Review, name: string, unheard: ReadonlySet<string>) {
  const counted = review.findings.filter(
    finding => !finding.isImprovement && !unheard.has(finding.id),
  );
  const hasFailed = review.status === 'failed';
  const judged = hasFailed ? noVerdict : judge(seat, review, counted);
  const pathsOf = (isWanted: (extent: Review['coverage'][number]['extent']) => boolean) =>
    review.coverage.filter(({ extent }) => isWanted(extent)).map(({ path }) => path);
  const read = hasFailed ? [] : pathsOf(extent => extent === 'full');
  const unread = pathsOf(extent => extent !== 'outside' && (hasFailed || extent !== 'full'));
  const cutoff = cutoffOf(review);
  return {
    reviewer: seat.id,
    name,
    ...judged,
    ...countSeverities(counted),
    files_reviewed: read.length,
    files_skipped: unread.length,
    coverage: displayCoverage(read.length, unread.length),
    skipped_files: unread,
    partial: review.status === 'partial' || cutoff === 'budget',
    cutoff_reason: cutoff,
    ground: judged.verdict === 'VETO' ? groundOf(seat, review, counted) : null,
  };
}

const noVerdict = { verdict: null, claimed: null, veto_downgraded: false } as const;

/** Why the review is less than whole, in the three words of the contract. */
export function cutoffOf(
  review: Pick<Review, 'status' | 'failure' | 'spending'>,
): AgentRow['cutoff_reason'] {
  if (review.status === 'complete') return null;
  if (review.spending?.mode === 'force_return' || isShortOfTokens(review)) return 'budget';
  const isLate = ['deadline', 'idle', 'first-output', 'late'].includes(review.failure?.cause ?? '');
  return isLate ? 'timeout' : 'error';
}

function groundOf(seat: Seat, review: Review, findings: readonly Finding[]) {
  const alone =
    findings.find(
      finding => judge(seat, { ...review, statedVerdict: null }, [finding]).verdict === 'VETO',
    ) ?? findings.find(({ severity }) => isAtLeast(severity, 'high'));
  return alone === undefined
    ? (review.vetoReasons?.[0] ?? 'veto')
    : `${alone.severity.toUpperCase()} ${alone.text}`;
}

/** `67% ⚠️` for 8 of 12, `100%`, and `-` when there was nothing to read. */
function displayCoverage(reviewed: number, skipped: number) {
  if (reviewed + skipped === 0) return '-';
  return `${roundPercent(reviewed, reviewed + skipped)}%${skipped > 0 ? ' ⚠️' : ''}`;
}

/** The supporters, of whom one that read a part counts half, over the number who could have said it. */
function supportOf(
  { supporters, electorate }: Pick<Claim, 'supporters' | 'electorate'>,
  agents: readonly Pick<AgentRow, 'reviewer' | 'partial'>[],
) {
  const partial = new Set(agents.filter(agent => agent.partial).map(({ reviewer }) => reviewer));
  const halves = supporters.filter(reviewer => partial.has(reviewer)).length;
  return electorate === 0 ? 0 : (supporters.length - halves / 2) / electorate;
}

/** A `Gap: …` for each file that others read and each reviewer whose budget ended before it; then one suggestion for all of them. */
function gapLines(matrix: CoverageMatrix, cut: ReadonlySet<string>, run: string) {
  const gaps = matrix
    .filter(isReadBySomebody)
    .flatMap(({ path, cells }) =>
      cells
        .filter(cell => cut.has(cell.reviewer) && printCell(cell) === 'SKIP')
        .map(
          ({ reviewer }) =>
            `Gap: ${path} lacks ${displayName(reviewer)} coverage (skipped due to budget)`,
        ),
    );
  return gaps.length === 0 ? [] : [...gaps, `→ Suggested: ${continueCommand(run)}`];
}

/** `Code Quality` for `code-quality-reviewer`. */
function displayName(name: string) {
  return name
    .replace(/-reviewer$/, '')
    .split('-')
    .map(upperFirst)
    .join(' ');
}

/** The command that goes on where reviewers read a part. Null where no round could read more. */
function followUpLine(run: string, reviews: readonly Review[]) {
  const isLeft = reviews.some(
    review =>
      (review.status === 'partial' || cutoffOf(review) === 'budget') &&
      review.coverage.some(reading => isReadable(review, reading)),
  );
  return isLeft ? `→ Consider: ${continueCommand(run)}` : null;
}

/** `Coverage: 10/12 files fully covered`: read by everybody who has the file in the domain. */
function fullyCoveredLine(matrix: CoverageMatrix) {
  const full = matrix.filter(
    ({ cells }) =>
      cells.some(cell => printCell(cell) === 'Y') &&
      !cells.some(cell => printCell(cell) === 'SKIP'),
  ).length;
  return `Coverage: ${full}/${matrix.length} files fully covered`;
}

// What a reviewer's findings and its own word come to. A veto is found by the criteria of its persona or claimed with grounds; claimed
// without the power or the grounds it is a warning.

/** First match: veto, warning, otherwise OK. */
function judge(
  { persona }: Seat,
  { statedVerdict, vetoReasons = [] }: Pick<Review, 'statedVerdict' | 'vetoReasons'>,
  findings: readonly Finding[],
) {
  const claimed = readClaimedVerdict(statedVerdict);
  const facts = findings.map(factsOf);
  const isGrave = facts.some(({ severity }) => isAtLeast(severity, 'high'));
  const isGrounded =
    claimed === 'VETO' && (isGrave || vetoReasons.some(reason => reason.trim() !== ''));
  const criteria = persona.criteria ?? criteriaByRole[persona.role] ?? [];
  const isMet = facts.some(fact => criteria.some(criterion => meetsCriterion(fact, criterion)));
  const isVeto = persona.veto && (isGrounded || isMet);
  const isDowngraded = claimed === 'VETO' && !isVeto;
  const isWarning = isGrave || isDowngraded || claimed === 'WARN';
  const verdict: Verdict = isVeto ? 'VETO' : isWarning ? 'WARN' : 'OK';
  return { verdict, claimed, veto_downgraded: isDowngraded };
}

type VetoCriterion = NonNullable<Persona['criteria']>[number];

/** Only what severity, category and flags can tell; the rest of the contract's criteria needs judgement and comes as a claimed veto. */
const criteriaByRole: Partial<Record<Persona['role'], readonly VetoCriterion[]>> = {
  security: [
    { severity: 'critical' },
    { severity: 'high', flags: ['exploit_path'] },
    { category: 'secrets' },
    { words: ['bypass', 'auth'] },
  ],
  vulnerability: [
    { severity: 'critical', flags: ['cve', 'direct'] },
    { severity: 'high', flags: ['cve', 'known_exploit'] },
    { category: 'dependency-confusion' },
  ],
  documentation:
    'wrong-information missing-security-warning outdated broken-example missing-section'
      .split(' ')
      .map(word => ({ words: [word] })),
};

const words: Readonly<Record<string, Verdict>> = {
  VETO: 'VETO',
  WARN: 'WARN',
  OK: 'OK',
  APPROVE: 'OK',
  REQUEST_CHANGES: 'WARN',
};

/** The other vocabularies in ours: APPROVE is OK, REQUEST_CHANGES is WARN. Null for any other word. */
export function readClaimedVerdict(stated: string | null) {
  const word = (stated ?? '').trim().toUpperCase().replace(/[ -]/g, '_');
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null;
}

/**
 * The category in lower case, its words joined by dashes. A place that was not found is no ground for a veto: what hangs on it is taken
 * away.
 */
function factsOf({ severity, category, extra, location }: Finding) {
  const isFound = location?.anchoring !== 'unanchored';
  const cve = typeof extra?.cve === 'string' && extra.cve.trim() !== '';
  const flags = present(
    ...['exploit_path', 'known_exploit'].filter(name => isFound && extra?.[name] === true),
    extra?.direct === true && 'direct',
    cve && 'cve',
  );
  return {
    severity: isFound || severity !== 'critical' ? severity : 'high',
    category: isFound
      ? (category ?? '')
          .trim()
          .toLowerCase()
          .replace(/[\s_/]/g, '-')
      : '',
    flags: new Set(flags),
  };
}

function meetsCriterion(
  facts: ReturnType<typeof factsOf>,
  { severity, category, words: wanted = [], flags = [] }: VetoCriterion,
) {
  return (
    (severity === undefined || facts.severity === severity) &&
    (category === undefined || facts.category === category) &&
    wanted.every(word => facts.category.includes(word)) &&
    flags.every(flag => facts.flags.has(flag))
  );
}
