/** One reviewer's outcome on one subject, and the closed list of ways in which a review can fail to be one. */
import { z } from 'zod';
import { ProgressiveMode, SkippedSeverities } from '../context/budget.ts';
import type { Outcome } from '../verdict/record.ts';
import causeRows from './causes.json' with { type: 'json' };
import { Amount, Count, Flag, NullableText, Rows, Text, Texts, Whole } from './fields.ts';
import { Finding, Severity } from './finding.ts';
import { Isolation } from './isolation.ts';

// What a researcher brings home: sources by rank, findings that name them, how sure it is, and what it could not find.

/** Best first: on conflict the higher rank is preferred, and the conflict is named. */
export const sourceRanks = ['internal', 'official', 'community', 'code'] as const;
const SourceRank = z.enum(sourceRanks);
export type SourceRank = z.infer<typeof SourceRank>;

export const Source = z.object({
  rank: SourceRank,
  id: Text,
  title: Text,
  /** As the researcher wrote it: an address, a path, or nothing. Untrusted; nobody opened it. */
  address: Text,
});
type Source = z.infer<typeof Source>;

export const Confidence = z.enum(['high', 'medium', 'low']);
export type Confidence = z.infer<typeof Confidence>;

export const researchBlocks = ['Sources', 'Findings', 'Confidence', 'Gaps'] as const;

const Research = z.object({
  sources: z.array(Source),
  /** Null when it is not stated in words anybody knows. */
  confidence: Confidence.nullable(),
  gaps: Texts,
  /** Blocks the answer does not hold. */
  missing: z.array(z.enum(researchBlocks)),
});
export type Research = z.infer<typeof Research>;

/** FAILED: no source. PARTIAL: a block is missing, the confidence is low or not stated, or the gaps are as many as the findings. */
export function researchStatus({ sources, confidence, gaps, missing }: Research, findings: number) {
  if (sources.length === 0) return 'FAILED';
  return missing.length > 0 ||
    confidence === null ||
    confidence === 'low' ||
    gaps.length >= findings
    ? 'PARTIAL'
    : 'COMPLETE';
}

/** The words of the consensus report (`status` of `jury.consensus/1`); a complete review has none. */
export const FailureReason = z.enum([
  'not_installed',
  'timeout',
  'error',
  'not_available',
  'empty',
  'unreadable',
  'refused',
  'quota',
]);
export type FailureReason = z.infer<typeof FailureReason>;

const CauseEntry = z.object({
  reason: FailureReason,
  /** May another attempt by the engine, with the same pack, help? Transport causes are retried with backoff. */
  retry: z.enum(['never', 'transport', 'answer']),
  sentence: Text,
});

/**
 * Every cause: what the report calls it, whether trying again can help (`answer`: asked once more with the code of the rejection
 * attached), and what it is in words. Adding a cause is one line of `causes.json`; the compiler lists the rest.
 */
export const causes = z.record(Text, CauseEntry).parse(causeRows) as Readonly<
  Record<Cause, z.infer<typeof CauseEntry>>
>;

export type Cause = keyof typeof causeRows;

export const Cause = z.enum(Object.keys(causes) as [Cause, ...Cause[]]);

/** How and why a call or an answer failed. `message` is for people; it may quote the world and is untrusted. */
export const Failure = z.object({
  cause: Cause,
  message: Text,
  /** Exit code of the process; null when it was none or ended by a signal. */
  exitCode: Whole.nullable(),
  /** Status of the HTTP answer; null when there was none. */
  httpStatus: Whole.nullable(),
});
export type Failure = z.infer<typeof Failure>;

/** How it failed, where neither a process nor a server has more to tell. */
export function failureFrom(cause: Cause, message: string = causes[cause].sentence): Failure {
  return { cause, message, exitCode: null, httpStatus: null };
}

/** Tokens as the provider counted them; `estimated` when the host counted. Input includes cached input. */
export const Usage = z.object({
  calls: Count,
  inputTokens: Count,
  outputTokens: Count,
  cachedTokens: Count,
  /** US dollars; null when no price is known. */
  cost: Amount.nonnegative().nullable(),
  estimated: Flag,
});
export type Usage = z.infer<typeof Usage>;

export const noUsage: Usage = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cost: null,
  estimated: false,
};

export function addUsage(one: Usage, other: Usage) {
  return {
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    cost: one.cost === null && other.cost === null ? null : (one.cost ?? 0) + (other.cost ?? 0),
    estimated: one.estimated || other.estimated,
  };
}

/** Of a whole run, as the journal keeps it between two rounds of a run. */
export const Spent = z.object({
  calls: Count,
  tokens: Amount.nonnegative(),
  /** US dollars. */
  cost: Amount.nonnegative(),
});
export type Spent = z.infer<typeof Spent>;

export const nothingSpent: Spent = { calls: 0, tokens: 0, cost: 0 };

/** What a reviewer read of one file. `outside`: not in its domain, so that its silence says nothing about the file. */
export const FileReading = z.object({
  path: Text,
  extent: z.enum(['full', 'partial', 'skipped', 'outside']),
  /** Why not in full, in words; null when in full. */
  why: NullableText,
  /** The earlier run in which it was read, and the file has not changed since. Absent: it was read in this one. */
  from: Text.exactOptional(),
});
export type FileReading = z.infer<typeof FileReading>;

/** The verdict a reviewer claims or the one computed from its findings. */
export const ReviewVerdict = z.enum(['safe', 'needs-changes', 'risky', 'error']);
export type ReviewVerdict = z.infer<typeof ReviewVerdict>;

/** What a ledger made of a review. */
const Spending = z.object({
  /** Of the last question that was asked; `force_return` when it was stopped at the threshold with something left to ask. */
  mode: ProgressiveMode,
  /** Tokens it was entitled to, in a shared ledger with what others had left of theirs, and what was used of them when the review ended. */
  total: Whole,
  used: Whole,
  /** Tokens of this reviewer. */
  own: Whole,
  isolation: z.enum(['shared', 'branch']),
  questions: Whole,
  /** Findings that were removed because only grave ones were asked for. */
  skipped: SkippedSeverities,
  /** Ids of findings that were made when only grave ones were asked for. */
  terse: Texts,
});
export type Spending = z.infer<typeof Spending>;

export const Review = z.object({
  reviewer: Text,
  persona: Text,
  runner: Text,
  /** Set where the reviewer is a check by its configuration or by its answer; see `isReader`. */
  role: z.literal('check').exactOptional(),
  model: NullableText,
  required: Flag,
  /** `complete`: the evidence is complete. `partial`: its findings count, and its silence about the files it read in full. */
  status: z.enum(['complete', 'partial', 'failed']),
  failure: Failure.nullable(),
  /** Name of the format that was read; null when none was. */
  format: z.enum(['json', 'index', 'lines', 'bullets', 'research', 'ideas']).nullable(),
  findings: z.array(Finding),
  /** What the reviewer said its verdict is; recorded, never counted. */
  statedVerdict: NullableText,
  /** What it said where that is less than its findings say. Absent where it did not. */
  milderVerdict: Text.optional(),
  coverage: z.array(FileReading),
  usage: Usage,
  attempts: Count,
  startedAt: Text,
  durationMs: Count,
  /** The configured limit of the whole call, for `✗ (timeout after 120s)`. */
  timeoutSeconds: Amount.positive(),
  unparsed: Texts,
  /** How grave a line is that belongs to none of its findings; absent where there is none. */
  unaccounted: Severity.exactOptional(),
  dropped: z.object({ placeholder: Whole, template: Whole, prompt: Whole }),
  /** Names of the repairs that were needed to read the answer. */
  repairs: Texts,
  notes: Texts,
  /** Pass and fail votes of verification mode, by criterion number; empty elsewhere. */
  votes: Rows({ criterion: Whole, vote: z.enum(['PASS', 'FAIL']) }),
  /** What a researcher brought besides its findings. */
  research: Research.optional(),
  /** The whole answer, where the answer itself is the result. Untrusted. */
  said: Text.optional(),
  /** Keys of its answers that are the reviewer's own, such as `metrics`; the last one stands. Untrusted. */
  extra: z.record(Text, z.json()).optional(),
  /** Why it claims a veto. */
  vetoReasons: Texts.optional(),
  /** What it ran at; absent where it is no program of the panel's. */
  isolation: Isolation.optional(),
  /** Absent when the reviewer spends no tokens, or when nobody has a budget. */
  spending: Spending.optional(),
});
export type Review = z.infer<typeof Review>;

export function idsOf(reviews: readonly Pick<Review, 'reviewer'>[]): ReadonlySet<string> {
  return new Set(reviews.map(({ reviewer }) => reviewer));
}

/** A review without a word of its reviewer: failed, unless whoever makes it knows better. Every other one is made from it. */
export function emptyReview(
  known: Pick<Review, 'reviewer' | 'persona' | 'runner' | 'required' | 'timeoutSeconds'> &
    Partial<Review>,
): Review {
  return {
    model: null,
    status: 'failed',
    failure: null,
    format: null,
    findings: [],
    statedVerdict: null,
    coverage: [],
    usage: noUsage,
    attempts: 0,
    startedAt: '',
    durationMs: 0,
    unparsed: [],
    dropped: { placeholder: 0, template: 0, prompt: 0 },
    repairs: [],
    notes: [],
    votes: [],
    ...known,
  };
}

/** Did its tokens end before the files it was there for? */
export function isShortOfTokens({ failure }: Pick<Review, 'failure'>) {
  return failure?.cause === 'budget' || failure?.cause === 'room';
}

export function reasonOf(review: Pick<Review, 'failure'>): FailureReason | null {
  return review.failure === null ? null : causes[review.failure.cause].reason;
}

/** The status string that every report prints: `✓`, `✗ (timeout after 120s)`, `◐ (partial: truncated)`. */
export function displayOf(review: Pick<Review, 'status' | 'failure' | 'timeoutSeconds'>) {
  if (review.status === 'complete') return '✓';
  if (review.status === 'partial')
    return review.failure ? `◐ (partial: ${review.failure.cause})` : '◐ (partial)';
  return review.failure
    ? `✗ (${describeFailure(review.failure, review.timeoutSeconds)})`
    : '✗ (error)';
}

function describeFailure(failure: Failure, timeoutSeconds: number) {
  const words: Record<FailureReason, string> = {
    not_installed: 'not installed',
    timeout: `timeout after ${timeoutSeconds}s`,
    error: describeError(failure),
    not_available: 'not available',
    empty: 'empty answer',
    unreadable: 'unreadable answer',
    refused: 'refused',
    quota: 'quota exceeded',
  };
  return failure.httpStatus !== null && causes[failure.cause].reason === 'not_available'
    ? describeError(failure)
    : words[causes[failure.cause].reason];
}

/** Of agents that nobody here has started: what is wrong is wrong with a file. */
const filedCauses = new Set<Cause>(['missing', 'unopened', 'misnamed']);

function describeError(failure: Failure) {
  if (failure.httpStatus !== null) return `error (http ${failure.httpStatus})`;
  if (failure.exitCode !== null) return `error (exit ${failure.exitCode})`;
  return filedCauses.has(failure.cause)
    ? causes[failure.cause].sentence
    : `error (${failure.cause})`;
}

// What happens while a run goes on, in order: the lines of `events.jsonl` and the source of every progress display.

export type RunEvent =
  | {
      readonly type: 'run-start';
      readonly run: string;
      readonly folder: string;
      readonly title: string;
      readonly reviewers: readonly {
        readonly id: string;
        readonly runner: string;
        readonly required: boolean;
      }[];
    }
  | { readonly type: 'review-start'; readonly reviewer: string; readonly attempt: number }
  | {
      readonly type: 'review-progress';
      readonly reviewer: string;
      readonly outputTokens: number;
      readonly bytes: number;
    }
  | {
      readonly type: 'review-retry';
      readonly reviewer: string;
      readonly cause: Cause;
      readonly waitMs: number;
    }
  /** A ledger reached four fifths, or was asked for more than it holds: each at most once. */
  | {
      readonly type: 'warning' | 'exhausted';
      readonly ledger: string;
      readonly reviewer: string;
      readonly used: number;
      readonly total: number;
    }
  /** What a reviewer is asked for from now on. */
  | {
      readonly type: 'mode';
      readonly reviewer: string;
      readonly mode: ProgressiveMode;
      readonly used: number;
      readonly total: number;
    }
  /** `remembered`: read from the journal; nobody was called. */
  | { readonly type: 'review-end'; readonly review: Review; readonly remembered: boolean }
  | { readonly type: 'claim-form'; readonly claims: number }
  | { readonly type: 'run-end'; readonly outcome: Outcome | null }
  | { readonly type: 'note'; readonly message: string };

export type OnEvent = (event: RunEvent) => void;
