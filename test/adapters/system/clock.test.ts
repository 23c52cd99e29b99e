import { describe, expect, it } from 'vitest';
import { steadyClock } from '../../../src/adapters/system/clock.ts';

/** A clock whose wall is set by hand beside a monotonic one. */
function twoClocks() {
  const at = { wall: 1_000_000, monotonic: 500 };
  const clock = steadyClock({
    now: () => new Date(at.wall),
    monotonicMs: () => at.monotonic,
    sleep: () => Promise.resolve(),
  });
  return { at, now: () => clock.now().getTime() };
}

describe('a steady clock', () => {
  it('tells the time of the machine while that goes on', () => {
    const { at, now } = twoClocks();
    expect(now()).toBe(1_000_000);
    [at.wall, at.monotonic] = [1_000_250, 750];
    expect(now()).toBe(1_000_250);
  });

  it('goes on by the monotonic one where that of the machine was put back', () => {
    const { at, now } = twoClocks();
    now();
    [at.wall, at.monotonic] = [1_000_100 - 3_600_000, 600];
    expect(now()).toBe(1_000_100);
    // Steps of less than a millisecond add up.
    for (let step = 1; step <= 10; step += 1) {
      at.monotonic = 600 + step / 2;
      now();
    }
    expect(now()).toBe(1_000_105);
  });

  it('follows the machine forward: time that it slept through has passed', () => {
    const { at, now } = twoClocks();
    now();
    [at.wall, at.monotonic] = [1_000_000 + 3_600_000, 510];
    expect(now()).toBe(4_600_000);
  });
});
