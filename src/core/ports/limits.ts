/** What all calls of a run share: places at endpoints, and calls, tokens and money. Asynchronous, so that they may hold across machines. */
import type { Spent, Usage } from '../words/review.ts';

/** What a run may still spend, over all its rounds. A call that would go over a limit is not made. */
export interface Ceiling {
  /**
   * Makes room for one call. While calls under way may turn out to cost less than was expected of them nothing is refused: they are
   * waited for.
   */
  take(call: ExpectedCall): Promise<Room | Refusal>;
  /** Books so many calls that were made before this process began. */
  book(calls: number, usage: Usage): Promise<void>;
  spent(): Promise<Spent>;
  /** Why a call was not made, of the last one that was not, and of the last one that the month refused; null where every one was. */
  refusals(): Promise<{ readonly last: string | null; readonly ofMonth: string | null }>;
}

export interface ExpectedCall {
  /** Of the prompt. */
  readonly characters: number;
  /** US dollars. */
  readonly cost: number;
  /** What its month is told to expect; absent: the same; null: it is free. */
  readonly ofMonth?: number | null;
}

/** Must be given back whatever happens. */
export interface Room {
  /** Books what the call cost in the place of what was expected of it. `isCutOff`: nobody waited for its end, so that nobody knows. */
  give(usage: Usage, isCutOff?: boolean): Promise<void>;
}

export interface Refusal {
  /** One sentence. */
  readonly why: string;
  readonly isOfMonth: boolean;
}

/** The right to make one call. It must be given back whatever happens. */
export interface Lease {
  /** Of the endpoint. */
  readonly key: string;
  /** Order in which leases were given. */
  readonly serial: number;
}

/**
 * How a call ended, as far as its endpoint is concerned. `silent`: no answer in time, or no connection; `failed`: an answer, and
 * nothing in it that can be used; `closed`: it will not answer any more in this run, without a key, credit or program.
 */
export interface CallEnd {
  readonly kind: 'answered' | 'rate-limited' | 'silent' | 'failed' | 'closed';
  /** In one sentence, where it was not answered. */
  readonly reason?: string;
  /** What a rate limit asks to wait; null and absent: it does not say. */
  readonly retryAfterMs?: number | null;
}

/** Who may be called now: every endpoint with its own limit, shared by all calls to it. */
export interface Endpoints {
  /**
   * Waits for a free place: at the one endpoint this call can go to (`only`), else at any that shares the work; the one that has just
   * failed (`avoid`) only where there is no other. A sentence: no endpoint is left that could be asked. Rejects when `signal` aborts.
   */
  acquire(
    wish: { readonly only: string | null; readonly avoid: string | null },
    signal: AbortSignal,
  ): Promise<Lease | string>;
  release(lease: Lease, end: CallEnd): Promise<void>;
  /** Ends every pause; called when nobody waits any more, so that no timer outlives the work. What was learnt is kept. */
  rest(): void;
}
