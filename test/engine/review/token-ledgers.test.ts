import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultThresholds } from '../../../src/core/context/budget.ts';
import type { RunEvent } from '../../../src/core/words/review.ts';
import { openTokenLedgers, type ReviewerLedger } from '../../../src/engine/review/token-ledgers.ts';

function open(
  mode: 'shared' | 'branch',
  budgets: Record<string, number>,
  granted: Record<string, number> = {},
): {
  readonly ledger: (reviewer: string) => ReviewerLedger;
  readonly finish: (reviewer: string) => void;
  readonly events: RunEvent[];
} {
  const events: RunEvent[] = [];
  const ledgers = openTokenLedgers(
    { mode, budgets },
    {
      thresholds: defaultThresholds,
      granted: new Map(Object.entries(granted)),
      onEvent: event => events.push(event),
    },
  );
  return {
    events,
    finish: reviewer => ledgers.finish(reviewer),
    ledger: reviewer => {
      const ledger = ledgers.ledgerFor(reviewer);
      if (ledger === null) throw new Error(`${reviewer} has no ledger`);
      return ledger;
    },
  };
}

describe('the ledgers of a run', () => {
  it('keep each reviewer its own budget in shared mode, whatever another has cost', () => {
    const { ledger } = open('shared', { a: 600, b: 400 });
    ledger('a').settle({ reserved: 0, cost: 799 });
    expect([ledger('b').mode(), ledger('b').remaining()]).toEqual(['full', 400]);
    ledger('b').settle({ reserved: 0, cost: 1 });
    expect([ledger('a').mode(), ledger('b').standing()]).toEqual([
      'force_return',
      { total: 400, used: 1, own: 1 },
    ]);
  });

  it('lend in shared mode what a reviewer that has finished left, and no more', () => {
    const { ledger, finish } = open('shared', { a: 600, b: 300, c: 100 });
    ledger('a').settle({ reserved: 0, cost: 200 });
    expect([ledger('b').remaining(), ledger('b').reserve(301)]).toEqual([300, false]);
    finish('a');
    expect([ledger('b').remaining(), ledger('c').remaining()]).toEqual([700, 500]);
    ledger('b').settle({ reserved: 0, cost: 600 });
    expect([ledger('b').standing(), ledger('b').mode()]).toEqual([
      { total: 700, used: 600, own: 600 },
      'high_severity_only',
    ]);
    // What b has borrowed is gone, the own budget of c is not.
    expect([ledger('b').remaining(), ledger('c').remaining()]).toEqual([100, 200]);
  });

  it('keep reviewers apart in branch mode', () => {
    const { ledger } = open('branch', { a: 600, b: 400 });
    ledger('a').settle({ reserved: 0, cost: 5_000 });
    expect([ledger('a').mode(), ledger('b').mode(), ledger('b').remaining()]).toEqual([
      'force_return',
      'full',
      400,
    ]);
  });

  it('do not give away what is reserved, and do not count it as spent', () => {
    const { ledger, finish } = open('shared', { a: 600, b: 400 }, { a: 500 });
    expect([
      ledger('b').remaining(),
      ledger('b').mode(),
      ledger('b').reserve(501),
      ledger('b').reserve(500),
    ]).toEqual([400, 'full', false, false]);
    expect(ledger('b').reserve(400)).toBe(true);
    ledger('a').settle({ reserved: 500, cost: 100 });
    expect([ledger('a').remaining(), ledger('b').remaining()]).toEqual([500, 0]);
    finish('a');
    expect(ledger('b').remaining()).toBe(500);
  });

  it('refuse the result of a tool that does not fit, whole, and numbers that are none', () => {
    const { ledger } = open('branch', { a: 1000 });
    expect([
      ledger('a').charge(1100),
      ledger('a').charge(-1),
      ledger('a').charge(0.5),
      ledger('a').charge(1000),
      ledger('a').charge(1),
    ]).toEqual(['FOLD008', 'FOLD010', 'FOLD010', 'ok', 'FOLD008']);
  });

  it.each([
    [{}, 0, 'FOLD010'],
    [{}, -1, 'FOLD010'],
    [{}, 1.5, 'FOLD010'],
    [{}, Number.NaN, 'FOLD010'],
    [{}, 2 ** 53, 'FOLD011'],
    [{ b: 2 }, Number.MAX_SAFE_INTEGER, 'FOLD011'],
  ])('beside %j cannot be opened over %d tokens: %s', (others, a, code) =>
    expect(() => open('shared', { ...others, a })).toThrow(code),
  );

  it('refuse what cannot be counted, and nothing more once more was spent than there is', () => {
    const { ledger, events } = open('branch', { a: 1000 });
    expect(ledger('a').charge(Number.MAX_SAFE_INTEGER + 1)).toBe('FOLD011');
    ledger('a').settle({ reserved: 0, cost: 1300 });
    expect(events.map(({ type }) => type)).toEqual(['warning', 'exhausted']);
    expect(ledger('a').charge(0)).toBe('FOLD008');
    for (const cost of [Number.MAX_SAFE_INTEGER, Number.NaN])
      ledger('a').settle({ reserved: 0, cost });
    expect(ledger('a').standing()).toEqual({ total: 1000, used: 1300, own: 1300 });
  });

  it('tell of the one ledger in shared mode, and of each by its name in branch mode', () => {
    for (const [mode, name, total] of [
      ['shared', '(run)', 1000],
      ['branch', 'b', 400],
    ] as const) {
      const { ledger, events } = open(mode, { a: 600, b: 400 });
      ledger('b').settle({ reserved: 0, cost: 1000 });
      expect(events[0]).toMatchObject({ ledger: name, reviewer: 'b', total });
    }
  });

  it('warn once and report exhaustion once', () => {
    const { ledger, events } = open('branch', { a: 1000 });
    for (const cost of [700, 150, 50, 200, 1]) ledger('a').settle({ reserved: 0, cost });
    ledger('a').charge(1);
    expect(events).toEqual([
      { type: 'warning', ledger: 'a', reviewer: 'a', used: 850, total: 1000 },
      { type: 'exhausted', ledger: 'a', reviewer: 'a', used: 1100, total: 1000 },
    ]);
  });

  it('stop a call under way at 95 % of what its reviewer is entitled to', () => {
    const branch = open('branch', { a: 1000 }).ledger('a');
    expect([
      branch.isPast({ prompt: 800, output: 149 }),
      branch.isPast({ prompt: 800, output: 150 }),
    ]).toEqual([false, true]);
    const shared = open('shared', { a: 500, b: 500 });
    shared.ledger('b').settle({ reserved: 0, cost: 900 });
    expect([
      shared.ledger('a').isPast({ prompt: 0, output: 400 }),
      shared.ledger('a').isPast({ prompt: 0, output: 475 }),
    ]).toEqual([false, true]);
  });

  it('leave the last tokens to the answer, however long the prompt was', () => {
    const ledger = open('branch', { a: 1000 }).ledger('a');
    expect([
      ledger.isPast({ prompt: 990, output: 40 }),
      ledger.isPast({ prompt: 990, output: 51 }),
      ledger.room(),
    ]).toEqual([false, true, 949]);
  });

  it('show a tool what is set aside and what the call under way has cost beyond it', () => {
    const { ledger } = open('branch', { a: 1000 });
    ledger('a').reserve(800);
    ledger('a').expect(150);
    expect([
      ledger('a').mode(),
      ledger('a').liveMode(),
      ledger('a').remaining(),
      ledger('a').charge(51),
      ledger('a').charge(50),
    ]).toEqual(['full', 'force_return', 50, 'FOLD008', 'ok']);
    ledger('a').expect(0);
    ledger('a').settle({ reserved: 800, cost: 700 });
    expect([ledger('a').standing().used, ledger('a').remaining()]).toEqual([750, 250]);
  });

  it('never give away more than there is, whatever calls and tools of several reviewers do in whatever order', () => {
    const step = fc.record({
      kind: fc.constantFrom('charge', 'reserve', 'settle', 'expect', 'finish'),
      reviewer: fc.constantFrom('a', 'b', 'c'),
      tokens: fc.nat(700),
    });
    fc.assert(
      fc.property(
        fc.constantFrom('shared', 'branch'),
        fc.array(step, { maxLength: 60 }),
        (mode, steps) => {
          const shares = { a: 600, b: 400, c: 50 };
          const { ledger, finish } = open(mode, shares, { a: 100 });
          const held = { a: 100, b: 0, c: 0 };
          const finished = new Set<string>();
          for (const { kind, reviewer, tokens } of steps) {
            if (finished.has(reviewer)) continue;
            const own = ledger(reviewer);
            const remaining = own.remaining();
            if (kind === 'finish') {
              own.settle({ reserved: held[reviewer], cost: 0 });
              held[reviewer] = 0;
              finished.add(reviewer);
              finish(reviewer);
            } else if (kind === 'charge')
              expect(own.charge(tokens)).toBe(tokens <= remaining ? 'ok' : 'FOLD008');
            else if (kind === 'reserve') held[reviewer] += own.reserve(tokens) ? tokens : 0;
            else if (kind === 'expect') own.expect(tokens);
            else {
              const reserved = Math.min(held[reviewer], tokens);
              own.settle({ reserved, cost: reserved });
              held[reviewer] -= reserved;
            }
            const names = ['a', 'b', 'c'] as const;
            const used = (name: (typeof names)[number]): number => ledger(name).standing().own;
            // Nobody has taken more than there is, and the own budget of whoever is not finished is still there.
            const taken = names.map(name => used(name) + held[name]);
            expect(taken.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1_050);
            for (const name of names) {
              if (finished.has(name)) continue;
              ledger(name).expect(0);
              expect(ledger(name).remaining() + used(name) + held[name]).toBeGreaterThanOrEqual(
                shares[name],
              );
              if (mode === 'branch')
                expect(used(name) + held[name]).toBeLessThanOrEqual(shares[name]);
            }
          }
        },
      ),
    );
  });

  it("are none of an analyser's business", () =>
    expect(
      openTokenLedgers(
        { mode: 'shared', budgets: {} },
        { thresholds: defaultThresholds, granted: new Map(), onEvent: () => {} },
      ).ledgerFor('diff'),
    ).toBeNull());
});
