/** Names what went wrong with a request to GitHub, and reads from the answer how long to wait. */
import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import type { HostCause } from '../../core/ports/code-host.ts';

/** Where a secondary limit says nothing, GitHub's own advice is a minute. */
const usualWaitMs = 60_000;

export const openings: Readonly<Record<HostCause, string>> = {
  auth: 'GitHub does not take the token',
  forbidden: 'GitHub does not allow it to this token',
  'rate-limited': 'GitHub limits the rate',
  missing: 'GitHub knows no such thing, or hides it from this token',
  refused: 'GitHub refuses what was sent',
  unreadable: 'GitHub answered something unknown',
  provider: 'GitHub is at fault',
  unreachable: 'GitHub cannot be reached',
};

export function causeOfStatus(status: number): HostCause {
  if (status === 401) return 'auth';
  if (status === 403) return 'forbidden';
  if (status === 429) return 'rate-limited';
  // A repository that was renamed answers with its new address.
  if (status === 404 || status === 410 || (status >= 300 && status < 400)) return 'missing';
  return status >= 500 ? 'provider' : 'refused';
}

export function causeOfGraphql(type: string): HostCause {
  if (type === 'FORBIDDEN' || type === 'INSUFFICIENT_SCOPES') return 'forbidden';
  if (type === 'NOT_FOUND') return 'missing';
  return 'refused';
}

/**
 * Milliseconds until it may be sent again; null where no limit is the cause. A limit is told by 429, by 403 with one of three signs, and
 * by GraphQL with 200 and words.
 */
export function waitOf({ status, headers }: Response, words: string, now: Date): number | null {
  if (status !== 403 && status !== 429 && !isLimit(words)) return null;
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(after) && after >= 0) return Math.ceil(after * 1_000);
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  if (headers.get('x-ratelimit-remaining') === '0' && Number.isFinite(reset))
    return Math.max(1_000, reset * 1_000 - now.getTime());
  return status === 429 || isLimit(words) ? usualWaitMs : null;
}

function isLimit(words: string): boolean {
  return /secondary rate limit|abuse detection|API rate limit/i.test(words);
}

export const GraphqlAnswer = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(z.object({ type: z.string().optional(), message: z.string().optional() }))
    .optional(),
});

/** The words of an answer of GraphQL that comes with 200 and is to be asked for again, sooner or later; null for any other. */
export function passingWordsOf(text: string): { readonly words: string; isLimit: boolean } | null {
  if (!text.includes('"errors"')) return null;
  const checked = GraphqlAnswer.safeParse(parseJson(text));
  const [error] = (checked.success ? checked.data.errors : null) ?? [];
  if (error === undefined) return null;
  const words = error.message ?? '';
  if (error.type === 'RATE_LIMITED' || isLimit(words))
    return { words: isLimit(words) ? words : `API rate limit: ${words}`, isLimit: true };
  // Without a type: what GitHub says of a fault or a time-out of its own.
  const isFault = error.type === undefined && /^something went wrong/i.test(words);
  return isFault ? { words, isLimit: false } : null;
}

const Problem = z.object({
  message: z.string(),
  errors: z
    .array(z.union([z.string(), z.object({ message: z.string().optional() })]))
    .optional()
    .catch([]),
});

/** What GitHub says of a failure. Untrusted. */
export function wordsOf(text: string): string {
  const checked = Problem.safeParse(parseJson(text.slice(0, 100_000)));
  if (!checked.success) return '';
  const more = (checked.data.errors ?? []).map(error =>
    typeof error === 'string' ? error : (error.message ?? ''),
  );
  return [checked.data.message, ...more.filter(words => words !== '').slice(0, 3)].join('; ');
}

/** The innermost reason of a connection that failed. */
export function causeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at.cause === undefined) return at.message;
  return String(error);
}
