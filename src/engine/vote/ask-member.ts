/**
 * One question to one member, asked until there is an answer that can be used: three tries with pauses between, each a step
 * of the journal, within the limits of the endpoints and the ceiling of the run.
 */
import { expectedCost } from '../../core/vote/forecast.ts';
import { Called, calledAbout } from '../../core/words/answer.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Answer, Runner, Turn } from '../../core/ports/runner.ts';
import type { Steps } from '../../core/ports/steps.ts';
import { addUsage, noUsage, type Cause, type Failure } from '../../core/words/review.ts';
import type { Ceiling } from '../ceiling.ts';
import type { CallEnd, Endpoints, Lease } from './endpoint-limits.ts';
import { deadlinesOf } from '../review/ask-step.ts';

export interface Question {
  /** Names the question in the journal: what was answered under this name is not asked again. */
  readonly key: string;
  readonly seat: Seat;
  /** The one endpoint it can be put to; null: any that shares the work. */
  readonly endpoint: string | null;
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
  /** 0 to 1, for the pause with this name. */
  readonly jitter: (name: string) => number;
  /** SHA-256 in hex. */
  readonly hash: (text: string) => string;
  /** Told of a question that this round ends without an answer that can be used. */
  readonly onUnanswered?: (question: Question) => void;
}

/** All that an answer is looked up with. */
export interface Recalling extends Pick<Asking, 'round' | 'hash'> {
  readonly steps: Pick<Steps, 'recall'>;
}

/** Not random, so that a run that goes on pauses as it would have. `hash`: SHA-256 in hex. */
export function jitterBy(hash: (text: string) => string): Asking['jitter'] {
  return name => Number.parseInt(hash(name).slice(0, 8), 16) / 2 ** 32;
}

/** In each round. */
const mostTries = 3;
/** Before the second and the third try. */
const pausesMs = [2_000, 4_000] as const;
/** A rate limit says when to come back and is no try; so often is waited for it. */
const mostRateLimits = 10;

export function tryKey(key: string, number: number): string {
  return `${key}/${number}`;
}

/** Numbers of the tries of a round. */
function triesOf(round: number): readonly [first: number, last: number] {
  return [mostTries * (round - 1) + 1, mostTries * round];
}

/** What the journal holds of a try, if the very same was asked. */
function recallTry(question: Question, number: number, asking: Recalling): Called | null {
  const known = asking.steps.recall(tryKey(question.key, number));
  if (known === undefined) return null;
  return calledAbout(fingerprintOf(question, asking)).safeParse(known).data ?? null;
}

/** The texts of panels and of a second pass depend on what others said before: the same name may stand for another question. */
function fingerprintOf({ instructions, prompt }: Question, { hash }: Pick<Asking, 'hash'>): string {
  return hash(JSON.stringify([instructions, prompt]));
}

/**
 * Try `number` (from 1) of a question, after the pause that belongs to it. `before`: the endpoint of the try before, which
 * is avoided where there is another. Rejects only when the signal aborts: a call that was cut off is no step, and neither is
 * one that the ceiling forbade, so that a run may go on with a higher one.
 */
async function tryOnce(
  question: Question,
  number: number,
  before: string | null,
  asking: Asking,
): Promise<Called> {
  const key = tryKey(question.key, number);
  const pauseMs = (pausesMs[((number - 1) % mostTries) - 1] ?? 0) * (1 + asking.jitter(key) / 4);
  if (pauseMs > 0 && recallTry(question, number, asking) === null)
    await asking.clock.sleep(pauseMs, asking.signal);
  try {
    return await asking.steps.step(
      key,
      () => call(question, before, asking),
      calledAbout(fingerprintOf(question, asking)),
    );
  } catch (error) {
    if (!(error instanceof CeilingReached)) throw error;
    return {
      text: null,
      error: error.message,
      isFinal: true,
      endpoint: null,
      model: null,
      asked: '',
      usage: noUsage,
      at: asking.clock.now().toISOString(),
      durationMs: 0,
    };
  }
}

class CeilingReached extends Error {
  override readonly name = 'CeilingReached';
}

/** Where the tries of a question stand. */
export interface Tried {
  /** Of the last try; 0: there was none. */
  readonly number: number;
  /** Tries so far in which somebody was called. */
  readonly attempts: number;
}

const untried: Tried = { number: 0, attempts: 0 };

export type Heard<Read> = Tried &
  (
    | { readonly read: Read; readonly last: Called }
    | { readonly read: null; readonly error: string; readonly last: Called | null }
  );

/** Makes something of an answer; a sentence says why it cannot. */
export type ReadAnswer<Read extends object> = (text: string) => Read | string;

/** Asks until `read` makes something of an answer. `before`: tries of another question that count as tries of this one. */
export async function askUntil<Read extends object>(
  question: Question,
  read: ReadAnswer<Read>,
  asking: Asking,
  before: Tried = untried,
): Promise<Heard<Read>> {
  const [first] = triesOf(asking.round);
  const most = first + (asking.tries ?? mostTries) - 1;
  let heard = recallUntil(question, read, asking, { before, most: first - 1 });
  let endpoint: string | null = null;
  for (
    let number = Math.max(first, before.number + 1);
    number <= most && heard.read === null;
    number++
  ) {
    const last = await tryOnce(question, number, endpoint, asking);
    heard = readTry(heard, { last, number }, read);
    if (last.isFinal) break;
    endpoint = last.endpoint;
  }
  if (heard.read === null) asking.onUnanswered?.(question);
  return heard;
}

/** What the journal holds of a question that was asked before. Nobody is asked. */
export function recallHeard<Read extends object>(
  question: Question,
  read: ReadAnswer<Read>,
  asking: Recalling,
  before: Tried = untried,
): Heard<Read> {
  return recallUntil(question, read, asking, { before, most: triesOf(asking.round)[1] });
}

function recallUntil<Read extends object>(
  question: Question,
  read: ReadAnswer<Read>,
  asking: Recalling,
  { before, most }: { readonly before: Tried; readonly most: number },
): Heard<Read> {
  let heard: Heard<Read> = { ...before, read: null, error: 'Nobody was asked.', last: null };
  for (let number = before.number + 1; number <= most && heard.read === null; number++) {
    const last = recallTry(question, number, asking);
    if (last !== null) heard = readTry(heard, { last, number }, read);
  }
  return heard;
}

function readTry<Read extends object>(
  { attempts: before }: Tried,
  { last, number }: { readonly last: Called; readonly number: number },
  read: ReadAnswer<Read>,
): Heard<Read> {
  // A try that made no call does not count.
  const attempts = before + (last.usage.calls === 0 && last.isFinal ? 0 : 1);
  const made = last.text === null ? (last.error ?? 'Nobody was asked.') : read(last.text);
  return typeof made === 'string'
    ? { number, attempts, read: null, error: made, last }
    : { number, attempts, read: made, last };
}

/** Books what earlier tries of these questions cost in this round, before a run goes on. */
export function bookEarlier(
  keys: Iterable<string>,
  { steps, ceiling, round }: Pick<Asking, 'steps' | 'ceiling' | 'round'>,
): void {
  const [first, most] = triesOf(round);
  for (const key of keys) {
    for (let number = first; number <= most; number++) {
      const known = Called.safeParse(steps.recall(tryKey(key, number)));
      if (!known.success) continue;
      ceiling.recall(known.data.usage.calls, known.data.usage);
    }
  }
}

async function call(question: Question, before: string | null, asking: Asking): Promise<Called> {
  const began = asking.clock.monotonicMs();
  const asked = fingerprintOf(question, asking);
  const ended = (rest: Omit<Called, 'at' | 'durationMs' | 'asked' | 'usage'>): Called => ({
    ...rest,
    asked,
    usage,
    at: asking.clock.now().toISOString(),
    durationMs: Math.round(asking.clock.monotonicMs() - began),
  });
  let usage = noUsage;
  let avoid = before;
  for (let limited = 0; ; limited++) {
    const lease = await asking.endpoints.acquire({ only: question.endpoint, avoid }, asking.signal);
    if (typeof lease === 'string')
      return ended({ text: null, error: lease, isFinal: true, endpoint: null, model: null });
    const answer = await callAt(lease, question, asking);
    usage = addUsage(usage, { ...answer.usage, calls: 1 });
    if (answer.status === 'answered')
      return ended({
        text: answer.text,
        error: null,
        isFinal: false,
        endpoint: lease.key,
        model: answer.model,
      });
    avoid = lease.key;
    if (answer.failure.cause !== 'rate-limited' || limited === mostRateLimits)
      return ended({
        text: null,
        error: sayFailure(answer.failure),
        isFinal: false,
        endpoint: lease.key,
        model: null,
      });
  }
}

/** The words of a server alone may not even tell that it was a server that failed. */
function sayFailure({ httpStatus, message }: Failure): string {
  return httpStatus === null ? message : `HTTP ${httpStatus}: ${message}`;
}

/** The lease is given back whatever happens. */
async function callAt(lease: Lease, question: Question, asking: Asking): Promise<Answer> {
  let end: CallEnd = { kind: 'answered' };
  try {
    asking.signal.throwIfAborted();
    const seat = asking.seatAt(question.seat, lease.key);
    const length = question.instructions.length + question.prompt.length;
    const expected = expectedCost({
      characters: length,
      items: question.items ?? itemsOfAnArgument,
      price: seat.price ?? null,
    });
    const spent = await asking.ceiling.reserveInTime(length, expected);
    if (spent !== null) throw new CeilingReached(spent);
    let usage = noUsage;
    try {
      asking.signal.throwIfAborted();
      const answer = await (
        await asking.runnerFor(seat)
      ).ask(turnOf(seat, question), asking.signal);
      usage = answer.status === 'answered' ? { ...answer.usage, calls: 1 } : answer.usage;
      asking.signal.throwIfAborted();
      end = endOf(answer);
      return answer;
    } finally {
      // Whoever waits for room must hear of it, also when everything ends.
      asking.ceiling.settle(usage, length, expected, {
        expected,
        isCutOff: asking.signal.aborted,
      });
    }
  } finally {
    asking.endpoints.release(lease, end);
  }
}

/** Stances that are as long as one argument. */
const itemsOfAnArgument = 4;

function turnOf(seat: Seat, { instructions, prompt }: Question): Turn {
  return {
    seat,
    attempt: 1,
    instructions,
    prompt,
    change: null,
    read: () => Promise.resolve(null),
    deadlines: deadlinesOf(seat),
  };
}

const silentCauses: ReadonlySet<Cause> = new Set([
  'first-output',
  'idle',
  'deadline',
  'late',
  'unreachable',
]);
const closingCauses: ReadonlySet<Cause> = new Set([
  'not-found',
  'version',
  'unsafe-cli',
  'isolation',
  'auth',
  'quota',
  'tools-missing',
]);

function endOf(answer: Answer): CallEnd {
  if (answer.status === 'answered') return { kind: 'answered' };
  const { cause, message } = answer.failure;
  if (cause === 'rate-limited') return { kind: 'rate-limited', retryAfterMs: answer.retryAfterMs };
  if (closingCauses.has(cause)) return { kind: 'closed', reason: message };
  return silentCauses.has(cause) ? { kind: 'silent' } : { kind: 'failed', reason: message };
}
