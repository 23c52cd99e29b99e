/**
 * The door to the API of GitHub: one request, its answer checked by a schema, its failure named. Waits where GitHub asks for it, as
 * long as all waits together stay below a bound; tries again what may be done twice. The token goes to one host and into no text.
 */
import type { z } from 'zod';
import type { Clock } from '../../core/ports/clock.ts';
import { CodeHostError, type HostCause } from '../../core/ports/code-host.ts';
import { parseJson } from '../../core/json.ts';
import { cut, toOneLine } from '../../core/text.ts';
import {
  causeOf,
  causeOfGraphql,
  causeOfStatus,
  GraphqlAnswer,
  openings,
  passingWordsOf,
  waitOf,
  wordsOf,
} from './host-failure.ts';

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

interface WireRequest<Schema extends z.ZodType> {
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
    const passing = response.ok && url === graphqlUrl ? passingWordsOf(text) : null;
    if (response.ok && passing === null) return { text };
    if (passing?.isLimit === false) throw fail('provider', passing.words, true);
    const words = passing?.words ?? wordsOf(text);
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

/** `https://HOST/api/v3` → `https://HOST/api/graphql`. */
function graphqlUrlOf(apiUrl: string): string {
  return `${apiUrl.replace(/\/api\/v3$/, '/api')}/graphql`;
}
