import { describe, expect, it } from 'vitest';
import { cutOf } from '../../../src/core/matching/act.ts';
import { confidenceModel } from '../../../src/core/matching/calibrated-model.ts';
import { ActRule } from '../../../src/core/settings.ts';

const cuts = [
  { cut: 0.2, precision: 0.5, recall: 0.6 },
  { cut: 0.3, precision: 0.76, recall: 0.5 },
  { cut: 0.4, precision: 0.74, recall: 0.4 },
  { cut: 0.5, precision: 0.8, recall: 0.3 },
  { cut: 0.6, precision: 0.85, recall: 0.2 },
];

describe('the cut from which claims are worth acting on', () => {
  it.each([
    ['best', 0.2],
    ['one-in-2', 0.2],
    ['one-in-5', 0.5],
    ['one-in-4', 0.5],
    ['one-in-6', 0.6],
    ['one-in-7', Number.POSITIVE_INFINITY],
  ])('is for %s %d: from there on no measured cut broke the promise', (rule, cut) => {
    expect(cutOf(rule, { cuts, bestCut: 0.2 })).toBe(cut);
  });

  it('is one of the measured ones', () => {
    expect(confidenceModel.cuts.map(({ cut }) => cut)).toContain(confidenceModel.bestCut);
    expect(cutOf('one-in-3', confidenceModel)).toBeGreaterThan(confidenceModel.bestCut);
  });

  it.each(['best', 'one-in-2', 'one-in-10', 'one-in-999'])('can be set to %s', rule => {
    expect(ActRule.parse(rule)).toBe(rule);
  });

  it.each(['', 'one-in-1', 'one-in-0', 'one-in-1000', 'one-in-2.5', 'all', 'best '])(
    'can not be set to "%s"',
    rule => {
      expect(ActRule.safeParse(rule).success).toBe(false);
    },
  );
});
