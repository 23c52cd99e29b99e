import { describe, expect, it } from 'vitest';
import { cutOf, listenersIn } from '../../../src/agreement/confidence/confidence.ts';
import { confidenceModel } from '../../../src/agreement/calibrated-model.ts';
import { ActRule } from '../../../src/core/settings.ts';
import { findingOf, reviewOf } from '../sample.ts';

const cuts = [
  { cut: 0.2, precision: 0.5, recall: 0.6 },
  { cut: 0.3, precision: 0.76, recall: 0.5 },
  { cut: 0.4, precision: 0.74, recall: 0.4 },
  { cut: 0.5, precision: 0.8, recall: 0.3 },
  { cut: 0.6, precision: 0.85, recall: 0.2 },
];

const best = {
  base: 0.2,
  growth: 0.05,
  graded: 0.1,
  panels: [2, 12].map(reviewers => ({ reviewers, precision: 0.5, recall: 0.5 })),
};

function cutFor(reviewers: number, isGraded = false) {
  return cutOf('best', { cuts, best }, { reviewers, isGraded });
}

describe('the cut from which claims are worth acting on', () => {
  it.each([
    ['one-in-2', 0.2],
    ['one-in-5', 0.5],
    ['one-in-4', 0.5],
    ['one-in-6', 0.6],
    ['one-in-7', Number.POSITIVE_INFINITY],
  ])('is for %s %d: from there on no measured cut broke the promise', (rule, cut) =>
    expect(cutOf(rule, { cuts, best }, { reviewers: 5, isGraded: true })).toBe(cut),
  );

  it('is for best the higher the more reviewers could have said something, as far as was measured', () => {
    expect(cutFor(4)).toBeCloseTo(0.2 + 0.05 * Math.log(4), 12);
    expect(cutFor(12)).toBeGreaterThan(cutFor(4));
    expect([cutFor(1), cutFor(0)]).toEqual([cutFor(2), cutFor(2)]);
    expect(cutFor(100)).toBe(cutFor(12));
  });

  it('is for best another one where severities are stated', () =>
    expect(cutFor(4, true)).toBeCloseTo(cutFor(4) + 0.1, 12));

  it('is for best half of an F1 in the shipped model', () => {
    for (const { reviewers, precision, recall } of confidenceModel.best.panels) {
      const f1 = (2 * precision * recall) / (precision + recall);
      const cut = cutOf('best', confidenceModel, { reviewers, isGraded: false });
      expect(cut).toBeGreaterThan(0.4 * f1);
      expect(cut).toBeLessThan(0.6 * f1);
    }
    const large = { reviewers: 100, isGraded: true };
    expect(cutOf('one-in-3', confidenceModel, large)).toBeGreaterThan(
      cutOf('best', confidenceModel, large),
    );
  });

  it('counts every review that did not fail and what it states, but those of checks', () => {
    const reviews = [
      reviewOf('A'),
      reviewOf('B', { status: 'partial' }),
      reviewOf('C', { status: 'failed' }),
      reviewOf('lint', { role: 'check' }),
    ];
    const [graded, bare] = ['HIGH', 'UNSTATED'].map(label => (reviewer: string) => [
      findingOf(reviewer, 'The lock is released twice', { label }),
    ]);
    expect(listenersIn(reviews, graded?.('B') ?? [])).toEqual({ reviewers: 2, isGraded: true });
    for (const findings of [bare?.('B'), graded?.('C'), graded?.('lint')])
      expect(listenersIn(reviews, findings ?? [])).toEqual({ reviewers: 2, isGraded: false });
  });

  it.each(['best', 'one-in-2', 'one-in-10', 'one-in-999'])('can be set to %s', rule =>
    expect(ActRule.parse(rule)).toBe(rule),
  );

  it.each(['', 'one-in-1', 'one-in-0', 'one-in-1000', 'one-in-2.5', 'all', 'best '])(
    'can not be set to "%s"',
    rule => expect(ActRule.safeParse(rule).success).toBe(false),
  );
});
