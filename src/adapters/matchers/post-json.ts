/** Sends JSON and reads JSON back, bounded in time and size. What goes wrong is a sentence, never a rejection. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly fetch: typeof globalThis.fetch;
}

export type Posted =
  | { readonly status: 'answered'; readonly json: unknown }
  | { readonly status: 'failed'; readonly message: string };

/** Waits before the second and the third attempt, unless the endpoint names one of its own. */
const waitsMs = [250, 1_000] as const;
const longestWaitMs = 10_000;
const bodyLimit = 64 * 1024 * 1024;

/** Tries again when the endpoint is overloaded or broke off; a refusal is final. */
export async function postJson(posting: Posting): Promise<Posted> {
  for (const wait of waitsMs) {
    const tried = await postOnce(posting);
    if (tried.status === 'answered' || !tried.canRetry || posting.signal.aborted) return tried;
    await sleep(Math.min(tried.retryAfterMs ?? wait, longestWaitMs), undefined, { signal: posting.signal }).catch(() => {});
  }
  return postOnce(posting);
}

type Tried = Posted & ({ readonly status: 'answered' } | { readonly canRetry: boolean; readonly retryAfterMs: number | null });

async function postOnce({ url, headers, body, timeoutMs, signal, fetch }: Posting): Promise<Tried> {
  const failed = (message: string, canRetry: boolean, retryAfterMs: number | null = null): Tried => ({ status: 'failed', message: `${url}: ${message}`, canRetry, retryAfterMs });
  try {
    const response = await fetch(url, {
      method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body),
      // A redirect would carry the key to another host.
      redirect: 'manual', signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await readBody(response);
    if (text === null) return failed('the answer is too large', false);
    if (!response.ok) return failed(`it answered ${response.status} (${text.replace(/\s+/g, ' ').slice(0, 200)})`, response.status === 429 || response.status >= 500, retryAfterOf(response));
    return { status: 'answered', json: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return failed('the answer is no JSON', false);
    if (error instanceof Error && error.name === 'TimeoutError') return failed(`no answer within ${timeoutMs / 1_000} s`, false);
    const { code, message } = codeOf(error);
    return failed(code === null ? message : `it cannot be reached (${code})`, code === null || brokenOff.has(code));
  }
}

/** Null beyond the limit: a body is untrusted. */
async function readBody(response: Response): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > bodyLimit) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}

/** Codes of a connection that stood and broke; whoever refuses one will refuse the next. */
const brokenOff: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** `fetch failed` says nothing; its cause does. */
function codeOf(error: unknown): { readonly code: string | null; readonly message: string } {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code } = cause as { readonly code?: unknown };
  return { code: typeof code === 'string' ? code : null, message: cause instanceof Error ? cause.message : String(cause) };
}
