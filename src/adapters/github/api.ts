/**
 * The API of GitHub by Octokit, which is loaded when somebody asks. An answer is held to a schema, a failure is named. Waits where
 * GitHub asks for it, as long as all waits together stay below a bound; sends again what may be done twice. No redirect is followed:
 * it would carry the token to another host.
 */
import { z } from 'zod';
import type { Clock } from '../../core/ports/machine.ts';
import { CodeHostError, type HostCause } from '../../core/ports/repository.ts';
import { cut, toOneLine } from '../../core/text.ts';

export interface ApiSettings {
  /** `https://api.github.com`, or `https://HOST/api/v3` of an Enterprise Server. */
  readonly apiUrl: string;
  /** Null: as somebody whom nobody knows, who sees what is public. */
  readonly token: string | null;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Of one request. */
  readonly timeoutMs?: number;
  /** Of all waits for rate limits together. */
  readonly mostWaitMs?: number;
}

type Parameters = Readonly<Record<string, unknown>>;

export interface Api {
  /** `route`: `GET /repos/{owner}/{repo}`; what it does not name of the parameters is sent as query or body. */
  send<Schema extends z.ZodType>(
    route: string,
    parameters: Parameters,
    answer: Schema,
  ): Promise<z.output<Schema>>;
  query<Schema extends z.ZodType>(
    text: string,
    variables: Parameters,
    answer: Schema,
  ): Promise<z.output<Schema>>;
  /** Requests so far, those that were sent again included. */
  calls(): number;
}

const mostTries = 3;
/** Where a limit says nothing of its end: GitHub's own advice. */
const usualWaitMs = 60_000;

export async function openApi({
  apiUrl,
  token,
  clock,
  signal,
  timeoutMs = 30_000,
  mostWaitMs = 300_000,
}: ApiSettings): Promise<Api> {
  const { Octokit } = await import('@octokit/core');
  const octokit = new Octokit({ baseUrl: apiUrl, userAgent: 'jury' });
  let [calls, waitedMs] = [0, 0];
  const failureOf = ({ code, words }: Trouble, mayBeDone = false) => {
    const told = cut(toOneLine(token === null ? words : words.replaceAll(token, '…')), 300);
    const sentence = `${openings[code]}: ${told.replace(/\.$/, '')}.`;
    return new CodeHostError(code, sentence, mayBeDone);
  };

  octokit.hook.wrap('request', async (request, options) => {
    // Not by its own way to authenticate: with that the signal of a request is lost.
    if (token !== null) options.headers.authorization = `Bearer ${token}`;
    const isRepeatable = options.method !== 'POST' || options.url.endsWith('/graphql');
    for (let tries = 1; ; tries += 1) {
      calls += 1;
      const late = AbortSignal.timeout(timeoutMs);
      const whole = signal ? AbortSignal.any([signal, late]) : late;
      const limits = { ...options.request, redirect: 'manual' as const, signal: whole };
      let answer: Partial<Answered> & { readonly message?: string };
      try {
        const answered = await request({ ...options, request: limits });
        if (!troubleOf(answered)) return answered;
        answer = answered;
      } catch (error) {
        signal?.throwIfAborted();
        answer = Failed.parse(error);
        if (late.aborted) answer = { message: `no answer within ${timeoutMs / 1_000} s` };
      }
      const trouble = troubleOf(answer) ?? { code: 'unreachable', words: '' };
      const { code } = trouble;
      const isPassing = code === 'provider' || code === 'unreachable';
      const failure = failureOf(trouble, isPassing && !isRepeatable);
      const waitMs = waitOf(answer, failure, clock.now());
      if (waitMs !== null) {
        // It was not done, so that anything may be sent again.
        if (waitedMs + waitMs > mostWaitMs)
          throw failureOf({
            code: 'rate-limited',
            words: `it wants ${Math.ceil(waitMs / 1_000)} s of waiting`,
          });
        waitedMs += waitMs;
        await clock.sleep(waitMs, signal);
        tries -= 1;
      } else if (!isPassing || !isRepeatable || tries >= mostTries) throw failure;
      else await clock.sleep(1_000 * tries, signal);
    }
  });

  const read = <Schema extends z.ZodType>(value: unknown, schema: Schema, what: string) => {
    const checked = schema.safeParse(value);
    if (checked.success) return checked.data;
    throw failureOf({ code: 'unreadable', words: `what comes of ${what} is not what it gives` });
  };
  return {
    send: async (route, parameters, answer) =>
      read((await octokit.request(route, parameters)).data, answer, route),
    query: async (text, variables, answer) =>
      read(await octokit.graphql(text, variables), answer, 'a query'),
    calls: () => calls,
  };
}

const openings: Readonly<Record<HostCause, string>> = {
  auth: 'GitHub does not take the token',
  forbidden: 'GitHub does not allow it to this token',
  'rate-limited': 'GitHub limits the rate',
  missing: 'GitHub knows no such thing, or hides it from this token',
  refused: 'GitHub refuses what was sent',
  unreadable: 'GitHub answered something unknown',
  provider: 'GitHub is at fault',
  unreachable: 'GitHub cannot be reached',
};

const Answered = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.unknown()).default({}),
  /** Of GraphQL, which fails with 200. */
  data: z.unknown(),
});
type Answered = z.infer<typeof Answered>;

/** What Octokit throws: without an answer where none came. */
const Failed = z
  .object({ status: z.number(), message: z.string(), response: Answered.optional() })
  .transform(({ message, response }) => ({ message, ...response }));

interface Trouble {
  readonly code: HostCause;
  readonly words: string;
}

const GraphqlErrors = z.object({
  errors: z.tuple(
    [z.object({ type: z.string().default(''), message: z.string().default('') })],
    z.unknown(),
  ),
});

const codes: Readonly<Record<string, HostCause>> = {
  401: 'auth',
  403: 'forbidden',
  404: 'missing',
  410: 'missing',
  429: 'rate-limited',
  FORBIDDEN: 'forbidden',
  INSUFFICIENT_SCOPES: 'forbidden',
  NOT_FOUND: 'missing',
  RATE_LIMITED: 'rate-limited',
};

/** Null: it is what was asked for. */
function troubleOf({
  status,
  data,
  message,
}: Partial<Answered> & { readonly message?: string }): Trouble | null {
  if (status === undefined) return { code: 'unreachable', words: message ?? '' };
  const words = `${status} ${message ?? ''}`;
  // A repository that was renamed answers with its new address.
  if (status >= 300 && status < 400) return { code: 'missing', words: `${words}it has moved` };
  if (status >= 400)
    return { code: codes[status] ?? (status >= 500 ? 'provider' : 'refused'), words };
  const found = GraphqlErrors.safeParse(data);
  if (!found.success) return null;
  const [{ type, message: said }] = found.data.errors;
  // Without a type: what GitHub says of a fault or a time-out of its own.
  const isFault = type === '' && /^something went wrong/i.test(said);
  return { code: codes[type] ?? (isFault ? 'provider' : 'refused'), words: said };
}

/** Milliseconds until it may be sent again; null where no limit is the cause. */
function waitOf({ headers = {} }: Partial<Answered>, { code, message }: CodeHostError, now: Date) {
  const isLimit =
    code === 'rate-limited' || /secondary rate limit|abuse detection|API rate limit/i.test(message);
  if (!isLimit && code !== 'forbidden') return null;
  const after = Number(headers['retry-after'] ?? Number.NaN);
  if (after >= 0) return Math.ceil(after * 1_000);
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
  if (headers['x-ratelimit-remaining'] === '0' && reset > 0)
    return Math.max(1_000, reset * 1_000 - now.getTime());
  return isLimit ? usualWaitMs : null;
}
