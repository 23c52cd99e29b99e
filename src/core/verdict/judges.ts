/**
 * The judges of a run: each looks at one thing and returns the reasons it sees. What a reviewer thinks the outcome should be is
 * not read here: a model can add findings, it cannot approve. Silence passes only where somebody was listening.
 */
import {
  type Claim,
  type Grounding,
  type ResearchResult,
  countSupport,
  strength,
} from '../words/claim.ts';
import type { Seat } from '../words/config.ts';
import { type Verification, describeCriterion } from './verification.ts';
import type { TriagedFile } from '../context/scope.ts';
import { type EngineFinding, isSecurityCategory } from '../safety/engine-finding.ts';
import { quorumAmong } from '../panel.ts';
import { guardsOf, isReader, voicesOf } from '../words/runner.ts';
import { reasonOf, type Review, idsOf } from '../words/review.ts';
import { type StatedFinding, isAtLeast } from '../words/finding.ts';
import { counts, isReadBySomebody, type CoverageMatrix } from './coverage.ts';
import { type Approval, leavesOpen, type Reason, withoutApproved } from './record.ts';
import { type AgentRow, vetoesIn } from './panel-table.ts';
import { type OutcomeRules, parseFailRules, type Policy } from './rule-set.ts';
import { present } from '../groups.ts';

export interface Evidence {
  readonly run: string;
  readonly seats: readonly Pick<Seat, 'id' | 'runner' | 'role' | 'persona'>[];
  readonly reviews: readonly Review[];
  /** What is under review; no row at all cannot pass. */
  readonly matrix: CoverageMatrix;
  /** Files of a change, and whether security must read them. */
  readonly files: readonly Pick<TriagedFile, 'path' | 'sensitive' | 'reason'>[];
  readonly claims: readonly Claim[];
  /** Is the place one that the change adds? Of any other subject every place is. */
  readonly isAdded: (place: Claim['location']) => boolean;
  /** Why a person lets sensitive files pass without a look at security; null or blank: nobody does. */
  readonly skipSecurity: string | null;
  /** What the engine itself found. */
  readonly found: readonly Pick<EngineFinding, 'path' | 'text'>[];
  /** What the votes of a verification come to; null in every other mode. */
  readonly verification: Verification | null;
  /** The verdict of each reviewer of a change; empty elsewhere. */
  readonly verdicts: readonly Pick<AgentRow, 'reviewer' | 'verdict' | 'ground'>[];
  /** Null where the answer is no result of research. */
  readonly research: Pick<ResearchResult, 'status' | 'why'> | null;
  /** Known before anybody was asked, such as a change of Jury's own configuration. */
  readonly known: readonly Reason[];
  /** Git ids of the files of a change that are no text, by path. */
  readonly binaries: ReadonlyMap<string, string>;
  /** What a person let pass of this very change. */
  readonly approvals: readonly Approval[];
  readonly isInterrupted: boolean;
  /** Is the input another one by now? */
  readonly isMoved: boolean;
  /** Why a call was not made that would have gone over the ceiling of the month; null where none was refused on that account. */
  readonly month: string | null;
}

/** What decides: the rule set and what the configuration adds. */
export interface Rules extends Policy {
  readonly rules: OutcomeRules;
}

/** In the order in which people should read what they say. */
const judges: readonly ((evidence: Evidence, rules: Rules) => Reason[])[] = [
  judgeFound,
  judgeClaims,
  judgeUnaccounted,
  judgeVetoes,
  judgeVerification,
  judgeSecurity,
  judgeInterruption,
  judgeInput,
  judgeMonth,
  judgeCompletion,
  judgeResearch,
  judgeReading,
  ({ known }) => [...known],
];

export function judgeRun(evidence: Evidence, rules: Rules): Reason[] {
  return withoutApproved(hear(evidence, rules), evidence.approvals).open;
}

/** What a person let pass of what the judges say. */
export function approvedOf(evidence: Evidence, rules: Rules) {
  return withoutApproved(hear(evidence, rules), evidence.approvals).given;
}

/** What a person lifted, and what for: only where it would have stood. */
export function overridesOf(evidence: Evidence, rules: Rules) {
  const reason = (evidence.skipSecurity ?? '').trim();
  return reason === '' || judgeSecurity({ ...evidence, skipSecurity: null }, rules).length === 0
    ? []
    : [{ rule: 'security-coverage', reason, source: 'JURY_SKIP_SECURITY' }];
}

function hear(evidence: Evidence, rules: Rules) {
  return judges.flatMap(judge => judge(evidence, rules));
}

function fails(rule: Reason['rule'], subject: string, sentence: string): Reason {
  return { rule, effect: 'FAIL', subject, sentence };
}

/** The engine's own findings fail the run whatever the fail rules are. */
function judgeFound({ found }: Evidence): Reason[] {
  return found.map(({ path, text }) => fails('engine', path, text));
}

type Said = Pick<Evidence, 'claims' | 'verification' | 'reviews' | 'matrix' | 'isAdded'>;

/** Votes on criteria are counted elsewhere and not held against the fail rules. */
function judgeClaims(evidence: Said, { rules, failOn, unverifiedBlocker }: Rules): Reason[] {
  const { claims, verification } = evidence;
  const { claims: when, fails: further } = rules.parameters;
  if (when !== 'always') return [];
  const isHit = createFailTest([...failOn, ...parseFailRules(further)], evidence);
  const hits = claims.filter(
    claim => (verification === null || !isMadeOfVotes(claim, verification)) && isHit(claim),
  );
  return hits.flatMap(claim => {
    const doubt = doubtAbout(claim, evidence);
    if (doubt !== null) return unverifiedBlocker === 'incomplete' ? [doubt] : [];
    return [
      fails(
        'claim',
        claim.id,
        `${claim.id} is ${claim.severity} and supported by ${countSupport(claim)} of ${claim.electorate}.`,
      ),
    ];
  });
}

/** Whoever says what would fail the gate alone, in words that are in none of its findings, leaves it open where the quorum does not. */
function judgeUnaccounted(evidence: Evidence, policy: Rules): Reason[] {
  const { failOn, rules } = policy;
  const { claims: when, fails: further } = rules.parameters;
  if (judgeCompletion(evidence, policy).some(({ rule }) => rule === 'quorum')) return [];
  const isHit = createFailTest([...failOn, ...parseFailRules(further)], evidence);
  return evidence.reviews.flatMap(({ reviewer, unaccounted: severity, findings }) =>
    when === 'always' &&
    severity &&
    !findings.some(finding => isAtLeast(finding.severity, severity)) &&
    isHit({ state: 'new', severity, agreement: 'single', supporters: [reviewer], findings: [] })
      ? leavesOpen(
          'ungrounded',
          reviewer,
          `unaccounted-blocker: ${reviewer} says something ${severity} that is in none of its findings: jury show ${reviewer} --full ` +
            'shows it, --fresh asks anew.',
        )
      : [],
  );
}

/** Says the claim nothing but what the votes say, so that they decide about it? */
function isMadeOfVotes({ findings }: Claim, { criteria }: Verification) {
  return findings.every(finding =>
    criteria.some(
      ({ criterion, fail }) =>
        criterion === criterionOf(finding) && fail.includes(finding.reviewer),
    ),
  );
}

/** The criterion that such a finding is about; null where the vote named none. */
function criterionOf({ label, text }: Pick<StatedFinding, 'label' | 'text'>) {
  const [, number] =
    /^Criterion (\d{1,4})(?::| is not met$)/.exec(label.toUpperCase() === 'FAIL' ? text : '') ?? [];
  return number === undefined ? null : Number(number);
}

/** Ids of the claims that fail a run. */
export function blockingClaims(claims: readonly Pick<Claim, 'id'>[], reasons: readonly Reason[]) {
  const failing = new Set(
    reasons
      .filter(({ rule, effect }) => rule === 'claim' && effect === 'FAIL')
      .map(({ subject }) => subject),
  );
  return claims.filter(({ id }) => failing.has(id)).map(({ id }) => id);
}

/** Where a reader sits, a check is heard by the rule for checks alone; a reader that sits alone is the majority. */
function createFailTest(
  rules: ReturnType<typeof parseFailRules>,
  { reviews, isAdded }: Pick<Evidence, 'reviews' | 'isAdded'>,
): (claim: Pick<Claim, 'state' | 'severity' | 'agreement' | 'supporters' | 'findings'>) => boolean {
  const voices = idsOf(voicesOf(reviews));
  const checks = idsOf(reviews.filter(review => !isReader(review)));
  const isAlone = reviews.filter(isReader).length === 1;
  return ({ state, severity: worst, agreement, supporters, findings }) =>
    state !== 'dismissed' &&
    rules.some(rule =>
      rule.by === 'check'
        ? findings.some(
            ({ reviewer, category, severity, location }) =>
              checks.has(reviewer) &&
              isSecurityCategory(category) &&
              isAtLeast(severity, rule.severity) &&
              isAdded(location),
          )
        : isAtLeast(worst, rule.severity) &&
          supporters.some(reviewer => voices.has(reviewer)) &&
          strength[agreement] >=
            strength[isAlone && rule.agreement === 'majority' ? 'single' : rule.agreement],
    );
}

/**
 * A place that does not exist is no ground to block on alone, and neither is one that its only reviewer was not shown, what another
 * reader of the same denies, and what the panel voted down. A claim that names no place is judged by its words. Null: nothing
 * speaks against it.
 */
function doubtAbout(
  { id, deliberation, supporters, location, against }: Claim,
  { reviews, matrix }: Pick<Evidence, 'reviews' | 'matrix'>,
) {
  if (deliberation?.outcome === 'voted_down') {
    const votes = `${deliberation.against.length} to ${deliberation.for.length}`;
    return leavesOpen(
      'vote',
      id,
      `voted-down-blocker: ${id} would fail the gate, but the panel voted it down, ${votes}. A person must decide: jury dismiss ${id}.`,
    );
  }
  const [only, ...others] = supporters;
  if (only === undefined || others.length > 0) return null;
  const doubt = (what: string): Reason =>
    leavesOpen('ungrounded', id, `unverified-blocker: ${id} would fail the gate, but ${what}.`);
  if (location?.anchoring === 'unanchored')
    return doubt('the place it names was not found in the subject');
  const cells = matrix.find(({ path }) => path === location?.path)?.cells ?? null;
  const extentFor = (reviewer: string): string | undefined =>
    cells?.find(cell => cell.reviewer === reviewer)?.extent;
  const isWhole = reviews.some(
    ({ reviewer, status }) => reviewer === only && status === 'complete',
  );
  if (isWhole && /^(?:skipped|outside)$/.test(extentFor(only) ?? ''))
    return doubt(`it names a file that ${only} was not shown`);
  const denier = against.find(
    ({ reviewer }) => reviewer !== only && (cells === null || extentFor(reviewer) === 'full'),
  )?.reviewer;
  return denier === undefined
    ? null
    : leavesOpen(
        'vote',
        id,
        `denied-blocker: ${id} would fail the gate, but ${denier} read the same and says the opposite. A person must ` +
          `decide: jury dismiss ${id}.`,
      );
}

/** No rule lets a failed verification pass, and none fails what is only disputed. A FAIL that names no criterion is never nothing. */
function judgeVerification(evidence: Said, rules: Rules): Reason[] {
  const { verification, claims } = evidence;
  if (verification === null) return [];
  const { criteria } = verification;
  const about = (result: (typeof criteria)[number]['result'], make: typeof fails) =>
    criteria
      .filter(judged => judged.result === result)
      .map(judged =>
        make('verification', `criterion ${judged.criterion}`, describeCriterion(judged)),
      );
  const judged = new Set(judgeClaims(evidence, rules).map(({ subject }) => subject));
  const strays = claims.filter(
    claim =>
      !isMadeOfVotes(claim, verification) &&
      !judged.has(claim.id) &&
      claim.state !== 'dismissed' &&
      claim.findings.some(({ label }) => label.toUpperCase() === 'FAIL'),
  );
  return [
    ...about('fail', fails),
    ...about('disputed', leavesOpen),
    ...(criteria.length === 0
      ? [leavesOpen('verification', 'criteria', 'No criterion was judged.')]
      : []),
    ...strays.map(({ id }) =>
      leavesOpen('verification', id, `${id} says FAIL and names no criterion.`),
    ),
  ];
}

function judgeVetoes(evidence: Evidence, rules: Rules): Reason[] {
  const { effect } = rules.rules.parameters.vetoes;
  if (effect === 'none') return [];
  return vetoesIn(evidence, rules.rules).map(({ reviewer, ground, verdict }) => {
    const words = ground === null ? '.' : `: ${ground.replace(/\.$/, '')}.`;
    const sentence =
      verdict === 'VETO'
        ? `${reviewer} vetoes the change${words}`
        : `${reviewer} has warnings, and every warning counts as a veto${words}`;
    return { rule: 'veto', effect, subject: reviewer, sentence };
  });
}

/**
 * Sensitive files that nobody read in full who was asked about security: a reader with that persona or, where none is seated, any
 * reader, whose questions ask about it. Checks alone are asked about nothing.
 */
function judgeSecurity(
  { files, matrix, seats, reviews, skipSecurity }: Evidence,
  {
    rules: {
      parameters: { security },
    },
  }: Rules,
): Reason[] {
  const { effect, when } = security;
  const seated = idsOf(reviews.filter(isReader));
  const readers = seats.filter(({ id }) => seated.has(id));
  const guards = guardsOf(readers);
  if (effect === 'none' || (skipSecurity ?? '').trim() !== '') return [];
  if (when === 'asked' && readers.length === 0) return [];
  const asked = new Set(
    (when === 'asked' && guards.length === 0 ? readers : guards).map(({ id }) => id),
  );
  const secured = new Set(
    matrix
      .filter(({ cells }) =>
        cells.some(({ reviewer, extent }) => extent === 'full' && asked.has(reviewer)),
      )
      .map(({ path }) => path),
  );
  return files
    .filter(({ path, sensitive }) => sensitive && !secured.has(path))
    .map(({ path, reason }) => ({
      rule: 'security',
      effect,
      subject: path,
      sentence: `${path} was not reviewed by security-reviewer (${reason ?? 'security-sensitive'}).`,
    }));
}

/** Has it read at least one unit, so that its silence about that says something? A check has by its end. */
export function isHeard(review: Pick<Review, 'runner' | 'role' | 'status' | 'coverage'>) {
  return isReader(review)
    ? review.coverage.some(reading => counts(review, reading))
    : review.status === 'complete';
}

/** Required reviewers, how many must have been heard, and whether a reader must be among them. */
function judgeCompletion(
  { run, reviews, matrix, binaries }: Evidence,
  {
    rules: {
      parameters: { completion, reader },
    },
    checksOnly = false,
    ...policy
  }: Rules,
) {
  const isEverybody = completion === 'everybody';
  const absent = reviews.filter(
    ({ required, status }) =>
      (required && status !== 'complete') || (isEverybody && status === 'failed'),
  );
  const voices = voicesOf(reviews);
  const heard = voices.filter(isHeard).length;
  const wanted = isEverybody ? 1 : quorumAmong(policy, reviews);
  return present(
    ...absent.map(review => leavesOpen('required', review.reviewer, describeAbsence(review))),
    // Where nothing is left to review, or nothing that can be shown, that is said of it.
    heard < wanted &&
      !matrix.every(({ path }) => binaries.has(path)) &&
      leavesOpen(
        'quorum',
        run,
        `${heard} of ${voices.length} reviewers were heard; the quorum is ${wanted}.`,
      ),
    reader !== 'any' &&
      !checksOnly &&
      !reviews.some(isReader) &&
      leavesOpen('quorum', run, noReader),
  );
}

const noReader =
  'Checks alone are no review here: seat a reviewer, or set checksOnly: true in the configuration.';

function describeAbsence(review: Review) {
  return (
    `${review.required ? 'Required reviewer' : 'Reviewer'} ${review.reviewer} did not complete: ` +
    `${review.failure?.cause ?? reasonOf(review) ?? review.status}.`
  );
}

/** A research that found too little is an answer that is missing. */
function judgeResearch({ run, research }: Evidence) {
  return research === null || research.status === 'COMPLETE'
    ? []
    : [leavesOpen('quorum', run, `The research is ${research.status}: ${research.why}.`)];
}

/** What is said of a file before anybody is asked is not said again. */
function judgeReading({
  run,
  matrix,
  known,
  binaries,
}: Pick<Evidence, 'run' | 'matrix' | 'known' | 'binaries'>): Reason[] {
  if (matrix.length === 0) return [leavesOpen('unread', run, 'Nothing was left to review.')];
  const said = new Set(known.filter(({ rule }) => rule === 'unread').map(({ subject }) => subject));
  return matrix
    .filter(row => !isReadBySomebody(row) && !said.has(row.path))
    .map(row => {
      const object = binaries.get(row.path);
      return {
        ...leavesOpen(
          'unread',
          row.path,
          `${row.path} was read in full by no reviewer${whyUnread(row)}.`,
        ),
        ...(object !== undefined && { object }),
      };
    });
}

/** The first reason that is given: most often they all have the same. */
function whyUnread({ cells }: CoverageMatrix[number]) {
  const why = (
    cells.find(cell => cell.why !== null && cell.isExpected && cell.extent !== 'outside') ??
    cells.find(cell => cell.why !== null)
  )?.why;
  return why ? ` (${why})` : '';
}

function judgeInterruption({ run, isInterrupted }: Evidence) {
  return isInterrupted ? [leavesOpen('interrupted', run, 'The run was interrupted.')] : [];
}

function judgeInput({ run, isMoved }: Evidence) {
  return isMoved ? [leavesOpen('changed', run, 'The input has changed since the review.')] : [];
}

/** Whatever the others said: who was seated and was to be paid was not asked. */
function judgeMonth({ run, reviews, month }: Evidence) {
  const refused = reviews.find(({ failure }) => failure?.cause === 'month');
  const why = month ?? refused?.failure?.message ?? null;
  return why === null ? [] : [leavesOpen('month', refused?.reviewer ?? run, why)];
}

/** Whatever was merged must trace to what a reviewer wrote. */
export function judgeGrounding(run: string, grounding: Grounding | null): Reason[] {
  if (grounding?.status !== 'violation') return [];
  return [
    leavesOpen(
      'ungrounded',
      run,
      `${grounding.ungrounded.length} of ${grounding.checked} merged findings trace to nothing a ` +
        `reviewer wrote: ${grounding.ungrounded.slice(0, 3).join(', ')}.`,
    ),
  ];
}
