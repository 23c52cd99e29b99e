/** `plan.json` of a run folder, as it is read back: what a run goes on with, or is listed by, is of this shape or is none. */
import { z } from 'zod';
import { Agreement } from '../words/claim.ts';
import { Complexity, Isolation } from '../context/budget.ts';
import { Capability } from '../context/packing/local-pack.ts';
import { ProgressiveSummarization } from '../context/progressive-mode.ts';
import { parseJson } from '../json.ts';
import { Strategy } from '../settings.ts';
import { BandSettings } from '../words/claim-settings.ts';
import { Reason } from '../verdict/record.ts';
import { OutcomeRules } from '../verdict/rule-set.ts';
import {
  EmbeddingConfig,
  JudgeConfig,
  PackConfig,
  ReviewerConfig,
  ReviewerId,
} from '../words/config.ts';
import { UsualChange } from '../words/change.ts';
import { EgressRule } from '../words/egress.ts';
import { Guideline } from '../words/guideline.ts';
import { modeNames } from '../words/mode.ts';
import { PersonaFrontMatter } from '../words/persona.ts';
import type { Plan } from '../words/plan.ts';
import { PullRequest } from '../words/pull-request.ts';
import { Spent } from '../words/review.ts';
import { Severity } from '../words/severity.ts';
import { Amount, Count, Flag, NullableText, Text, Texts, Whole } from '../words/fields.ts';

/** UTC time and six hex digits: sorts by age. */
export const runIdPattern = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

const Ids = z.array(ReviewerId);
const Limit = Amount.nonnegative().nullable();
const PlannedLimits = z.looseObject({ maxCalls: Limit, maxTokens: Limit, maxCost: Limit });

/** A program may seat a runner of its own by any name. */
const PlannedSeat = ReviewerConfig.extend({
  runner: Text,
  persona: PersonaFrontMatter.extend({
    instructions: Text,
    isOwn: Flag.exactOptional(),
  }),
  timeout: Amount.positive(),
  home: Text,
  withheld: Text.exactOptional(),
});

const limited = {
  paths: Texts.exactOptional(),
  usual: UsualChange.exactOptional(),
};

const PlannedChange = z.discriminatedUnion('source', [
  z.object({
    source: z.literal('range'),
    base: Text,
    head: Text,
    title: Text,
    ...limited,
  }),
  z.object({
    source: z.literal('revision'),
    revision: Text,
    isExact: Flag.exactOptional(),
    ...limited,
  }),
  z.object({ source: z.literal('staged'), index: Text.exactOptional(), ...limited }),
  z.object({ source: z.literal('worktree'), untracked: Flag, ...limited }),
  z.object({ source: z.literal('patch'), text: Text, title: Text, ...limited }),
  PullRequest.extend(limited),
  z.object({ source: z.literal('files'), patterns: Texts }),
]);

const PlannedSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('change'), request: PlannedChange }),
  z.object({ kind: z.literal('document'), path: Text, title: Text }),
  z.object({ kind: z.literal('question'), title: Text }),
]);

/** Keys that are not known are kept: the plan is written back when its ceilings change. */
const PlanFile = z.looseObject({
  schema: z.literal('jury.plan/1'),
  run: Text.regex(runIdPattern),
  version: Text,
  command: Text,
  mode: z.enum(modeNames),
  startedAt: Text,
  cwd: Text,
  subject: PlannedSubject,
  description: NullableText,
  requirements: NullableText,
  prompt: NullableText,
  context: NullableText,
  seats: z.array(PlannedSeat),
  panel: z
    .looseObject({
      config: NullableText,
      reviewers: Texts.nullable(),
      require: Texts,
      timeout: Amount.positive().nullable(),
      limits: PlannedLimits.exactOptional(),
      maxCostPerMonth: Amount.positive().exactOptional(),
    })
    .exactOptional(),
  gaps: z.array(Reason).exactOptional(),
  stages: z.array(Ids).nullable().exactOptional(),
  allStages: Flag.exactOptional(),
  protectedPaths: Texts.exactOptional(),
  labels: z.array(z.tuple([Text, Severity])),
  policy: z.looseObject({
    failOn: z.array(
      z.object({
        agreement: Agreement,
        severity: Severity,
        by: z.literal('check').exactOptional(),
      }),
    ),
    quorum: Whole.positive(),
    unverifiedBlocker: z.enum(['incomplete', 'warn']),
    checksOnly: Flag.exactOptional(),
  }),
  strategy: Strategy,
  matcher: z.object({ name: Text, version: Text }).exactOptional(),
  threshold: Amount,
  embedding: EmbeddingConfig.nullable(),
  judge: z.union([z.literal('auto'), JudgeConfig]).nullable(),
  trust: z.enum(['own', 'untrusted']),
  exclude: Texts,
  egress: z
    .looseObject({
      rules: z.array(EgressRule),
      recipients: z.record(
        Text,
        z.object({
          provider: NullableText,
          host: NullableText,
          isLocal: Flag,
        }),
      ),
      under: Text.exactOptional(),
      named: Text.exactOptional(),
    })
    .exactOptional(),
  guidelines: z.array(Guideline).exactOptional(),
  learnt: Texts.exactOptional(),
  concurrency: Whole.positive(),
  rules: OutcomeRules,
  packs: z
    .looseObject({
      capability: Capability,
      caps: z.looseObject({
        plannerCaps: PackConfig.shape.caps.optional(),
        multipliers: PackConfig.shape.multipliers.optional(),
      }),
      programs: Flag,
    })
    .nullable()
    .exactOptional(),
  spending: z
    .looseObject({
      complexity: Complexity.nullable(),
      isolation: Isolation,
      sensitiveFiles: Texts,
      thresholds: ProgressiveSummarization,
    })
    .nullable(),
  deliberation: z
    .looseObject({
      low: Amount,
      medium: Amount,
      consensus: Amount,
      contested: Amount,
      batch: Whole.positive(),
      panelConcurrency: Whole.positive(),
    })
    .nullable()
    .exactOptional(),
  verify: z
    .looseObject({
      level: z.enum(['checks', 'band']),
      batch: Whole.positive(),
      band: BandSettings,
    })
    .nullable()
    .exactOptional(),
  limits: PlannedLimits,
  maxCostPerMonth: Amount.positive().exactOptional(),
  fence: Text,
  nonces: z.record(Text, Text),
  configurationHash: NullableText,
  questions: z.record(Text, NullableText).exactOptional(),
  asking: z.record(Text, NullableText).exactOptional(),
  subjectHash: Text,
  changeHash: Text.exactOptional(),
  decisions: Text,
});

/** Null for the plan of another kind of run, and for one of another version or with anything else that no plan has. */
export function readPlanFile(text: string | null): Plan | null {
  const checked = PlanFile.safeParse(parseJson(text));
  return checked.success ? checked.data : null;
}

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
  inputs: z.record(Text, Text).exactOptional(),
  /** Random delimiter around untrusted text. */
  fence: Text,
});
export type MotionsPlan = Readonly<z.infer<typeof MotionsPlan>>;

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
export type EndedMotions = Readonly<z.infer<typeof EndedMotions>>;

/** That the audit trail of a vote ended so: the head is in the key. */
export const NotedHead = Text;

/** How a round of a vote ended, as its journal keeps it. */
export const RoundEnd = z.object({
  /** Over all rounds. */
  spent: Spent,
  /** Answers that were asked for and did not come. */
  missing: Count,
});
export type RoundEnd = Readonly<z.infer<typeof RoundEnd>>;
