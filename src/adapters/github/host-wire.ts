/**
 * The door to the API of GitHub: one request, its answer checked by a schema, its failure named. Waits where GitHub asks for it, as
 * long as all waits together stay below a bound; tries again what may be done twice. The token goes to one host and into no text.
 */
import { z } from 'zod';
import type { Clock } from '../../core/ports/clock.ts';
import { CodeHostError, type HostCause } from '../../core/ports/code-host.ts';
import { parseJson } from '../../core/json.ts';
import { cut, toOneLine } from '../../core/text.ts';

export interface WireSettings {
  /** `https://api.github.com`, or `https://HOST/api/v3` of an Enterprise Server. */
  readonly apiUrl: string;
  /** Default: the one that belongs to `apiUrl`. */
  readonly graphqlUrl?: string | undefined;
  readonly token: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof globalThis.fetch;
  /** Of one request. */
  readonly timeoutMs?: number;
  /** Of all waits for rate limits together. */
  readonly mostWaitMs?: number;
}

export interface WireRequest<Schema extends z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Begins with a slash; every part of it that is data has been encoded. */
  readonly path: string;
  readonly body?: unknown;
  readonly answer: Schema;
  /** May it be done twice? Default: yes, but for POST. */
  readonly isRepeatable?: boolean;
}

export interface Wire {
  send<Schema extends z.ZodType>(request: WireRequest<Schema>): Promise<z.output<Schema>>;
  /** Every page of a list, by `page` and `per_page`. `pick` yields what is listed. */
  sendPages<Schema extends z.ZodType, Item>(
    request: WireRequest<Schema>,
    pick: (page: z.output<Schema>) => readonly Item[],
  ): Promise<Item[]>;
  graphql<Schema extends z.ZodType>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    answer: Schema,
  ): Promise<z.output<Schema>>;
  calls(): number;
}

const pageSize = 100;
/** GitHub lists at most 3,000 files, 30 pages; nothing that is read here is longer. */
const mostPages = 50;
const mostTries = 3;
/** Bytes of one answer. */
const longestAnswer = 33_554_432;
/** Where a secondary limit says nothing, GitHub's own advice is a minute. */
const usualWaitMs = 60_000;

export function openWire({
  apiUrl,
  graphqlUrl = graphqlUrlOf(apiUrl),
  token,
  clock,
  signal,
  fetch = globalThis.fetch,
  timeoutMs = 30_000,
  mostWaitMs = 300_000,
}: WireSettings): Wire {
  let [calls, waitedMs] = [0, 0];

  /** One attempt. What comes of it is thrown or given; a limit is given as the milliseconds to wait. */
  const attempt = async (
    method: string,
    url: string,
    body: unknown,
  ): Promise<{ readonly text: string } | { readonly waitMs: number; readonly words: string }> => {
    calls += 1;
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        headers: {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${token}`,
          'user-agent': 'jury',
          'x-github-api-version': '2022-11-28',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        // A redirect would carry the token to another host.
        redirect: 'manual',
      });
      text = await readBounded(response);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof CodeHostError) throw error;
      throw fail(
        'unreachable',
        timeout.aborted ? `it did not answer within ${timeoutMs / 1_000} s` : causeOf(error),
        true,
      );
    }
    if (response.ok) return { text };
    const words = wordsOf(text);
    const waitMs = waitOf(response, words, clock.now());
    return waitMs === null ? refuse(response.status, words) : { waitMs, words };
  };

  const fail = (code: HostCause, words: string, mayBeDone = false): CodeHostError =>
    new CodeHostError(
      code,
      `${openings[code]}: ${cut(toOneLine(words.replaceAll(token, '…')), 300)}.`.replace(
        /\.\.$/,
        '.',
      ),
      mayBeDone,
    );

  const refuse = (status: number, words: string): never => {
    throw fail(causeOfStatus(status), `${status}${words === '' ? '' : ` ${words}`}`, status >= 500);
  };

  const request = async (
    method: string,
    url: string,
    body: unknown,
    isRepeatable: boolean,
  ): Promise<string> => {
    for (let tries = 1; ; tries += 1) {
      try {
        const answered = await attempt(method, url, body);
        if ('text' in answered) return answered.text;
        // It was not done, so that anything may be sent again.
        if (waitedMs + answered.waitMs > mostWaitMs)
          throw fail(
            'rate-limited',
            `it wants ${Math.ceil(answered.waitMs / 1_000)} s of waiting (${answered.words})`,
          );
        waitedMs += answered.waitMs;
        await clock.sleep(answered.waitMs, signal);
      } catch (error) {
        const isPassing = error instanceof CodeHostError && error.mayBeDone;
        if (!isPassing || !isRepeatable || tries >= mostTries) throw error;
        await clock.sleep(1_000 * tries, signal);
      }
    }
  };

  const read = <Schema extends z.ZodType>(
    text: string,
    schema: Schema,
    what: string,
  ): z.output<Schema> => {
    const checked = schema.safeParse(text === '' ? null : parseJson(text));
    if (checked.success) return checked.data;
    throw fail('unreadable', `the answer to ${what} is not what the API is known to give`);
  };

  const send: Wire['send'] = async ({
    method,
    path,
    body,
    answer,
    isRepeatable = method !== 'POST',
  }) =>
    read(
      await request(method, `${apiUrl}${path}`, body, isRepeatable),
      answer,
      `${method} ${path}`,
    );

  return {
    send,
    async sendPages(wanted, pick) {
      const items = [];
      for (let page = 1; page <= mostPages; page += 1) {
        const path = `${wanted.path}${wanted.path.includes('?') ? '&' : '?'}per_page=${pageSize}&page=${page}`;
        const listed = pick(await send({ ...wanted, path }));
        items.push(...listed);
        if (listed.length < pageSize) break;
      }
      return items;
    },
    async graphql(query, variables, answer) {
      const isMutation = query.startsWith('mutation');
      const text = await request('POST', graphqlUrl, { query, variables }, true);
      const { data, errors } = read(text, GraphqlAnswer, isMutation ? 'a mutation' : 'a query');
      const [error] = errors ?? [];
      if (error !== undefined)
        throw fail(causeOfGraphql(error.type ?? ''), error.message ?? 'a failure without words');
      return read(JSON.stringify(data ?? null), answer, isMutation ? 'a mutation' : 'a query');
    },
    calls: () => calls,
  };
}

const GraphqlAnswer = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(z.object({ type: z.string().optional(), message: z.string().optional() }))
    .optional(),
});

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

function causeOfStatus(status: number): HostCause {
  if (status === 401) return 'auth';
  if (status === 403) return 'forbidden';
  if (status === 429) return 'rate-limited';
  // A repository that was renamed answers with its new address.
  if (status === 404 || status === 410 || (status >= 300 && status < 400)) return 'missing';
  return status >= 500 ? 'provider' : 'refused';
}

function causeOfGraphql(type: string): HostCause {
  if (type === 'FORBIDDEN' || type === 'INSUFFICIENT_SCOPES') return 'forbidden';
  if (type === 'NOT_FOUND') return 'missing';
  return type === 'RATE_LIMITED' ? 'rate-limited' : 'refused';
}

/** Milliseconds until it may be sent again; null where no limit is the cause. A limit is told by 429, or by 403 with one of three signs. */
function waitOf({ status, headers }: Response, words: string, now: Date): number | null {
  if (status !== 403 && status !== 429) return null;
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(after) && after >= 0) return Math.ceil(after * 1_000);
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  if (headers.get('x-ratelimit-remaining') === '0' && Number.isFinite(reset))
    return Math.max(1_000, reset * 1_000 - now.getTime());
  return status === 429 || /secondary rate limit|abuse detection/i.test(words) ? usualWaitMs : null;
}

const Problem = z.object({
  message: z.string(),
  errors: z
    .array(z.union([z.string(), z.object({ message: z.string().optional() })]))
    .optional()
    .catch([]),
});

/** What GitHub says of a failure. Untrusted. */
function wordsOf(text: string): string {
  const checked = Problem.safeParse(parseJson(text.slice(0, 100_000)));
  if (!checked.success) return '';
  const more = (checked.data.errors ?? []).map(error =>
    typeof error === 'string' ? error : (error.message ?? ''),
  );
  return [checked.data.message, ...more.filter(words => words !== '').slice(0, 3)].join('; ');
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > longestAnswer)
      throw new CodeHostError(
        'unreadable',
        `GitHub answered with more than ${longestAnswer} bytes.`,
      );
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function causeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at.cause === undefined) return at.message;
  return String(error);
}

/** `https://HOST/api/v3` → `https://HOST/api/graphql`. */
function graphqlUrlOf(apiUrl: string): string {
  return `${apiUrl.replace(/\/api\/v3$/, '/api')}/graphql`;
}
