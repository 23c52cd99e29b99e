import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BandSettings } from '../../../src/core/vote/band-settings.ts';
import {
  cutsOf,
  isUncertain,
  movesOf,
  spokenAbout,
  verifiersOf,
  withAnswersOf,
  withChecks,
} from '../../../src/core/vote/verify-claim.ts';
import { withConfidence } from '../../../src/core/vote/moved-claim.ts';
import type { Claim } from '../../../src/core/words/claim.ts';
import { sampleClaim, sampleFinding, sampleLocation } from '../sample.ts';

const settings = BandSettings.parse({});
const decisions = { cut: 0.5, actCut: 0.3 };
const claimOf = (confidence: number | null, more: Partial<Claim> = {}): Claim =>
  sampleClaim({
    confidence,
    findings: [
      sampleFinding({
        location: sampleLocation({ anchoring: 'unanchored', note: 'No such file.' }),
      }),
    ],
    ...more,
  });
const unasked = { votes: [], noResponse: [], familiesOfSupporters: new Set<string>(), error: null };

describe('a claim that is looked up', () => {
  test('is worth less to a person when its confidence falls, and as before without a confidence', () => {
    const claim = withChecks(claimOf(0.5, { worth: 0.4 }), () => null);
    expect(claim.confidence).toBeCloseTo(1 / (1 + Math.exp(0.6)), 9);
    expect(claim.worth).toBeLessThan(0.4);
    expect(claim.verified?.checks).toHaveLength(1);
    const rule = withChecks(claimOf(null), () => null);
    expect([rule.confidence, rule.worth, rule.verified?.checks.length]).toEqual([null, null, 1]);
  });

  test('keeps its figures to the last digit when nobody is asked', () => {
    const claim = withChecks(claimOf(0.123456, { findings: [] }), () => null);
    expect(withAnswersOf(claim, unasked).confidence).toBe(0.123456);
  });
});

describe('a claim about which somebody is asked', () => {
  const [beta, gamma] = verifiersOf(
    ['beta', 'gamma'],
    new Map([['gamma', 'openai']]),
    [],
    settings,
  );
  const vote = (verifier: typeof beta, stance: 'ENDORSE' | 'OPPOSE' | 'ABSTAIN' | 'AMEND') => {
    if (verifier === undefined) throw new Error('There is no such verifier.');
    const { id: reviewer } = verifier;
    return { reviewer, stance, reasoning: '', concerns: [], confidence: 0.5, verifier };
  };

  test('tells what each moved, which adds up to what the confidence did', () => {
    const claim = withChecks(claimOf(0.5, { findings: [], worth: 0.4 }), () => null);
    const after = withAnswersOf(claim, {
      ...unasked,
      votes: [vote(beta, 'OPPOSE'), vote(gamma, 'AMEND')],
      familiesOfSupporters: new Set(['openai']),
    });
    const worths =
      after.verified === undefined ? [] : movesOf(after.verified).map(({ worth }) => worth);
    const [one, half] = [Math.log(0.7 / 0.3), Math.log(0.7 / 0.3) / 2];
    expect(worths[0]).toBeCloseTo(-one, 9);
    expect(worths[1]).toBeCloseTo(half, 9);
    expect(after.confidence).toBeCloseTo(1 / (1 + Math.exp(one - half)), 9);
    expect(after.worth).toBeLessThan(0.4);
  });

  test('is not put to those who said it, its contrary, or that it is not so', () => {
    const contrary = claimOf(0.2, { id: 'c-0000000002', supporters: ['delta'] });
    const claim = claimOf(0.5, {
      contradicts: [contrary.id],
      against: [{ reviewer: 'omega', finding: 'omega/#1', statement: 'It is safe.' }],
    });
    expect([...spokenAbout(claim, new Map([[contrary.id, contrary]]))].toSorted()).toEqual([
      'alpha',
      'delta',
      'omega',
    ]);
  });
});

describe('what is decided about a claim', () => {
  test('at the cut of its confidence, and at that from which it is worth a person’s time', () => {
    expect(cutsOf(claimOf(0.4), decisions)).toEqual([{ at: 0.5, weight: 1 }]);
    const [cut, act] = cutsOf(claimOf(0.4, { worth: 0.3 }), decisions);
    expect(cut).toEqual({ at: 0.5, weight: 1 });
    expect(act?.at).toBeCloseTo(0.4, 9);
    expect(act?.weight).toBeCloseTo(0.75, 9);
    expect(cutsOf(claimOf(0.4, { worth: 0.3 }), { ...decisions, actCut: Infinity })).toHaveLength(
      1,
    );
  });

  test('nobody is asked whether a trifle is true: no answer would make it matter', () => {
    expect(cutsOf(claimOf(0.8, { worth: 0.2 }), decisions)).toEqual([{ at: 0.5, weight: 1 }]);
    expect(isUncertain(claimOf(0.8, { worth: 0.2 }), decisions, settings)).toBe(false);
    expect(isUncertain(claimOf(0.8, { worth: 0.29 }), decisions, settings)).toBe(true);
    expect(cutsOf(claimOf(0.8, { worth: 0 }), decisions)).toHaveLength(1);
  });

  test('is uncertain where one answer could change either of them', () => {
    expect(isUncertain(claimOf(0.2), decisions, settings)).toBe(false);
    expect(isUncertain(claimOf(0.2, { worth: 0.28 }), decisions, settings)).toBe(true);
    expect(isUncertain(claimOf(null), decisions, settings)).toBe(false);
    expect(isUncertain(claimOf(0.5, { state: 'dismissed' }), decisions, settings)).toBe(false);
  });

  test('the cut of worth, as a confidence, is where the claim is worth that much', () => {
    const share = fc.double({ min: 0.02, max: 0.98, noNaN: true });
    fc.assert(
      fc.property(share, share, share, (confidence, worth, actCut) => {
        const claim = claimOf(confidence, { worth });
        const [, act] = cutsOf(claim, { cut: 0.5, actCut });
        if (act === undefined) expect(withConfidence(claim, 1).worth).toBeLessThanOrEqual(actCut);
        else expect(withConfidence(claim, act.at).worth).toBeCloseTo(actCut, 9);
      }),
    );
  });
});

describe('what a claim is worth once its confidence was moved', () => {
  test('is the same share of its confidence: that it is so does not say that it matters', () => {
    expect(withConfidence(claimOf(0.5, { worth: 0.2 }), 0.9).worth).toBeCloseTo(0.36, 9);
    expect(withConfidence(claimOf(0.5, { worth: 0.2 }), 0.1).worth).toBeCloseTo(0.04, 9);
    expect(withConfidence(claimOf(0.5, { worth: 0 }), 0.9).worth).toBe(0);
    expect(withConfidence(claimOf(0.5), 0.9).worth).toBeNull();
  });

  test('moves by the same odds where it was above', () => {
    expect(withConfidence(claimOf(0.2, { worth: 0.5 }), 0.5).worth).toBeCloseTo(0.8, 9);
  });

  test('rises with the confidence, and back again to where it was', () => {
    const share = fc.double({ min: 0.02, max: 0.98, noNaN: true });
    fc.assert(
      fc.property(share, share, share, (confidence, worth, moved) => {
        const claim = withConfidence(claimOf(confidence, { worth }), moved);
        if (Math.abs(moved - confidence) > 1e-9)
          expect((claim.worth ?? 0) > worth).toBe(moved > confidence);
        if (worth <= confidence)
          expect(withConfidence(claim, confidence).worth).toBeCloseTo(worth, 9);
      }),
    );
  });
});
