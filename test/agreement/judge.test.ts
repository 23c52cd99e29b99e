import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createJudging,
  type JudgeablePanel,
  mostCalls,
  mostPairs,
  type PairOdds,
} from '../../src/agreement/judge.ts';
import { PairAnswer } from '../../src/core/ports/matcher.ts';
import { findingOf } from './sample.ts';
import { linkByAverage } from '../../src/agreement/linkage.ts';

const pairOf = (one: number, other: number, odds: number, isOneVoice = false) => ({
  one,
  other,
  odds,
  isOneVoice,
});

function judgingOf(
  count: number,
  pairs: readonly PairOdds[],
  statements: JudgeablePanel['statements'] = [],
) {
  const link = (own: readonly PairOdds[]) => linkByAverage(Array<string>(count).fill(''), own);
  const judging = createJudging({ statements, pairs, link });
  return { ...judging, groups: () => link(judging.pairs()) };
}

describe('a judge of open pairs', () => {
  it('is asked about the pair whose answer decides most first, and not about two findings of one reviewer', () => {
    const judging = judgingOf(6, [pairOf(0, 1, -2), pairOf(2, 3, 0.3), pairOf(4, 5, 0.1, true)]);
    expect(judging.next()).toEqual([
      [2, 3],
      [0, 1],
    ]);
    expect(judging.next()).toEqual([]);
  });

  it('is asked sooner where voices could join something grave', () => {
    const pairs = [pairOf(0, 1, -1), pairOf(2, 3, -1.1)];
    expect(judgingOf(4, pairs).next(1)).toEqual([[0, 1]]);
    expect(
      judgingOf(4, pairs, [[], [], [], [findingOf('alpha', 'x', { label: 'HIGH' })]]).next(1),
    ).toEqual([[2, 3]]);
  });

  it('joins and splits by the weight of its answers, and leaves what it cannot say', () => {
    const joining = judgingOf(2, [pairOf(0, 1, -0.5)]);
    joining.next();
    joining.hear([0, 1], 'cannot-say');
    expect(joining.groups()).toEqual([[0], [1]]);
    const joined = judgingOf(2, [pairOf(0, 1, -0.5)]);
    joined.next();
    joined.hear([0, 1], 'same');
    expect(joined.groups()).toEqual([[0, 1]]);
    const split = judgingOf(2, [pairOf(0, 1, 1)]);
    split.next();
    split.hear([0, 1], 'different');
    expect(split.groups()).toEqual([[0], [1]]);
  });

  it('is no veto: one answer does not split what is sure', () => {
    const judging = judgingOf(2, [pairOf(0, 1, 3.5)]);
    judging.next();
    judging.hear([0, 1], 'opposite');
    expect(judging.groups()).toEqual([[0, 1]]);
  });

  it('speaks of the other links between two groups as well', () => {
    const judging = judgingOf(4, [
      pairOf(0, 1, 4),
      pairOf(2, 3, 4),
      pairOf(0, 2, -1),
      pairOf(0, 3, -1),
      pairOf(1, 2, -1),
      pairOf(1, 3, -1),
    ]);
    expect(judging.next(1)).toEqual([[0, 2]]);
    judging.hear([0, 2], 'same');
    expect(judging.groups()).toEqual([[0, 1, 2, 3]]);
  });

  const Panel = fc.integer({ min: 2, max: 25 }).chain(count =>
    fc.record({
      count: fc.constant(count),
      pairs: fc
        .uniqueArray(
          fc.record({
            one: fc.nat({ max: count - 1 }),
            other: fc.nat({ max: count - 1 }),
            odds: fc.double({ min: -6, max: 6, noNaN: true }),
            isOneVoice: fc.boolean(),
          }),
          { selector: ({ one, other }) => Math.min(one, other) * count + Math.max(one, other) },
        )
        .map(list =>
          list
            .filter(({ one, other }) => one !== other)
            .map(pair => ({
              ...pair,
              one: Math.min(pair.one, pair.other),
              other: Math.max(pair.one, pair.other),
            })),
        ),
    }),
  );

  it('is asked about no pair twice, about at most 40 in three calls, and only about pairs of the panel', () =>
    fc.assert(
      fc.property(
        Panel,
        fc.infiniteStream(fc.constantFrom(...PairAnswer.options)),
        ({ count, pairs }, answers) => {
          const judging = judgingOf(count, pairs);
          const asked: string[] = [];
          let calls = 0;
          for (let next = judging.next(); next.length > 0; next = judging.next()) {
            calls += 1;
            for (const pair of next) {
              asked.push(pair.join());
              judging.hear(pair, answers.next().value);
            }
          }
          const open = new Set(
            pairs.filter(pair => !pair.isOneVoice).map(({ one, other }) => `${one},${other}`),
          );
          expect(new Set(asked).size).toBe(asked.length);
          expect(asked.every(pair => open.has(pair))).toBe(true);
          expect(asked.length).toBeLessThanOrEqual(mostPairs);
          expect(calls).toBeLessThanOrEqual(mostCalls);
          expect(judging.answers()).toHaveLength(asked.length);
        },
      ),
    ));

  it('changes nothing by answers about pairs that it was not asked about, nor by a second answer', () =>
    fc.assert(
      fc.property(Panel, ({ count, pairs }) => {
        const judging = judgingOf(count, pairs);
        for (const { one, other } of pairs) judging.hear([one, other], 'different');
        judging.hear([7, 900], 'same');
        expect(judging.pairs()).toEqual(pairs);
        const [first] = judging.next();
        if (first === undefined) return;
        judging.hear(first, 'same');
        const once = judging.pairs();
        judging.hear(first, 'different');
        expect(judging.pairs()).toEqual(once);
      }),
    ));

  it('leaves every pair as it was while nothing is answered', () =>
    fc.assert(
      fc.property(Panel, ({ count, pairs }) => {
        const judging = judgingOf(count, pairs);
        while (judging.next().length > 0);
        expect(judging.pairs()).toEqual(pairs);
      }),
    ));
});
