/**
 * What ends a call before its own end: the run, its tokens, a deadline (first output, silence, total). Node's timers run on the
 * monotonic clock.
 */
import type { Turn } from '../../core/ports/runner.ts';

export type PassedDeadline = 'first-output' | 'idle' | 'deadline';

/** Starts now. `stop` may be called more than once: after one reason the others still stand. */
export function watchCall(
  { deadlines, enough }: Pick<Turn, 'deadlines' | 'enough'>,
  signal: AbortSignal,
  stop: (why: PassedDeadline | 'cancelled' | 'enough') => void,
) {
  const over = new AbortController();
  for (const [source, why] of [
    [signal, 'cancelled'],
    [enough, 'enough'],
  ] as const) {
    source?.addEventListener('abort', () => stop(why), { signal: over.signal });
    if (source?.aborted) stop(why);
  }
  const total = timer(deadlines.totalMs, () => stop('deadline'));
  const firstOutput = timer(deadlines.firstOutputMs, () => stop('first-output'));
  let idle: NodeJS.Timeout | undefined;
  return {
    sawOutput() {
      if (over.signal.aborted) return;
      clearTimeout(firstOutput);
      if (!idle) idle = timer(deadlines.idleMs, () => stop('idle'));
      else idle.refresh();
    },
    clear() {
      over.abort();
      for (const each of [total, firstOutput, idle]) clearTimeout(each);
    },
  };
}

/** A longer delay would be over at once. */
export const longestTimerMs = 2_147_483_647;

function timer(ms: number, callback: () => void) {
  return setTimeout(callback, Math.min(Math.max(0, ms), longestTimerMs));
}
