/**
 * How many tokens a model takes at once, prompt and answer together. A configuration says it with `context` of a reviewer;
 * where it does not, this table does: less than vendors promise, since a window that is too small costs one more question,
 * and one that is too large costs the answer. It is no more than a default, and may be replaced line by line.
 */
import type { Seat } from '../words/config.ts';
import { isFree, traitsOf } from '../words/runner.ts';

/** By the name of the model, whoever asks it. The first that matches counts. */
const models: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/claude/, 200_000],
  [/gpt-4\.1/, 900_000],
  [/gpt-4o|gpt-4-turbo|o1-mini/, 128_000],
  [/gpt-5|codex/, 200_000],
  [/(?:^|\/)o[134](?:$|-)/, 200_000],
  [/gemini-(?:1\.5|[2-9])/, 900_000],
];

/** Null: nobody knows. What serves a model under a name of its own may have cut its window to any size. */
export function windowOf({
  context,
  model = '',
  runner,
}: Pick<Seat, 'context' | 'model' | 'runner'>): number | null {
  if (context !== undefined) return context;
  const { kind, window = null } = traitsOf(runner);
  if (isFree(runner) || kind === 'program') return null;
  const name = model.toLowerCase();
  if (name.startsWith('openai-compatible/')) return null;
  if (name !== '') return models.find(([word]) => word.test(name))?.[1] ?? null;
  return window;
}

/** The rest is for the answer, and for what a client puts around a prompt. */
const promptShare = 0.8;

/** Tokens that one prompt may have; no limit is known where no window is. */
export function promptRoom(window: number | null): number {
  return window === null ? Number.POSITIVE_INFINITY : Math.floor(window * promptShare);
}

/** What a runner takes when the reviewer sets no limit: well below the smallest limit of the clients' standard input. */
export const defaultMaxPromptBytes = 900_000;

/** Hardly any text has fewer in a token. */
const bytesOfToken = 3;

/** Bytes that one prompt of a reviewer may have where nobody counts its tokens. */
export function promptBytes(
  seat: Pick<Seat, 'context' | 'model' | 'runner' | 'maxPromptBytes'>,
): number {
  return Math.min(
    seat.maxPromptBytes ?? defaultMaxPromptBytes,
    promptRoom(windowOf(seat)) * bytesOfToken,
  );
}
