import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepSevere, modeAt, ProgressiveSummarization } from '../../../src/core/context/budget.ts';
import { firstProblem, formatPath } from '../../../src/core/schema-problem.ts';
import type { Severity } from '../../../src/core/words/finding.ts';

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
