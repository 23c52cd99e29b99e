import type { z } from 'zod';
import type { ReviewerReliability } from '../../agreement/index.ts';
import type { MonthSpending } from '../spending/month.ts';
import type { Recalibration, RememberedRun, RunToRemember } from '../words/run.ts';
import type { Spent, Usage } from '../words/review.ts';

/** Runs a step once and remembers its result across crashes. Results are JSON. */
export interface Steps {
  /**
   * Returns the remembered result of `key`, or runs `work`, remembers what it returns and returns that. What is remembered and not of
   * `schema` counts as not remembered, and is replaced. Of several calls of one key at a time only the first works, the others share
   * its result; a step that throws is not remembered.
   */
  step<Result>(
    key: string,
    work: () => Promise<Result>,
    schema?: z.ZodType<NoInfer<Result>>,
  ): Promise<Result>;
  /** The remembered result where it is of `schema`, else undefined. */
  recall<Result = unknown>(key: string, schema?: z.ZodType<Result>): Promise<Result | undefined>;
  /** Lets go of the run. Never rejects over the machine: whoever comes next takes over from a process that is gone. */
  close(): Promise<void>;
}

export type Recall = Pick<Steps, 'recall'>;

/** The steps of every run, by the id of the run. */
export interface StepsOfRuns {
  /**
   * Takes the run for this process until the steps are closed, and goes on with what is remembered. Throws `UserError` (kind `usage`)
   * that names who holds it, or (kind `machine`, `input`) for what the machine refuses. `isBegun`: something of it was remembered.
   */
  open(run: string, isBegun?: boolean): Promise<Steps>;
  /** What is remembered, whoever works on the run. Changes nothing. */
  read(run: string): Promise<Recall>;
  /** True while a process that may be alive holds the run. */
  isHeld(run: string): Promise<boolean>;
}

/** The run folder. Every write is atomic: a temporary name, then a rename. Paths are relative, with slashes. */
export interface RunStore {
  readonly runId: string;
  /** Absolute path of the run folder. */
  readonly folder: string;
  /** Absolute folder of copies that people are pointed to; null: there are none. */
  readonly copies: string | null;
  write(path: string, text: string): Promise<void>;
  append(path: string, line: string): Promise<void>;
  read(path: string): Promise<string | null>;
  list(folder: string): Promise<readonly string[]>;
}

// What all calls of a run share: places at endpoints, and calls, tokens and money. Asynchronous, so that they may hold across
// machines.

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
  /** US dollars; 0 where nobody knows; null: it is free. */
  readonly cost: number | null;
}

/** Must be given back whatever happens. */
interface Room {
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

/**
 * What a project has spent, by month, kept beside its runs and counted whether they are kept or not. Every method is done when it
 * returns, and is one step for all processes: what one has booked the next one sees. Throws `UserError` for what cannot be read or
 * written: nobody may take it for nothing spent.
 */
export interface SpendingLedger {
  read(month: string): MonthSpending;
  /**
   * Books that a call begins which is expected to cost so many US dollars, unless `refuse` says in a sentence why it may not; returns
   * that sentence, or null.
   */
  begin(
    month: string,
    expected: number,
    refuse: (booked: MonthSpending) => string | null,
  ): string | null;
  /** Books the end of a call in the month it began in. `cost` null: nobody knows; `isMade` false: none was made after all. */
  end(
    month: string,
    expected: number,
    what: { readonly cost: number | null; readonly isMade: boolean },
  ): void;
  close(): void;
}

// The manners of steps, over whatever keeps their results: one at work for a key, results as JSON gives them back.

interface StepStore {
  /** Null: nothing is kept of the key. */
  find(key: string): { readonly value: unknown } | null;
  /** `body`: JSON of the key and the result, without one of the key alone. Resolves when it is kept. */
  keep(key: string, body: string): Promise<void>;
  close(): Promise<void>;
}

export function stepsOver({ find, keep, close }: StepStore): Steps {
  const running = new Map<string, Promise<unknown>>();
  const runOnce = async (
    key: string,
    work: () => Promise<unknown>,
    schema: z.ZodType | undefined,
  ) => {
    const known = find(key);
    if (known !== null && schema?.safeParse(known.value).success !== false) return known.value;
    const result = await work();
    await keep(key, JSON.stringify(result === undefined ? [key] : [key, result]));
    return find(key)?.value;
  };
  return {
    step<Result>(key: string, work: () => Promise<Result>, schema?: z.ZodType<NoInfer<Result>>) {
      const shared =
        running.get(key) ?? runOnce(key, work, schema).finally(() => running.delete(key));
      running.set(key, shared);
      return shared as Promise<Result>;
    },
    recall: recallOver(find),
    close,
  };
}

export function recallOver(find: StepStore['find']): Steps['recall'] {
  return <Result>(key: string, schema?: z.ZodType<Result>) => {
    const value = find(key)?.value;
    return Promise.resolve(
      schema === undefined ? (value as Result | undefined) : schema.safeParse(value).data,
    );
  };
}

/** Remembered as long as the process lives: for what no folder is kept of, and for work that is only rehearsed. */
export function createPassingSteps(known: Map<string, unknown> = new Map()): Steps {
  return stepsOver({
    find: key => (known.has(key) ? { value: known.get(key) } : null),
    keep(key, body) {
      const [, value] = JSON.parse(body) as [string, unknown?];
      known.set(key, value);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  });
}

/** What earlier runs on the same repository left, and what people decided about their claims. */
export interface Memory {
  /**
   * Names the claims of a run as they are known, gives their states and remembers the run: all or nothing, and for the same run
   * again the same.
   */
  remember(run: RunToRemember): Promise<RememberedRun>;
  /** The same, and nothing of the run is kept. */
  recognise(run: RunToRemember): Promise<RememberedRun>;
  reliability(): Promise<readonly ReviewerReliability[]>;
  /** Null while too little is decided. */
  recalibration(): Promise<Recalibration | null>;
}
