import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BandSettings } from '../../src/core/words/claim-settings.ts';
import {
  chooseAnswerers,
  isUncertain,
  moveByAnswers,
  moveClaim,
  reliabilityOfAnswers,
  spokenAbout,
  weighAnswers,
  type WeighedAnswer,
  withAnswers,
  withChecks,
  worthOfAnswer,
} from '../../src/vote/claim-vote.ts';
import type { Claim } from '../../src/core/words/claim.ts';
import { sampleClaim, sampleFinding, sampleLocation } from '../core/sample.ts';

const settings = BandSettings.parse({});

const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });
type Answer = WeighedAnswer & { readonly id: string };
/** Few weights, so that many are alike, as those of unknown reviewers are. */
const answer: fc.Arbitrary<Answer> = fc.record({
  id: fc.stringMatching(/^[a-z]{6}$/),
  family: fc.constantFrom(null, 'one', 'two', 'three'),
  reliability: fc.oneof(
    fc.constantFrom(0.4, 0.5, 0.62, 0.7, 0.9),
    fc.double({ min: 0.3, max: 0.95, noNaN: true }),
  ),
  stance: fc.constantFrom('ENDORSE', 'AMEND', 'OPPOSE', 'ABSTAIN'),
});
const answers = fc.uniqueArray(answer, { maxLength: 8, selector: ({ id }) => id });
const said = (
  stance: WeighedAnswer['stance'],
  reliability = 0.7,
  family: string | null = null,
): WeighedAnswer => ({ stance, reliability, family });

const odds = (probability: number): number => Math.log(probability / (1 - probability));

/** Confidence after the answers. */
function after(confidence: number, given: readonly WeighedAnswer[]): number {
  return moveByAnswers({ confidence, worth: null }, weighAnswers(given)).confidence ?? NaN;
}

describe('answers move the confidence', () => {
  test('one in favour never lowers it, one against never raises it, whatever was answered before', () => {
    fc.assert(
      fc.property(share, answers, answer, (confidence, before, last) => {
        const others = before.filter(({ id }) => id !== last.id);
        const step = after(confidence, [...others, last]) - after(confidence, others);
        if (last.stance === 'OPPOSE') expect(step).toBeLessThanOrEqual(1e-9);
        else if (last.stance === 'ABSTAIN') expect(step).toBe(0);
        else expect(step).toBeGreaterThanOrEqual(-1e-9);
      }),
      { numRuns: 2000 },
    );
  });

  test('their order does not matter', () => {
    fc.assert(
      fc.property(share, answers, fc.nat(), (confidence, list, turn) => {
        const at = list.length === 0 ? 0 : turn % list.length;
        const other = [...list.slice(at), ...list.slice(0, at)].toReversed();
        expect(after(confidence, other)).toBeCloseTo(after(confidence, list), 9);
      }),
    );
  });

  test('nothing, abstentions and the worthless leave the very figure it was', () => {
    expect(after(0.3712345, [])).toBe(0.3712345);
    expect(after(0.3712345, [said('ABSTAIN')])).toBe(0.3712345);
    expect(after(0.3712345, [said('OPPOSE', 0.5), said('OPPOSE', 0.1, 'one')])).toBe(0.3712345);
  });

  test('a hundred answers take .5 no further than .95', () => {
    expect(
      after(
        0.5,
        Array.from({ length: 100 }, () => said('ENDORSE', 0.9)),
      ),
    ).toBeCloseTo(0.95, 9);
  });

  test('of one family the weightiest counts whole and the others half, and two that contradict cancel', () => {
    const one = said('ENDORSE', 0.7, 'one');
    const less = said('AMEND', 0.55, 'one');
    expect(odds(after(0.5, [one, one]))).toBeCloseTo(1.5 * odds(0.7), 9);
    expect(odds(after(0.5, [less, one]))).toBeCloseTo(odds(0.7) + odds(0.55) / 2, 9);
    expect(odds(after(0.5, [one, said('ENDORSE', 0.7, 'two')]))).toBeCloseTo(2 * odds(0.7), 9);
    expect(after(0.5, [one, said('OPPOSE', 0.7, 'one')])).toBeCloseTo(0.5, 9);
  });
});

describe('what an answer is worth', () => {
  const usual = [{ confirmed: 30, rejected: 20 }];
  const of = (record: Parameters<typeof reliabilityOfAnswers>[0]): number =>
    worthOfAnswer(reliabilityOfAnswers(record, [...usual, ...(record ? [record] : [])], settings));

  test('of somebody unknown: that of the stated default', () => {
    expect(of(undefined)).toBeCloseTo(Math.log(0.7 / 0.3), 9);
    expect(of({ confirmed: 0, rejected: 0 })).toBeCloseTo(Math.log(0.7 / 0.3), 9);
  });

  test('grows and falls with the answers that decisions bore out', () => {
    const known = { confirmed: 0, rejected: 0 };
    expect(reliabilityOfAnswers({ ...known, right: 38, wrong: 2 }, usual, settings)).toBeCloseTo(
      0.9,
      9,
    );
    expect(reliabilityOfAnswers({ ...known, right: 10, wrong: 10 }, usual, settings)).toBeCloseTo(
      17 / 30,
      9,
    );
  });

  test('is nothing for one that is wrong more often than right: it moves neither way', () => {
    const adversary = { confirmed: 0, rejected: 0, right: 6, wrong: 34 };
    expect(reliabilityOfAnswers(adversary, usual, settings)).toBeCloseTo(0.26, 9);
    expect(of(adversary)).toBe(0);
  });

  test('falls for one whose own findings were dismissed more often than those of others, and does not grow for the contrary', () => {
    expect(of({ confirmed: 2, rejected: 38 })).toBeLessThan(0.1);
    expect(of({ confirmed: 40, rejected: 0 })).toBeCloseTo(of(undefined), 9);
  });

  test('never passes that of nine right answers of ten', () => {
    expect(of({ confirmed: 0, rejected: 0, right: 100_000, wrong: 0 })).toBeCloseTo(Math.log(9), 9);
  });
});

function choose(reliabilities: readonly number[], most: number): number[] {
  return chooseAnswerers(reliabilities, each => each, { answers: most });
}

describe('who is asked', () => {
  test('whose answers were right most often, no more than answers are wanted, and nobody who moves nothing', () => {
    expect(choose([0.7, 0.9, 0.8], 2)).toEqual([0.9, 0.8]);
    expect(choose([0.4, 0.7, 0.5], 2)).toEqual([0.7]);
    expect(choose([], 2)).toEqual([]);
  });

  test('of those alike who sits first', () => {
    const alike = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
    expect(chooseAnswerers(alike, () => 0.7, { answers: 2 })).toEqual(alike.slice(0, 2));
  });
});

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
const unasked = { spoken: new Map(), votes: [], noResponse: [], error: null };

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
    expect(
      withAnswers({ ...unasked, claim }, () => ({ family: null, reliability: 0.7 })).confidence,
    ).toBe(0.123456);
  });
});

function vote(reviewer: string, stance: WeighedAnswer['stance']) {
  return { reviewer, stance, reasoning: '', concerns: [], confidence: 0.5 };
}

function known(reviewer: string) {
  return { family: reviewer === 'beta' ? null : 'openai', reliability: 0.7 };
}

describe('a claim about which somebody is asked', () => {
  test('tells what each moved, which adds up to what the confidence did', () => {
    const claim = withChecks(claimOf(0.5, { findings: [], worth: 0.4 }), () => null);
    const votes = [vote('beta', 'OPPOSE'), vote('gamma', 'AMEND'), vote('delta', 'AMEND')];
    const moved = withAnswers({ ...unasked, claim, votes }, known);
    const worths = moved.verified?.answers.map(answer => answer.moved);
    const one = odds(0.7);
    expect(worths).toEqual([-one, one, one / 2].map(each => expect.closeTo(each, 9)));
    expect(odds(moved.confidence ?? 0)).toBeCloseTo(0.5 * one, 9);
    expect(moved.worth).toBeGreaterThan(0.4);
    expect(moved.verified?.answers.map(({ reliability }) => reliability)).toEqual([0.7, 0.7, 0.7]);
  });

  test('is not put to those who said it, its contrary, or that it is not so', () => {
    const contrary = claimOf(0.2, { id: 'c-0000000002', supporters: ['delta', 'alpha'] });
    const claim = claimOf(0.5, {
      contradicts: [contrary.id],
      against: [{ reviewer: 'omega', finding: 'omega/#1', statement: 'It is safe.' }],
    });
    expect(Object.fromEntries(spokenAbout(claim, [contrary]))).toEqual({
      alpha: 'for',
      delta: 'against',
      omega: 'against',
    });
  });
});

function isDecidable(claim: Claim, actCut = 0.3): boolean {
  return isUncertain(claim, settings, actCut);
}

describe('a claim is uncertain', () => {
  test('where one answer of somebody unknown carries its confidence across the cut', () => {
    expect([0.29, 0.31, 0.69, 0.71].map(confidence => isDecidable(claimOf(confidence)))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(isDecidable(claimOf(null))).toBe(false);
  });

  test('or what it is worth across that from which it is worth a person’s time', () => {
    expect(isDecidable(claimOf(0.2))).toBe(false);
    expect(isDecidable(claimOf(0.2, { worth: 0.28 }))).toBe(true);
    expect(isDecidable(claimOf(0.2, { worth: 0.28 }), Infinity)).toBe(false);
  });

  test('not where it is a trifle: no answer would make it matter', () => {
    expect(isDecidable(claimOf(0.8, { worth: 0.2 }))).toBe(false);
    expect(isDecidable(claimOf(0.8, { worth: 0.29 }))).toBe(true);
    expect(isDecidable(claimOf(0.8, { worth: 0 }))).toBe(false);
  });

  test('exactly where an answer for it or against it decides otherwise', () => {
    const cuts = fc.double({ min: 0.05, max: 0.95, noNaN: true });
    fc.assert(
      fc.property(share, share, cuts, cuts, (confidence, worth, cut, actCut) => {
        const claim = claimOf(confidence, { worth });
        const decided = (stance: WeighedAnswer['stance']) => {
          const moved = moveByAnswers(claim, weighAnswers([said(stance)]));
          return [(moved.confidence ?? 0) >= cut, (moved.worth ?? 0) >= actCut];
        };
        const now = JSON.stringify(decided('ABSTAIN'));
        expect(isUncertain(claim, { ...settings, cut }, actCut)).toBe(
          [decided('ENDORSE'), decided('OPPOSE')].some(each => JSON.stringify(each) !== now),
        );
      }),
    );
  });
});

function to(claim: Claim, confidence: number): Claim {
  return moveClaim(claim, odds(confidence) - odds(claim.confidence ?? 0));
}

describe('what a claim is worth once its confidence was moved', () => {
  test('is the same share of its confidence: that it is so does not say that it matters', () => {
    expect(to(claimOf(0.5, { worth: 0.2 }), 0.9).worth).toBeCloseTo(0.36, 9);
    expect(to(claimOf(0.5, { worth: 0.2 }), 0.1).worth).toBeCloseTo(0.04, 9);
    expect(to(claimOf(0.5, { worth: 0 }), 0.9).worth).toBe(0);
    expect(to(claimOf(0.5), 0.9).worth).toBeNull();
  });

  test('moves by the same odds where it was above', () => {
    expect(to(claimOf(0.2, { worth: 0.5 }), 0.5).worth).toBeCloseTo(0.8, 9);
  });

  test('rises with the confidence, and back again to where it was', () => {
    const inside = fc.double({ min: 0.02, max: 0.98, noNaN: true });
    fc.assert(
      fc.property(inside, inside, inside, (confidence, worth, moved) => {
        const claim = to(claimOf(confidence, { worth }), moved);
        if (Math.abs(moved - confidence) > 1e-9)
          expect((claim.worth ?? 0) > worth).toBe(moved > confidence);
        if (worth <= confidence) expect(to(claim, confidence).worth).toBeCloseTo(worth, 9);
      }),
    );
  });
});
