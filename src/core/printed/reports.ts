/** What is printed as JSON of a review: the run, what it would send, what it would take, its claims and why they are claims. */
import { z } from 'zod';
import { Disposition, KnownClaim } from '../memory/known-claim.ts';
import { MonthSpending } from '../spending/month.ts';
import { Approval } from '../verdict/approval.ts';
import { outcomes, Reason } from '../verdict/record.ts';
import { Claim } from '../words/claim.ts';
import { Carried, RunRecord } from '../words/run.ts';
import { Severity } from '../words/severity.ts';
import type { ClaimExplanation } from '../matching/explaining/explain.ts';
import type { ReviewPlan } from '../context/review-plan.ts';
import { UsualChange } from '../words/change.ts';
import { ToldKnowledge } from '../words/guideline.ts';

/** `jury review --json` and whatever else ends with the report of a run. */
export const PrintedRun = RunRecord.extend({ exitCode: z.int() });

const UnfinishedRun = z.object({
  schema: z.literal('jury.unfinished-run/1'),
  run: z.string(),
  command: z.string().nullable(),
  title: z.string().nullable(),
  startedAt: z.string(),
  state: z.enum(['running', 'unfinished', 'unreadable']),
  reviewers: z.int(),
  resume: z.string().nullable(),
});

const ListedVote = z.object({
  schema: z.literal('jury.motions-run/1'),
  run: z.string(),
  title: z.string(),
  startedAt: z.string(),
  completedAt: z.string().nullable(),
  artifacts: z.string().nullable(),
  counts: z.record(z.string(), z.number()).nullable(),
});

/** `jury runs --json`: ended ones first, then those under way or killed, then votes. */
export const PrintedRuns = z.array(z.union([RunRecord, UnfinishedRun, ListedVote]));

const CallRange = z.object({ expected: z.number(), ceiling: z.number() });
const CostRange = z.object({ input: z.number(), ceiling: z.number() }).nullable();
const VerifyForecast = z.object({
  level: z.string(),
  reviewers: z.int(),
  calls: CallRange,
  tokens: z.number(),
  cost: z.number().nullable(),
});
const DeliberationForecast = z.object({
  reviewers: z.int(),
  batch: z.int(),
  claims: z.int(),
  calls: z.int(),
  panelCalls: z.int(),
  tokens: z.number(),
  cost: z.number().nullable(),
});

/** `jury review --dry-run --json`. */
export const PrintedPreview = z.object({
  title: z.string(),
  usual: UsualChange.nullable(),
  reviewers: z.array(
    z.object({
      id: z.string(),
      runner: z.string(),
      model: z.string().nullable(),
      baseUrl: z.string().nullable(),
      provider: z.string().nullable(),
      host: z.string().nullable(),
      isLocal: z.boolean(),
      notAsked: z.string().nullable(),
      persona: z.string(),
      required: z.boolean(),
      files: z.array(z.string()),
      skipped: z.array(z.string()),
      notSent: z.array(z.object({ path: z.string(), why: z.string().nullable() })),
      questions: z.int(),
      bytes: z.int(),
      tokens: z.int(),
      timeoutSeconds: z.number(),
      prompt: z.string(),
    }),
  ),
  knowledge: ToldKnowledge,
  excluded: z.array(z.string()),
  quorum: z.int(),
  masked: z.int(),
  carried: Carried.exactOptional(),
  matching: z
    .object({ strategy: z.string(), model: z.string(), host: z.string().nullable() })
    .nullable(),
  verify: VerifyForecast.nullable(),
  deliberation: DeliberationForecast.nullable(),
});

const PlannedReviewer = z.object({
  id: z.string(),
  persona: z.string(),
  role: z.string(),
  runner: z.string(),
  model: z.string().nullable(),
  provider: z.string().nullable(),
  host: z.string().nullable(),
  required: z.boolean(),
  price: z.record(z.string(), z.number()).nullable(),
  files: z.array(z.string()),
  skipped: z.array(z.string()),
  packs: z.int(),
  bytes: z.int(),
  tokens: z.int(),
  factor: z.number(),
  why: z.array(z.string()),
  budget: z.int().nullable(),
  fits: z.boolean(),
  calls: CallRange,
  cost: CostRange,
});

/** `jury plan --json`. */
export const PrintedPlan = z.object({
  schema: z.literal('jury.review-plan/1'),
  title: z.string(),
  usual: UsualChange.nullable(),
  carried: Carried.exactOptional(),
  subject: z.object({
    total_tokens: z.int(),
    counter: z.object({ name: z.string(), version: z.string(), estimated: z.boolean() }),
    files: z.array(
      z.object({
        path: z.string(),
        bytes: z.int(),
        lines: z.int(),
        changed_lines: z.int(),
        tokens: z.int(),
        sensitive: z.boolean(),
        reason: z.string().nullable(),
      }),
    ),
    skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
  }),
  complexity: z.enum(['SIMPLE', 'STANDARD', 'COMPLEX']).nullable(),
  isolation: z.enum(['shared', 'branch']),
  budget: z.object({
    total_tokens: z.int(),
    scale: z.number(),
    mode: z.enum(['shared', 'branch']),
    multiplier: z.number(),
    budgets: z.record(z.string(), z.int()),
    granted: z.record(z.string(), z.int()),
    cover: z.enum(['all', 'dealt', 'once', 'risk']),
  }),
  unread: z.array(z.string()),
  ledgers: z.array(z.object({ name: z.string(), total: z.int() })),
  quorum: z.int(),
  panel: z.array(PlannedReviewer),
  leftOut: z.array(z.object({ id: z.string(), why: z.string(), isOutside: z.boolean() })),
  gaps: z.array(z.string()),
  knowledge: ToldKnowledge,
  calls: CallRange,
  cost: CostRange,
  verify: VerifyForecast.nullable(),
  deliberation: DeliberationForecast.nullable(),
  month: MonthSpending.extend({ limit: z.number().nullable() }).nullable(),
  ceiling: z.object({
    calls: z.number().nullable(),
    tokens: z.number().nullable(),
    cost: z.number().nullable(),
  }),
}) satisfies z.ZodType<Partial<Record<keyof ReviewPlan, unknown>>>;

const Contributions = z.array(
  z.object({ evidence: z.string(), words: z.string(), worth: z.number() }),
);
const Estimate = z.object({
  probability: z.number(),
  start: z.number(),
  contributions: Contributions,
});
const PairReasons = z.object({
  one: z.string(),
  other: z.string(),
  score: z.number(),
  same: z.boolean(),
  reason: z.string(),
  start: z.number().nullable(),
  contributions: Contributions,
});
const Recorded = Claim.pick({ id: true, confidence: true, verified: true, deliberation: true });

/** `jury explain --json`, `jury consensus --explain --json`. */
export const PrintedExplanation = z.object({
  schema: z.literal('jury.explanation/1'),
  run: z.string().nullable(),
  sentence: z.string(),
  claim: Claim,
  strategy: RunRecord.shape.strategy,
  joined: z.array(PairReasons),
  names: z.record(z.string(), z.string()),
  apart: z.array(
    z.object({
      claim: z.string(),
      text: z.string(),
      supporters: z.array(z.string()),
      nearest: PairReasons,
      divided: PairReasons.nullable(),
    }),
  ),
  against: z.array(
    z.object({
      claim: z.string().nullable(),
      supporters: z.array(z.string()),
      reviewer: z.string(),
      finding: z.string(),
      statement: z.string(),
    }),
  ),
  unopposed: z.number().nullable(),
  denies: z.array(Claim.pick({ id: true, text: true, supporters: true })),
  confidence: Estimate.extend({ matters: Estimate, worth: z.number() }).nullable(),
  recorded: z.array(Recorded.extend({ source: z.string() })),
  remembered: KnownClaim.pick({ history: true, wordings: true, supporters: true }).nullable(),
  decisions: z.array(Disposition),
}) satisfies z.ZodType<Partial<Record<keyof ClaimExplanation, unknown>>>;

const Place = z
  .object({ path: z.string(), line: z.int().nullable(), endLine: z.int().nullable() })
  .nullable();

/** `jury consensus --json`. Findings are referred to by their index. */
export const PrintedClaims = z.object({
  schema: z.literal('jury.claims/1'),
  strategy: RunRecord.shape.strategy,
  claims: z.array(
    Claim.pick({
      id: true,
      supporters: true,
      electorate: true,
      agreement: true,
      severity: true,
      confidence: true,
      matters: true,
      worth: true,
      act: true,
      text: true,
      severityConflict: true,
      contradicts: true,
    }).extend({
      findings: z.array(z.int()),
      location: Place,
      against: z.array(
        z.object({ reviewer: z.string(), finding: z.int().nullable(), statement: z.string() }),
      ),
    }),
  ),
  warnings: z.array(z.string()),
  reviewers: z.array(z.string()),
  findings: z.array(
    z.object({
      index: z.int(),
      source: z.string(),
      reviewer: z.string(),
      id: z.string(),
      severity: Severity,
      label: z.string(),
      rule: z.string().nullable(),
      text: z.string(),
      location: Place,
      claim: z.string().nullable(),
      leftOut: z.string().nullable(),
    }),
  ),
});

/** `jury accept --json`, `jury dismiss --json`. */
export const PrintedDecision = Disposition.extend({ baseline: z.string().nullable() });

/** `jury baseline --json`; null where nobody has decided anything. */
export const PrintedBaseline = z.object({ file: z.string(), dispositions: z.int() }).nullable();

/** `jury approve --json`. */
export const PrintedApproval = Approval.extend({
  outcome: z.enum(outcomes).nullable(),
  exitCode: z.int(),
  reasons: z.array(Reason),
});
