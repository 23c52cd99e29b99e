/** A caller's own runner is held to the contract where money hangs on it. */
import { expect, it } from 'vitest';
import { guardRunner } from '../../../src/adapters/runners/function.ts';
import { textAnswer } from '../../../src/adapters/runners/executable.ts';
import { noUsage } from '../../../src/core/words/review.ts';
import { neverAborted, turnOf } from './turns.ts';

it.each([
  ['less than no token', { inputTokens: -5 }],
  ['half a token', { outputTokens: 0.5 }],
  ['a cost below nothing', { cost: -3 }],
  ['a cost that is no number', { cost: Number.NaN }],
  ['a cost without end', { cost: Number.POSITIVE_INFINITY }],
])('what it says of %s is estimated instead', async (_what, wrong) => {
  const own = guardRunner({
    name: 'own',
    ask: () =>
      Promise.resolve(
        textAnswer(
          { text: 'None\n\nVERDICT: safe', isUtf8: true },
          { stop: 'end', model: null, usage: { ...noUsage, calls: 1, ...wrong } },
        ),
      ),
    fingerprint: () => Promise.resolve(null),
  });
  const { status, usage } = await own.ask(
    turnOf({ runner: 'own', price: { input: 1, output: 1 } }),
    neverAborted(),
  );
  expect([status, usage.calls, usage.estimated]).toEqual(['answered', 1, true]);
  expect(usage.cost).toBeGreaterThan(0);
});
