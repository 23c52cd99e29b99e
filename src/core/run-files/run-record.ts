/** Puts together what a program reads about a run: nothing here is decided, only counted and named. */
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { cut } from '../text.ts';
import type { Subject } from '../words/change.ts';
import type { Claim } from '../words/claim.ts';
import type { EngineFinding } from '../safety/engine-finding.ts';
import type { Plan } from '../words/plan.ts';
import { voicesOf } from '../words/reader.ts';
import { addUsage, causes, displayOf, type Review, type Usage } from '../words/review.ts';
import type { Adopted, Carried, RunRecord, RunReviewer } from '../words/run.ts';
import type { ResearchResult } from '../words/research-result.ts';
import type { StageRecord } from '../panel.ts';
import type { GivenApproval } from '../verdict/approval.ts';
import { blockingClaims, isHeard } from '../verdict/judges.ts';
import type { Decided } from '../verdict/outcome.ts';
import type { ConsensusReview } from '../verdict/panel-table.ts';
import type { Reading } from '../verdict/readings.ts';
import { countedFindings, standingOf } from '../verdict/review-status.ts';
import { computeVerdict } from '../verdict/verdict-file.ts';

export interface RecordRequest extends Pick<
  RunRecord,
  | 'fixed'
  | 'dismissed'
  | 'coverage'
  | 'strategy'
  | 'verification'
  | 'completedAt'
  | 'reused'
  | 'judge'
> {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly reviews: readonly Review[];
  readonly claims: readonly Claim[];
  readonly readings: readonly Reading[];
  readonly frames: NonNullable<RunRecord['frames']>;
  readonly engineFindings: readonly EngineFinding[];
  readonly decision: Decided;
  readonly approvals: readonly GivenApproval[];
  /** Null when the subject is no change, and for the gates of a commit. */
  readonly consensusReview: ConsensusReview | null;
  /** Why the last round asked nobody; null where it asked somebody. */
  readonly standstill: string | null;
  /** Null where everybody was asked. */
  readonly adopted: Adopted | null;
  /** Null where no earlier state of the change was reviewed. */
  readonly carried: Carried | null;
  /** Of calls that were no reviews: the votes about claims. */
  readonly furtherUsage: Usage;
  readonly stages: readonly StageRecord[];
  /** Null where the answer is no result of research. */
  readonly research: ResearchResult | null;
  /** Null where nothing was lifted, and it is not the gates of a commit. */
  readonly gate: RunRecord['gate'] | null;
}

export function makeRecord({
  plan,
  subject,
  reviews,
  claims,
  readings,
  judge,
  frames,
  engineFindings,
  decision,
  approvals,
  consensusReview,
  furtherUsage,
  stages,
  ...rest
}: RecordRequest): RunRecord {
  const { quorum: required } = plan.policy;
  const completed = voicesOf(reviews).filter(isHeard).length;
  const usage = reviews.map(review => review.usage).reduce(addUsage, furtherUsage);
  const { standstill, adopted, carried, research, gate, ...kept } = rest;
  return {
    schema: 'jury.run/1',
    run: plan.run,
    uri: `resources://runs/${plan.run}/`,
    version: plan.version,
    command: plan.command,
    mode: plan.mode,
    subject: describeSubject(subject),
    severities: plan.labels.map(([label]) => label),
    quorum: { required, completed, met: completed >= required },
    ...decision,
    ...(approvals.length > 0 && { approvals: [...approvals] }),
    blocking: blockingClaims(claims, decision.reasons),
    reviewers: reviews.map(describeReviewer),
    claims: [...claims],
    ...(readings.length > 0 && {
      readings: readings.map(({ taken, isJudged, claims: own }) => ({
        taken,
        isJudged,
        claims: [...own],
      })),
    }),
    ...(judge && { judge }),
    ...(Object.keys(frames).length > 0 && { frames }),
    ...(engineFindings.length > 0 && { engineFindings: [...engineFindings] }),
    ...(consensusReview !== null && { consensusReview }),
    usage: {
      calls: usage.calls,
      tokens: usage.inputTokens + usage.outputTokens,
      cost: usage.cost,
      details: usage,
    },
    startedAt: plan.startedAt,
    ...kept,
    ...(stages.length > 1 && { stages: [...stages] }),
    ...(research !== null && { research }),
    ...(gate !== null && gate !== undefined && { gate }),
    ...(adopted !== null && { adopted }),
    ...(carried !== null && { carried }),
    ...(standstill !== null && { standstill }),
  };
}

/** What a `report.json` says it is, where that is no record of this version; null where it says nothing, or that. */
export function otherSchemaIn(text: string): string | null {
  const { data } = z.looseObject({ schema: z.string() }).safeParse(parseJson(text));
  return data === undefined || data.schema === 'jury.run/1' ? null : cut(data.schema, 40);
}

export function describeSubject(subject: Subject): RunRecord['subject'] {
  const { kind, title } = subject;
  const nothing = { source: null, base: null, head: null, files: 0, additions: 0, deletions: 0 };
  if (subject.kind === 'question') return { kind, title, ...nothing, warnings: [] };
  const { source, files, warnings } = subject;
  if (subject.kind === 'document')
    return { kind, title, ...nothing, source, files: files.length, warnings };
  const { base, head, usual } = subject;
  const sum = (key: 'additions' | 'deletions'): number =>
    subject.files.reduce((total, file) => total + file[key], 0);
  return {
    kind,
    title,
    source,
    base,
    head,
    warnings,
    files: files.length,
    additions: sum('additions'),
    deletions: sum('deletions'),
    ...(usual !== undefined && { usual }),
  };
}

function describeReviewer(review: Review): RunReviewer {
  const { status, failure, coverage, usage, spending } = review;
  const counted = countedFindings(review);
  const skipped = spending?.skipped ?? { medium_count: 0, low_count: 0 };
  return {
    id: review.reviewer,
    persona: review.persona,
    runner: review.runner,
    ...(review.role && { role: review.role }),
    model: review.model,
    required: review.required,
    status,
    reason: failure === null ? null : causes[failure.cause].reason,
    cause: failure?.cause ?? null,
    message: failure?.message ?? null,
    display: displayOf(review),
    findings: counted.length,
    filesReviewed: coverage.filter(({ extent }) => extent === 'full').length,
    filesSkipped: coverage.filter(({ extent }) => extent === 'skipped' || extent === 'partial')
      .length,
    tokens: {
      input: usage.inputTokens,
      output: usage.outputTokens,
      cached: usage.cachedTokens,
      estimated: usage.estimated,
    },
    durationMs: review.durationMs,
    verdict:
      status === 'failed' ? 'error' : computeVerdict(counted.map(({ severity }) => severity)),
    statedVerdict: review.statedVerdict,
    ...(skipped.medium_count + skipped.low_count > 0 && { skipped }),
    ...readingOf(review),
    ...(review.isolation && { isolation: review.isolation }),
    detail: `reviews/${review.reviewer}.md`,
  };
}

/** Nothing where every line was read as it stands and the claimed verdict is that of the findings. */
function readingOf(review: Review): Pick<RunReviewer, 'reading'> {
  const { claim } = standingOf(review);
  const { placeholder, template, prompt } = review.dropped;
  const reading = {
    claim,
    deviations: [...review.repairs],
    unparsed: review.unparsed.length,
    // An honest nothing is an answer.
    discarded: (review.findings.length === 0 ? 0 : placeholder) + template + prompt,
  };
  const isOdd =
    (review.status !== 'failed' && (claim === 'lower' || claim === 'higher')) ||
    reading.deviations.length + reading.unparsed + reading.discarded > 0;
  return isOdd ? { reading } : {};
}
