import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideFirstPass,
  type MotionAtVote,
  type Tally,
} from '../../../src/core/vote/ratification.ts';
import { chanceOfAtMost, decideBySample } from '../../../src/core/vote/sample.ts';
import { shippedRules } from './sample-session.ts';

const ruleNames = ['explicit', 'seed', 'quorum', 'guarded'];
const ways = ['yeas', 'nays', 'amends', 'abstentions'] as const;
const nothing: Tally = { yeas: 0, nays: 0, amends: 0, abstentions: 0 };

function tally(votes: readonly (keyof Tally)[], before: Tally = nothing): Tally {
  const counts = { ...before };
  for (const way of votes) counts[way] += 1;
  return counts;
}

const motionWith = (own: Tally, missing = 0): MotionAtVote => ({
  title: 'A motion',
  constitutional: false,
  riskTier: 'medium',
  tally: own,
  missing,
});

/** Every way to draw so many of a list. */
function drawsOf<Item>(list: readonly Item[], size: number): Item[][] {
  if (size === 0) return [[]];
  const [first, ...rest] = list;
  if (first === undefined) return [];
  return [...drawsOf(rest, size - 1).map(draw => [first, ...draw]), ...drawsOf(rest, size)];
}

describe('the hypergeometric chance', () => {
  it('is the share of all draws', () => {
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
    );
  });

  it('is known of large populations', () => {
    const drawing = { marked: 5_000, population: 10_000, drawn: 1_000 };
    expect(chanceOfAtMost(500, drawing)).toBeCloseTo(0.513, 2);
  });
});

/** What members of a population of 71 would say, some of whom are drawn; one more supported the motion before. */
const Population = fc.record({
  rules: fc.constantFrom(...ruleNames),
  weights: fc.array(fc.nat({ max: 10 }), { minLength: 4, maxLength: 4 }),
  implicit: fc.nat({ max: 30 }),
  size: fc.integer({ min: 4, max: 41 }),
  asked: fc.integer({ min: 2, max: 40 }),
  lots: fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), {
    minLength: 82,
    maxLength: 82,
  }),
});

interface Held {
  readonly outcome: string | null;
  readonly right: string | null;
  readonly more: number | null;
  readonly risk: number;
}

/** `allowed`: the risk. Null: not even all answers that are missing could turn it, or it was decided otherwise. */
function hold(
  {
    rules: name,
    weights,
    implicit,
    size,
    asked,
    lots,
  }: typeof Population extends fc.Arbitrary<infer P> ? P : never,
  allowed: number,
): Held | null {
  const rules = shippedRules(name);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0 || asked >= size) return null;
  const votes = lots.slice(0, size).map((lot): keyof Tally => {
    let left = lot * sum;
    return ways[weights.findIndex(weight => (left -= weight) < 0)] ?? 'abstentions';
  });
  const order = votes
    .map((vote, index) => ({ vote, lot: lots[size + index] ?? 0 }))
    .toSorted((one, other) => one.lot - other.lot)
    .map(({ vote }) => vote);
  const before = { ...nothing, yeas: implicit };
  const rosterSize = size + implicit;
  const right = decideFirstPass(motionWith(tally(order, before)), rosterSize, rules);
  const drawn = order.slice(0, asked);
  const known = motionWith(tally(drawn, before));
  const open = decideFirstPass({ ...known, missing: size - asked }, rosterSize, rules);
  if (open[0].outcome !== 'incomplete') return null;
  const { decisions, risk, more } = decideBySample(
    known,
    { population: size, asked, answered: tally(drawn) },
    { risk: allowed, rosterSize, rules },
  );
  return {
    outcome: decisions?.at(-1)?.outcome ?? null,
    right: right.at(-1)?.outcome ?? null,
    more,
    risk,
  };
}

/** An amended text that its yeas carry in any case ends as ratified. */
const isWrong = ({ outcome, right }: Held): boolean =>
  outcome !== null &&
  outcome !== right &&
  !(outcome === 'ratified' && right === 'accepted_with_amendments');

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

  it('is not rejected by twelve who are all against where 25 supported it before, and is by 24', () => {
    const terms = { risk: 0.05, rosterSize: 72, rules: shippedRules('explicit') };
    const decide = (asked: number) =>
      decideBySample(
        motionWith({ ...nothing, yeas: 25, nays: asked }),
        { population: 47, asked, answered: { ...nothing, nays: asked } },
        { ...terms, rules: shippedRules('quorum') },
      );
    const few = decide(4);
    expect(few.decisions).toBeNull();
    expect(few.risk).toBeGreaterThan(0.05);
    const enough = decide(4 + (few.more ?? 0));
    expect(enough.decisions?.at(-1)?.outcome).toBe('rejected');
    expect(decide(3 + (few.more ?? 0)).decisions).toBeNull();
  });

  it('holds who was asked and said nothing to be against the outcome', () => {
    const terms = { risk: 0.2, rosterSize: 60, rules: shippedRules('explicit') };
    const sample = { population: 60, asked: 30, answered: { ...nothing, yeas: 28 } };
    const silent = decideBySample(motionWith({ ...nothing, yeas: 28 }, 2), sample, terms);
    const heard = decideBySample(
      motionWith({ ...nothing, yeas: 30 }),
      { ...sample, answered: { ...nothing, yeas: 30 } },
      terms,
    );
    expect(silent.risk).toBeGreaterThan(heard.risk);
  });
});
