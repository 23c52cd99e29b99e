/** Time as the machine tells it. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../core/ports/runner.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
};

/**
 * The same clock, whose `now` never goes back: where that of the machine is put back, time goes on from where it was by the
 * monotonic one. So what was noted later bears a later time, and nothing ended before it began.
 */
export function steadyClock(clock: Clock): Clock {
  let [lastAt, lastMs] = [-Infinity, 0];
  const { deadline } = clock;
  return {
    now() {
      const nowMs = clock.monotonicMs();
      lastAt = Math.max(clock.now().getTime(), lastAt + nowMs - lastMs);
      lastMs = nowMs;
      return new Date(lastAt);
    },
    monotonicMs: () => clock.monotonicMs(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    ...(deadline && { deadline: deadline.bind(clock) }),
  };
}
