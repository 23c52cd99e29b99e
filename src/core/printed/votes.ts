/** What is printed as JSON of a vote on motions, and of the consensus of `multi-consensus`. */
import { z } from 'zod';
import { MonthSpending } from '../spending/month.ts';
import { EndedMotions } from '../run-files/plan-file.ts';
import { Verification } from '../verdict/verification.ts';
import { MotionAccount } from '../vote/motion-account.ts';
import type { SamplingSummary, TriageSummary } from '../vote/motions-run.ts';
import { Severity } from '../words/severity.ts';
import { Spent, failureReasons } from '../words/review.ts';

const Triage = z.object({
  total_motions: z.int(),
  novel_proposals: z.int(),
  low_risk: z.int(),
  medium_risk: z.int(),
  high_risk: z.int(),
  average_implicit_support: z.number(),
  total_conflicts: z.int(),
  conflict_search: z.enum(['finished', 'not_finished']),
  conflict_detector: z.enum(['none', 'lexical', 'llm']).or(z.string()),
  conflicts_dropped: z.int(),
}) satisfies z.ZodType<Omit<TriageSummary, 'conflict_detector'>>;

/** `jury motions --dry-run --json`. */
export const PrintedVotePlan = z.object({
  schema: z.literal('jury.vote-plan/1'),
  session: z.string(),
  source: z.string(),
  rules: z.string(),
  motions: z.int(),
  members: z.int(),
  triage: Triage,
  run: z.string().nullable(),
  isComplete: z.boolean(),
  answered: z.int(),
  sampleRisk: z.number().nullable(),
  expected: z.object({
    calls: z.int(),
    reviews: z.int(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    cost: z.number().nullable(),
    unpriced: z.int(),
  }),
  time: z.object({
    seconds: z.number(),
    lanes: z.int(),
    secondsPerCall: z.number(),
    measured: z.int(),
  }),
  panels: z.object({ most: z.int(), callsEach: z.int() }),
  secondPass: z.object({ reviews: z.int() }).nullable(),
  limits: z.record(z.string(), z.number().nullable()),
  month: MonthSpending.extend({ limit: z.number().nullable() }).nullable(),
  spent: Spent,
  places: z.array(
    z.object({ runner: z.string(), endpoint: z.string().nullable(), model: z.string().nullable() }),
  ),
  example: z.object({ member: z.string(), prompt: z.string() }).nullable(),
  sentence: z.string(),
});

const Tally = {
  yeas: z.int(),
  nays: z.int(),
  amends: z.int(),
  abstentions: z.int(),
};
const VoteRow = z.object({
  mega_motion_id: z.string(),
  outcome: z.string(),
  ...Tally,
  no_response: z.int(),
  threshold_required: z.int(),
  panel_recommendation: z.string().nullable(),
  second_pass: z.enum(['asked', 'assumed']).nullable(),
  first_pass: z.object({ ...Tally, outcome: z.string() }).nullable(),
  revised_by: z.enum(['panel', 'facilitator', 'merge']).nullable(),
  supermajority_because: z.enum(['declared', 'title']).nullable(),
  decided_by: z.enum(['vote', 'sample']),
  sample_risk: z.number().nullable(),
  sample: z.object({ asked: z.int(), population: z.int() }).nullable(),
});

const Sampling = z.object({
  sample_risk: z.number(),
  run_id: z.string(),
  decided_by_sample: z.int(),
  reviews_saved: z.int(),
  calls_saved: z.int(),
}) satisfies z.ZodType<SamplingSummary>;

const common = {
  session_id: z.string(),
  session_name: z.string(),
  started_at: z.string(),
  completed_at: z.string(),
  input_dir: z.string(),
  output_dir: z.string().nullable(),
  mode: z.string(),
  rules: z.string(),
  simulated: z.boolean(),
  input: z.object({
    mega_motions: z.int(),
    novel_proposals: z.int(),
    deferred_skipped: z.int(),
  }),
  roster_size: z.int(),
  unknown_supporters: z.int(),
  triage: Triage,
};

/** `jury motions --json`, with `motions` where only triage was asked for. */
export const PrintedVote = z.union([
  z.object({
    ...common,
    motions: z.array(
      z.object({
        mega_motion_id: z.string(),
        title: z.string(),
        risk_tier: z.enum(['low', 'medium', 'high']),
        contributing: z.int(),
        gap: z.int(),
        conflicts: z.int(),
        is_novel_proposal: z.boolean(),
      }),
    ),
  }),
  z.object({
    ...common,
    sampling: Sampling.nullable(),
    assignments: z.object({ total: z.int(), average_per_archon: z.number() }),
    reviews: z.object({
      response_count: z.int(),
      response_rate: z.number(),
      no_response_count: z.int(),
    }),
    deliberation: z.object({ panels_convened: z.int(), failed: z.int(), skipped: z.int() }),
    ratification: z.object({
      ratified: z.int(),
      accepted_with_amendments: z.int(),
      rejected: z.int(),
      deferred: z.int(),
      incomplete: z.int(),
      second_pass: z
        .object({ motions: z.int(), how: z.string(), questions: z.int(), answered: z.int() })
        .nullable(),
      votes: z.array(VoteRow),
    }),
    audit: z.object({ head_sha256: z.string() }),
  }),
]);

/** `jury motions show --json`. */
export const PrintedMotion = MotionAccount;

const RatifiedSet = {
  rules: z.string(),
  votes: z.array(z.looseObject({ mega_motion_id: z.string(), outcome: z.string() })),
  counts: z.record(z.string(), z.int()),
};

/** The counts are those of a simulation; else the key is left out. */
const simulated = z.literal(true).optional();

/** `jury motions ratify --json`: of one rule set, of all, or of one motion by each of them. */
export const PrintedRatification = z.union([
  z.object({ ...RatifiedSet, roster_size: z.int(), simulated }),
  z.object({
    rules: z.literal('all'),
    roster_size: z.int(),
    simulated,
    sets: z.array(z.object(RatifiedSet)),
  }),
  z.array(z.object({ rules: z.string(), account: MotionAccount })),
]);

/** `jury motions verify-audit --json`. */
export const PrintedAudit = z.object({
  intact: z.boolean().nullable(),
  first_broken_seq: z.int().nullable(),
  events: z.int(),
  head_sha256: z.string(),
  results: z.enum(['intact', 'changed', 'not_recorded', 'not_checked']),
  changed: z.array(z.string()),
  missing: z.array(z.string()),
  added: z.array(z.string()),
  recount: z.string(),
  first_difference: z.unknown(),
});

/** `jury report --json` of a vote. */
export const PrintedEnd = EndedMotions;

/** `multi-consensus --json`. */
export const PrintedConsensus = z.object({
  schema: z.literal('jury.consensus/1'),
  mode: z.string(),
  title: z.string(),
  strategy: z.object({
    name: z.string(),
    threshold: z.number().nullable(),
    version: z.string(),
  }),
  severities: z.array(z.string()),
  commits: z.object({ base: z.string(), head: z.string() }).nullable(),
  reviewers: z.array(
    z.object({
      name: z.string(),
      required: z.boolean(),
      status: z.enum(['ok', ...failureReasons]),
      status_text: z.string(),
      findings: z.int(),
      files_read: z.array(z.string()).nullable(),
      dropped: z.object({ placeholder: z.int(), template: z.int(), prompt: z.int() }),
      unparsed: z.array(z.string()),
      duration_ms: z.int(),
      tokens_in: z.int(),
      tokens_out: z.int(),
      raw_path: z.string().nullable(),
    }),
  ),
  quorum: z.object({ required: z.int(), completed: z.int(), met: z.boolean() }),
  claims: z.array(
    z.object({
      id: z.string(),
      tier: z.enum(['high', 'medium', 'consider']),
      severity: Severity,
      label: z.string(),
      text: z.string(),
      file: z.string().nullable(),
      line: z.int().nullable(),
      support: z.int(),
      electorate: z.int(),
      supporters: z.array(z.string()),
      electors: z.array(z.string()),
      severity_conflict: z.record(z.string(), Severity).nullable(),
      contradicts: z.array(z.string()),
      findings: z.array(
        z.object({
          reviewer: z.string(),
          original_id: z.string(),
          label: z.string(),
          severity: Severity,
          text: z.string(),
          file: z.string().nullable(),
          line: z.int().nullable(),
          raw: z.string(),
        }),
      ),
    }),
  ),
  counts: z.object({
    high: z.int(),
    medium: z.int(),
    consider: z.int(),
    by_severity: z.record(Severity, z.int()),
  }),
  verification: Verification.nullable(),
});
