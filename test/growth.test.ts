import { describe, expect, it } from 'vitest';
import { growthOf, growthOfAsync, linearAtMost } from './growth.ts';

/** Sums up, so that nothing is optimised away. */
function countTo(amount: number): number {
  let sum = 0;
  for (let at = 0; at < amount; at += 1) sum = (sum + at * 31) % 1_000_003;
  return sum;
}

describe('how work grows', () => {
  it('is told of work in proportion to its size, and of work by its square', () => {
    expect(growthOf(300_000, countTo)).toBeLessThan(linearAtMost);
    expect(growthOf(1_000, size => countTo(size * size))).toBeGreaterThan(linearAtMost);
  });

  it('is told of work that waits', async () => {
    const count = async (size: number): Promise<number> => {
      await Promise.resolve();
      return countTo(size);
    };
    expect(await growthOfAsync(300_000, count)).toBeLessThan(linearAtMost);
    expect(await growthOfAsync(1_000, size => count(size * size))).toBeGreaterThan(linearAtMost);
  });
});
