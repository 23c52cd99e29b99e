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
