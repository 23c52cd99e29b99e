/**
 * What the error of a provider means for a review, whoever passes it on: by its HTTP status first, then by its words, which differ
 * by vendor.
 */
import { type ProcessResult, type FailureDetails, failedAnswer } from '../../core/ports/runner.ts';
import type { Cause } from '../../core/words/review.ts';
import { notEnclosed } from './process-tree.ts';

/** How a client ended, in the words that reports use. */
export interface Fault extends Pick<FailureDetails, 'httpStatus' | 'retryAfterMs' | 'isLasting'> {
  readonly cause: Cause;
  readonly message: string;
}

export function failedBy({ cause, message, ...told }: Fault, details: FailureDetails) {
  return failedAnswer(cause, message, { ...told, ...details });
}

/** `message` is the client's or the server's own and decides where the status alone does not. */
export function faultOf(
  message: string,
  httpStatus: number | null,
  otherwise: Cause = 'provider',
): Fault {
  const words = message.slice(0, 4_000);
  const cause =
    (httpStatus === null ? null : causeOfStatus(httpStatus, words)) ??
    wordTable.find(([pattern]) => pattern.test(words))?.[1] ??
    otherwise;
  return { cause, message: words, httpStatus, retryAfterMs: retryAfter(words) };
}

/** Null for what a status leaves open: one below 400 says nothing. */
function causeOfStatus(status: number, words: string): Cause | null {
  const isOfQuota = quotaWords.test(words);
  if (status === 401 || status === 407) return 'auth';
  if (status === 402) return 'quota';
  if (status === 413) return 'context';
  if (status === 429) return isOfQuota ? 'quota' : 'rate-limited';
  // Overload is treated like a rate limit: waiting is what helps.
  if (status === 529) return 'rate-limited';
  if (status === 400 && contextWords.test(words)) return 'context';
  if (status === 400 && /api.?key.{0,40}(?:not valid|invalid|expired)/i.test(words)) return 'auth';
  if ((status === 400 || status === 403) && isOfQuota) return 'quota';
  if (status === 403) return 'auth';
  return status >= 400 ? 'provider' : null;
}

/** Of a credit or a plan that is used up. "Quota" alone is no sign: Gemini's passing 429 says "check quota" as well. */
const quotaWords = new RegExp(
  'exhausted your [^.]{0,40}quota|exceeded your current quota|quota exceeded|insufficient.?quota|usage limit' +
    '|hit your limit|credit balance|billing|PerDay',
  'i',
);
const contextWords = new RegExp(
  'prompt is too long|context.window|context.length|token count|maximum number of tokens' +
    '|exceeds the maximum length|input exceeds 10 ?MB|too many tokens',
  'i',
);

const wordTable: readonly (readonly [RegExp, Cause])[] = [
  [contextWords, 'context'],
  [quotaWords, 'quota'],
  [/idle timeout/i, 'idle'],
  [/timed out|time-?out/i, 'deadline'],
  [
    /not logged in|invalid api key|missing environment variable|unauthorized|please run \/login/i,
    'auth',
  ],
  [/rate.?limit|overloaded_error/i, 'rate-limited'],
  [
    /ECONN(?:REFUSED|RESET)|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CERT_|certificate/,
    'unreachable',
  ],
  [
    new RegExp(
      'fetch failed|connection (?:refused|failed|dropped|error|reset)|error sending request|unable to connect' +
        '|cannot connect|socket hang up|socket connection was closed',
      'i',
    ),
    'unreachable',
  ],
];

function retryAfter(words: string) {
  // As Gemini puts it into the body of an error.
  const said = /(?:retry after|try again in|"retryDelay":) ?"?(\d{1,6}(?:\.\d{1,9})?) ?(ms|s)\b/i;
  const match = said.exec(words);
  return match && Math.round(Number(match[1]) * (match[2]?.toLowerCase() === 'ms' ? 1 : 1000));
}

// What the end of a process says about the review: the part of the judgement that all programs share.

/**
 * The failed answer that a process deserves by the way it ended, or null when it ended well: exit code 0, not signalled
 * by anybody, prompt taken whole. Exit 0 proves nothing more than that: the caller judges the output. `capped` is the
 * caller's own reason and must be handled before.
 */
export function processFailure(result: ProcessResult, details: FailureDetails) {
  const verdict = judge(result);
  if (!verdict) return null;
  const [cause, message] = verdict;
  return failedAnswer(cause, message, {
    transcript: transcriptOf(result),
    ...details,
    exitCode: cause === 'exit' ? result.exitCode : null,
  });
}

/** Both outputs, for the raw file. */
export function transcriptOf(result: Pick<ProcessResult, 'stdout' | 'stderr'>) {
  return result.stderr === ''
    ? result.stdout
    : `${result.stdout}\n--- standard error ---\n${result.stderr}`;
}

function judge(result: ProcessResult): readonly [Cause, string] | null {
  const { spawnError, stopped, signal, exitCode } = result;
  if (spawnError) return [causeOf(spawnError.code), spawnError.message];
  if (stopped === 'enough')
    return ['budget', 'Stopped when its tokens were spent, before it had answered.'];
  if (stopped !== null)
    return stopped === 'capped'
      ? ['killed', 'Stopped by its runner.']
      : [stopped, stopMessages[stopped]];
  if (signal !== null || exitCode === 137)
    return ['killed', `Ended by ${signal ?? 'a signal'}${lastWords(result.stderr)}`];
  if (exitCode !== 0) return ['exit', `Ended with code ${exitCode}${lastWords(result.stderr)}`];
  if (!result.inputDelivered)
    return [
      'unread',
      'The program closed its standard input before it had taken the whole prompt.',
    ];
  return null;
}

const stopMessages = {
  'first-output': 'No output before the first-output deadline.',
  idle: 'Output stopped coming.',
  deadline: 'Not done at the deadline.',
  flood: 'Wrote more than the limit.',
  cancelled: 'The run was interrupted.',
} as const satisfies Record<Exclude<ProcessResult['stopped'], null | 'capped' | 'enough'>, string>;

function causeOf(code: string): Cause {
  if (code === notEnclosed) return 'isolation';
  return code === 'ENOENT' || code === 'EACCES' ? 'not-found' : 'spawn';
}

/** The end of standard error, for the sentence that people read. */
function lastWords(stderr: string) {
  const words = stderr.trim().slice(-400);
  return words === '' ? '.' : `: ${words}`;
}
