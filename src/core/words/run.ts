/** Everything about one execution: `jury.run/1`. What `--format json` prints is this with the exit code. */
import { z } from 'zod';
import { SkippedSeverities } from '../context/budget.ts';
import { StageRecord } from '../panel.ts';
import { Judgement } from '../ports/matcher.ts';
import { EngineFinding } from '../safety/engine-finding.ts';
import { by } from '../groups.ts';
import { Coverage, GivenApproval, Reasons, outcomes } from '../verdict/record.ts';
import { ConsensusReview } from '../verdict/panel-table.ts';
import { Verification } from '../verdict/verification.ts';
import { type Change, type ChangedFile, Subject, UsualChange } from './change.ts';
import { Claim, ResearchResult } from './claim.ts';
import { CodeFrame } from './code-index.ts';
import { Amount, Count, Flag, NullableText, Rows, Text, Texts, Whole, orNull } from './fields.ts';
import { Severity } from './finding.ts';
import { Isolation } from './isolation.ts';
import { Cause, FailureReason, Review, ReviewVerdict, Usage } from './review.ts';

// What the memory of a project holds: the claims of earlier runs, what people decided about them, the baseline a team commits, what
// a run closes, and what it gets of a run.

const ClaimId = Claim.shape.id;
const CodeFingerprint = Text.regex(
  /^>?~?[0-9a-f]{8}(?: >?~?[0-9a-f]{8})*$/,
  'must be fingerprints of lines, as Jury writes them',
);

/** `2026-11-21`, a day that exists. */
export const Day = z.iso.date('must be a day such as 2027-01-31');

export const scopes = ['claim', 'file', 'category'] as const;

/** What a person decided about a claim, with enough of the claim to know it again on a machine that never saw it. */
export const Disposition = z.strictObject({
  claim: ClaimId,
  /** `accepted`: confirmed as real. `rejected`: it is false. `tolerated`: it is real and stays. The last two dismiss the claim. */
  verdict: z.enum(['accepted', 'rejected', 'tolerated']),
  reason: Text,
  /** What is dismissed: this claim, or everything at most as severe about its file or of its category. */
  scope: z.enum(scopes).default('claim'),
  /** The last day on which it holds (UTC); null: for good. */
  until: orNull(Day),
  /** ISO time of the decision: of two about one claim the later one holds. */
  at: z.iso.datetime(),
  severity: Severity,
  category: NullableText.default(null),
  path: NullableText,
  /** Print of the code at the place when it was decided; null when no line was known. */
  code: orNull(CodeFingerprint),
  text: Text,
  /** Another claim that is the same trouble; absent where none was named. */
  sameAs: ClaimId.exactOptional(),
  /** Answers of a judge about this claim and another one that the decision shows to be right or wrong; absent where none are. */
  judged: z
    .array(
      z.strictObject({
        claim: ClaimId,
        truth: z.enum(['same', 'different']),
        right: Count,
        wrong: Count,
      }),
    )
    .exactOptional(),
});
export type Disposition = z.infer<typeof Disposition>;

export const KnownClaim = z.object({
  id: ClaimId,
  text: Text,
  severity: Severity,
  category: NullableText,
  /** Where it was said to be, as its last run saw the file. */
  path: NullableText,
  line: Whole.positive().nullable(),
  /** `old`: it is about what the change takes away. */
  side: z.enum(['old', 'new']),
  code: CodeFingerprint.nullable(),
  /** Files that vouch for it: who read them all and does not repeat it says that it is gone. Its own, or those of the whole change. */
  files: Texts,
  /** Distinct ones, oldest first, with the run that brought each. */
  wordings: Rows({
    reviewer: Text,
    text: Text,
    category: NullableText,
    run: Text,
  }),
  /** Everybody who ever said it. */
  supporters: Rows({ reviewer: Text, family: NullableText, run: Text }),
  /** One entry for each run that decided about it, oldest first. */
  history: Rows({
    run: Text,
    at: Text,
    state: Claim.shape.state,
    /** Its confidence in that run, as it was shown and before decisions corrected it; null where none was computed or kept. */
    confidence: orNull(z.object({ stated: Amount, modelled: Amount })),
  }),
});
export type KnownClaim = z.infer<typeof KnownClaim>;

export interface ProjectMemory {
  readonly claims: readonly KnownClaim[];
  /** Those made on this machine and those of the baseline file, in any order. */
  readonly dispositions: readonly Disposition[];
}

export function isDismissal({ verdict }: Pick<Disposition, 'verdict'>) {
  return verdict !== 'accepted';
}

/** The latest disposition of each claim. Of two made at the same time the first in the list. */
export function latestByClaim(
  dispositions: readonly Disposition[],
): ReadonlyMap<string, Disposition> {
  const latest = new Map<string, Disposition>();
  for (const disposition of dispositions) {
    const known = latest.get(disposition.claim);
    if (known === undefined || disposition.at > known.at)
      latest.set(disposition.claim, disposition);
  }
  return latest;
}

export function lastState({ history }: Pick<KnownClaim, 'history'>) {
  return history.at(-1)?.state ?? 'new';
}

const FixedClaim = z.object({
  id: Text,
  severity: Severity,
  text: Text,
  /** Where it was last said to be; null when it never named a file. */
  location: z.object({ path: Text, line: Whole.nullable() }).nullable(),
  /** How that is known, in words. */
  reason: Text,
});
export type FixedClaim = z.infer<typeof FixedClaim>;

const DismissedClaim = Disposition.pick({
  verdict: true,
  reason: true,
  scope: true,
  until: true,
}).extend({
  id: ClaimId,
  /** The claim that the dismissal was given for: another one when its scope is wider than a claim. */
  by: ClaimId,
  /** The glob of the protected path it was set aside for; absent when somebody dismissed it. */
  protectedBy: Text.optional(),
});
export type DismissedClaim = z.infer<typeof DismissedClaim>;

/** How decisions correct confidence: log-odds of what is shown = intercept + slope × those of the model. */
export const Recalibration = z.object({
  intercept: Amount,
  /** Above 0. */
  slope: Amount,
  /** Decided claims behind it. */
  decisions: Whole,
});
export type Recalibration = z.infer<typeof Recalibration>;

/** What the memory of a project gets of a run. */
export interface RunToRemember {
  readonly run: string;
  /** ISO time of its end. */
  readonly at: string;
  readonly change: Change;
  readonly reviews: readonly Pick<Review, 'reviewer' | 'runner' | 'status' | 'coverage'>[];
  /** As `formClaims` yields them. */
  readonly claims: readonly Claim[];
  /** Vendor family by reviewer; absent when it is unknown. */
  readonly families: ReadonlyMap<string, string>;
  /** What corrected the confidence of the claims; null and absent: nothing. */
  readonly recalibration?: Recalibration | null;
  readonly read: (file: ChangedFile, side: 'new') => Promise<string | null>;
  /** Did the run come to a decision? One that did not may add and keep claims, never close them. */
  readonly isDecided: (claims: readonly Claim[]) => boolean;
}

export interface RememberedRun {
  /** In the order they came in, with the ids they are known by. */
  readonly claims: readonly Claim[];
  readonly fixed: readonly FixedClaim[];
  readonly dismissed: readonly DismissedClaim[];
  /** Claims of the memory that are new or have changed. */
  readonly changed: readonly KnownClaim[];
}

/** `jury.baseline.json`: decisions that a team commits. One order, one form, so that a change of it reads well as a diff. */
export const baselineName = 'jury.baseline.json';

export const Baseline = z.strictObject({
  schema: z.literal('jury.baseline/1'),
  dispositions: z.array(Disposition),
});

/** What the file holds of a decision, in this order. */
const baselineKeys =
  'schema dispositions claim text path severity category code verdict reason scope until at'.split(
    ' ',
  );

/** The latest decision about each claim, by file and claim, keys in one order. Ends with a line feed. */
export function printBaseline(decided: readonly Disposition[]) {
  const dispositions = [...latestByClaim(decided).values()].sort(
    by(
      ({ path }) => path ?? '',
      ({ claim }) => claim,
    ),
  );
  const baseline = { schema: 'jury.baseline/1', dispositions };
  return `${JSON.stringify(baseline, baselineKeys, 2)}\n`;
}

const RunReviewer = z.object({
  id: Text,
  ...Review.pick({ persona: true, runner: true, role: true, model: true, required: true }).shape,
  status: Review.shape.status,
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
  verdict: ReviewVerdict,
  statedVerdict: NullableText,
  /** Milder findings that were removed, since only grave ones were asked for; absent where none were. */
  skipped: SkippedSeverities.optional(),
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

/** How what was said is read. */
export const ReadAs = z.object({
  /** `words`: denials deny; `stated`: who states at least a medium severity complains; `complaints`: everybody does. */
  taken: z.enum(['words', 'stated', 'complaints']),
  isJudged: Flag,
});

/** A rule that a person lifted for a run. */
const Override = z.object({ rule: Text, reason: Text, source: Text });
type Override = z.infer<typeof Override>;

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
