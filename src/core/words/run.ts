/** Everything about one execution: `jury.run/1`. What `--format json` prints is this with the exit code. */
import { z } from 'zod';
import { Subject, UsualChange } from './change.ts';
import { Claim } from './claim.ts';
import { CodeFrame } from './code-index.ts';
import { Verification } from '../verdict/verification.ts';
import { EngineFinding } from '../safety/engine-finding.ts';
import { Judgement } from '../ports/matcher.ts';
import { DismissedClaim, FixedClaim } from './known-claim.ts';
import { Isolation } from './isolation.ts';
import { ResearchResult } from './research-result.ts';
import { StageRecord } from '../panel.ts';
import { Cause, FailureReason, Review, Usage } from './review.ts';
import { GivenApproval } from '../verdict/approval.ts';
import { ConsensusReview } from '../verdict/panel-table.ts';
import { Coverage, outcomes, Override, Reasons } from '../verdict/record.ts';
import { Amount, Flag, NullableText, Rows, Text, Texts, Whole } from './fields.ts';

const RunReviewer = z.object({
  id: Text,
  persona: Text,
  runner: Text,
  /** Set for a check that is no built-in analyser. */
  role: z.literal('check').exactOptional(),
  model: NullableText,
  required: Flag,
  status: z.enum(['complete', 'partial', 'failed']),
  /** Word of the consensus report; null when complete. */
  reason: FailureReason.nullable(),
  /** The exact cause behind the reason; null when complete. */
  cause: Cause.nullable(),
  /** What happened, in words. Untrusted: it may quote the world. */
  message: NullableText,
  /** `✓`, `✗ (timeout after 120s)`, … */
  display: Text,
  findings: Whole,
  filesReviewed: Whole,
  filesSkipped: Whole,
  tokens: z.object({ input: Whole, output: Whole, cached: Whole, estimated: Flag }),
  durationMs: Whole,
  /** Computed from its findings by code. */
  verdict: z.enum(['safe', 'needs-changes', 'risky', 'error']),
  statedVerdict: NullableText,
  /** Milder findings that were removed, since only grave ones were asked for; absent where none were. */
  skipped: z.object({ medium_count: Whole, low_count: Whole }).optional(),
  /** What is odd about its answers; absent where nothing is. */
  reading: z
    .object({
      /** How the verdict it claims compares with its findings: `lower` says less than they do. */
      claim: z.enum(['match', 'lower', 'higher', 'absent']),
      /** Codes of the repairs that were needed, and of the ways in which an index was bent. */
      deviations: Texts,
      /** Lines that may be findings and could not be read as such. */
      unparsed: Whole,
      /** Lines of the prompt or of the template, and statements of none. */
      discarded: Whole,
    })
    .optional(),
  /** What it ran at; absent where it is no program of the panel's, where it was not asked, and in records of older versions. */
  isolation: Isolation.optional(),
  /** Path of the full review, relative to the run folder. */
  detail: NullableText,
});
export type RunReviewer = z.infer<typeof RunReviewer>;

export const Adopted = z.object({ run: Text, reviewers: Texts });
export type Adopted = z.infer<typeof Adopted>;

/** What a review of a later state of a change did not ask again. */
export const Carried = z.object({
  /** The run of the earlier state. */
  run: Text,
  /** Files of the change that those who kept anything are to read, those of them somebody was asked about, and those nobody was. */
  files: Whole,
  asked: Whole,
  kept: Whole,
  /** Who kept anything, and of how many files. */
  reviewers: Rows({ reviewer: Text, asked: Whole, kept: Whole }),
  /** Who could have kept something and was asked about everything, and why. */
  whole: Rows({ reviewer: Text, why: Text }),
});
export type Carried = z.infer<typeof Carried>;

/** How what was said is read. */
export const ReadAs = z.object({
  /** `words`: denials deny; `stated`: who states at least a medium severity complains; `complaints`: everybody does. */
  taken: z.enum(['words', 'stated', 'complaints']),
  isJudged: Flag,
});

export const RunRecord = z.object({
  schema: z.literal('jury.run/1'),
  run: Text,
  uri: Text,
  version: Text,
  command: Text,
  mode: Text,
  subject: z.object({
    kind: Text,
    title: Text,
    source: NullableText,
    base: NullableText,
    head: NullableText,
    files: Whole,
    additions: Whole,
    deletions: Whole,
    warnings: Texts,
    /** Set where the caller named no change. */
    usual: UsualChange.optional(),
  }),
  strategy: z.object({ name: Text, threshold: Amount.nullable(), version: Text }),
  severities: Texts,
  quorum: z.object({ required: Whole, completed: Whole, met: Flag }),
  /** Made of the reasons, and the exit code of it: `core/verdict/outcome.ts`. Null: a plain question that was answered; it has no gate. */
  outcome: z.enum(outcomes).nullable(),
  reasons: Reasons,
  /** What a person let pass of this change; absent where nothing was. */
  approvals: z.array(GivenApproval).optional(),
  /** Ids of the claims among the reasons that fail the run. */
  blocking: Texts,
  reviewers: z.array(RunReviewer),
  claims: z.array(Claim),
  /**
   * The claims in other readings, of which the worst holds: without the answers of a judge, and with stated severities, or all
   * remarks, taken for complaints. Absent where these change nothing.
   */
  readings: z
    .array(
      ReadAs.extend({
        claims: z.array(z.looseObject({ id: Text }) as unknown as z.ZodType<Claim>),
      }),
    )
    .optional(),
  /** Absent where no judge answered. */
  judge: Judgement.optional(),
  /** By claim id: the lines it is about, for reports. Absent in records of older versions and where no place was found. */
  frames: z.record(Text, CodeFrame).optional(),
  /** What the engine itself found in the change; absent when it found nothing. Each fails the run. */
  engineFindings: z.array(EngineFinding).optional(),
  /** The verdicts of the reviewers of a change; absent for other subjects and in records of older versions. */
  consensusReview: ConsensusReview.optional(),
  /** Known claims that this run shows to be fixed. */
  fixed: z.array(FixedClaim).default([]),
  /** Why the claims in the state `dismissed` are. */
  dismissed: z.array(DismissedClaim).default([]),
  coverage: Coverage,
  usage: z.object({ calls: Whole, tokens: Whole, cost: Amount.nullable(), details: Usage }),
  verification: Verification.nullable(),
  startedAt: Text,
  completedAt: Text,
  /** Set where reviewers were asked in stages. */
  stages: z.array(StageRecord).optional(),
  /** Set for a research: what its answer comes to. */
  research: ResearchResult.optional(),
  /** Set for the gates of a commit, and where somebody lifted a rule. */
  gate: z
    .object({ overrides: z.array(Override) })
    .optional()
    .catch(undefined),
  /** Set for a run that was brought from elsewhere: where it lay, ISO time, and the outcome it came with. */
  imported: z.object({ from: Text, at: Text, said: z.enum(outcomes).nullable() }).optional(),
  /** The run whose answers these reviewers gave: it asked them the same, and nobody asked them again. Absent where everybody was asked. */
  adopted: Adopted.optional(),
  /** Set where an earlier state of the change was reviewed, and what has not changed since was not asked about again. */
  carried: Carried.optional(),
  /** Why the last attempt to go on asked nobody, in one sentence; absent where somebody was asked. */
  standstill: Text.optional(),
  /** True when this record was answered from an earlier, unchanged run. */
  reused: Flag,
});
export type RunRecord = z.infer<typeof RunRecord>;

/** What `--format json` prints and `report.json` holds: the record, and the exit code its outcome has. */
export type PrintedRecord = RunRecord & { readonly exitCode: number };

/** What the entry points get: the record with the reviews and the subject behind it. */
export const Run = z.object({
  record: RunRecord,
  reviews: z.array(Review),
  subject: Subject,
  /** Absolute path of the run folder. */
  folder: Text,
  /** Absolute folder of the copies in the project; null where none are kept. */
  copies: NullableText,
  /** Set for a demonstration. `project`: absolute folder of the project that was reviewed; null: it and the run are gone. */
  demo: z.object({ project: NullableText }).exactOptional(),
});
export type Run = z.infer<typeof Run>;
