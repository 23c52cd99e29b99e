/** Names what went wrong with a model call. */
import { APICallError, InvalidResponseDataError } from 'ai';
import type { Cause } from '../../core/words/review.ts';
import type { WireRecord } from './api-wire.ts';
import { causeOfStatus, contextWords, type Fault, quotaWords } from './provider-failure.ts';

/** `error` is whatever the library threw or streamed; `wire` and `begun` (text came) tell how far the answer had come. */
export function judgeError(
  error: unknown,
  wire: WireRecord | null,
  begun: boolean,
): Required<Fault> {
  if (!wire)
    return { cause: 'unreachable', message: describe(error), httpStatus: null, retryAfterMs: null };
  const words = wordsOf(error);
  const message = describe(error);
  if (wire.status >= 200 && wire.status < 300)
    return { cause: inStream(error, words, begun), message, httpStatus: null, retryAfterMs: null };
  return {
    cause: causeOfStatus(wire.status, words) ?? 'provider',
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

/** An open stream that ends by reset surfaces as `terminated` or as one of the socket's own codes. */
function isBrokenConnection(error: unknown) {
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

function retryAfterOf(error: unknown, words: string) {
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
function retryAfterHeader(value: string) {
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
