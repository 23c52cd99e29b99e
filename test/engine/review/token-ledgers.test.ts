import { describe, expect, it } from 'vitest';
import { defaultThresholds } from '../../../src/core/context/progressive-mode.ts';
import type { RunEvent } from '../../../src/core/events.ts';
import { openTokenLedgers, type ReviewerLedger } from '../../../src/engine/review/token-ledgers.ts';

function open(mode: 'shared' | 'branch', budgets: Record<string, number>, granted: Record<string, number> = {}): { readonly ledger: (reviewer: string) => ReviewerLedger; readonly events: RunEvent[] } {
  const events: RunEvent[] = [];
  const ledgers = openTokenLedgers({ total_tokens: 1, scale: 1, mode, multiplier: 1, budgets }, { thresholds: defaultThresholds, granted: new Map(Object.entries(granted)), onEvent: event => events.push(event) });
  return {
    events,
    ledger: reviewer => {
      const ledger = ledgers.ledgerFor(reviewer);
      if (ledger === null) throw new Error(`${reviewer} has no ledger`);
      return ledger;
    },
  };
}

describe('the ledgers of a run', () => {
  it('let everybody spend from one in shared mode, and say who used what', () => {
    const { ledger } = open('shared', { a: 600, b: 400 });
    ledger('a').settle({ reserved: 0, cost: 799 });
    expect([ledger('b').mode(), ledger('b').remaining()]).toEqual(['full', 201]);
    ledger('b').settle({ reserved: 0, cost: 1 });
    expect([ledger('a').mode(), ledger('b').standing()]).toEqual(['high_severity_only', { total: 1000, used: 800, own: 1 }]);
  });

  it('keep reviewers apart in branch mode', () => {
    const { ledger } = open('branch', { a: 600, b: 400 });
    ledger('a').settle({ reserved: 0, cost: 5_000 });
    expect([ledger('a').mode(), ledger('b').mode(), ledger('b').remaining()]).toEqual(['force_return', 'full', 400]);
  });

  it('do not give away what is reserved, and do not count it as spent', () => {
    const { ledger } = open('shared', { a: 600, b: 400 }, { a: 500 });
    expect([ledger('b').remaining(), ledger('b').mode(), ledger('b').reserve(501), ledger('b').reserve(500)]).toEqual([500, 'full', false, true]);
    ledger('a').settle({ reserved: 500, cost: 100 });
    expect(ledger('b').remaining()).toBe(400);
  });

  it('refuse the result of a tool that does not fit, whole, and numbers that are none', () => {
    const { ledger } = open('branch', { a: 1000 });
    expect([ledger('a').charge(1100), ledger('a').charge(-1), ledger('a').charge(0.5), ledger('a').charge(1000), ledger('a').charge(1)]).toEqual(['FOLD008', 'FOLD010', 'FOLD010', 'ok', 'FOLD008']);
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

  it('stop a call under way at 95 %, in shared mode only one that is past its own share as well', () => {
    const branch = open('branch', { a: 1000 }).ledger('a');
    expect([branch.isPast({ prompt: 800, output: 149 }), branch.isPast({ prompt: 800, output: 150 })]).toEqual([false, true]);
    const shared = open('shared', { a: 500, b: 500 });
    shared.ledger('b').settle({ reserved: 0, cost: 900 });
    expect([shared.ledger('a').isPast({ prompt: 0, output: 400 }), shared.ledger('a').isPast({ prompt: 0, output: 475 })]).toEqual([false, true]);
  });

  it('leave the last tokens to the answer, however long the prompt was', () => {
    const ledger = open('branch', { a: 1000 }).ledger('a');
    expect([ledger.isPast({ prompt: 990, output: 40 }), ledger.isPast({ prompt: 990, output: 51 }), ledger.room()]).toEqual([false, true, 949]);
  });

  it('are none of an analyser\'s business', () => {
    expect(openTokenLedgers({ total_tokens: 1, scale: 1, mode: 'shared', multiplier: 1, budgets: {} }, { thresholds: defaultThresholds, granted: new Map(), onEvent: () => {} }).ledgerFor('diff')).toBeNull();
  });
});
