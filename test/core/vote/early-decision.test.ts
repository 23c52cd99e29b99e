import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideEarly,
  type DrawnVotes,
  type EarlyDecision,
  looksOf,
} from '../../../src/core/vote/early-decision.ts';
import { decideFirstPass, type Tally } from '../../../src/core/vote/ratification.ts';
import type { RuleSet } from '../../../src/core/vote/rule-set.ts';
import { shippedRules } from './sample-session.ts';

const none: Tally = { yeas: 0, nays: 0, amends: 0, abstentions: 0 };

describe('a motion decided before everybody was asked', () => {
  it('is as unlikely to be wrong as an urn says', () => {
    // Five of ten drawn, all in favour, six needed: at worst five of the ten are in favour, and 1 of C(10, 5) draws finds them.
    const decided = decide('explicit', { yeas: 5, population: 10, risk: 0.1 });
    expect(decided?.outcome).toBe('ratified');
    // Seven looks that could decide, three wrong outcomes each.
    expect(decided?.risk).toBeCloseTo(21 / 252, 12);
  });

  it('weighs votes in favour against the others where that is what the rules ask', () => {
    // All ten drawn of twelve vote yea, so that the majority is certain; what is left to doubt is that the other two both ask for
    // amendments, of which one is tolerated: 1 of C(12, 10) draws leaves just these two out.
    const decided = decide('quorum', { yeas: 10, population: 12, risk: 0.9 });
    expect(decided?.outcome).toBe('ratified');
    expect(decided?.risk).toBeCloseTo(21 / 66, 12);
  });

  it('is certain, whatever the rest may say, where nothing can turn it', () => {
    expect(decide('explicit', { nays: 40, risk: 0 })).toEqual({
      outcome: 'rejected',
      isQuorate: true,
      risk: 0,
    });
  });

  it('is never decided by who did not answer', () => {
    expect(decide('explicit', { yeas: 20, risk: 0.2 })?.outcome).toBe('ratified');
    expect(decide('explicit', { yeas: 20, risk: 0.2, missing: 20 })).toBeNull();
  });

  it('rejects where nobody votes and no quorum is asked for', () => {
    const decided = decide('explicit', { abstentions: 60, risk: 0.01 });
    expect(decided).toMatchObject({ outcome: 'rejected', isQuorate: true });
    expect(decide('guarded', { abstentions: 60, risk: 0.01 })).toMatchObject({
      outcome: 'deferred',
      isQuorate: false,
    });
  });

  it('asks more of a constitutional one', () => {
    const votes = { yeas: 26, nays: 10, risk: 0.1 };
    expect(decide('explicit', votes)?.outcome).toBe('ratified');
    expect(decide('explicit', { ...votes, title: 'A constitutional motion' })).toBeNull();
  });

  it.each(['explicit', 'seed', 'quorum', 'guarded'])(
    'goes wrong in no more draws than the risk says, whatever the population is (%s)',
    name => {
      const rules = shippedRules(name);
      const vote = fc.nat({ max: 14 });
      fc.assert(
        fc.property(
          fc.record({ yeas: vote, nays: vote, amends: vote, abstentions: vote }),
          fc.nat({ max: 8 }),
          fc.boolean(),
          fc.constantFrom(0.02, 0.05, 0.2),
          (population, implicit, isConstitutional, risk) => {
            const counted = countedBy(rules, population);
            const vote: Vote = {
              title: isConstitutional ? 'constitutional' : 'simple',
              certain: { ...none, yeas: rules.parameters.yeas === 'explicit' ? 0 : implicit },
              rosterSize: sizeOf(counted) + implicit,
              rules,
              risk,
            };
            expect(chanceOfWrong(counted, vote)).toBeLessThanOrEqual(risk);
          },
        ),
        { numRuns: 30 },
      );
    },
    120_000,
  );

  it('decides large populations too, by a bound', () => {
    const large = { population: 2000, risk: 0.05 };
    expect(decide('explicit', { ...large, yeas: 600, nays: 400 })?.outcome).toBe('ratified');
    expect(decide('explicit', { ...large, yeas: 400, nays: 600 })?.outcome).toBe('rejected');
    expect(decide('explicit', { ...large, yeas: 505, nays: 495 })).toBeNull();
  });

  it('looks at parts of the population, the last being all of it', () => {
    expect(looksOf(68)).toEqual([9, 17, 26, 34, 43, 51, 60, 68]);
    expect(looksOf(3)).toEqual([1, 2, 3]);
    expect(looksOf(0)).toEqual([]);
  });
});

interface Case {
  readonly title?: string;
  readonly yeas?: number;
  readonly nays?: number;
  readonly abstentions?: number;
  readonly missing?: number;
  readonly population?: number;
  readonly risk: number;
}

/** Of a roster that is drawn from as a whole. */
function decide(
  rules: string,
  {
    title = 'A motion',
    yeas = 0,
    nays = 0,
    abstentions = 0,
    missing = 0,
    population = 72,
    risk,
  }: Case,
): EarlyDecision | null {
  return decideEarly(
    {
      title,
      constitutional: null,
      certain: none,
      drawn: { ...none, yeas, nays, abstentions },
      missing: { certain: 0, drawn: missing },
      population,
    },
    { rosterSize: population, rules: shippedRules(rules), risk },
  );
}

interface Vote {
  readonly title: string;
  readonly certain: Tally;
  readonly rosterSize: number;
  readonly rules: RuleSet;
  readonly risk: number;
}

const kinds = ['yeas', 'nays', 'amends', 'abstentions'] as const;

/** Under some rules who amends abstains. */
function countedBy({ parameters }: RuleSet, tally: Tally): Tally {
  return parameters.amends === 'counted'
    ? tally
    : { ...tally, amends: 0, abstentions: tally.abstentions + tally.amends };
}

function sizeOf(tally: Tally): number {
  return kinds.reduce((sum, kind) => sum + tally[kind], 0);
}

/** Exactly: over all orders in which the members of a population can be drawn, stopped at the look that decides. */
function chanceOfWrong(population: Tally, vote: Vote): number {
  const size = sizeOf(population);
  const looks = new Set(looksOf(size).slice(0, -1));
  // A motion that goes into a second pass has no outcome that could be right.
  const right = decideFirstPass(
    {
      title: vote.title,
      constitutional: null,
      riskTier: 'high',
      tally: { ...population, yeas: population.yeas + vote.certain.yeas },
      missing: 0,
    },
    vote.rosterSize,
    vote.rules,
  ).at(-1)?.outcome;
  let wrong = 0;
  let undecided = new Map<string, { readonly drawn: Tally; readonly chance: number }>([
    ['', { drawn: none, chance: 1 }],
  ]);
  for (let count = 1; count <= size; count += 1) {
    undecided = drawOne(undecided, population, size - count + 1);
    if (!looks.has(count)) continue;
    for (const [key, { drawn, chance }] of undecided) {
      const votes: DrawnVotes = {
        title: vote.title,
        constitutional: null,
        certain: vote.certain,
        drawn,
        missing: { certain: 0, drawn: 0 },
        population: size,
      };
      const decided = decideEarly(votes, vote);
      if (decided === null) continue;
      if (decided.outcome !== right) wrong += chance;
      undecided.delete(key);
    }
  }
  return wrong;
}

function drawOne(
  before: ReadonlyMap<string, { readonly drawn: Tally; readonly chance: number }>,
  population: Tally,
  left: number,
): Map<string, { readonly drawn: Tally; readonly chance: number }> {
  const after = new Map<string, { readonly drawn: Tally; readonly chance: number }>();
  for (const { drawn, chance } of before.values())
    for (const kind of kinds) {
      const remaining = population[kind] - drawn[kind];
      if (remaining === 0) continue;
      const next = { ...drawn, [kind]: drawn[kind] + 1 };
      const key = kinds.map(each => next[each]).join(' ');
      const known = after.get(key)?.chance ?? 0;
      after.set(key, { drawn: next, chance: known + (chance * remaining) / left });
    }
  return after;
}
