/** What is printed as JSON of a review: the run, what it would send, what it would take, its claims and why they are claims. */
import { z } from 'zod';
import { Complexity, GrantedBudget } from '../context/budget.ts';
import { EndedMotions } from '../run-files/run-record.ts';
import { MonthSpending } from '../spending/month.ts';
import { UsualChange } from '../words/change.ts';
import { Claim } from '../words/claim.ts';
import { Counter } from '../words/code-index.ts';
import type { Price } from '../words/config.ts';
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
import { ToldKnowledge } from '../words/guideline.ts';
import type { Persona } from '../words/persona.ts';
import { Carried, RunRecord } from '../words/run.ts';
import { Severity } from '../words/finding.ts';

/** `jury review --json` and whatever else ends with the report of a run. */
export const PrintedRun = RunRecord.extend({ exitCode: Whole });

/** A run that never came to its end, under way or killed, or one whose end cannot be read. */
const UnfinishedRun = z.object({
  schema: z.literal('jury.unfinished-run/1'),
  run: Text,
  /** `review`, `ask`, …; null, as the title: it was killed before it had a plan. */
  command: NullableText,
  title: NullableText,
  startedAt: Text,
  /** `running` while a process works on it; `unreadable`: its record is damaged, or of another version of Jury. */
  state: z.enum(['running', 'unfinished', 'unreadable']),
  reviewers: Whole,
  /** Command that goes on with it; null while it is running, and when nobody was asked yet. */
  resume: NullableText,
});
export type UnfinishedRun = z.infer<typeof UnfinishedRun>;

const ended = EndedMotions.shape;
/** Null each: it never ended and can be resumed. */
const ListedVote = EndedMotions.extend({
  completedAt: ended.completedAt.nullable(),
  artifacts: ended.artifacts.nullable(),
  counts: ended.counts.nullable(),
});
export type ListedVote = z.infer<typeof ListedVote>;

/** `jury runs --json`: ended ones first, then those under way or killed, then votes. */
const PrintedRuns = z.array(z.union([RunRecord, UnfinishedRun, ListedVote]));

const Calls = z.object({
  expected: Amount,
  /** With the one repair, every transport retry of both, and once more in text where a schema is given. No more are made. */
  ceiling: Amount,
});
/** US dollars; null when the price of a reviewer that is paid is not known. */
const Cost = Amount.nullable();
/** `input`: one call's prompt. `ceiling`: the rest of the budget at the dearer price on top. Null as above. */
const CostRange = z.object({ input: Amount, ceiling: Amount }).nullable();

/** Questions about pairs of findings that wordings leave open; absent where no judge is asked. */
const Judge = z
  .object({
    /** Null: reviewers of the panel are asked. */
    model: NullableText,
    /** That are asked about, at most. */
    pairs: Whole,
    calls: Calls,
    /** Of all calls of the ceiling; so the cost. */
    tokens: Amount,
    cost: Cost,
  })
  .exactOptional();

/**
 * The vote about claims beside the reviews; null: none is held. Nothing but the ceiling of the run bounds it: every claim that few
 * support is put to the vote.
 */
const Deliberation = z
  .object({
    /** That can be asked. */
    reviewers: Whole,
    /** Claims in one call. */
    batch: Whole,
    /** Claims of one supporter each that the rest is reckoned for, raised by all alike. */
    claims: Whole,
    /** Calls of their votes, when every answer can be used at once. */
    calls: Whole,
    /** Further calls for each claim that is contested, at most, when every answer can be used at once. */
    panelCalls: Whole,
    /** Of the votes, in and out; so the cost. */
    tokens: Amount,
    cost: Cost,
  })
  .nullable();

/** What the project has spent this month, and may; null where nobody who is asked costs anything. */
export const PlannedMonth = MonthSpending.extend({
  /** US dollars; null: nobody set a ceiling. */
  limit: Amount.nullable(),
}).nullable();

/** `jury review --dry-run --json`. */
const PrintedPreview = z.object({
  title: Text,
  /** Which change was meant where the caller named none; null where it did. */
  usual: UsualChange.nullable(),
  reviewers: Rows({
    id: Text,
    runner: Text,
    model: NullableText,
    baseUrl: NullableText,
    /** Who gets it, as the rules of egress know it; null when nobody knows. */
    provider: NullableText,
    /** With the port that is written; null for one without an endpoint of its own. */
    host: NullableText,
    /** Nothing leaves this machine by it. */
    isLocal: Flag,
    /** Why it is not asked at all; null when it is. */
    notAsked: NullableText,
    persona: Text,
    required: Flag,
    files: Texts,
    skipped: Texts,
    /** The same with the reason, where one is known. */
    notSent: Rows({ path: Text, why: NullableText }),
    /** Questions it is asked, each again with the instructions; 0 for a reviewer that gets no prompt. */
    questions: Whole,
    /** Instructions and prompts of all its questions, in UTF-8. What tools and further rounds tell comes on top. */
    bytes: Whole,
    /** Of the same, as the family of the reviewer counts. */
    tokens: Whole,
    timeoutSeconds: Amount,
    prompt: Text,
  }),
  /** What of the project's own words whom is told. */
  knowledge: ToldKnowledge,
  excluded: Texts,
  quorum: Whole,
  masked: Whole,
  /** What is kept of the run of an earlier state of the change; absent where nothing is. */
  carried: Carried.exactOptional(),
  /** Whom the matching strategy tells the findings; null when it asks nobody. */
  matching: z.object({ strategy: Text, model: Text, host: NullableText }).nullable(),
  judge: Judge,
  deliberation: Deliberation,
});
export type Preview = ReadOnly<z.infer<typeof PrintedPreview>>;

/** One reviewer of a plan and what would be sent to it. */
const PlannedReviewer = z.object({
  id: Text,
  persona: Text,
  role: Text as z.ZodType<Persona['role']>,
  runner: Text,
  model: NullableText,
  /** Who gets it, as the rules of egress know it; null for one on this machine, and when nobody knows. */
  provider: NullableText,
  /** With the port that is written; null for one without an endpoint of its own. */
  host: NullableText,
  required: Flag,
  /** Null when nobody configured one. A record in the schema, as the limits of a vote. */
  price: (z.record(Text, Amount) as unknown as z.ZodType<Price>).nullable(),
  files: Texts,
  skipped: Texts,
  /** How many packs are sent; 0 to analysers on this machine, which read the change itself. */
  packs: Whole,
  bytes: Whole,
  /** As the family of the reviewer counts. */
  tokens: Whole,
  /** Tokens of its family for each that the counter of the subject counts. */
  factor: Amount,
  why: Texts,
  /** Tokens it may spend; null when it spends none. */
  budget: Whole.nullable(),
  fits: Flag,
  calls: Calls,
  cost: CostRange,
});

/** `jury plan --json`. */
const PrintedPlan = z.object({
  schema: z.literal('jury.review-plan/1'),
  title: Text,
  /** Which change was meant where the caller named none; null where it did. */
  usual: UsualChange.nullable(),
  /** What is kept of the run of an earlier state of the change; absent where nothing is. */
  carried: Carried.exactOptional(),
  subject: z.object({
    total_tokens: Whole,
    counter: Counter,
    files: Rows({
      path: Text,
      bytes: Whole,
      lines: Whole,
      changed_lines: Whole,
      tokens: Whole,
      sensitive: Flag,
      /** The rule that says so; null when not sensitive. */
      reason: NullableText,
    }),
    skipped: Rows({ path: Text, reason: Text }),
  }),
  complexity: Complexity.nullable(),
  isolation: GrantedBudget.shape.mode,
  /** With what the budgets grew to, and for what. */
  budget: GrantedBudget,
  /** Files that nobody on the panel will have read within the budgets and the limits of the caller. */
  unread: Texts,
  ledgers: Rows({ name: Text, total: Whole }),
  quorum: Whole,
  panel: z.array(PlannedReviewer),
  leftOut: Rows({ id: Text, why: Text, isOutside: Flag }),
  gaps: Texts,
  /** What of the project's own words whom is told. */
  knowledge: ToldKnowledge,
  calls: Calls,
  cost: CostRange,
  judge: Judge,
  deliberation: Deliberation,
  month: PlannedMonth,
  /**
   * What the run cannot exceed: the limits of the caller, or what the panel comes to. Null where neither is known, as with a vote
   * about however many claims there will be.
   */
  ceiling: z.object({
    calls: Amount.nullable(),
    tokens: Amount.nullable(),
    cost: Cost,
  }),
});
export type ReviewPlan = ReadOnly<z.infer<typeof PrintedPlan>>;

const Place = z
  .object({ path: Text, line: Whole.nullable(), endLine: Whole.nullable() })
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
      findings: z.array(Whole),
      location: Place,
      against: Rows({ reviewer: Text, finding: Whole.nullable(), statement: Text }),
    }),
  ),
  warnings: Texts,
  reviewers: Texts,
  findings: Rows({
    index: Whole,
    source: Text,
    reviewer: Text,
    id: Text,
    severity: Severity,
    label: Text,
    rule: NullableText,
    text: Text,
    location: Place,
    claim: NullableText,
    leftOut: NullableText,
  }),
});

/** By name, each with what prints it. */
export const printedReports = {
  run: { title: 'jury review, report, resume, collect and gates --json', schema: PrintedRun },
  runs: { title: 'jury runs --json', schema: PrintedRuns },
  preview: { title: 'jury review --dry-run --json', schema: PrintedPreview },
  plan: { title: 'jury plan --json', schema: PrintedPlan },
  claims: { title: 'jury consensus --json', schema: PrintedClaims },
};
