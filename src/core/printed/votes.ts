/** What is printed as JSON of a vote on motions, and of the consensus of `multi-consensus`. */
import { z } from 'zod';
import type { Limits } from '../context/budget.ts';
import { EndedMotions } from '../run-files/plan-file.ts';
import { Verification } from '../verdict/verification.ts';
import { MotionAccount } from './motion-account.ts';
import { NullableText, Texts } from '../words/fields.ts';
import { failureReasons, Review, Spent } from '../words/review.ts';
import { RunRecord } from '../words/run.ts';
import { Severity } from '../words/severity.ts';
import { PlannedMonth } from './reports.ts';
import type { ReadOnly } from './explanation.ts';

const Triage = z.object({
  total_motions: z.int(),
  novel_proposals: z.int(),
  low_risk: z.int(),
  medium_risk: z.int(),
  high_risk: z.int(),
  average_implicit_support: z.number(),
  /** A lower bound unless the search is finished; where it is not run, of stated positions alone. */
  total_conflicts: z.int(),
  conflict_search: z.enum(['finished', 'not_finished', 'not_run']),
  /** Named by a model without words that stand in both texts, and not counted. */
  conflicts_dropped: z.int(),
});

/** `jury motions --dry-run --json`. */
export const PrintedVotePlan = z.object({
  schema: z.literal('jury.vote-plan/1'),
  session: z.string(),
  source: z.string(),
  /** `name@version` of the rule set. */
  rules: z.string(),
  motions: z.int(),
  members: z.int(),
  triage: Triage,
  /** The run that would be gone on with; null for a new one. */
  run: NullableText,
  /** It ended, and no answer is missing: nobody would be asked. */
  isComplete: z.boolean(),
  /** Reviews whose answers are in its journal. */
  answered: z.int(),
  /** Of the reviews that are still to be collected. Tokens are estimated, a little high. */
  expected: z.object({
    calls: z.int(),
    reviews: z.int(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    /** US dollars for the calls with a known price; null when none has one. */
    cost: z.number().nullable(),
    /** Calls without a known price. */
    unpriced: z.int(),
  }),
  time: z.object({
    seconds: z.number(),
    /** Calls at a time. */
    lanes: z.int(),
    secondsPerCall: z.number(),
    /** Calls it was measured on; 0: it is assumed. */
    measured: z.int(),
  }),
  /** What panels take at most, on top: which motions are contested is known when the reviews are in. */
  panels: z.object({ most: z.int(), callsEach: z.int() }),
  /**
   * What a second pass takes at most, on top: as many as in the first pass, if everybody amends or opposes; the call for each
   * amended text is not among them. Null: nobody is asked again.
   */
  secondPass: z.object({ reviews: z.int() }).nullable(),
  /** Over the whole run, with what it has spent before. A record in the schema, so that a further ceiling is no new version. */
  limits: z.record(z.string(), z.number().nullable()) as unknown as z.ZodType<Limits>,
  month: PlannedMonth,
  spent: Spent,
  /** Where members are asked. `endpoint` null: where the runner has its own. */
  places: z.array(z.object({ runner: z.string(), endpoint: NullableText, model: NullableText })),
  /** One prompt stands for all; null when nobody would be asked. */
  example: z.object({ member: z.string(), prompt: z.string() }).nullable(),
  /** In one line. */
  sentence: z.string(),
});
export type VotePlan = ReadOnly<z.infer<typeof PrintedVotePlan>>;

const Tally = {
  yeas: z.int(),
  nays: z.int(),
  amends: z.int(),
  abstentions: z.int(),
};
const account = MotionAccount.shape;
const VoteRow = z.object({
  mega_motion_id: z.string(),
  outcome: z.string(),
  ...Tally,
  no_response: z.int(),
  threshold_required: z.int(),
  panel_recommendation: NullableText,
  second_pass: account.second_pass,
  first_pass: z.object({ ...Tally, outcome: z.string() }).nullable(),
  revised_by: account.revised_by,
  supermajority_because: account.final.shape.supermajority_because,
  decided_by: account.decided_by,
  asked: account.asked,
  answered: account.answered,
  risk: account.risk_of_sample,
  not_drawn: account.not_drawn,
  more: account.more,
});

const Sampling = z.object({
  /** Members asked about a motion, at most. */
  sample: z.int(),
  /** Chance at which they decide it. */
  risk: z.number(),
  /** Of which not all were asked who could be, and those of them that are decided. */
  motions: z.int(),
  decided: z.int(),
  /** Reviews that were not asked for. */
  not_drawn: z.int(),
});
export type SamplingSummary = Readonly<z.infer<typeof Sampling>>;

const SecondPass = z.object({
  /** Motions that really had a second pass. */
  motions: z.int(),
  /** In the words of `secondPassWords`. */
  how: z.string(),
  /** Questions that were put; 0 where it was assumed. */
  questions: z.int(),
  answered: z.int(),
});
export type SecondPassFigures = Readonly<z.infer<typeof SecondPass>>;

const common = {
  session_id: z.string(),
  session_name: z.string(),
  started_at: z.string(),
  completed_at: z.string(),
  input_dir: z.string(),
  output_dir: NullableText,
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
      second_pass: SecondPass.nullable(),
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

const known = z.boolean().nullable();

/** `jury motions verify-audit --json`. */
export const PrintedAudit = z.object({
  /** Null: some of it could not be checked. Results that were not checked are as little a pass as those that were changed. */
  intact: known,
  /** The event that does not follow from the one before it; null: all do. */
  first_broken_seq: z.int().nullable(),
  events: z.int(),
  /** Hash of the last event. */
  head_sha256: z.string(),
  /** `not_recorded`: the trail holds no hashes, as those of earlier versions; `not_checked`: a trail was named, and no folder. */
  results: z.enum(['intact', 'changed', 'not_recorded', 'not_checked']),
  /** Names of files below the folder. */
  changed: Texts,
  missing: Texts,
  added: Texts,
  /** Files that are as they were written. */
  unchanged: z.int(),
  /** The vote, held again on its answers. `not_checked`: a trail was named, and no folder, or it is too large. `not_recorded`: there is no record of what it was held on, as in folders of earlier versions. */
  recount: z.enum(['same', 'different', 'not_recorded', 'not_checked']),
  /** Or why the vote cannot be held again, in one line; null where there is none. */
  first_difference: NullableText,
  /** What is kept outside of the folder, which a forger of all its files cannot change: is it as it says? Null: there is none. */
  anchors: z.object({
    /** The rule set that ships under the name and version. */
    rules: known,
    /** The journal of the run, which notes its head. */
    journal: known,
    /** Does the journal note a later head? Then this is an earlier state of the vote. */
    superseded: z.boolean(),
    /** The head that was given. */
    head: known,
    /** Who of the allowed signers signed the head, or why none is known to have. */
    signature: z.object({ signer: NullableText, problem: NullableText }).nullable(),
  }),
});
export type VerifiedAudit = ReadOnly<z.infer<typeof PrintedAudit>>;

/** `jury report --json` of a vote. */
export const PrintedEnd = EndedMotions;

/** `multi-consensus --json`. */
export const PrintedConsensus = z.object({
  schema: z.literal('jury.consensus/1'),
  mode: z.string(),
  title: z.string(),
  strategy: RunRecord.shape.strategy,
  severities: Texts,
  commits: z.object({ base: z.string(), head: z.string() }).nullable(),
  reviewers: z.array(
    z.object({
      name: z.string(),
      required: z.boolean(),
      status: z.enum(['ok', ...failureReasons]),
      status_text: z.string(),
      findings: z.int(),
      files_read: Texts.nullable(),
      dropped: Review.shape.dropped,
      unparsed: Texts,
      duration_ms: z.int(),
      tokens_in: z.int(),
      tokens_out: z.int(),
      raw_path: NullableText,
    }),
  ),
  quorum: RunRecord.shape.quorum,
  claims: z.array(
    z.object({
      id: z.string(),
      tier: z.enum(['high', 'medium', 'consider']),
      severity: Severity,
      label: z.string(),
      text: z.string(),
      file: NullableText,
      line: z.int().nullable(),
      support: z.int(),
      electorate: z.int(),
      supporters: Texts,
      electors: Texts,
      severity_conflict: z.record(z.string(), Severity).nullable(),
      contradicts: Texts,
      findings: z.array(
        z.object({
          reviewer: z.string(),
          original_id: z.string(),
          label: z.string(),
          severity: Severity,
          text: z.string(),
          file: NullableText,
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
