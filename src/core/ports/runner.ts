import type { SkippedSeverities } from '../context/budget.ts';
import type { ToolAnswer, ToolOffer } from '../tools/offers.ts';
import type { Change, ChangedFile } from '../words/change.ts';
import type { Seat } from '../words/config.ts';
import type { StatedFinding } from '../words/finding.ts';
import type { Isolation } from '../words/isolation.ts';
import type { Failure, Usage } from '../words/review.ts';

/** One question to one reviewer. */
export interface Turn {
  readonly seat: Seat;
  /** 1-based; the second one carries the code of the first rejection in its prompt. */
  readonly attempt: number;
  /** Who the reviewer is and how it must answer. Runners without a system prompt put it before `prompt`. */
  readonly instructions: string;
  /** What it is about. Untrusted text inside is delimited. */
  readonly prompt: string;
  /** The change itself, for reviewers that read structure instead of a prompt. Null when the subject is no change. */
  readonly change: Change | null;
  /** Text of one side of a file of the change; null when it is not text. Reads through the engine's own git directory. */
  readonly read: (file: ChangedFile, side: 'old' | 'new') => Promise<string | null>;
  /** Milliseconds; `total` bounds the whole call. */
  readonly deadlines: {
    readonly firstOutputMs: number;
    readonly idleMs: number;
    readonly totalMs: number;
  };
  /**
   * Aborts when the reviewer has spent its tokens: the call ends like a cancelled one, but what it had written by then is
   * its answer, with `stop: 'cut'`. A runner that has no text to show for it fails with cause `budget`.
   */
  readonly enough?: AbortSignal;
  /** Absolute path of the file that the instructions tell the reviewer to write; absent where it writes none. */
  readonly outputFile?: string;
  /** Tools the reviewer may use, metered by its ledger. Null or absent: none at all. */
  readonly tools?: ReviewerTools | null;
  /** A JSON Schema that the text of the answer has the shape of, unless the model writes as `instructions` ask; absent: text. */
  readonly schema?: object;
}

/** Read-only tools of one reviewer in one review. What they tell of the repository is masked and bounded. */
export interface ReviewerTools {
  list(): readonly ToolOffer[];
  /** Never rejects: a wrong name, a wrong input, a spent budget and a fault are answers with `isError`. `input` is untrusted. */
  call(name: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer>;
  /** True when the tools tell nothing more: whoever can should keep the reviewer from calling them. */
  isSpent(): boolean;
  /** Calls made although the tools were spent. A runner ends a reviewer that goes on and on. */
  callsAfterEnd(): number;
}

/** `stop` says how the answer ended: `end` by the model's own will, `cut` by a limit, `unknown` when the runner cannot tell. */
export interface Answered {
  readonly status: 'answered';
  readonly text: string;
  readonly stop: 'end' | 'cut' | 'unknown';
  readonly usage: Usage;
  /** The model that answered, as the provider names it; null when unknown. */
  readonly model: string | null;
  /** What each file got, when the reviewer is its own judge of that (static analysers); null: as the pack says. */
  readonly coverage:
    | readonly {
        readonly path: string;
        readonly extent: 'full' | 'partial' | 'skipped' | 'outside';
        readonly why: string | null;
      }[]
    | null;
  /** Everything the reviewer wrote on its outputs, for the raw file. */
  readonly transcript: string;
  /** What it ran at; absent where it is no program of the panel's. */
  readonly isolation?: Isolation;
  /** Set by the engine: it was cut because the tokens of the reviewer were spent. */
  readonly isSpent?: true;
  readonly reports?: Reports;
}

/** Set by the engine: what the reviewer reported through its tools during the call, whatever became of the call. */
export interface Reports {
  readonly findings: readonly StatedFinding[];
  /** Too mild for what was left of the budget: counted, not kept. */
  readonly skipped: SkippedSeverities;
}

export interface NotAnswered {
  readonly status: 'failed';
  readonly failure: Failure;
  /** Milliseconds the provider asked to wait before another attempt; null when it did not say. */
  readonly retryAfterMs: number | null;
  readonly usage: Usage;
  readonly model: string | null;
  readonly transcript: string;
  readonly isolation?: Isolation;
  readonly reports?: Reports;
}

export type Answer = Answered | NotAnswered;

/** What may be shown while a reviewer works. Counts only grow. */
export interface Progress {
  /**
   * Of all requests of the call so far, and of those that tools have made sure to come: as counted by the provider, estimated
   * where it does not count while it works.
   */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly bytes?: number;
}

/**
 * Asks one reviewer one question. Never rejects over the network, the process or the answer: those are answers with a
 * failure, and a rejection is a fault in Jury. One call, one attempt: retrying is the engine's business. Settles within
 * `graceMs` (3 s) of `signal` aborting and leaves no process behind. `text` is untrusted.
 */
export interface Runner {
  readonly name: string;
  /** How often the engine repeats a call that failed in transport; clients that retry by themselves leave it out (0). */
  readonly transportRetries?: number;
  /** Hands the schema of a turn on. Absent: it is given none. */
  readonly takesSchema?: true;
  ask(turn: Turn, signal: AbortSignal, onProgress?: (progress: Progress) => void): Promise<Answer>;
  /**
   * Everything outside the turn that decides the answer (program and its hash, flags, recorded files), for the journal
   * key. Two calls with equal turns and equal fingerprints may share one answer; null: never share.
   */
  fingerprint(seat: Seat): Promise<string | null>;
}
