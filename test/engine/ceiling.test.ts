import { expect, it } from 'vitest';
import { noUsage, nothingSpent } from '../../src/core/words/review.ts';
import { createCeiling } from '../../src/engine/ceiling.ts';

it('calls under way side by side do not pass a ceiling of tokens that each alone would not', () => {
  const ceiling = createCeiling({ maxCalls: null, maxTokens: 1_000, maxCost: null }, nothingSpent);
  const prompt = 600 * 3.2;
  expect([ceiling.reserve(prompt), ceiling.reserve(prompt)]).toEqual([
    null,
    'The call would go over the ceiling of 1000 tokens.',
  ]);
  ceiling.settle({ ...noUsage, inputTokens: 300 }, prompt);
  expect(ceiling.reserve(prompt)).toBeNull();
});

const dollar = { maxCalls: null, maxTokens: null, maxCost: 1 };
const paid = (cost: number): typeof noUsage => ({ ...noUsage, calls: 1, cost });

it('calls under way side by side do not pass a ceiling in money, even where the first ones cost more than was expected', () => {
  const ceiling = createCeiling(dollar, nothingSpent);
  const why = 'The call could go over the ceiling of $1.';
  // Nobody knows what calls cost yet: the first may be made, and others as if each cost four times as much.
  expect([ceiling.reserve(1, 0.2), ceiling.reserve(1, 0.05), ceiling.reserve(1, 0.01)]).toEqual([
    null,
    null,
    why,
  ]);
  ceiling.settle(paid(0.4), 1, 0.2);
  // One cost twice its forecast, so all others may: 0.4 + 2 * (0.05 + 0.25) is the ceiling.
  expect([ceiling.reserve(1, 0.26), ceiling.reserve(1, 0.25)]).toEqual([why, null]);
  ceiling.settle(paid(0.1), 1, 0.05);
  ceiling.settle(paid(0.5), 1, 0.25);
  expect([ceiling.spent(), ceiling.reserve(1, 0.01)]).toEqual([
    { calls: 3, tokens: 0, cost: 1 },
    'The ceiling of $1 is reached.',
  ]);
});

it('whoever can wait is refused when calls under way have turned out to leave no room, and not before', async () => {
  const ceiling = createCeiling(dollar, nothingSpent);
  expect(await ceiling.reserveInTime(1, 0.6)).toBeNull();
  const waiting = [ceiling.reserveInTime(1, 0.6), ceiling.reserveInTime(1, 0.6)];
  let isAnswered = false;
  void Promise.race(waiting).then(() => (isAnswered = true));
  await new Promise(resolve => setImmediate(resolve));
  expect(isAnswered).toBe(false);
  ceiling.settle(paid(0.3), 1, 0.6);
  expect(await waiting[0]).toBeNull();
  ceiling.settle(paid(0.3), 1, 0.6);
  expect(await waiting[1]).toBe('The call could go over the ceiling of $1.');
  // What can never fit is not waited for.
  expect(await ceiling.reserveInTime(1, 2)).toBe('The call could go over the ceiling of $1.');
  expect(ceiling.spent()).toMatchObject({ calls: 2, cost: 0.6 });
});

it('calls are refused at once: no call that ends gives one back', async () => {
  const ceiling = createCeiling({ ...dollar, maxCalls: 1 }, nothingSpent);
  expect([await ceiling.reserveInTime(1), await ceiling.reserveInTime(1)]).toEqual([
    null,
    'The ceiling of 1 calls is reached.',
  ]);
});
