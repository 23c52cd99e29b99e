import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allotBudgets,
  Complexity,
  floorPercent,
  foldMessage,
  isAtLeastShare,
  roundPercent,
  keepSevere,
  modeAt,
  ProgressiveSummarization,
} from '../../../src/core/context/budget.ts';
import { UserError } from '../../../src/core/errors.ts';
import { firstProblem, formatPath } from '../../../src/core/schema-problem.ts';
import type { Severity } from '../../../src/core/words/finding.ts';

const reviewers = [
  { id: 'security-reviewer', base: 8192 },
  { id: 'code-quality-reviewer', base: 6144 },
  { id: 'documentation-reviewer', base: 4096 },
];
const multipliers = { SIMPLE: 0.75, STANDARD: 1, COMPLEX: 1.5 };
const budgetOf = (base: number, totalTokens: number, complexity: Complexity | null) =>
  allotBudgets({ totalTokens, complexity, reviewers: [{ id: 'alpha', base }] }).budgets['alpha'] ??
  0;
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
    const complexity = fc.constantFrom(null, ...Complexity.options);
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
          expect(allot(tokens).scale).toBeLessThanOrEqual(4);
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

describe('fold codes', () => {
  it('are told with their place', () => {
    expect(foldMessage('FOLD004', { branchId: 'br_0a1b2c3d', sessionId: 's1' })).toBe(
      '[FOLD004] maximum depth exceeded (branch_id=br_0a1b2c3d, session_id=s1)',
    );
    expect(foldMessage('FOLD008')).toBe('[FOLD008] budget exhausted');
  });
});

function problemOf(input: unknown) {
  const { error } = ProgressiveSummarization.safeParse(input);
  if (error === undefined) return null;
  const { path, sentence } = firstProblem(ProgressiveSummarization, error);
  return `${formatPath(path)}: ${sentence}`;
}

describe('the mode of a reviewer', () => {
  it.each([
    [0, 'full'],
    [7999, 'full'],
    [8000, 'high_severity_only'],
    [9499, 'high_severity_only'],
    [9500, 'force_return'],
    [10_000, 'force_return'],
    [25_000, 'force_return'],
  ])('at %i of 10000 tokens is %s', (used, mode) => {
    expect(modeAt({ total: 10_000, used })).toBe(mode);
  });

  it('only ever gets stricter as tokens are used', () => {
    const order = ['full', 'high_severity_only', 'force_return'];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.nat(1e9),
        fc.nat(1e9),
        (total, used, more) => {
          expect(order.indexOf(modeAt({ total, used: used + more }))).toBeGreaterThanOrEqual(
            order.indexOf(modeAt({ total, used })),
          );
        },
      ),
    );
  });

  it('follows the thresholds of the configuration', () => {
    const thresholds = ProgressiveSummarization.parse({
      full_analysis_threshold: 0.5,
      high_severity_threshold: 1,
    });
    expect([49, 50, 99, 100].map(used => modeAt({ total: 100, used }, thresholds))).toEqual([
      'full',
      'high_severity_only',
      'high_severity_only',
      'force_return',
    ]);
  });

  it.each([
    [
      'thresholds in the wrong order',
      { full_analysis_threshold: 0.95, high_severity_threshold: 0.8 },
      'full_analysis_threshold: Must be less than high_severity_threshold.',
    ],
    [
      'equal thresholds',
      { full_analysis_threshold: 0.9, high_severity_threshold: 0.9 },
      'full_analysis_threshold: Must be less than high_severity_threshold.',
    ],
    [
      'a third threshold',
      { force_return_threshold: 0.98 },
      'force_return_threshold: Must be equal to high_severity_threshold: there are two thresholds.',
    ],
    ['a third threshold that says the same', { force_return_threshold: 0.95 }, null],
  ])('has an answer to %s', (_what, input, problem) => {
    expect(problemOf(input)).toBe(problem);
  });

  it.each([{ full_analysis_threshold: 0 }, { high_severity_threshold: 1.01 }])(
    'refuses thresholds out of range: %j',
    input => {
      expect(problemOf(input)).not.toBeNull();
    },
  );
});

describe('results of a reviewer that ran short', () => {
  const findings = (['critical', 'high', 'medium', 'low', 'low'] satisfies Severity[]).map(
    severity => ({ severity }),
  );

  it('keep critical and high findings and count the others', () => {
    expect(keepSevere(findings)).toEqual({
      kept: [{ severity: 'critical' }, { severity: 'high' }],
      skipped: { medium_count: 1, low_count: 2 },
    });
  });
});
