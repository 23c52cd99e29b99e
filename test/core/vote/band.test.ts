import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BandSettings } from '../../../src/core/vote/band-settings.ts';
import {
  isInBand,
  moveConfidence,
  reliabilityOfAnswers,
  valueOfAsking,
  type VerifierAnswer,
  worthOfAnswer,
} from '../../../src/core/vote/band.ts';

const settings = BandSettings.parse({});
const families = new Set(['one', 'two']);

const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });
/** Few weights, so that many are alike, as those of unknown reviewers are. */
const answer: fc.Arbitrary<VerifierAnswer> = fc.record({
  id: fc.stringMatching(/^[a-z]{6}$/),
  family: fc.constantFrom(null, 'one', 'two', 'three'),
  worth: fc.oneof(
    fc.constantFrom(0, 0.5, 0.847, 2.197),
    fc.double({ min: 0, max: 2.2, noNaN: true }),
  ),
  side: fc.constantFrom('for', 'against', null),
});
const answers = fc.uniqueArray(answer, { maxLength: 8, selector: ({ id }) => id });
const said = (worth: number, side: 'for' | 'against', id = 'a', family: string | null = null) => ({
  id,
  family,
  worth,
  side,
});

describe('answers move the confidence', () => {
  test('one in favour never lowers it, one against never raises it, whatever was answered before', () => {
    fc.assert(
      fc.property(share, answers, answer, (confidence, before, last) => {
        const others = before.filter(({ id }) => id !== last.id);
        const [then, now] = [others, [...others, last]].map(list =>
          moveConfidence(confidence, list, families),
        );
        const step = (now ?? 0) - (then ?? 0);
        if (last.side === 'for') expect(step).toBeGreaterThanOrEqual(-1e-9);
        else if (last.side === 'against') expect(step).toBeLessThanOrEqual(1e-9);
        else expect(step).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  test('their order does not matter', () => {
    fc.assert(
      fc.property(share, answers, fc.nat(), (confidence, list, turn) => {
        const at = list.length === 0 ? 0 : turn % list.length;
        const other = [...list.slice(at), ...list.slice(0, at)].toReversed();
        expect(moveConfidence(confidence, other, families)).toBeCloseTo(
          moveConfidence(confidence, list, families),
          9,
        );
      }),
    );
  });

  test('nothing, abstentions and the worthless leave the very figure it was', () => {
    expect(moveConfidence(0.3712345, [])).toBe(0.3712345);
    expect(moveConfidence(0.3712345, [{ ...said(0.8, 'for'), side: null }])).toBe(0.3712345);
    expect(moveConfidence(0.3712345, [said(0, 'against')])).toBe(0.3712345);
  });

  test('a hundred answers take .5 no further than .95', () => {
    const many = Array.from({ length: 100 }, (_, index) => said(2, 'for', `v${index}`));
    expect(moveConfidence(0.5, many)).toBeCloseTo(0.95, 9);
  });

  test('a second answer of one family counts half, also beside a supporter, and two that contradict cancel', () => {
    const one = said(0.8, 'for', 'a', 'one');
    const two = said(0.8, 'for', 'b', 'one');
    const against = said(0.8, 'against', 'b', 'one');
    expect(oddsOf(moveConfidence(0.5, [one, two]))).toBeCloseTo(1.2, 9);
    expect(oddsOf(moveConfidence(0.5, [one], families))).toBeCloseTo(0.4, 9);
    expect(moveConfidence(0.5, [one, against])).toBeCloseTo(0.5, 9);
  });
});

function oddsOf(confidence: number): number {
  return Math.log(confidence / (1 - confidence));
}

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

describe('the band', () => {
  test('holds the claims whose decision one answer of somebody unknown can change', () => {
    const worth = worthOfAnswer(settings.reliability);
    expect([0.29, 0.31, 0.69, 0.71].map(confidence => isInBand(confidence, worth, 0.5))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test('is where asking saves decisions, and nowhere else', () => {
    fc.assert(
      fc.property(
        share,
        fc.double({ min: 0.01, max: 2.19, noNaN: true }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        (confidence, worth, cut) => {
          const value = valueOfAsking(confidence, worth, cut);
          const crosses =
            confidence >= cut
              ? moveConfidence(confidence, [said(worth, 'against')]) < cut
              : moveConfidence(confidence, [said(worth, 'for')]) >= cut;
          const isClear =
            Math.abs(
              Math.abs(Math.log((confidence * (1 - cut)) / ((1 - confidence) * cut))) - worth,
            ) > 1e-6;
          if (isClear) expect(isInBand(confidence, worth, cut)).toBe(crosses);
          expect(value).toBeGreaterThanOrEqual(0);
          if (isClear && !crosses) expect(value).toBe(0);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('at .5, an answer that is right 7 times of 10 saves one decision in five', () => {
    const worth = worthOfAnswer(0.7);
    expect(valueOfAsking(0.5, worth, 0.5)).toBeCloseTo(0.2, 9);
    expect(valueOfAsking(0.6, worth, 0.5)).toBeCloseTo(0.1, 9);
    expect(valueOfAsking(0.29, worth, 0.5)).toBe(0);
    expect(valueOfAsking(0.5, worthOfAnswer(0.9), 0.5)).toBeCloseTo(0.4, 9);
  });
});
