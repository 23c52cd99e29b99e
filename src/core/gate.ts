/**
 * Decides a run from what its reviews and claims say. What a reviewer thinks the outcome should be is not read here: a
 * model can add findings, it cannot approve. Silence passes only where somebody was listening.
 */
import type { Agreement, Claim } from './claim.ts';
import { explainVerification, isMadeOfVotes, type Verification } from './consensus/verification.ts';
import { reasonOf, type Review } from './review.ts';
import { isSecurityCategory } from './safety/security-category.ts';
import { isAtLeast, Severity, severities } from './severity.ts';

export const outcomes = ['PASS', 'FAIL', 'INCOMPLETE'] as const;
export type Outcome = (typeof outcomes)[number];

/** The one place where outcomes become exit codes. 3, 4 and 130 belong to the door: no run ends with them. */
export const exitCodes = { PASS: 0, FAIL: 1, INCOMPLETE: 2 } as const satisfies Record<Outcome, number>;

const severityWords = severities.join('|');

/** `never`, a severity (any tier), `tier:severity`, or `analyser:severity`. */
export const failRulePattern = new RegExp(`^(never|((all|majority|single|analyser):)?(${severityWords}))$`);

export interface FailRule {
  /** The weakest agreement that counts: `majority` is met by `all` too. */
  readonly agreement: Agreement;
  /** The mildest severity that counts. */
  readonly severity: Severity;
  /** `analyser`: counts what a built-in analyser states about security and nothing else. They look for different things: no two of them can agree. */
  readonly by?: 'analyser';
}

/** `never` yields no rule. The text must match `failRulePattern`. */
export function parseFailRules(rules: readonly string[]): readonly FailRule[] {
  return rules
    .filter(rule => rule !== 'never')
    .map(rule => {
      const [tier, severity] = rule.includes(':') ? rule.split(':') : ['single', rule];
      return tier === 'analyser' ? { agreement: 'single', severity: Severity.parse(severity), by: tier } : { agreement: tier as Agreement, severity: Severity.parse(severity) };
    });
}

export interface Policy {
  readonly failOn: readonly FailRule[];
  /** Complete reviews needed. At least 1. */
  readonly quorum: number;
  readonly unverifiedBlocker: 'incomplete' | 'warn';
}

export interface Evidence {
  /** Paths under review, or the one unit of a question. An empty list cannot pass. */
  readonly units: readonly string[];
  readonly reviews: readonly Review[];
  readonly claims: readonly Claim[];
  /** What else keeps the run from being proof: unreadable objects, failed steps, a spent budget. One sentence each. */
  readonly gaps: readonly string[];
  /** What the votes of a verification come to; null in every other mode. */
  readonly verification: Verification | null;
  /** What the engine itself found, one sentence each: it fails the run whatever the fail rules are. Absent: nothing. */
  readonly found?: readonly string[];
}

export interface Decision {
  readonly outcome: Outcome;
  /** One sentence each, the deciding ones first. Empty for a plain pass. */
  readonly reasons: readonly string[];
  /** Ids of the claims that hit a fail rule. */
  readonly blocking: readonly string[];
}

/**
 * FAIL comes first: a defect that was found is not undone by a reviewer that is missing. Votes on criteria are counted, not
 * held against the fail rules: no rule lets a failed verification pass, and none fails what is only disputed.
 */
export function decide(evidence: Evidence, policy: Policy): Decision {
  const { claims, verification, found = [] } = evidence;
  const analysers = analysersIn(evidence.reviews);
  const defects = verification === null ? claims : claims.filter(claim => !isMadeOfVotes(claim, verification));
  const { unmet, undecided } = verification === null ? nothingVoted : explainVerification(verification);
  const hits = defects.filter(claim => policy.failOn.some(rule => blocks(claim, rule, analysers)));
  const blocking = hits.filter(canBlock);
  const strays = verification === null ? [] : defects.filter(claim => !hits.includes(claim) && isStrayFail(claim)).map(claim => `${claim.id} says FAIL and names no criterion.`);
  const gaps = [...findGaps(evidence, policy), ...undecided, ...strays, ...(policy.unverifiedBlocker === 'incomplete' ? hits.filter(claim => !canBlock(claim)).map(unverified) : [])];
  if (found.length + blocking.length + unmet.length > 0) {
    return { outcome: 'FAIL', reasons: [...found, ...blocking.map(describeBlocker), ...unmet, ...gaps], blocking: blocking.map(claim => claim.id) };
  }
  return gaps.length > 0 ? { outcome: 'INCOMPLETE', reasons: gaps, blocking: [] } : { outcome: 'PASS', reasons: [], blocking: [] };
}

function isStrayFail({ state, findings }: Claim): boolean {
  return state !== 'dismissed' && findings.some(({ label }) => label.toUpperCase() === 'FAIL');
}

const nothingVoted = { unmet: [], undecided: [] };

/** Ids of the reviewers that are built-in analysers. */
export function analysersIn(reviews: readonly Pick<Review, 'reviewer' | 'runner'>[]): ReadonlySet<string> {
  return new Set(reviews.filter(({ runner }) => runner === 'builtin').map(({ reviewer }) => reviewer));
}

const strength: Record<Agreement, number> = { all: 2, majority: 1, single: 0 };

function blocks(claim: Claim, rule: FailRule, analysers: ReadonlySet<string>): boolean {
  if (claim.state === 'dismissed') return false;
  if (rule.by === 'analyser') return claim.findings.some(({ reviewer, category, severity }) => analysers.has(reviewer) && isSecurityCategory(category) && isAtLeast(severity, rule.severity));
  return isAtLeast(claim.severity, rule.severity) && strength[claim.agreement] >= strength[rule.agreement];
}

/**
 * A place that does not exist is no ground to block on alone, and neither is a claim that the panel voted down; a claim that
 * names no place at all is judged by its words.
 */
function canBlock(claim: Claim): boolean {
  if (isVotedDown(claim)) return false;
  return claim.supporters.length >= 2 || claim.location?.anchoring !== 'unanchored';
}

function isVotedDown({ deliberation }: Claim): boolean {
  return deliberation?.outcome === 'voted_down';
}

function unverified(claim: Claim): string {
  const { deliberation } = claim;
  if (isVotedDown(claim)) return `voted-down-blocker: ${claim.id} would fail the gate, but the panel voted it down, ${deliberation?.against.length ?? 0} to ${deliberation?.for.length ?? 0}. A person must decide: jury dismiss ${claim.id}.`;
  return `unverified-blocker: ${claim.id} would fail the gate, but the place it names was not found in the subject.`;
}

function describeBlocker(claim: Claim): string {
  return `${claim.id} is ${claim.severity} and supported by ${claim.supporters.length} of ${claim.electorate}.`;
}

function findGaps({ units, reviews, gaps }: Evidence, policy: Policy): string[] {
  const completed = reviews.filter(review => review.status === 'complete');
  const found: string[] = [];
  if (units.length === 0) found.push('Nothing was left to review.');
  for (const review of reviews) {
    if (review.required && review.status !== 'complete') found.push(`Required reviewer ${review.reviewer} did not complete: ${review.failure?.cause ?? reasonOf(review) ?? review.status}.`);
  }
  if (completed.length < policy.quorum) found.push(`${completed.length} of ${reviews.length} reviewers completed; the quorum is ${policy.quorum}.`);
  for (const unit of units) {
    if (!completed.some(review => review.coverage.some(reading => reading.path === unit && reading.extent === 'full'))) {
      found.push(`${unit} was read in full by no reviewer that completed${whyUnread(unit, completed)}.`);
    }
  }
  return [...found, ...gaps];
}

/** The first reason a completed reviewer gives: most often they all have the same. */
function whyUnread(unit: string, completed: readonly Review[]): string {
  const why = completed.flatMap(review => review.coverage).find(reading => reading.path === unit && reading.why !== null)?.why;
  return why ? ` (${why})` : '';
}
