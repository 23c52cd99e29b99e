/** What every implementation of the `SpendingLedger` port keeps. */
import { expect, it } from 'vitest';
import type { SpendingLedger } from '../../src/core/ports/steps.ts';
import { nothingIn } from '../../src/core/spending/month.ts';

const allowed = () => null;
const made = (cost: number | null) => ({ cost, isMade: true });

/** `open` opens what lies at one place, which is empty at the beginning of each test. */
export function keepsSpending(open: () => Promise<SpendingLedger>): void {
  it('a month of which nothing is booked is empty', async () => {
    const ledger = await open();
    expect(ledger.read('2026-11')).toEqual(nothingIn('2026-11'));
    ledger.close();
  });

  it('a call counts as what is expected of it, and then as what it cost, in its month alone', async () => {
    const ledger = await open();
    expect(ledger.begin('2026-11', 0.5, allowed)).toBeNull();
    expect(ledger.read('2026-11')).toMatchObject({ calls: 1, cost: 0, underWay: 0.5 });
    expect(ledger.read('2026-12')).toEqual(nothingIn('2026-12'));
    ledger.end('2026-11', 0.5, made(0.75));
    expect(ledger.read('2026-11')).toEqual({
      month: '2026-11',
      calls: 1,
      unpriced: 0,
      cost: 0.75,
      underWay: 0,
    });
    ledger.close();
  });

  it('what nobody knows the price of is counted beside the sum, and what was never made not at all', async () => {
    const ledger = await open();
    ledger.begin('2026-11', 0, allowed);
    ledger.begin('2026-11', 0.25, allowed);
    ledger.end('2026-11', 0, made(null));
    ledger.end('2026-11', 0.25, { cost: null, isMade: false });
    expect(ledger.read('2026-11')).toMatchObject({ calls: 1, unpriced: 1, cost: 0, underWay: 0 });
    ledger.close();
  });

  it('a refusal books nothing, and sees what every other one has booked', async () => {
    const [one, other] = [await open(), await open()];
    one.begin('2026-11', 1, allowed);
    const seen: number[] = [];
    const why = other.begin('2026-11', 1, ({ cost, underWay }) => {
      seen.push(cost + underWay);
      return 'no';
    });
    expect([why, seen]).toEqual(['no', [1]]);
    expect(one.read('2026-11')).toMatchObject({ calls: 1, underWay: 1 });
    one.close();
    other.close();
  });

  it('what whoever is gone had under way stays booked', async () => {
    const gone = await open();
    gone.begin('2026-11', 2, allowed);
    gone.close();
    const ledger = await open();
    ledger.begin('2026-11', 1, allowed);
    ledger.end('2026-11', 1, made(1));
    expect(ledger.read('2026-11')).toMatchObject({ calls: 2, cost: 1, underWay: 2 });
    ledger.close();
  });
}
