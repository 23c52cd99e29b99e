import { beforeEach, expect, it } from 'vitest';
import { openSpendingLedger } from '../../src/adapters/store/sqlite.ts';
import { systemDisk } from '../../src/adapters/system/disk.ts';
import { UserError } from '../../src/core/errors.ts';
import type { SpendingLedger } from '../../src/core/ports/steps.ts';
import { noUsage, nothingSpent } from '../../src/core/words/review.ts';
import { createCeiling, createMonthCeiling } from '../../src/engine/asking/limits.ts';
import { isSettled, roomFor } from '../contracts/limits.ts';
import { createFolder } from '../adapters/git/sample-repository.ts';

let ledger: SpendingLedger;
let now = new Date();
const notes: string[] = [];
const paid = (cost: number | null) => ({ ...noUsage, calls: 1, cost });

beforeEach(async () => {
  ledger = await openSpendingLedger({ disk: systemDisk, root: createFolder() }, () =>
    Promise.resolve(null),
  );
  now = new Date('2026-11-30T23:59:00Z');
  notes.length = 0;
  return () => ledger.close();
});

function monthOf(limit: number | null, on = ledger) {
  return createMonthCeiling({
    ledger: on,
    limit,
    clock: { now: () => now },
    onNote: message => notes.push(message),
  });
}

const fails = () => {
  throw new UserError('The ledger is damaged.', { kind: 'input' });
};

it('calls under way count, those of other runs too', () => {
  const [one, other] = [monthOf(1), monthOf(1)];
  expect(one.begin(0.6)).toBeNull();
  expect(other.begin(0.6)).toMatch(/could go over the ceiling of \$1 for the month/);
  one.end(0.6, paid(0.3));
  expect(other.begin(0.6)).toBeNull();
});

it('a call is of the month it began in, and the next month has all of its own', () => {
  const month = monthOf(1);
  expect(month.begin(1)).toBeNull();
  now = new Date('2026-12-01T00:00:30Z');
  month.end(1, paid(1));
  expect(ledger.read('2026-11')).toMatchObject({ cost: 1, underWay: 0 });
  expect(ledger.read('2026-12')).toMatchObject({ calls: 0 });
  expect(month.begin(1)).toBeNull();
});

it('where calls cost more than was expected of them, so much is expected of the next', () => {
  const month = monthOf(1);
  month.begin(0.1);
  month.end(0.1, paid(0.4));
  expect(month.begin(0.2)).toMatch(/could go over/);
  expect(month.begin(0.15)).toBeNull();
});

it('where nobody states a price, the dearest call is expected of the next; of the first one nothing', () => {
  const month = monthOf(1);
  expect(month.begin(0)).toBeNull();
  month.end(0, paid(0.6));
  expect(month.begin(0)).toMatch(/could go over/);
  expect(ledger.read('2026-11')).toMatchObject({ cost: 0.6, unpriced: 0 });
});

it('while nothing tells what calls without a price cost, there is one of them at a time', () => {
  const month = monthOf(1);
  expect(month.begin(0)).toBeNull();
  expect(month.begin(0)).toMatch(/not known before the first has ended/);
  month.end(0, paid(0.3));
  expect([month.begin(0), month.begin(0)]).toEqual([null, null]);
  expect(month.begin(0)).toMatch(/could go over/);
  expect(ledger.read('2026-11')).toMatchObject({ calls: 3, cost: 0.3, underWay: 0.6 });
});

it('what calls of the month have cost is expected of those of a later run, and one that is cut off counts as that', () => {
  const before = monthOf(1);
  before.begin(0);
  before.end(0, paid(0.4));
  const month = monthOf(1);
  expect(month.begin(0)).toBeNull();
  expect(month.begin(0)).toMatch(/could go over/);
  month.end(0, { ...noUsage, calls: 1 }, true);
  expect(ledger.read('2026-11')).toMatchObject({ cost: 0.8, underWay: 0 });
});

it('calls of which nobody ever says what they cost hinder nobody, and neither do those without a ceiling', () => {
  const month = monthOf(1);
  month.begin(0);
  month.end(0, paid(null));
  expect([month.begin(0), month.begin(0)]).toEqual([null, null]);
  const free = monthOf(null);
  expect([free.begin(0), free.begin(0)]).toEqual([null, null]);
});

it('whoever can wait is asked as soon as the first has told what a call costs', async () => {
  const none = { maxCalls: null, maxTokens: null, maxCost: null };
  const ceiling = createCeiling(none, nothingSpent, monthOf(1));
  const first = await roomFor(ceiling, { characters: 1, cost: 0 });
  const waiting = roomFor(ceiling, { characters: 1, cost: 0 });
  expect(await isSettled(waiting)).toBe(false);
  await first.give(paid(0.3));
  await waiting;
  expect((await ceiling.refusals()).ofMonth).toBeNull();
});

it('a call that was cut off counts as what was expected of it', () => {
  const month = monthOf(1);
  month.begin(0.6);
  month.end(0.6, noUsage, true);
  expect(ledger.read('2026-11')).toMatchObject({ calls: 1, cost: 0.6, underWay: 0 });
});

it('a ledger that cannot be used refuses where there is a ceiling, and is said where there is none', () => {
  const broken = { ...ledger, begin: fails, end: fails };
  expect(monthOf(1, broken).begin(0.1)).toBe('The ledger is damaged.');
  const free = monthOf(null, broken);
  expect([free.begin(0.1), free.begin(0.1)]).toEqual([null, null]);
  free.end(0.1, paid(0.1));
  expect(notes).toEqual([
    'What this run costs is not counted in its month: The ledger is damaged.',
  ]);
});

it('a ceiling says which of its refusals are of the month, and books nothing there that it refuses itself', async () => {
  const none = { maxCalls: null, maxTokens: null, maxCost: null };
  const ceiling = createCeiling({ ...none, maxCalls: 3 }, nothingSpent, monthOf(1));
  const call = { characters: 1, cost: 0.9 };
  const first = await roomFor(ceiling, call);
  const waiting = ceiling.take(call);
  // Whoever costs nothing is asked all the same.
  await roomFor(ceiling, { ...call, cost: null });
  expect(await isSettled(waiting)).toBe(false);
  await first.give(paid(0.9));
  await roomFor(ceiling, { ...call, cost: null });
  expect(await ceiling.take({ ...call, cost: 0.01 })).toEqual({
    why: 'The ceiling of 3 calls is reached.',
    isOfMonth: false,
  });
  expect((await ceiling.refusals()).ofMonth).toBeNull();
  expect(ledger.read('2026-11')).toMatchObject({ calls: 1, underWay: 0 });
});

it('whoever waits is refused by the month when the calls under way have left no room, and not before', async () => {
  const none = { maxCalls: null, maxTokens: null, maxCost: null };
  const ceiling = createCeiling(none, nothingSpent, monthOf(1));
  const call = { characters: 1, cost: 0.6 };
  const first = await roomFor(ceiling, call);
  const waiting = [ceiling.take(call), ceiling.take(call)];
  await first.give(paid(0.3));
  const second = await Promise.race(waiting);
  expect((await ceiling.refusals()).ofMonth).toBeNull();
  if (!('why' in second)) await second.give(paid(0.6));
  const refusal = (await Promise.all(waiting)).find(taken => 'why' in taken);
  expect(refusal).toEqual({
    why: expect.stringContaining('could go over the ceiling of $1 for the month'),
    isOfMonth: true,
  });
  expect((await ceiling.refusals()).ofMonth).not.toBeNull();
});

it('while nobody knows what calls cost, more than one at a time has room only where they may cost a multiple', () => {
  const month = monthOf(1);
  expect([month.begin(0.1), month.begin(0.1)]).toEqual([null, null]);
  expect(month.begin(0.1)).toMatch(/could go over/);
  month.end(0.1, paid(0.1));
  expect([month.begin(0.1), month.begin(0.1)]).toEqual([null, null]);
});
