import { describe, expect, it } from 'vitest';
import { cutOf, withVerifiedWorth } from '../../../src/core/matching/act.ts';
import { confidenceModel } from '../../../src/core/matching/calibrated-model.ts';
import { ActRule } from '../../../src/core/settings.ts';
import type { Claim } from '../../../src/core/words/claim.ts';
import { claimOf } from '../run-files/samples.ts';

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

describe('the worth of a claim that was looked up or asked about', () => {
  it('moves with its confidence, as much as truth counts in it', () => {
    expect(worthAfterwards(verifiedClaim(0.8, 0.5))).toBeCloseTo(
      1 / (1 + 4 ** -(confidenceModel.worth.weights[0] ?? 0)),
      10,
    );
    expect(worthAfterwards(verifiedClaim(0.2, 0.5))).toBeLessThan(0.5);
  });

  it('stays where nothing was moved or nothing is known', () => {
    expect(worthAfterwards(verifiedClaim(0.5, 0.5))).toBeCloseTo(0.5, 10);
    expect(worthAfterwards(claimOf({ confidence: 0.9, worth: 0.4 }))).toBe(0.4);
    expect(worthAfterwards(verifiedClaim(0.9, null))).toBe(0.5);
    expect(worthAfterwards(verifiedClaim(null, null, null))).toBeNull();
  });
});

function verifiedClaim(
  confidence: number | null,
  confidenceBefore: number | null,
  worth: number | null = 0.5,
): Claim {
  return claimOf({
    confidence,
    worth,
    verified: { checks: [], answers: [], noResponse: [], confidenceBefore, error: null },
  });
}

function worthAfterwards(claim: Claim): number | null {
  return withVerifiedWorth(claim, confidenceModel).worth;
}
