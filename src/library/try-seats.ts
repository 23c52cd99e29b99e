/**
 * Asks every reviewer of the configuration one word, all at once: does it answer at all? Nobody is shown anything of the project, no answer
 * is kept, and what was configured by somebody else is started and reached only where it is allowed.
 */
import { createSecretScanner } from '../checks/index.ts';
import { UserError, userError } from '../core/errors.ts';
import type { Answer } from '../core/ports/runner.ts';
import { demandsOfRun } from '../core/safety/demands.ts';
import { redact } from '../core/safety/redaction.ts';
import type { ReviewerConfig, Seat } from '../core/words/config.ts';
import { type Cause, causes, type Failure, noUsage, type Usage } from '../core/words/review.ts';
import { type Call, clockOf, signalOf } from './call.ts';
import { openRunners } from './open-world.ts';
import { configure, type Configured, seatReviewer } from './seat-reviewers.ts';
import { kindOf, traitsOf } from '../core/words/runner.ts';
import { priced } from '../core/spending/month.ts';
import { deadlinesOf } from '../engine/review/make-call.ts';

/** `untried`: nobody was asked, and `why` says what stands against it. */
export interface Trial {
  readonly status: 'works' | 'fails' | 'untried';
  /** One sentence, without any key; null when it works. */
  readonly why: string | null;
  /** What the person can do about it; null when it works, or when nobody knows. */
  readonly mend: string | null;
  readonly cause: Cause | null;
  readonly httpStatus: number | null;
  /** The model that answered, as the provider names it; null when unknown. */
  readonly model: string | null;
  readonly durationMs: number;
  readonly usage: Usage;
}

/** Seconds that a seat gets when nobody sets a limit: clients take several to start. */
export const trialSeconds = 30;

interface TrialRequest {
  /** Seconds for each seat. */
  timeout: number;
  /** Top of the repository; null outside of one. */
  checkout: string | null;
}

/** By id of the reviewer. Built-in analysers are no part of it: there is nobody to ask. */
export async function trySeats(
  reviewers: readonly ReviewerConfig[],
  { timeout, checkout }: TrialRequest,
  call: Call,
): Promise<ReadonlyMap<string, Trial>> {
  const asked = reviewers.filter(({ runner }) => kindOf(runner) !== 'check');
  if (asked.length === 0) return new Map();
  // What was found may not be asked before somebody has allowed it.
  const configured = await configure(call, {
    wants: config => demandsOfRun(config.reviewers ?? [], config),
  }).catch(userError);
  if (configured instanceof UserError)
    return new Map(asked.map(({ id }) => [id, untried(configured)]));
  const runnerFor = openRunners(call, checkout);
  return new Map(
    await Promise.all(
      asked.map(async reviewer => {
        const trial = await tryOne(reviewer, { configured, timeout, runnerFor }, call);
        // Programs and servers may repeat what they were given, and this goes to a terminal or a log of CI.
        const [why, mend] = await Promise.all([mask(trial.why, call), mask(trial.mend, call)]);
        return [reviewer.id, { ...trial, why, mend }] as const;
      }),
    ),
  );
}

async function tryOne(
  reviewer: ReviewerConfig,
  {
    configured,
    timeout,
    runnerFor,
  }: { configured: Configured; timeout: number; runnerFor: ReturnType<typeof openRunners> },
  call: Call,
): Promise<Trial> {
  const clock = clockOf(call);
  const startedAt = clock.now().getTime();
  const { trust } = configured.config;
  const situation = { trust, source: 'revision' } as const;
  const seated = await seatReviewer(reviewer, configured, timeout, situation).catch(userError);
  if (seated instanceof UserError) return { ...untried(seated), status: 'fails' };
  const seat = { ...seated, answerTokens };
  const runner = await runnerFor(seat);
  const answer = await runner.ask(
    { ...question, seat, deadlines: deadlinesOf({ timeout }) },
    signalOf(call),
  );
  return judge(answer, seat, clock.now().getTime() - startedAt);
}

/** The least that every vendor takes; models that think before they speak spend it unsaid. */
const answerTokens = 16;

const question = {
  attempt: 1,
  instructions: 'This is a test of the connection. Answer with the one word OK and nothing else.',
  prompt: 'Say OK.',
  change: null,
  read: async () => null,
  tools: null,
} as const;

function judge(answer: Answer, seat: Seat, durationMs: number): Trial {
  const { usage, model } = answer;
  const known = { durationMs, usage: priced(usage, seat), model };
  // The key was taken and the model was there: what it could not do is say a word in so few tokens.
  const isSpentThinking =
    answer.status === 'failed' && kindOf(seat.runner) === 'api' && answer.failure.cause === 'empty';
  if (answer.status === 'answered' || isSpentThinking)
    return { status: 'works', why: null, mend: null, cause: null, httpStatus: null, ...known };
  const { failure, retryAfterMs } = answer;
  return {
    status: 'fails',
    why: describe(failure, seat),
    mend: mendOf(failure, seat, retryAfterMs),
    cause: failure.cause,
    httpStatus: failure.httpStatus,
    ...known,
  };
}

function describe({ cause, message, httpStatus }: Failure, { timeout }: Seat) {
  const sentence = causes[cause].sentence;
  if (causes[cause].reason === 'timeout') return `${sentence} (${timeout} s).`;
  const status = httpStatus === null ? '' : ` (HTTP ${httpStatus})`;
  const said = message.replace(/\s+/g, ' ').trim().slice(0, 300);
  // What a provider says of a key may hold a part of it.
  if (cause === 'auth' && httpStatus !== null) return `${sentence}${status}.`;
  return said === '' ? `${sentence}${status}.` : `${sentence}${status}: ${said}`;
}

function untried(error: UserError): Trial {
  return {
    status: 'untried',
    why: error.message,
    mend: error.hint,
    cause: null,
    httpStatus: null,
    model: null,
    durationMs: 0,
    usage: noUsage,
  };
}

async function mask(text: string | null, { environment }: Call) {
  if (text === null) return null;
  const named = Object.entries(environment)
    .filter(([name, value = '']) => /key|token|secret|password/i.test(name) && value.length >= 8)
    .reduce((masked, [name, value = '']) => masked.replaceAll(value, `[${name}]`), text);
  return redact(named, await createSecretScanner().scan(named, 'answer.txt')).text;
}

// What a person can do about a seat that does not answer.

type Asked = Pick<Seat, 'runner' | 'model' | 'baseUrl' | 'apiKeyEnv' | 'command' | 'timeout'>;

/** Null where nobody knows. `retryAfterMs`: what the provider asked to wait, null when it did not say. */
function mendOf(
  { cause, message, httpStatus }: Failure,
  seat: Asked,
  retryAfterMs: number | null,
): string | null {
  const at = seat.baseUrl?.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
  if (httpStatus === 404)
    return (
      `Look at "model" (${seat.model ?? 'none'}) and "baseUrl" ` +
      `(${at ?? "the vendor's"}): one of them is not known there.`
    );
  const wait =
    retryAfterMs === null ? 'Wait' : `Wait ${Math.max(1, Math.ceil(retryAfterMs / 1_000))} s`;
  const mends: Partial<Record<Cause, string>> = {
    'not-found': installOf(seat),
    version: `Bring ${seat.runner} up to date.`,
    auth: keyOf(seat, message),
    unreachable: `Start the server${at === undefined ? ', or look at the network' : ` at ${at}, or put "baseUrl" right`}.`,
    quota: 'Add credit, or seat a model of another vendor.',
    'rate-limited': `${wait} and try again, or ask for fewer at a time ("concurrency").`,
    'first-output': slowOf(seat),
    idle: slowOf(seat),
    deadline: slowOf(seat),
    isolation: 'Take "isolation" of this reviewer back, or run where a sandbox can be had.',
    spawn: 'Look at whether the program is made for this machine.',
    exit: `By hand it runs outside of the sandbox: ${seat.command?.join(' ') ?? seat.runner}`,
    empty: 'It must write its answer to standard output.',
    'unsafe-cli': `Bring ${seat.runner} up to date.`,
    protocol: `Bring ${seat.runner} up to date; see docs/reviewers.md for versions that were tried.`,
  };
  return mends[cause] ?? null;
}

function installOf({ runner, model }: Asked) {
  const { kind, needs: [key] = [] } = traitsOf(runner);
  if (kind === 'program') return 'Put "command" of this reviewer right, or install the program.';
  if (kind === 'api') return `Put "model" (${model ?? 'none'}) of this reviewer right.`;
  if (key !== undefined) return `Put "${key}" of this reviewer right.`;
  return `Install ${runner}, or name its program with "executable".`;
}

function keyOf({ runner, apiKeyEnv }: Asked, message: string) {
  if (message.startsWith('No key'))
    return kindOf(runner) === 'api'
      ? 'Set it where jury is started.'
      : `Set it where jury is started: ${runner} gets a key and sees no login of yours` +
          `${runner === 'claude' ? '; "claude setup-token" makes one of a subscription' : ''}.`;
  return `Look at the key${apiKeyEnv === undefined ? '' : ` in ${apiKeyEnv}`}: it was refused, or may not use this model.`;
}

function slowOf({ timeout }: Asked) {
  return `Give it more time (--timeout ${timeout * 4}), or look at whether a model is still being loaded.`;
}
