/**
 * One question to one member, asked until there is an answer that can be used: three tries with pauses between, each a step
 * of the journal, within the limits of the endpoints and the ceiling of the run.
 */
import { Called } from '../../core/words/answer.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Answer, Runner, Turn } from '../../core/ports/runner.ts';
import type { Steps } from '../../core/ports/steps.ts';
import { addUsage, noUsage, type Cause } from '../../core/words/review.ts';
import type { Ceiling } from '../ceiling.ts';
import type { CallEnd, Endpoints, Lease } from './endpoint-limits.ts';

export interface Question {
  /** Names the question in the journal: what was answered under this name is not asked again. */
  readonly key: string;
  readonly seat: Seat;
  /** The one endpoint it can be put to; null: any that shares the work. */
  readonly endpoint: string | null;
  readonly instructions: string;
  readonly prompt: string;
}

export interface Asking {
  readonly steps: Steps;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly ceiling: Ceiling;
  readonly endpoints: Endpoints;
  readonly runnerFor: (seat: Seat) => Promise<Runner>;
  /** The seat as it calls an endpoint. */
  readonly seatAt: (seat: Seat, endpoint: string) => Seat;
  /** 0 to 1, for the pause with this name. */
  readonly jitter: (name: string) => number;
}

/** Not random, so that a run that goes on pauses as it would have. `hash`: SHA-256 in hex. */
export function jitterBy(hash: (text: string) => string): Asking['jitter'] {
  return name => Number.parseInt(hash(name).slice(0, 8), 16) / 2 ** 32;
}

const mostTries = 3;
/** Before the second and the third try. */
const pausesMs = [2_000, 4_000] as const;
/** A rate limit says when to come back and is no try; so often is waited for it. */
const mostRateLimits = 10;

export function tryKey(key: string, number: number): string {
  return `${key}/${number}`;
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
  const pauseMs = number === 1 ? 0 : (pausesMs[number - 2] ?? 0) * (1 + asking.jitter(key) / 4);
  if (pauseMs > 0 && !Called.safeParse(asking.steps.recall(key)).success)
    await asking.clock.sleep(pauseMs, asking.signal);
  try {
    return await asking.steps.step(key, () => call(question, before, asking), Called);
  } catch (error) {
    if (!(error instanceof CeilingReached)) throw error;
    return {
      text: null,
      error: error.message,
      isFinal: true,
      endpoint: null,
      usage: noUsage,
      at: asking.clock.now().toISOString(),
      durationMs: 0,
    };
  }
}

class CeilingReached extends Error {
  override readonly name = 'CeilingReached';
}

export type Heard<Read> =
  | { readonly read: Read; readonly attempts: number; readonly last: Called }
  | {
      readonly read: null;
      readonly error: string;
      readonly attempts: number;
      readonly last: Called | null;
    };

/** Asks until `read` makes something of an answer; a sentence says why it cannot. `from` is the number of the first try. */
export async function askUntil<Read extends object>(
  question: Question,
  read: (text: string) => Read | string,
  asking: Asking,
  from = 1,
): Promise<Heard<Read>> {
  let last: Called | null = null;
  let error = 'Nobody was asked.';
  let number = from;
  for (; number <= mostTries && last?.isFinal !== true; number++) {
    last = await tryOnce(question, number, last?.endpoint ?? null, asking);
    const made = last.text === null ? (last.error ?? error) : read(last.text);
    if (typeof made !== 'string') return { read: made, attempts: number, last };
    error = made;
  }
  return { read: null, error, attempts: triesMade(number - 1, last), last };
}

/** A try that made no call does not count. */
function triesMade(number: number, last: Called | null): number {
  return last !== null && last.usage.calls === 0 && last.isFinal ? number - 1 : number;
}

/** Books what earlier tries of these questions cost, before a run goes on. */
export function bookEarlier(
  keys: Iterable<string>,
  { steps, ceiling }: Pick<Asking, 'steps' | 'ceiling'>,
): void {
  for (const key of keys) {
    for (let number = 1; number <= mostTries; number++) {
      const known = Called.safeParse(steps.recall(tryKey(key, number)));
      if (!known.success) continue;
      ceiling.recall(known.data.usage.calls, known.data.usage);
    }
  }
}

async function call(question: Question, before: string | null, asking: Asking): Promise<Called> {
  const began = asking.clock.monotonicMs();
  const ended = (rest: Omit<Called, 'at' | 'durationMs'>): Called => ({
    ...rest,
    at: asking.clock.now().toISOString(),
    durationMs: Math.round(asking.clock.monotonicMs() - began),
  });
  let usage = noUsage;
  let avoid = before;
  for (let limited = 0; ; limited++) {
    const lease = await asking.endpoints.acquire({ only: question.endpoint, avoid }, asking.signal);
    if (typeof lease === 'string')
      return ended({ text: null, error: lease, isFinal: true, endpoint: null, usage });
    const answer = await callAt(lease, question, asking);
    usage = addUsage(usage, { ...answer.usage, calls: 1 });
    if (answer.status === 'answered')
      return ended({ text: answer.text, error: null, isFinal: false, endpoint: lease.key, usage });
    avoid = lease.key;
    if (answer.failure.cause !== 'rate-limited' || limited === mostRateLimits)
      return ended({
        text: null,
        error: answer.failure.message,
        isFinal: false,
        endpoint: lease.key,
        usage,
      });
  }
}

/** The lease is given back whatever happens. */
async function callAt(lease: Lease, question: Question, asking: Asking): Promise<Answer> {
  let end: CallEnd = { kind: 'answered' };
  try {
    asking.signal.throwIfAborted();
    const seat = asking.seatAt(question.seat, lease.key);
    const spent = asking.ceiling.reserve(question.instructions.length + question.prompt.length);
    if (spent !== null) throw new CeilingReached(spent);
    const answer = await (await asking.runnerFor(seat)).ask(turnOf(seat, question), asking.signal);
    asking.signal.throwIfAborted();
    asking.ceiling.settle(answer.usage, question.instructions.length + question.prompt.length);
    end = endOf(answer);
    return answer;
  } finally {
    asking.endpoints.release(lease, end);
  }
}

function turnOf(seat: Seat, { instructions, prompt }: Question): Turn {
  return {
    seat,
    attempt: 1,
    instructions,
    prompt,
    change: null,
    read: () => Promise.resolve(null),
    deadlines: {
      firstOutputMs: (seat.firstOutputTimeout ?? seat.timeout) * 1000,
      idleMs: (seat.idleTimeout ?? seat.timeout) * 1000,
      totalMs: seat.timeout * 1000,
    },
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
  return { kind: silentCauses.has(cause) ? 'silent' : 'answered' };
}
