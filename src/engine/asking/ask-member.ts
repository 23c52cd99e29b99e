/**
 * One question to one member, asked until there is an answer that can be used: three tries with pauses between, each a step
 * of the journal, within the limits of the endpoints and the ceiling of the run.
 */
import pLimit from 'p-limit';
import { sha256 } from '../../core/hash.ts';
import {
  expectedCost,
  forecast,
  type Forecast,
  type ForecastCall,
} from '../../core/spending/forecast.ts';
import type { Seat } from '../../core/words/config.ts';
import {
  type Clock,
  type Runner,
  type Turn,
  Called,
  calledAbout,
} from '../../core/ports/runner.ts';
import {
  type CallEnd,
  type Ceiling,
  type Endpoints,
  type Lease,
  type Recall,
  type Steps,
  createPassingSteps,
} from '../../core/ports/steps.ts';
import {
  addUsage,
  type Cause,
  nothingSpent,
  noUsage,
  type Spent,
  type Usage,
} from '../../core/words/review.ts';
import { createCeiling } from './limits.ts';
import { deadlinesOf } from '../review/make-call.ts';

/** Who is asked, and where. */
export interface PlacedSeat {
  readonly seat: Seat;
  /** The one endpoint it can be asked at; null: any that shares the work. */
  readonly endpoint: string | null;
}

export interface Question extends PlacedSeat {
  /** Names the question in the journal: what was answered under this name is not asked again. */
  readonly key: string;
  readonly instructions: string;
  readonly prompt: string;
  /** Things asked about, from which the length of the answer is forecast; default: as long as an argument is. */
  readonly items?: number;
}

export interface Asking {
  readonly steps: Steps;
  /** From 1. Every round has three tries of its own; whatever can be used of earlier ones is not asked again. */
  readonly round: number;
  /** In each round; default: three. */
  readonly tries?: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly ceiling: Ceiling;
  readonly endpoints: Endpoints;
  readonly runnerFor: (seat: Seat) => Promise<Runner>;
  /** The seat as it calls an endpoint. */
  readonly seatAt: (seat: Seat, endpoint: string) => Seat;
  /** Told how each question ended in this round. */
  readonly onHeard?: (question: Question, heard: Heard<object>) => void;
}

/** All that an answer is looked up with. */
export interface Recalling extends Pick<Asking, 'round'> {
  readonly steps: Recall;
}

/** In each round. */
const mostTries = 3;
/** Before each try. */
const pausesMs = [0, 2_000, 4_000] as const;
/** A rate limit says when to come back and is no try; so often is waited for it. */
const mostRateLimits = 10;

/** Where the tries of a question stand. */
interface Tried {
  /** Of the last try; 0: there was none. */
  readonly number: number;
  /** Tries so far in which somebody was called. */
  readonly attempts: number;
}

export interface Heard<Read> extends Tried {
  /** Null: no answer could be used, and `error` says why. */
  readonly read: Read | null;
  readonly error: string;
  readonly last: Called | null;
}

/** Makes something of an answer; a sentence says why it cannot. */
type ReadAnswer<Read extends object> = (text: string) => Read | string;

/** Asks until `read` makes something of an answer. `before`: tries of another question that count as tries of this one. */
export async function askUntil<Read extends object>(
  asked: Question,
  read: ReadAnswer<Read>,
  asking: Asking,
  before: Tried = { number: 0, attempts: 0 },
) {
  // A prompt may be written when it is looked at: here, and once.
  const question = { ...asked };
  const first = firstTry(asking.round);
  const most = first + (asking.tries ?? mostTries) - 1;
  let heard: Heard<Read> = { ...before, read: null, error: 'Nobody was asked.', last: null };
  for (let number = before.number + 1; number <= most && heard.read === null; number++) {
    const about = calledAbout(fingerprintOf(question));
    const known = await asking.steps.recall(tryKey(question.key, number), about);
    if (!known && number < first) continue;
    const avoid = number > first ? (heard.last?.endpoint ?? null) : null;
    const last = known ?? (await tryOnce(question, number, avoid, asking));
    // A try that made no call does not count.
    const attempts = heard.attempts + Number(last.usage.calls > 0 || !last.isFinal);
    const made = last.text === null ? (last.error ?? '') : read(last.text);
    heard =
      typeof made === 'string'
        ? { number, attempts, last, read: null, error: made }
        : { number, attempts, last, read: made, error: '' };
    if (number >= first && last.isFinal) break;
  }
  asking.onHeard?.(question, heard);
  return heard;
}

function firstTry(round: number) {
  return mostTries * (round - 1) + 1;
}

/** In the order of the questions, so many at work at once. What earlier tries cost in this round is booked first. */
export async function askAll<Read extends object, Asked extends Question>(
  asks: readonly (Asked & { read: ReadAnswer<Read> })[],
  asking: Asking,
  atOnce: number,
): Promise<(Heard<Read> & { readonly of: Asked })[]> {
  await bookEarlier(
    asks.map(({ key }) => key),
    asking,
  );
  return pLimit(atOnce).map(asks, async of => ({ ...(await askUntil(of, of.read, asking)), of }));
}

/** Books what earlier tries of these questions cost in this round, before a run goes on. */
export async function bookEarlier(keys: Iterable<string>, { steps, ceiling, round }: Asking) {
  const first = firstTry(round);
  for (const key of keys)
    for (let number = first; number < first + mostTries; number++) {
      const known = await steps.recall(tryKey(key, number), Called);
      if (known) await ceiling.book(known.usage.calls, known.usage);
    }
}

/** Was it ever asked, or another question of its name? */
export async function wasAsked(key: string, { steps, round }: Recalling) {
  for (let number = 1; number < firstTry(round + 1); number++)
    if ((await steps.recall(tryKey(key, number))) !== undefined) return true;
  return false;
}

export interface Rehearsed {
  /** What it takes from here on when every answer is whole at once. */
  readonly expected: Forecast;
  /** The first question that would be asked; null: none would. */
  readonly first: Question | null;
  /** That answers took which the journal holds. */
  readonly seconds: readonly number[];
  /** By the run before anything of this is asked. */
  readonly spent: Spent;
}

/** The same work without any endpoint: nothing is asked, written or waited for. */
export async function rehearse(
  work: (asking: Asking) => Promise<unknown>,
  { steps, round, ceiling: known }: Recalling & Partial<Pick<Asking, 'ceiling'>>,
): Promise<Rehearsed> {
  const [open, seconds]: [ForecastCall[], number[]] = [[], []];
  let first: Question | null = null;
  const ceiling = createCeiling(
    { maxCalls: null, maxTokens: null, maxCost: null },
    (await known?.spent()) ?? nothingSpent,
  );
  await work({
    round,
    steps: { ...createPassingSteps(), recall: steps.recall },
    clock: { now: () => new Date(0), monotonicMs: () => 0, sleep: async () => {} },
    signal: new AbortController().signal,
    ceiling,
    endpoints: {
      acquire: async () => 'Nobody is asked.',
      release: async () => {},
      rest() {},
    },
    runnerFor: refuse,
    seatAt: refuse,
    onHeard(question, { read, last }) {
      if (read !== null) seconds.push((last?.durationMs ?? 0) / 1_000);
      else {
        first ??= question;
        open.push(sizeOf(question, question.seat));
      }
    },
  });
  return { expected: forecast(open), first, seconds, spent: await ceiling.spent() };
}

function refuse(): never {
  throw new Error('A rehearsal asks a member.');
}

/** Stances that are as long as one argument. */
const itemsOfAnArgument = 4;

function sizeOf({ instructions, prompt, items = itemsOfAnArgument }: Question, { price }: Seat) {
  return { characters: instructions.length + prompt.length, items, price: price ?? null };
}

function tryKey(key: string, number: number) {
  return `${key}/${number}`;
}

/** The texts of panels and of a second pass depend on what others said before: the same name may stand for another question. */
function fingerprintOf({ instructions, prompt }: Question) {
  return sha256(JSON.stringify([instructions, prompt]));
}

/**
 * Try `number` (from 1) of a question, after the pause that belongs to it. `avoid`: the endpoint of the try before, taken only
 * where there is no other. Rejects only when the signal aborts: a call that was cut off is no step, and neither is one that the
 * ceiling forbade, so that a run may go on with a higher one.
 */
async function tryOnce(
  question: Question,
  number: number,
  avoid: string | null,
  asking: Asking,
): Promise<Called> {
  const pauseMs = pausesMs[(number - 1) % mostTries] ?? 0;
  if (pauseMs > 0) await asking.clock.sleep(pauseMs, asking.signal);
  const asked = fingerprintOf(question);
  try {
    return await asking.steps.step(
      tryKey(question.key, number),
      async () => ({ ...(await call(question, avoid, asking)), asked }),
      calledAbout(asked),
    );
  } catch (error) {
    if (!(error instanceof CeilingReached)) throw error;
    const at = asking.clock.now().toISOString();
    return { ...uncalled, asked, error: error.message, at };
  }
}

class CeilingReached extends Error {
  override readonly name = 'CeilingReached';
}

/** No call was made, and none can be made later. */
const uncalled: Called = {
  text: null,
  error: null,
  isFinal: true,
  endpoint: null,
  model: null,
  asked: '',
  usage: noUsage,
  at: '',
  durationMs: 0,
};

async function call(question: Question, before: string | null, asking: Asking): Promise<Called> {
  const { clock, endpoints, signal } = asking;
  const began = clock.monotonicMs();
  let [called, avoid] = [uncalled, before];
  for (let limited = 0; limited <= mostRateLimits; limited++) {
    const lease = await endpoints.acquire({ only: question.endpoint, avoid }, signal);
    if (typeof lease === 'string') {
      called = { ...uncalled, error: lease, usage: called.usage };
      break;
    }
    const answer = await callAt(lease, question, asking);
    const usage = addUsage(called.usage, { ...answer.usage, calls: 1 });
    const made = { ...uncalled, isFinal: false, endpoint: lease.key, usage };
    if (answer.status === 'answered') {
      called = { ...made, text: answer.text, model: answer.model };
      break;
    }
    const { cause, httpStatus, message } = answer.failure;
    // The words of a server alone may not even tell that it was a server that failed.
    called = { ...made, error: httpStatus === null ? message : `HTTP ${httpStatus}: ${message}` };
    if (cause !== 'rate-limited') break;
    avoid = lease.key;
  }
  const at = clock.now().toISOString();
  return { ...called, at, durationMs: Math.round(clock.monotonicMs() - began) };
}

/** The lease is given back whatever happens. */
async function callAt(lease: Lease, question: Question, asking: Asking) {
  const { ceiling, signal } = asking;
  let [end, usage]: [CallEnd, Usage] = [{ kind: 'answered' }, noUsage];
  try {
    const seat = asking.seatAt(question.seat, lease.key);
    const size = sizeOf(question, seat);
    const room = await ceiling.take({ characters: size.characters, cost: expectedCost(size) });
    if ('why' in room) throw new CeilingReached(room.why);
    try {
      signal.throwIfAborted();
      const answer = await (await asking.runnerFor(seat)).ask(turnOf(question, seat), signal);
      usage = answer.status === 'answered' ? { ...answer.usage, calls: 1 } : answer.usage;
      signal.throwIfAborted();
      if (answer.status === 'failed') {
        const { cause, message: reason } = answer.failure;
        end = { kind: kindOfCause[cause] ?? 'failed', reason, retryAfterMs: answer.retryAfterMs };
      }
      return answer;
    } finally {
      // Whoever waits for room must hear of it, also when everything ends.
      await room.give(usage, signal.aborted);
    }
  } finally {
    await asking.endpoints.release(lease, end);
  }
}

export function turnOf(
  { instructions, prompt }: Pick<Question, 'instructions' | 'prompt'>,
  seat: Seat,
): Turn {
  return {
    seat,
    attempt: 1,
    instructions,
    prompt,
    change: null,
    read: async () => null,
    deadlines: deadlinesOf(seat),
  };
}

const kindOfCause: Partial<Readonly<Record<Cause, CallEnd['kind']>>> = {
  'rate-limited': 'rate-limited',
  'first-output': 'silent',
  idle: 'silent',
  deadline: 'silent',
  late: 'silent',
  unreachable: 'silent',
  'not-found': 'closed',
  version: 'closed',
  'unsafe-cli': 'closed',
  isolation: 'closed',
  auth: 'closed',
  quota: 'closed',
  'tools-missing': 'closed',
};
