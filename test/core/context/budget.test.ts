import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allotBudgets,
  type Booking,
  budgetOf,
  complexities,
  consume,
  floorPercent,
  foldMessage,
  holdingOf,
  isAtLeastShare,
  type Ledger,
  ledgerOf,
  multipliers,
  openLedger,
  openLedgers,
  reserve,
  roundPercent,
  scaleOf,
  settle,
  sharedLedger,
} from '../../../src/core/context/budget.ts';
import { UserError } from '../../../src/core/errors.ts';

const reviewers = [
  { id: 'security-reviewer', base: 8192 },
  { id: 'code-quality-reviewer', base: 6144 },
  { id: 'documentation-reviewer', base: 4096 },
];
const allot = (totalTokens: number) => allotBudgets({ totalTokens, complexity: null, reviewers });

describe('budgets of a scope', () => {
  it.each([
    [0, 'shared', [8192, 6144, 4096]],
    [3268, 'shared', [9826, 7369, 4913]],
    [4096, 'shared', [10_240, 7680, 5120]],
    [12_000, 'shared', [14_192, 10_644, 7096]],
    [16_384, 'shared', [16_384, 12_288, 8192]],
    [16_385, 'branch', [16_384, 12_288, 8192]],
    [48_000, 'branch', [32_192, 24_144, 16_096]],
    [49_152, 'branch', [32_768, 24_576, 16_384]],
    [1_000_000, 'branch', [32_768, 24_576, 16_384]],
  ])('of %i tokens are %s with one floor at the end', (tokens, mode, budgets) => {
    expect(allot(tokens)).toMatchObject({ total_tokens: tokens, mode, multiplier: 1 });
    expect(Object.values(allot(tokens).budgets)).toEqual(budgets);
  });

  it.each([
    [4096, 'SIMPLE', 7680],
    [4096, 'STANDARD', 10_240],
    [4096, 'COMPLEX', 15_360],
    [49_152, 'COMPLEX', 49_152],
  ] as const)(
    'of %i tokens at complexity %s give security %i, never capped',
    (tokens, complexity, budget) => {
      expect(budgetOf(8192, tokens, complexity)).toBe(budget);
      expect(allotBudgets({ totalTokens: tokens, complexity, reviewers }).multiplier).toBe(
        multipliers[complexity],
      );
    },
  );

  it('have exactly the keys of budget.json', () => {
    expect(Object.keys(allot(1))).toEqual([
      'total_tokens',
      'scale',
      'mode',
      'multiplier',
      'budgets',
    ]);
    expect(allot(3268).scale).toBe(1.199462890625);
  });

  it('are the floor of the exact product, whatever the numbers are', () => {
    const base = fc.integer({ min: 1, max: 1e9 });
    const complexity = fc.constantFrom(null, ...complexities);
    fc.assert(
      fc.property(base, fc.nat(100_000), complexity, (own, tokens, stated) => {
        const numerator =
          BigInt(own) *
          BigInt(Math.min(65_536, 16_384 + tokens)) *
          BigInt(4 * (stated === null ? 1 : multipliers[stated]));
        expect(BigInt(budgetOf(own, tokens, stated))).toBe(numerator / 65_536n);
      }),
    );
  });

  it('never shrink when the scope grows, and stop growing at four times the base', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.nat(200_000),
        fc.nat(200_000),
        (base, tokens, more) => {
          expect(budgetOf(base, tokens + more, null)).toBeGreaterThanOrEqual(
            budgetOf(base, tokens, null),
          );
          expect(budgetOf(base, tokens, null)).toBeLessThanOrEqual(4 * base);
          expect(scaleOf(tokens)).toBeLessThanOrEqual(4);
        },
      ),
    );
  });

  it('refuse a base that grows beyond what can be counted', () => {
    expect(() => budgetOf(Number.MAX_SAFE_INTEGER, 4096, null)).toThrow(UserError);
  });
});

describe('shares', () => {
  it('are compared exactly where floating point would round', () => {
    const whole = Number.MAX_SAFE_INTEGER;
    const eighty = Math.ceil(Number((BigInt(whole) * 8n) / 10n)) + 1;
    expect(isAtLeastShare(eighty, whole, 0.8)).toBe(true);
    expect(isAtLeastShare(eighty - 2, whole, 0.8)).toBe(false);
    expect([
      isAtLeastShare(7999, 10_000, 0.8),
      isAtLeastShare(8, 10, 0.8),
      isAtLeastShare(29, 100, 0.29),
      isAtLeastShare(1, 1e9, 1e-9),
      isAtLeastShare(0, 1, 1e-9),
    ]).toEqual([false, true, true, true, false]);
  });

  it('in percent lie on the side they are rounded to', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.integer({ min: 1, max: 1e9 }), (part, whole) => {
        const exact = (100 * part) / whole;
        expect(floorPercent(part, whole)).toBeLessThanOrEqual(exact);
        expect(Math.abs(roundPercent(part, whole) - exact)).toBeLessThanOrEqual(0.5 + 1e-9 * exact);
      }),
    );
    expect([
      floorPercent(8, 12),
      roundPercent(8, 12),
      roundPercent(1, 200),
      floorPercent(1, 200),
    ]).toEqual([66, 67, 1, 0]);
  });
});

/** Tokens that are neither spent nor set aside. */
function remainingOf({ total, used, reserved }: Ledger): number {
  return Math.max(0, total - used - reserved);
}

function ledgerIn(booking: Booking): Ledger {
  if (!booking.ok) throw new Error(booking.code);
  return booking.ledger;
}

const taken = (ledger: Ledger): number => ledger.used + ledger.reserved;
const thousand = ledgerIn(openLedger(1000));

describe('a ledger', () => {
  it.each([
    [0, 'FOLD010'],
    [-1, 'FOLD010'],
    [1.5, 'FOLD010'],
    [Number.NaN, 'FOLD010'],
    [2 ** 53, 'FOLD011'],
  ])('of %d tokens is refused with %s', (total, code) => {
    expect(openLedger(total)).toMatchObject({ ok: false, code });
  });

  it('warns once, the first time 80 % are used', () => {
    const first = consume(thousand, 'a', 700);
    expect(first).toMatchObject({ ok: true, events: [] });
    expect(remainingOf(ledgerIn(first))).toBe(300);
    const second = consume(ledgerIn(first), 'a', 150);
    expect(second).toMatchObject({ ok: true, events: ['warning'] });
    expect(consume(ledgerIn(second), 'a', 50)).toMatchObject({
      ok: true,
      events: [],
      ledger: { used: 900 },
    });
  });

  it('refuses whole what does not fit, and takes what fits exactly', () => {
    expect(consume(thousand, 'a', 1100)).toEqual({
      ok: false,
      code: 'FOLD008',
      events: ['exhausted'],
    });
    expect(thousand.used).toBe(0);
    const exact = ledgerIn(consume(thousand, 'a', 1000));
    expect([exact.used, remainingOf(exact), remainingOf(thousand)]).toEqual([1000, 0, 1000]);
  });

  it.each([
    [-1, 'FOLD010'],
    [0.5, 'FOLD010'],
    [Number.MAX_SAFE_INTEGER + 1, 'FOLD011'],
  ])('refuses to book %d tokens with %s', (tokens, code) => {
    expect(consume(thousand, 'a', tokens)).toMatchObject({ ok: false, code });
  });

  it('settles a finished call in full, also beyond its total', () => {
    const reserved = ledgerIn(reserve(thousand, 'a', 600));
    const over = settle(reserved, 'a', { reserved: 600, cost: 1300 });
    expect(over).toMatchObject({
      ok: true,
      events: ['warning', 'exhausted'],
      ledger: { used: 1300, reserved: 0, by: { a: { used: 1300, reserved: 0 } } },
    });
    expect(remainingOf(ledgerIn(over))).toBe(0);
    expect(settle(reserved, 'a', { reserved: 600, cost: 100 })).toMatchObject({
      ledger: { used: 100, reserved: 0 },
    });
    expect(settle(reserved, 'b', { reserved: 600, cost: 100 })).toMatchObject({
      ok: false,
      code: 'FOLD010',
    });
    expect(
      settle(ledgerIn(consume(thousand, 'a', 1)), 'a', {
        reserved: 0,
        cost: Number.MAX_SAFE_INTEGER,
      }),
    ).toMatchObject({ ok: false, code: 'FOLD011' });
  });

  it('holds its sums and never gives away more than there is, however the bookings of several reviewers interleave', () => {
    const bookings = { consume, reserve, settle } as const;
    const booking = fc.record({
      kind: fc.constantFrom(...(Object.keys(bookings) as (keyof typeof bookings)[])),
      reviewer: fc.constantFrom('a', 'b', 'c'),
      tokens: fc.integer({ min: -5, max: 4000 }),
      cost: fc.nat(4000),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.array(booking, { maxLength: 60 }),
        (total, calls) => {
          let ledger = ledgerIn(openLedger(total));
          for (const { kind, reviewer, tokens, cost } of calls) {
            const before = ledger;
            const booked =
              kind === 'settle'
                ? settle(ledger, reviewer, { reserved: tokens, cost })
                : bookings[kind](ledger, reviewer, tokens);
            if (booked.ok) ledger = booked.ledger;
            // Only the real cost of a finished call may go beyond the total.
            if (kind !== 'settle')
              expect(taken(ledger)).toBeLessThanOrEqual(Math.max(total, taken(before)));
            if (kind === 'consume' || kind === 'reserve')
              expect(booked.ok).toBe(tokens >= 0 && taken(before) + tokens <= total);
            const sum = (key: 'used' | 'reserved'): number =>
              Object.values(ledger.by).reduce((all, holding) => all + holding[key], 0);
            expect([sum('used'), sum('reserved')]).toEqual([ledger.used, ledger.reserved]);
            expect(
              Object.values(ledger.by).every(({ used, reserved }) => used >= 0 && reserved >= 0),
            ).toBe(true);
            expect(ledger.used).toBeGreaterThanOrEqual(before.used);
            expect(remainingOf(ledger)).toBe(Math.max(0, total - taken(ledger)));
          }
          expect(holdingOf(ledger, 'nobody')).toEqual({ used: 0, reserved: 0 });
        },
      ),
    );
  });
});

describe('the ledgers of a run', () => {
  const budgets = { a: 600, b: 400 };

  it('are one for all in shared mode, of the sum of the budgets', () => {
    const opened = openLedgers({ mode: 'shared', budgets });
    expect(opened.ok && ledgerOf(opened.ledgers, 'b')).toMatchObject({
      ok: true,
      name: sharedLedger,
      ledger: { total: 1000 },
    });
  });

  it('are one for each reviewer in branch mode, and nobody else has one', () => {
    const opened = openLedgers({ mode: 'branch', budgets });
    expect(opened.ok && ledgerOf(opened.ledgers, 'b')).toMatchObject({
      ok: true,
      name: 'b',
      ledger: { total: 400 },
    });
    expect(opened.ok && ledgerOf(opened.ledgers, 'c')).toEqual({ ok: false, code: 'FOLD009' });
  });

  it('cannot be opened over sums that cannot be counted, or over nothing', () => {
    expect(openLedgers({ mode: 'shared', budgets: { a: Number.MAX_SAFE_INTEGER, b: 2 } })).toEqual({
      ok: false,
      code: 'FOLD011',
    });
    expect(openLedgers({ mode: 'shared', budgets: {} })).toEqual({ ok: false, code: 'FOLD010' });
  });
});

describe('fold codes', () => {
  it('are told with their place', () => {
    expect(foldMessage('FOLD004', { branchId: 'br_0a1b2c3d', sessionId: 's1' })).toBe(
      '[FOLD004] maximum depth exceeded (branch_id=br_0a1b2c3d, session_id=s1)',
    );
    expect(foldMessage('FOLD008')).toBe('[FOLD008] budget exhausted');
  });
});
