/** Names what went wrong with a model call. Status first, then the provider's own words, which differ by vendor. */
import { APICallError, InvalidResponseDataError } from 'ai';
import type { Cause } from '../../core/words/review.ts';
import type { WireRecord } from './api-wire.ts';

interface ApiFailure {
  readonly cause: Cause;
  readonly message: string;
  readonly httpStatus: number | null;
  readonly retryAfterMs: number | null;
}

/** `error` is whatever the library threw or streamed; `wire` and `begun` (text came) tell how far the answer had come. */
export function judgeError(error: unknown, wire: WireRecord | null, begun: boolean): ApiFailure {
  if (wire === null)
    return { cause: 'unreachable', message: describe(error), httpStatus: null, retryAfterMs: null };
  const words = wordsOf(error);
  const message = describe(error);
  if (wire.status >= 200 && wire.status < 300)
    return { cause: inStream(error, words, begun), message, httpStatus: null, retryAfterMs: null };
  return {
    cause: ofStatus(wire.status, words),
    message,
    httpStatus: wire.status,
    retryAfterMs: retryAfterOf(error, words),
  };
}

/** After status 200: an error the provider sent, a body that is not the protocol, or a connection that broke. */
function inStream(error: unknown, words: string, begun: boolean): Cause {
  // A stream that closes in good order without a finish reason is invalid data to the library.
  if (isBrokenConnection(error) || (begun && InvalidResponseDataError.isInstance(error)))
    return 'truncated';
  if (quotaWords.test(words)) return 'quota';
  if (contextWords.test(words)) return 'context';
  return /rate_limit|overloaded_error/i.test(words) ? 'rate-limited' : 'provider';
}

function ofStatus(status: number, words: string): Cause {
  if (status === 401 || status === 407) return 'auth';
  if (status === 402) return 'quota';
  if (status === 413) return 'context';
  if (status === 429) return quotaWords.test(words) ? 'quota' : 'rate-limited';
  if (status === 529) return 'rate-limited';
  if (status === 400 && contextWords.test(words)) return 'context';
  if (status === 400 && /api.?key.{0,40}(?:not valid|invalid|expired)/i.test(words)) return 'auth';
  if ((status === 400 || status === 403) && quotaWords.test(words)) return 'quota';
  return status === 403 ? 'auth' : 'provider';
}

/** Of a credit or a plan that is used up, as opposed to a limit that passes: Gemini says "check quota" for the latter too. */
const quotaWords =
  /insufficient.quota|exceeded your current quota|usage limits?\b|credit balance|billing|PerDay/i;
const contextWords =
  /context.length|context.window|prompt is too long|too many tokens|maximum number of tokens|token count/i;

/** An open stream that ends by reset surfaces as `terminated` or as one of the socket's own codes. */
function isBrokenConnection(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    const { code } = at as { readonly code?: unknown };
    if (
      at.message === 'terminated' ||
      (typeof code === 'string' && /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE|ETIMEDOUT)$/.test(code))
    )
      return true;
  }
  return false;
}

/** Everything the provider said, bounded: bodies are untrusted and may be large. */
function wordsOf(error: unknown): string {
  const body = APICallError.isInstance(error) ? (error.responseBody ?? '') : '';
  return `${describe(error)} ${body}`.slice(0, 20_000);
}

function describe(error: unknown): string {
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

function retryAfterOf(error: unknown, words: string): number | null {
  const headers = APICallError.isInstance(error) ? (error.responseHeaders ?? {}) : {};
  const milliseconds = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const value = headers['retry-after'];
  if (value !== undefined) return retryAfterHeader(value);
  // Gemini puts it into the body.
  const delay = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(words)?.[1];
  return delay === undefined ? null : Number(delay) * 1_000;
}

/** Seconds or a date. */
function retryAfterHeader(value: string): number | null {
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
