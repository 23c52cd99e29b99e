import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Verifier, worthOfAnswer } from '../../../src/core/vote/band.ts';
import {
  type OpenClaim,
  planRound,
  withinCeilings,
} from '../../../src/core/vote/choose-questions.ts';

const unknown = (id: string): Verifier => ({ id, family: null, worth: worthOfAnswer(0.7) });
const claim = (id: string, confidence: number, more: Partial<OpenClaim> = {}): OpenClaim => ({
  id,
  confidence,
  cuts: [{ at: 0.5, weight: 1 }],
  familiesOfSupporters: new Set(),
  eligible: [unknown('a'), unknown('b')],
  answers: [],
  ...more,
});
const limits = { batch: 2, answers: 2 };

describe('a round of questions', () => {
  test('asks about the claims of the band alone, the most valuable first, and fills a call before it opens the next', () => {
    const round = planRound(
      [
        claim('sure', 0.9),
        claim('half', 0.5),
        claim('near', 0.6),
        claim('far', 0.35),
        claim('no', 0.05),
      ],
      limits,
    );
    expect(round.map(({ reviewer, claims }) => [reviewer, claims])).toEqual([
      ['a', ['half', 'near']],
      ['b', ['far']],
    ]);
    expect(round[0]?.value).toBeCloseTo(0.3, 9);
  });

  test('asks whoever is worth most, though that opens another call', () => {
    const proven = { ...unknown('b'), worth: worthOfAnswer(0.9) };
    expect(
      planRound([claim('c', 0.5, { eligible: [unknown('a'), proven] })], limits)[0],
    ).toMatchObject({
      reviewer: 'b',
    });
  });

  test('asks nobody who moves nothing, nobody where nobody is left, and nobody above the number of answers', () => {
    const answered = { ...unknown('x'), side: 'for' as const };
    const nobody = [
      claim('bad', 0.5, { eligible: [{ ...unknown('a'), worth: 0 }] }),
      claim('alone', 0.5, { eligible: [] }),
      claim('asked', 0.5, { answers: [answered, { ...answered, id: 'y' }] }),
    ];
    expect(planRound(nobody, limits)).toEqual([]);
    expect(planRound([], limits)).toEqual([]);
  });

  test('goes on from where the answers have carried it', () => {
    const inFavour = { ...unknown('x'), side: 'for' as const };
    expect(planRound([claim('c', 0.5, { answers: [inFavour] })], limits)).toEqual([]);
    expect(planRound([claim('c', 0.35, { answers: [inFavour] })], limits)).toHaveLength(1);
  });

  test('puts every claim of the band to one reviewer that may be asked, in calls of no more than the batch', () => {
    const open = fc.array(fc.double({ min: 0.31, max: 0.69, noNaN: true }), { maxLength: 40 });
    fc.assert(
      fc.property(open, fc.integer({ min: 1, max: 6 }), (confidences, batch) => {
        const claims = confidences.map((confidence, index) => claim(`c${index}`, confidence));
        const round = planRound(claims, { batch, answers: 1 });
        expect(round.flatMap(call => call.claims).toSorted()).toEqual(
          claims.map(({ id }) => id).toSorted(),
        );
        expect(round.every(call => call.claims.length <= batch)).toBe(true);
        expect(round.map(({ value }) => value)).toEqual(
          round.map(({ value }) => value).toSorted((one, other) => other - one),
        );
        expect(round.length).toBeLessThanOrEqual(Math.ceil(claims.length / batch) + 1);
      }),
    );
  });
});

describe('under the ceilings', () => {
  const calls = [1, 2, 3, 4].map(() => ({ tokens: 100, price: 0.01 }));
  const free = { calls: null, tokens: null, cost: null };

  test.each([
    [free, 4],
    [{ ...free, calls: 0 }, 0],
    [{ ...free, calls: -3 }, 0],
    [{ ...free, calls: 2 }, 2],
    [{ ...free, tokens: 350 }, 3],
    [{ ...free, tokens: 0 }, 0],
    [{ ...free, cost: 0.015 }, 2],
    [{ ...free, cost: 0 }, 0],
    [{ calls: 3, tokens: 200, cost: 1 }, 2],
  ])('%j leaves %i of four calls', (left, kept) => {
    expect(withinCeilings(calls, left)).toHaveLength(kept);
  });

  test('nothing is skipped for a cheaper one that is worth less', () => {
    const [dear, cheap] = [
      { tokens: 500, price: null },
      { tokens: 10, price: null },
    ];
    expect(withinCeilings([dear, cheap], { ...free, tokens: 100 })).toEqual([]);
  });
});
