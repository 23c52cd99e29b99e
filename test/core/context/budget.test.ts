import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allotBudgets, budgetOf, complexities, multipliers, scaleOf } from '../../../src/core/context/budget.ts';
import { UserError } from '../../../src/core/errors.ts';

const reviewers = [{ id: 'security-reviewer', base: 8192 }, { id: 'code-quality-reviewer', base: 6144 }, { id: 'documentation-reviewer', base: 4096 }];
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

  it.each([[4096, 'SIMPLE', 7680], [4096, 'STANDARD', 10_240], [4096, 'COMPLEX', 15_360], [49_152, 'COMPLEX', 49_152]] as const)('of %i tokens at complexity %s give security %i, never capped', (tokens, complexity, budget) => {
    expect(budgetOf(8192, tokens, complexity)).toBe(budget);
    expect(allotBudgets({ totalTokens: tokens, complexity, reviewers }).multiplier).toBe(multipliers[complexity]);
  });

  it('have exactly the keys of budget.json', () => {
    expect(Object.keys(allot(1))).toEqual(['total_tokens', 'scale', 'mode', 'multiplier', 'budgets']);
    expect(allot(3268).scale).toBe(1.199462890625);
  });

  it('are the floor of the exact product, whatever the numbers are', () => {
    const base = fc.integer({ min: 1, max: 1e9 });
    const complexity = fc.constantFrom(null, ...complexities);
    fc.assert(fc.property(base, fc.nat(100_000), complexity, (own, tokens, stated) => {
      const numerator = BigInt(own) * BigInt(Math.min(65_536, 16_384 + tokens)) * BigInt(4 * (stated === null ? 1 : multipliers[stated]));
      expect(BigInt(budgetOf(own, tokens, stated))).toBe(numerator / 65_536n);
    }));
  });

  it('never shrink when the scope grows, and stop growing at four times the base', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 1e6 }), fc.nat(200_000), fc.nat(200_000), (base, tokens, more) => {
      expect(budgetOf(base, tokens + more, null)).toBeGreaterThanOrEqual(budgetOf(base, tokens, null));
      expect(budgetOf(base, tokens, null)).toBeLessThanOrEqual(4 * base);
      expect(scaleOf(tokens)).toBeLessThanOrEqual(4);
    }));
  });

  it('refuse a base that grows beyond what can be counted', () => {
    expect(() => budgetOf(Number.MAX_SAFE_INTEGER, 4096, null)).toThrow(UserError);
  });
});
