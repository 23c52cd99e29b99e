import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floorPercent, isAtLeastShare, roundPercent } from '../../../src/core/context/share.ts';

describe('shares', () => {
  it('are compared exactly where floating point would round', () => {
    const whole = Number.MAX_SAFE_INTEGER;
    const eighty = Math.ceil(Number((BigInt(whole) * 8n) / 10n)) + 1;
    expect(isAtLeastShare(eighty, whole, 0.8)).toBe(true);
    expect(isAtLeastShare(eighty - 2, whole, 0.8)).toBe(false);
    expect([isAtLeastShare(7999, 10_000, 0.8), isAtLeastShare(8, 10, 0.8), isAtLeastShare(29, 100, 0.29), isAtLeastShare(1, 1e9, 1e-9), isAtLeastShare(0, 1, 1e-9)]).toEqual([false, true, true, true, false]);
  });

  it('in percent lie on the side they are rounded to', () => {
    fc.assert(fc.property(fc.nat(1e9), fc.integer({ min: 1, max: 1e9 }), (part, whole) => {
      const exact = (100 * part) / whole;
      expect(floorPercent(part, whole)).toBeLessThanOrEqual(exact);
      expect(Math.abs(roundPercent(part, whole) - exact)).toBeLessThanOrEqual(0.5 + 1e-9 * exact);
    }));
    expect([floorPercent(8, 12), roundPercent(8, 12), roundPercent(1, 200), floorPercent(1, 200)]).toEqual([66, 67, 1, 0]);
  });
});
