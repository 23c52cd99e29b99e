/**
 * How many tokens a model takes at once, prompt and answer together. A configuration says it with `context` of a reviewer;
 * where it does not, the table beside this file does, by the name of the model, whoever asks it; the first that matches counts.
 * It says less than vendors promise, since a window that is too small costs one more question, and one that is too large costs
 * the answer. It is no more than a default, and may be replaced line by line.
 */
import models from './windows.json' with { type: 'json' };
import type { Seat } from '../words/config.ts';
import { isFree, traitsOf } from '../words/runner.ts';

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
  if (name !== '')
    return Object.entries(models).find(([word]) => new RegExp(word).test(name))?.[1] ?? null;
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
export function promptBytes(seat: Seat): number {
  return Math.min(
    seat.maxPromptBytes ?? defaultMaxPromptBytes,
    promptRoom(windowOf(seat)) * bytesOfToken,
  );
}
