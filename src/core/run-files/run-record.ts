/** Puts together what a program reads about a run: nothing here is decided, only counted and named. */
import { sumOf } from '../groups.ts';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { quorumAmong } from '../panel.ts';
import { cut } from '../text.ts';
import { blockingClaims, isHeard } from '../verdict/judges.ts';
import type { decide } from '../verdict/outcome.ts';
import { countedFindings, standingOf } from '../verdict/review-status.ts';
import type { Subject } from '../words/change.ts';
import { Amount, Count, Text } from '../words/fields.ts';
import type { Plan } from '../words/plan.ts';
import { voicesOf } from '../words/runner.ts';
import { type Review, Spent, type Usage, addUsage, displayOf, reasonOf } from '../words/review.ts';
import type { RunRecord, RunReviewer } from '../words/run.ts';

/** What only some records have. */
type Part =
  | 'approvals'
  | 'readings'
  | 'judge'
  | 'frames'
  | 'engineFindings'
  | 'consensusReview'
  | 'stages'
  | 'research'
  | 'gate'
  | 'adopted'
  | 'carried'
  | 'standstill';

type Parts = { readonly [Key in Part]: NonNullable<RunRecord[Key]> | null };

interface RecordRequest extends Pick<
  RunRecord,
  | 'claims'
  | 'fixed'
  | 'dismissed'
  | 'coverage'
  | 'strategy'
  | 'verification'
  | 'completedAt'
  | 'reused'
> {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly reviews: readonly Review[];
  readonly decision: ReturnType<typeof decide>;
  /** Of calls that were no reviews: the votes about claims. */
  readonly furtherUsage: Usage;
  /** Null, and an empty list or table, is none. */
  readonly parts: Parts;
}

export function makeRecord({
  plan,
  subject,
  reviews,
  decision,
  furtherUsage,
  parts,
  ...kept
}: RecordRequest): RunRecord {
  const { run, version, command, mode, startedAt, policy } = plan;
  const completed = voicesOf(reviews).filter(isHeard).length;
  const required = quorumAmong(policy, reviews);
  const usage = reviews.map(review => review.usage).reduce(addUsage, furtherUsage);
  return {
    schema: 'jury.run/1',
    run,
    uri: `resources://runs/${run}/`,
    version,
    command,
    mode,
    subject: describeSubject(subject),
    severities: plan.labels.map(([label]) => label),
    quorum: { required, completed, met: completed >= required },
    ...decision,
    blocking: blockingClaims(kept.claims, decision.reasons),
    reviewers: reviews.map(describeReviewer),
    usage: {
      calls: usage.calls,
      tokens: usage.inputTokens + usage.outputTokens,
      cost: usage.cost,
      details: usage,
    },
    startedAt,
    ...kept,
    ...present(parts),
  };
}

function present(parts: Parts) {
  return Object.fromEntries(
    Object.entries(parts).filter(([, part]) => part !== null && Object.keys(part).length > 0),
  );
}

/** What a `report.json` says it is, where that is no record of this version; null where it says nothing, or that. */
export function otherSchemaIn(text: string) {
  const { data } = z.looseObject({ schema: Text }).safeParse(parseJson(text));
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

  return {
    kind,
    title,
    source,
    base,
    head,
    warnings,
    files: files.length,
    additions: sumOf(subject.files, ({ additions }) => additions),
    deletions: sumOf(subject.files, ({ deletions }) => deletions),
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
    reason: reasonOf(review),
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
    verdict: standingOf(review).computed,
    statedVerdict: review.statedVerdict,
    ...(skipped.medium_count + skipped.low_count > 0 && { skipped }),
    ...readingOf(review),
    ...(review.isolation && { isolation: review.isolation }),
    detail: `reviews/${review.reviewer}.md`,
  };
}

/** Nothing where every line was read as it stands and the claimed verdict is that of the findings. */
function readingOf(review: Review) {
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

// What the files of a run are named by, and the plan of a vote.

/** UTC time and six hex digits: sorts by age. */
export const runIdPattern = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** `plan.json` of a formal vote. */
export const MotionsPlan = z.looseObject({
  schema: z.literal('jury.motions-plan/1'),
  run: Text.regex(runIdPattern),
  version: Text,
  startedAt: Text,
  /** Absolute folder the caller stood in. */
  cwd: Text,
  /** The session, for lists of runs. */
  title: Text,
  /** As the command took it, so that it can be given again. */
  request: z.unknown(),
  /** Of everything that decides what members are asked. */
  inputHash: Text,
  /** Of each part of that, by its name, so that one that has changed can be named. */
  inputs: z.record(Text, Text),
  /** By who answers: its program as it was; left out by earlier versions. */
  programs: z.record(Text, Text).optional(),
  /** Random delimiter around untrusted text. */
  fence: Text,
});
export type MotionsPlan = z.infer<typeof MotionsPlan>;

/** `motions.json`: a run folder of a vote without it never ended. */
export const EndedMotions = z.object({
  schema: z.literal('jury.motions-run/1'),
  run: Text,
  title: Text,
  startedAt: Text,
  completedAt: Text,
  /** Absolute folder of the artifacts. */
  artifacts: Text,
  counts: z.record(Text, Amount),
});
export type EndedMotions = z.infer<typeof EndedMotions>;

/** That the audit trail of a vote ended so: the head is in the key. */
export const NotedHead = Text;

/** How a round of a vote ended, as its journal keeps it. */
export const RoundEnd = z.object({
  /** Over all rounds. */
  spent: Spent,
  /** Answers that were asked for and did not come. */
  missing: Count,
});

// Which pack a role of a task was last given: remembered for as long as the task lives, and at most an hour after the last use.

/** Milliseconds after the last use at which an entry is forgotten. */
export const defaultTimeToLiveMs = 3_600_000;

export const RunMemoryEntry = z.object({ uri: Text, usedAt: Amount });
type RunMemoryEntry = z.infer<typeof RunMemoryEntry>;

/** `<task>/<agent in lower case>/context_pack_uri`. */
export function runMemoryKey(task: string, agent: string) {
  return `${task}/${agent.toLowerCase()}/context_pack_uri`;
}

/** An entry is alive up to the end of its time, and dead after it. Times in milliseconds since 1970. */
export function isAlive({ usedAt }: RunMemoryEntry, now: number) {
  return now - usedAt <= defaultTimeToLiveMs;
}
