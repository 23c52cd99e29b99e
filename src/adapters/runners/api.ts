/**
 * A model API as a reviewer: text in, text out, no process. One request per call, or with tools a bounded number of rounds;
 * a stream that is not provably whole is a failure, because half an answer can lack the finding that matters.
 */
import { APICallError, InvalidResponseDataError, type LanguageModel } from 'ai';
import { destinationOf } from '../../core/context/egress.ts';
import {
  type NotAnswered,
  type Runner,
  type Turn,
  answered,
  failedAnswer,
} from '../../core/ports/runner.ts';
import { estimateUsage, withCost } from '../../core/spending/month.ts';
import type { Seat } from '../../core/words/config.ts';
import { causes, noUsage } from '../../core/words/review.ts';
import { type Streamed, type WireRecord, openWire, readStream } from './api-stream.ts';
import { type RunnerWorld, hashValue, textAnswer, withoutSecret } from './executable.ts';
import { type PassedDeadline, watchCall } from './process.ts';
import { type Fault, failedBy, faultOf } from './provider-failure.ts';

export function createApiRunner(world: RunnerWorld): Runner {
  return {
    name: 'api',
    takesSchema: true,
    transportRetries: 2,
    async ask(turn, signal, onProgress) {
      const target = resolveTarget(turn.seat, world);
      if ('status' in target) return target;
      const streamed: Streamed = {
        text: '',
        transcript: '',
        rounds: 0,
        before: { input: 0, output: 0, cached: 0 },
        promptTokens: undefined,
        finish: null,
        ends: new Set(),
        error: null,
      };
      const stopper = createStopper(turn, signal);
      const wire = openWire(world.fetch ?? globalThis.fetch, stopper.sawOutput, () =>
        stopper.stop('flood'),
      );
      const call = async () => {
        const model = await loadModel(target, wire.fetch);
        await readStream(
          { model, turn, signal: stopper.signal, onProgress, onFlood: () => stopper.stop('flood') },
          streamed,
        );
      };
      // A connection that does not obey the signal must not keep the call from settling.
      await Promise.race([call(), stopper.stopped]);
      stopper.clear();
      const answer = judge({ turn, streamed, wire: wire.seen(), stopped: stopper.reason() });
      return target.apiKey === null ? answer : withoutSecret(answer, target.apiKey);
    },
    async fingerprint(seat) {
      const target = resolveTarget(seat, world);
      return 'status' in target
        ? null
        : hashValue(['api', target.provider, target.model, target.baseUrl]);
    },
  };
}

type StopReason = PassedDeadline | 'flood' | 'cancelled' | 'enough';

/** Ends the call for the first reason that comes up. */
function createStopper(turn: Turn, outer: AbortSignal) {
  const controller = new AbortController();
  let reason: StopReason | null = null;
  const stopped = new Promise<void>(resolve =>
    controller.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  const stop = (why: StopReason) => {
    reason ??= why;
    controller.abort();
  };
  return {
    ...watchCall(turn, outer, stop),
    signal: controller.signal,
    stopped,
    stop,
    reason: () => reason,
  };
}

interface Call {
  turn: Turn;
  streamed: Streamed;
  wire: WireRecord | null;
  stopped: StopReason | null;
}

/** The order matters: why Jury stopped it, what the provider said, whether the answer is whole, whether the prompt was. */
function judge(call: Call) {
  const {
    turn,
    streamed: { text, transcript, promptTokens, finish, ends, error },
    wire,
    stopped,
  } = call;
  const details = { usage: usageOf(call), model: finish?.model ?? null, transcript, text };
  if (stopped === 'enough')
    return text.trim() === ''
      ? failedAnswer(
          'budget',
          'Stopped when its tokens were spent, before it had answered.',
          details,
        )
      : answered(text, { ...details, stop: 'cut' });
  if (stopped !== null)
    return failedAnswer(stopped, `Stopped: ${causes[stopped].sentence}.`, details);
  if (wire?.contentType.startsWith('text/html') && wire.status === 200)
    return failedAnswer('provider', 'The endpoint answered with a web page.', details);
  if (error && turn.tools && uncalledFor.test(String(error.value)))
    return failedAnswer('budget', wentOn, details);
  if (error) return failedBy(judgeError(error.value, wire, text !== ''), details);
  if (!finish || (finish.reason === 'other' && finish.raw === undefined))
    return failedAnswer(
      text === '' ? 'provider' : 'truncated',
      'The stream ended without its closing event.',
      details,
    );
  const ended = [finish.reason, finish.raw ?? '', ...ends].join(' ');
  if (refused.test(ended))
    return failedAnswer('refusal', 'The model or its provider refused.', details);
  if (broken.test(ended))
    return failedAnswer(
      'provider',
      `The provider ended the answer with an error (${finish.raw ?? 'unnamed'}).`,
      details,
    );
  if (isPromptCut(turn, promptTokens))
    return failedAnswer(
      'input-truncated',
      `${promptTokens} tokens arrived, far fewer than were sent.`,
      details,
    );
  if (finish.reason === 'tool-calls' && turn.tools) return failedAnswer('budget', wentOn, details);
  const stop = cutShort.test(ended) ? 'cut' : finish.reason === 'stop' ? 'end' : 'unknown';
  return textAnswer({ text }, { ...details, stop });
}

/** How providers name an end that is none of the model's own. */
const cutShort =
  /length|max_|limit|abort|cancel|insufficient|pause|incomplete|trunc|window|time_?out/i;
const refused = /refus|filter|safety|sensitive|block|prohibited|recitation/i;
const broken = /error|fail|OTHER|unspecified/;

const wentOn = 'It went on calling tools until it might not any more, and gave no answer.';
/** The library's words for a tool call in the round that was to be the answer. */
const uncalledFor = /tool call even though tool choice was none/;

/** As reported; else estimated, but only for a call that got as far as an answer. */
function usageOf({ turn, streamed: { text, transcript, rounds, before, finish }, wire }: Call) {
  const { inputTokens, outputTokens, cachedTokens = 0 } = finish?.usage ?? {};
  const isCounted = inputTokens !== undefined && outputTokens !== undefined;
  if (isCounted || before.input > 0)
    return withCost(turn.seat, {
      calls: isCounted ? rounds : rounds + 1,
      inputTokens: before.input + (isCounted ? inputTokens : 0),
      outputTokens: before.output + (isCounted ? outputTokens : Math.ceil(text.length / 4)),
      cachedTokens: before.cached + (isCounted ? cachedTokens : 0),
      cost: null,
      estimated: !isCounted,
    });
  if (wire?.status !== 200) return { ...noUsage, calls: 1 };
  const once = estimateUsage(turn.seat, turn.instructions + turn.prompt, transcript);
  // Each round is sent the question again.
  const calls = Math.max(1, rounds);
  return withCost(turn.seat, { ...once, calls, inputTokens: once.inputTokens * calls });
}

/**
 * Local servers cut a long prompt without a word; their own count is the one trace it leaves. No tokenizer gets more
 * than eight characters into the average token of running text; runs of one character, which can, are shortened first.
 */
function isPromptCut({ instructions, prompt }: Turn, inputTokens: number | undefined) {
  if (inputTokens === undefined || inputTokens === 0) return false;
  const dense = `${instructions}${prompt}`.replace(/\s+/g, ' ').replace(/(.)\1{3,}/g, '$1$1$1');
  return inputTokens < dense.length / 8;
}

// Which model at which endpoint with which key. Endpoints and keys come from the seat and from nowhere else.

interface ApiTarget {
  provider: ProviderName;
  model: string;
  baseUrl: string;
  /** Null only for openai-compatible endpoints, which may need none. */
  apiKey: string | null;
}

type ProviderName = 'anthropic' | 'openai' | 'google' | 'openai-compatible';
type Fetch = typeof globalThis.fetch;

interface ProviderEntry {
  /** The vendor's usual variables, the first that is set counts. None: works without a key. */
  keys: readonly string[];
  load(settings: {
    baseURL: string;
    fetch: Fetch;
    apiKey?: string;
  }): Promise<(model: string) => LanguageModel>;
}

const providers: Record<ProviderName, ProviderEntry> = {
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'],
    load: async given => (await import('@ai-sdk/anthropic')).createAnthropic(given),
  },
  openai: {
    keys: ['OPENAI_API_KEY'],
    load: async given => (await import('@ai-sdk/openai')).createOpenAI(given).responses,
  },
  google: {
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    load: async given => (await import('@ai-sdk/google')).createGoogleGenerativeAI(given),
  },
  'openai-compatible': {
    keys: [],
    load: async given =>
      (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
        ...given,
        name: 'openai-compatible',
        includeUsage: true,
        supportsStructuredOutputs: true,
      }),
  },
};

/** The target, or the failure that makes a request pointless. */
function resolveTarget(seat: Seat, world: RunnerWorld): ApiTarget | NotAnswered {
  const [name = '', ...rest] = (seat.model ?? '').split('/');
  const model = rest.join('/');
  if (!isProvider(name) || model === '')
    return failedAnswer(
      'not-found',
      `"${seat.model ?? ''}" names no model: expected provider/model with provider ${Object.keys(providers).join(', ')}.`,
    );
  const baseUrl = destinationOf(seat);
  if (baseUrl === undefined) return failedAnswer('not-found', `${name} needs a baseUrl.`);
  const variables = seat.apiKeyEnv === undefined ? providers[name].keys : [seat.apiKeyEnv];
  const apiKey =
    variables
      .map(variable => world.environment[variable])
      .find(value => value !== undefined && value !== '') ?? null;
  if (apiKey === null && variables.length > 0)
    return failedAnswer('auth', `No key in ${variables.join(' or ')}.`);
  return { provider: name, model, baseUrl, apiKey };
}

/** What is passed explicitly cannot be read from the environment by the libraries. */
async function loadModel({ provider, model, baseUrl, apiKey }: ApiTarget, fetch: Fetch) {
  const key = apiKey !== null && { apiKey };
  return (await providers[provider].load({ baseURL: baseUrl, fetch, ...key }))(model);
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(providers, name);
}

// Names what went wrong with a model call.

/** `error` is whatever the library threw or streamed; `wire` and `begun` (text came) tell how far the answer had come. */
function judgeError(error: unknown, wire: WireRecord | null, begun: boolean): Fault {
  const message = describe(error);
  // Where nobody listens, nobody does a second later.
  if (!wire)
    return {
      cause: 'unreachable',
      message,
      ...(!isBrokenConnection(error) && { isLasting: true }),
    };
  const isRefused = wire.status < 200 || wire.status > 299;
  // A stream that closes in good order without a finish reason is invalid data to the library.
  const isCut = isBrokenConnection(error) || (begun && InvalidResponseDataError.isInstance(error));
  if (!isRefused && isCut) return { cause: 'truncated', message };
  const fault = faultOf(wordsOf(error), isRefused ? wire.status : null);
  return { ...fault, message, retryAfterMs: waitIn(error) ?? fault.retryAfterMs ?? null };
}

/** An open stream that ends by reset surfaces as `terminated` or as a code of the socket or the network; so does what may pass by. */
function isBrokenConnection(error: unknown) {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code } = at as { code?: unknown };
    if (
      at.message === 'terminated' ||
      (typeof code === 'string' &&
        /^(?:UND_ERR_\w+|ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|E(?:NET|HOST)(?:UNREACH|DOWN))$/.test(
          code,
        ))
    )
      return true;
  }
  return false;
}

/** Everything the provider said, bounded: bodies are untrusted and may be large. */
function wordsOf(error: unknown) {
  const body = APICallError.isInstance(error) ? (error.responseBody ?? '') : '';
  return `${describe(error)} ${body}`.slice(0, 20_000);
}

function describe(error: unknown) {
  const words =
    error instanceof Error
      ? error.message
      : typeof error === 'string'
        ? error
        : JSON.stringify(error);
  const cause =
    error instanceof Error && error.cause instanceof Error && error.cause.message !== words
      ? ` (${error.cause.message})`
      : '';
  return `${words}${cause}`.slice(0, 2_000);
}

/** What the headers say. */
function waitIn(error: unknown) {
  const headers = APICallError.isInstance(error) ? (error.responseHeaders ?? {}) : {};
  const milliseconds = Number(headers['retry-after-ms'] ?? NaN);
  if (milliseconds >= 0) return milliseconds;
  const value = headers['retry-after'];
  return value === undefined ? null : retryAfterHeader(value);
}

/** Seconds or a date. */
function retryAfterHeader(value: string) {
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
