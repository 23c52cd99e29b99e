import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterMonth,
  describeMonth,
  monthOf,
  nothingIn,
  refuseInMonth,
} from '../../../src/core/spending/month.ts';
import { isFree } from '../../../src/core/words/runner.ts';

const november = nothingIn('2026-11');

describe('a month', () => {
  it('begins and ends at midnight in UTC', () => {
    expect(monthOf(new Date('2026-11-30T23:59:59.999Z'))).toBe('2026-11');
    expect(monthOf(new Date('2026-12-01T00:00:00.000Z'))).toBe('2026-12');
    expect(monthOf(new Date('2026-12-01T00:30:00.000+01:00'))).toBe('2026-11');
  });

  it('is followed by the first day of the next, also where the year ends', () =>
    expect(['2026-01', '2026-09', '2026-12'].map(afterMonth)).toEqual([
      '2026-02-01',
      '2026-10-01',
      '2027-01-01',
    ]));

  it('of any moment ends after it, and the next one begins there', () => {
    const moments = fc.date({
      min: new Date('2000-01-01T00:00:00Z'),
      max: new Date('2099-12-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, now => {
        const end = new Date(`${afterMonth(monthOf(now))}T00:00:00Z`);
        expect(end.getTime()).toBeGreaterThan(now.getTime());
        expect(end.getTime() - now.getTime()).toBeLessThanOrEqual(31 * 24 * 3_600_000);
        expect(monthOf(end)).not.toBe(monthOf(now));
        expect(monthOf(new Date(end.getTime() - 1))).toBe(monthOf(now));
      }),
    );
  });
});

describe('a call', () => {
  it('is refused where nothing is left, and where it could go over; what is under way counts', () => {
    expect(refuseInMonth({ ...november, cost: 19 }, 1, 20)).toBeNull();
    expect(refuseInMonth({ ...november, cost: 19 }, 1.01, 20)).toMatch(/could go over .* \$20/);
    expect(refuseInMonth({ ...november, cost: 12, underWay: 8 }, 0, 20)).toBe(
      'The ceiling of $20 for the month is reached: $20.00 of 2026-11 are spent. It begins anew on 2026-12-01 (UTC).',
    );
    expect(refuseInMonth({ ...november, cost: 1000 }, 1, null)).toBeNull();
  });

  it('that is let through never takes what is booked over the ceiling', () => {
    const amount = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(amount, amount, amount, amount, (cost, underWay, expected, limit) => {
        const why = refuseInMonth({ ...november, cost, underWay }, expected, limit);
        if (why === null) expect(cost + underWay + expected).toBeLessThanOrEqual(limit);
        else expect(cost + underWay + expected).toBeGreaterThanOrEqual(limit);
      }),
    );
  });
});

it('is told with what is in no sum', () => {
  expect(describeMonth({ ...november, cost: 3.1 }, 20)).toBe('$3.10 of $20.00 spent in 2026-11');
  expect(describeMonth({ ...november, cost: 1, underWay: 0.5, unpriced: 2 }, null)).toBe(
    '$1.50 spent in 2026-11 ($0.50 of it under way or cut off; 2 calls besides of which nobody knows the price)',
  );
  expect(
    [0, 0.00012, 2].map(cost =>
      describeMonth({ ...november, cost, underWay: 0, unpriced: 0 }, null),
    ),
  ).toEqual(['0.00', '0.00012', '2.00'].map(amount => `$${amount} spent in 2026-11`));
});

it('costs nothing where nobody is paid', () =>
  expect(['builtin', 'replay', 'api', 'command', 'claude'].map(isFree)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]));
