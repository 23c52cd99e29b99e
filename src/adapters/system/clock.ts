/** Time as the machine tells it. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../core/ports/clock.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
};
