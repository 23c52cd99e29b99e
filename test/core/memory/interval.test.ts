import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../../../src/core/memory/interval.ts';

describe('the interval of a share', () => {
  it.each([
    [0, 0, 0, 1], [0, 10, 0, 0.2775], [10, 10, 0.7225, 1], [5, 10, 0.2366, 0.7634], [1, 2, 0.0945, 0.9055], [81, 263, 0.2553, 0.3662],
  ])('of %i in %i is %f to %f', (hits, cases, low, high) => {
    const interval = wilsonInterval(hits, cases);
    expect(interval.low).toBeCloseTo(low, 3);
    expect(interval.high).toBeCloseTo(high, 3);
  });

  it('holds the share and lies between 0 and 1', () => {
    fc.assert(fc.property(fc.nat(1_000), fc.nat(1_000), (hits, misses) => {
      const { low, high } = wilsonInterval(hits, hits + misses);
      const share = hits + misses === 0 ? 0.5 : hits / (hits + misses);
      expect(low >= 0 && low <= share && share <= high && high <= 1).toBe(true);
    }));
  });
});
