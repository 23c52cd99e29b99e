/** What a review is made of on its way: what is asked of one reviewer, what all questions share, and what came back. */
import type { Pack } from '../../core/context/pack.ts';
import type { Approval } from '../../core/verdict/approval.ts';
import type { Coverage } from '../../core/verdict/record.ts';
import type { Subject } from '../../core/words/change.ts';
import type { Plan } from '../../core/words/plan.ts';
import type { Packs } from '../pack-change.ts';
import type { World } from '../world.ts';
import type { ProgressiveMode } from '../../core/context/progressive-mode.ts';
import type { Seat } from '../../core/words/config.ts';
import type { OnEvent } from '../../core/words/events.ts';
import type { StatedFinding, Location } from '../../core/words/finding.ts';
import type { Reading } from '../../answers/index.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Answer, Runner, Turn } from '../../core/ports/runner.ts';
import type { Steps } from '../../core/ports/steps.ts';
import type { Contract } from '../../core/process.ts';
import type { FileReading, Review, Spent } from '../../core/words/review.ts';
import type { LabelScale } from '../../core/words/severity.ts';
import type { Ceiling } from '../../core/ports/limits.ts';
import type { MeteredTools } from '../tools/reviewer-tools.ts';
import type { StepSource, Unasked } from './step-source.ts';
import type { ReviewerLedger } from './token-ledgers.ts';

export interface RunRequest {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly excluded: Coverage['excluded'];
  /** Which time this run is worked on: 1, and one more for each resume after it had ended INCOMPLETE. */
  readonly round: number;
  /** What a person let pass of this very change. */
  readonly approvals: readonly Approval[];
}

/** One thing from the first question to the record. */
export interface RunUnderWay extends RunRequest {
  readonly world: World;
  readonly packs: Packs;
  readonly ceiling: Ceiling;
  /** What the rounds before this one have spent. */
  readonly before: Spent;
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  /** Tells in one sentence what the caller should know. */
  readonly note: (message: string) => void;
}

export interface ReviewTask {
  readonly seat: Seat;
  readonly runner: Runner;
  /** The only question; `mode` is what the ledger leaves of it. With `source`, what it would be if it fitted. */
  readonly pack: Pack | ((mode: ProgressiveMode) => Pack);
  /** The questions, when one does not hold everything. */
  readonly source?: StepSource;
  /** What would be read of every unit, were all of it shown; default: as the pack says. */
  readonly readings?: readonly FileReading[];
  /** Absent: tokens are not counted. */
  readonly tokens?: TokenBook;
  /** Absent: the reviewer has no tools. `ledger` null: only the tools themselves count tokens. */
  readonly openTools?: (ledger: ReviewerLedger | null) => MeteredTools;
  readonly scale: LabelScale;
  readonly strict: boolean;
  readonly undeclaredLabel: 'reject' | 'keep';
  readonly voting: boolean;
  /** What a runner that takes a schema is given; absent: nothing. */
  readonly schema?: Turn['schema'];
  readonly nonce: string;
  /** What the reviewer was asked to write. */
  readonly contract?: Contract;
  readonly change: Turn['change'];
  readonly read: Turn['read'];
  /** Prefix of the journal keys of this reviewer's calls. */
  readonly key: string;
  /** Keeps what the reviewer is shown, before it is asked. */
  readonly keep?: (pack: Pack, number: number) => Promise<void>;
}

/** How this reviewer's tokens are booked. */
export interface TokenBook {
  /** Tokens that were set aside for the only question; 0 when there are several. */
  readonly granted: number;
  ledger(): Promise<ReviewerLedger>;
  /** Null until the ledgers are open: nobody waits for them where a bound already decides. */
  known(): ReviewerLedger | null;
  /** Books what a call cost, as its provider reports it, otherwise counted here. */
  settle(call: SettledCall): Promise<void>;
  readonly isolation: () => 'shared' | 'branch';
  /** Waits for tokens that others leave. True: there may be more now; false: nobody is left who could leave any. */
  whenMore(): Promise<boolean>;
}

export interface SettledCall {
  readonly turn: Turn;
  readonly answer: Answer;
  readonly reserved: number;
  /** Tokens that its tools were charged for while it went on: a provider that reports counts them again. */
  readonly charged: number;
}

/** What all questions of a run have in common. */
export interface AskingSession {
  readonly steps: Steps;
  readonly clock: Clock;
  readonly ceiling: Ceiling;
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  /** Looks every stated place up in the real tree, in order. */
  readonly locate: (findings: readonly StatedFinding[]) => Promise<readonly (Location | null)[]>;
  /** Absolute folder of the files that reviewers write themselves. */
  readonly outputFolder?: string;
  /** The file a reviewer wrote itself, taken out of the way; null when there is none. */
  readonly takeWritten?: (reviewer: string) => Promise<string | null>;
}

export interface Conducted {
  readonly review: Review;
  /** Everything the reviewer literally wrote, attempt after attempt. */
  readonly transcripts: readonly string[];
}

export interface Question {
  readonly pack: Pack;
  readonly mode: ProgressiveMode;
  /** Null: the reviewer has none. */
  readonly tools: MeteredTools | null;
  /** Prefix of the journal keys of its calls. */
  readonly key: string;
  /** Tokens that were set aside for it. */
  readonly reserved: number;
}

export interface Attempt {
  readonly answer: Answer;
  readonly reading: Reading | null;
}

/** One question with everything that came back. */
export interface HeldStep extends Pick<Question, 'pack' | 'mode'> {
  readonly attempts: readonly Attempt[];
}

export interface Held {
  readonly steps: readonly HeldStep[];
  /** What was never asked about, and why; empty when everything was. */
  readonly unasked: readonly Unasked[];
  /** Why the files of its domain were not all read for want of tokens; null when they were. */
  readonly shortage: Shortage | null;
}

/** `budget`: its tokens were used up. `room`: some are left, and none of the files that are left fits them. */
export type Shortage = 'budget' | 'room';
