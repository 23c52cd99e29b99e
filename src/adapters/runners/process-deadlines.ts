/** The three deadlines of a call: first output, silence, total. Node's timers run on the monotonic clock. */
import type { Turn } from '../../core/ports/runner.ts';

export type PassedDeadline = 'first-output' | 'idle' | 'deadline';

export interface Deadlines {
  /** Call on every piece of output. */
  sawOutput(): void;
  clear(): void;
}

/** Starts now. `onPassed` may be called more than once: after one deadline the others still stand. */
export function startDeadlines(
  deadlines: Turn['deadlines'],
  onPassed: (which: PassedDeadline) => void,
): Deadlines {
  const total = timer(deadlines.totalMs, () => onPassed('deadline'));
  const firstOutput = timer(deadlines.firstOutputMs, () => onPassed('first-output'));
  let idle: NodeJS.Timeout | null = null;
  let over = false;
  return {
    sawOutput() {
      if (over) return;
      clearTimeout(firstOutput);
      if (idle === null) idle = timer(deadlines.idleMs, () => onPassed('idle'));
      else idle.refresh();
    },
    clear() {
      over = true;
      clearTimeout(total);
      clearTimeout(firstOutput);
      if (idle !== null) clearTimeout(idle);
    },
  };
}

/** A longer delay would be over at once. */
export const longestTimerMs = 2_147_483_647;

function timer(ms: number, callback: () => void): NodeJS.Timeout {
  return setTimeout(callback, Math.min(Math.max(0, ms), longestTimerMs));
}
