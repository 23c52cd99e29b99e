import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideFirstPass,
  type MotionAtVote,
  type Tally,
  chanceOfAtMost,
  decideBySample,
} from '../../src/vote/ratification.ts';
import { shippedRules } from './sample-session.ts';

const ruleNames = ['explicit', 'seed', 'quorum', 'guarded'];
const ways = ['yeas', 'nays', 'amends', 'abstentions'] as const;
const nothing: Tally = { yeas: 0, nays: 0, amends: 0, abstentions: 0 };

function tally(votes: readonly (keyof Tally)[], before: Tally = nothing): Tally {
  const counts = { ...before };
  for (const way of votes) counts[way] += 1;
  return counts;
}

const motionWith = (own: Tally, rosterSize: number, rules: string, missing = 0): MotionAtVote => ({
  title: 'A motion',
  constitutional: false,
  riskTier: 'medium',
  tally: own,
  missing,
  rosterSize,
  rules: shippedRules(rules),
});

/** Every way to draw so many of a list. */
function drawsOf<Item>(list: readonly Item[], size: number): Item[][] {
  if (size === 0) return [[]];
  const [first, ...rest] = list;
  if (first === undefined) return [];
  return [...drawsOf(rest, size - 1).map(draw => [first, ...draw]), ...drawsOf(rest, size)];
}

describe('the hypergeometric chance', () => {
  it('is the share of all draws', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.nat({ max: 10 }),
        fc.nat({ max: 10 }),
        fc.nat({ max: 10 }),
        (population, marked, drawn, most) => {
          fc.pre(marked <= population && drawn <= population);
          const members = Array.from({ length: population }, (_, index) => index < marked);
          const draws = drawsOf(members, drawn);
          const few = draws.filter(draw => draw.filter(isMarked => isMarked).length <= most);
          expect(chanceOfAtMost(most, { marked, population, drawn })).toBeCloseTo(
            few.length / draws.length,
            9,
          );
        },
      ),
    ));

  it('is known of large populations', () => {
    expect(chanceOfAtMost(500, { marked: 5_000, population: 10_000, drawn: 1_000 })).toBeCloseTo(
      0.513,
      2,
    );
  });
});

/** What members would say, each by a lot of its own, so that the first of them are a random sample; others supported the motion before. */
const Population = fc.record({
  rules: fc.constantFrom(...ruleNames),
  weights: fc.array(fc.nat({ max: 10 }), { minLength: 4, maxLength: 4 }),
  implicit: fc.nat({ max: 30 }),
  size: fc.integer({ min: 4, max: 41 }),
  asked: fc.integer({ min: 2, max: 40 }),
  lots: fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), {
    minLength: 41,
    maxLength: 41,
  }),
});

/** `allowed`: the risk. Null: nothing that the others say could turn it. */
function hold(
  {
    rules,
    weights,
    implicit,
    size,
    asked,
    lots,
  }: typeof Population extends fc.Arbitrary<infer P> ? P : never,
  allowed: number,
) {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0 || asked >= size) return null;
  const votes = lots.slice(0, size).map((lot): keyof Tally => {
    let left = lot * sum;
    return ways[weights.findIndex(weight => (left -= weight) < 0)] ?? 'abstentions';
  });
  const before = { ...nothing, yeas: implicit };
  const rosterSize = size + implicit;
  const right = decideFirstPass(motionWith(tally(votes, before), rosterSize, rules));
  const drawn = votes.slice(0, asked);
  const known = motionWith(tally(drawn, before), rosterSize, rules);
  if (decideFirstPass({ ...known, missing: size - asked })[0].outcome !== 'incomplete') return null;
  const { decisions, risk } = decideBySample(
    known,
    { population: size, asked, answered: tally(drawn) },
    allowed,
  );
  return {
    outcome: decisions?.at(-1)?.outcome ?? null,
    right: right.at(-1)?.outcome ?? null,
    risk,
  };
}

/** An amended text that its yeas carry in any case ends as ratified. */
const isWrong = ({ outcome, right }: NonNullable<ReturnType<typeof hold>>): boolean =>
  outcome !== null &&
  outcome !== right &&
  !(outcome === 'ratified' && right === 'accepted_with_amendments');

/** All who are asked are against, and 25 supported it before. */
function decideAgainst(asked: number) {
  const answered = { ...nothing, nays: asked };
  return decideBySample(
    motionWith({ ...answered, yeas: 25 }, 72, 'quorum'),
    { population: 47, asked, answered },
    0.05,
  );
}

describe('a motion of which some were asked', () => {
  it.each([0.01, 0.05, 0.2])(
    'is decided otherwise than by all in no larger share of draws than the risk: %d',
    allowed => {
      let [held, wrong] = [0, 0];
      fc.assert(
        fc.property(Population, population => {
          const one = hold(population, allowed);
          if (one === null) return;
          held += 1;
          wrong += Number(isWrong(one));
          expect(one.outcome === null || one.risk <= allowed).toBe(true);
        }),
        { numRuns: 2_000, seed: 35 },
      );
      expect(wrong / held).toBeLessThanOrEqual(allowed);
    },
  );

  it('is not rejected by few who are all against, and is by as many more as it says', () => {
    const { decisions, risk, more } = decideAgainst(4);
    expect([decisions, risk > 0.05]).toEqual([null, true]);
    expect(decideAgainst(4 + (more ?? 0)).decisions?.[0].outcome).toBe('rejected');
    expect(decideAgainst(3 + (more ?? 0)).decisions).toBeNull();
  });

  it('is decided otherwise nearly as often as the risk allows where one vote turns it', () => {
    // 20 of 40 are for it, and 21 would have to be.
    let fewest = 20;
    for (let yeas = 20; yeas > 10; yeas -= 1) {
      const answered = { ...nothing, yeas, nays: 20 - yeas };
      const sample = { population: 40, asked: 20, answered };
      const motion = motionWith(answered, 40, 'explicit');
      if (decideBySample(motion, sample, 0.2).decisions) fewest = yeas;
    }
    const others = chanceOfAtMost(fewest - 1, { marked: 20, population: 40, drawn: 20 });
    expect([others < 0.95, others >= 0.8]).toEqual([true, true]);
  });

  it('holds who was asked and said nothing to be against the outcome', () => {
    const [silent, heard] = [28, 30].map(yeas => {
      const answered = { ...nothing, yeas };
      const sample = { population: 60, asked: 30, answered };
      const motion = motionWith(answered, 60, 'explicit', 30 - yeas);
      return decideBySample(motion, sample, 0.2).risk;
    }) as [number, number];
    expect(silent).toBeGreaterThan(heard);
  });
});
