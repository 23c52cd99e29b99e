/** What is printed as JSON of a vote on motions, and of the consensus of `multi-consensus`. */
import { z } from 'zod';
import type { Limits } from '../context/budget.ts';
import { EndedMotions } from '../run-files/run-record.ts';
import { Verification } from '../verdict/verification.ts';
import { MotionAccount } from './motion-account.ts';
import {
  Amount,
  Flag,
  NullableText,
  Rows,
  Text,
  Texts,
  Whole,
  type ReadOnly,
} from '../words/fields.ts';
import { FailureReason, Review, Spent } from '../words/review.ts';
import { RunRecord } from '../words/run.ts';
import { Severity } from '../words/finding.ts';
import { PlannedMonth } from './reports.ts';

const Triage = z.object({
  total_motions: Whole,
  novel_proposals: Whole,
  low_risk: Whole,
  medium_risk: Whole,
  high_risk: Whole,
  average_implicit_support: Amount,
  /** A lower bound unless the search is finished; where it is not run, of stated positions alone. */
  total_conflicts: Whole,
  conflict_search: z.enum(['finished', 'not_finished', 'not_run']),
  /** Named by a model without words that stand in both texts, and not counted. */
  conflicts_dropped: Whole,
});

/** `jury motions --dry-run --json`. */
const PrintedVotePlan = z.object({
  schema: z.literal('jury.vote-plan/1'),
  session: Text,
  source: Text,
  /** `name@version` of the rule set. */
  rules: Text,
  motions: Whole,
  members: Whole,
  triage: Triage,
  /** The run that would be gone on with; null for a new one. */
  run: NullableText,
  /** It ended, and no answer is missing: nobody would be asked. */
  isComplete: Flag,
  /** Reviews whose answers are in its journal. */
  answered: Whole,
  /** Of the reviews that are still to be collected. Tokens are estimated, a little high. */
  expected: z.object({
    calls: Whole,
    reviews: Whole,
    inputTokens: Amount,
    outputTokens: Amount,
    /** US dollars for the calls with a known price; null when none has one. */
    cost: Amount.nullable(),
    /** Calls without a known price. */
    unpriced: Whole,
  }),
  time: z.object({
    seconds: Amount,
    /** Calls at a time. */
    lanes: Whole,
    secondsPerCall: Amount,
    /** Calls it was measured on; 0: it is assumed. */
    measured: Whole,
  }),
  /** What panels take at most, on top: which motions are contested is known when the reviews are in. */
  panels: z.object({ most: Whole, callsEach: Whole }),
  /**
   * What a second pass takes at most, on top: as many as in the first pass, if everybody amends or opposes; the call for each
   * amended text is not among them. Null: nobody is asked again.
   */
  secondPass: z.object({ reviews: Whole }).nullable(),
  /** Over the whole run, with what it has spent before. A record in the schema, so that a further ceiling is no new version. */
  limits: z.record(Text, Amount.nullable()) as unknown as z.ZodType<Limits>,
  month: PlannedMonth,
  spent: Spent,
  /** Where members are asked. `endpoint` null: where the runner has its own. */
  places: Rows({ runner: Text, endpoint: NullableText, model: NullableText }),
  /** One prompt stands for all; null when nobody would be asked. */
  example: z.object({ member: Text, prompt: Text }).nullable(),
  /** In one line. */
  sentence: Text,
});
export type VotePlan = ReadOnly<z.infer<typeof PrintedVotePlan>>;

const Tally = {
  yeas: Whole,
  nays: Whole,
  amends: Whole,
  abstentions: Whole,
};
const account = MotionAccount.shape;
const VoteRow = z.object({
  mega_motion_id: Text,
  outcome: Text,
  ...Tally,
  no_response: Whole,
  threshold_required: Whole,
  panel_recommendation: NullableText,
  second_pass: account.second_pass,
  first_pass: z.object({ ...Tally, outcome: Text }).nullable(),
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
  sample: Whole,
  /** Chance at which they decide it. */
  risk: Amount,
  /** Of which not all were asked who could be, and those of them that are decided. */
  motions: Whole,
  decided: Whole,
  /** Reviews that were not asked for. */
  not_drawn: Whole,
});

const SecondPass = z.object({
  /** Motions that really had a second pass. */
  motions: Whole,
  /** In the words of `secondPassWords`. */
  how: Text,
  /** Questions that were put; 0 where it was assumed. */
  questions: Whole,
  answered: Whole,
});

const common = {
  session_id: Text,
  session_name: Text,
  started_at: Text,
  completed_at: Text,
  input_dir: Text,
  output_dir: NullableText,
  mode: Text,
  rules: Text,
  simulated: Flag,
  input: z.object({
    mega_motions: Whole,
    novel_proposals: Whole,
    deferred_skipped: Whole,
  }),
  roster_size: Whole,
  unknown_supporters: Whole,
  triage: Triage,
};

/** `jury motions --json`, with `motions` where only triage was asked for. */
export const PrintedVote = z.union([
  z.object({
    ...common,
    motions: Rows({
      mega_motion_id: Text,
      title: Text,
      risk_tier: z.enum(['low', 'medium', 'high']),
      contributing: Whole,
      gap: Whole,
      conflicts: Whole,
      is_novel_proposal: Flag,
    }),
  }),
  z.object({
    ...common,
    sampling: Sampling.nullable(),
    assignments: z.object({ total: Whole, average_per_archon: Amount }),
    reviews: z.object({
      response_count: Whole,
      response_rate: Amount,
      no_response_count: Whole,
    }),
    deliberation: z.object({ panels_convened: Whole, failed: Whole, skipped: Whole }),
    ratification: z.object({
      ratified: Whole,
      accepted_with_amendments: Whole,
      rejected: Whole,
      deferred: Whole,
      incomplete: Whole,
      second_pass: SecondPass.nullable(),
      votes: z.array(VoteRow),
    }),
    audit: z.object({ head_sha256: Text }),
  }),
]);

const RatifiedSet = {
  rules: Text,
  votes: z.array(z.looseObject({ mega_motion_id: Text, outcome: Text })),
  counts: z.record(Text, Whole),
};

/** The counts are those of a simulation; else the key is left out. */
const simulated = z.literal(true).optional();

/** `jury motions ratify --json`: of one rule set, of all, or of one motion by each of them. */
const PrintedRatification = z.union([
  z.object({ ...RatifiedSet, roster_size: Whole, simulated }),
  z.object({
    rules: z.literal('all'),
    roster_size: Whole,
    simulated,
    sets: Rows(RatifiedSet),
  }),
  Rows({ rules: Text, account: MotionAccount }),
]);

const known = Flag.nullable();

/** `jury motions verify-audit --json`. */
const PrintedAudit = z.object({
  /** Null: some of it could not be checked. Results that were not checked are as little a pass as those that were changed. */
  intact: known,
  /** The event that does not follow from the one before it; null: all do. */
  first_broken_seq: Whole.nullable(),
  events: Whole,
  /** Hash of the last event. */
  head_sha256: Text,
  /** `not_recorded`: the trail holds no hashes, as those of earlier versions; `not_checked`: a trail was named, and no folder. */
  results: z.enum(['intact', 'changed', 'not_recorded', 'not_checked']),
  /** Names of files below the folder. */
  changed: Texts,
  missing: Texts,
  added: Texts,
  /** Files that are as they were written. */
  unchanged: Whole,
  /**
   * The vote, held again on its answers. `not_checked`: a trail was named, and no folder, or it is too large. `not_recorded`: there
   * is no record of what it was held on, as in folders of earlier versions.
   */
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
    superseded: Flag,
    /** The head that was given. */
    head: known,
    /** Who of the allowed signers signed the head, or why none is known to have. */
    signature: z.object({ signer: NullableText, problem: NullableText }).nullable(),
  }),
});
export type VerifiedAudit = ReadOnly<z.infer<typeof PrintedAudit>>;

/** `multi-consensus --json`. */
export const PrintedConsensus = z.object({
  schema: z.literal('jury.consensus/1'),
  mode: Text,
  title: Text,
  strategy: RunRecord.shape.strategy,
  severities: Texts,
  commits: z.object({ base: Text, head: Text }).nullable(),
  reviewers: Rows({
    name: Text,
    required: Flag,
    status: z.enum(['ok', ...FailureReason.options]),
    status_text: Text,
    findings: Whole,
    files_read: Texts.nullable(),
    dropped: Review.shape.dropped,
    unparsed: Texts,
    duration_ms: Whole,
    tokens_in: Whole,
    tokens_out: Whole,
    raw_path: NullableText,
  }),
  quorum: RunRecord.shape.quorum,
  claims: Rows({
    id: Text,
    tier: z.enum(['high', 'medium', 'consider']),
    severity: Severity,
    label: Text,
    text: Text,
    file: NullableText,
    line: Whole.nullable(),
    support: Whole,
    electorate: Whole,
    supporters: Texts,
    electors: Texts,
    severity_conflict: z.record(Text, Severity).nullable(),
    contradicts: Texts,
    findings: Rows({
      reviewer: Text,
      original_id: Text,
      label: Text,
      severity: Severity,
      text: Text,
      file: NullableText,
      line: Whole.nullable(),
      raw: Text,
    }),
  }),
  counts: z.object({
    high: Whole,
    medium: Whole,
    consider: Whole,
    by_severity: z.record(Severity, Whole),
  }),
  verification: Verification.nullable(),
});

/** By name, each with what prints it. */
export const printedVotes = {
  'vote-plan': { title: 'jury motions --dry-run --json', schema: PrintedVotePlan },
  vote: { title: 'jury motions --json', schema: PrintedVote },
  motion: { title: 'jury motions show --json', schema: MotionAccount },
  ratification: { title: 'jury motions ratify --json', schema: PrintedRatification },
  audit: { title: 'jury motions verify-audit --json', schema: PrintedAudit },
  consensus: { title: 'multi-consensus --json', schema: PrintedConsensus },
  'vote-ended': { title: 'jury report of a vote, --json', schema: EndedMotions },
};
