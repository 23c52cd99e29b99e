/** The second pass of a vote, held against every way in which everybody could answer, one by one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideFirstPass,
  decideMotion,
  decideSecondPass,
  type MotionAtVote,
} from '../../src/vote/ratification.ts';
import type { RuleSet, Share } from '../../src/vote/aggregation.ts';
import { anyRules } from './any-rules.ts';
import { shippedRules } from './sample-session.ts';

type Votes = Pick<MotionAtVote['tally'], 'yeas' | 'nays' | 'amends'>;

interface Setting {
  readonly rules: RuleSet;
  readonly size: number;
  readonly isConstitutional: boolean;
}

type End = 'ratified' | 'rejected' | 'deferred' | 'again';

/** The page of the contract, by products instead of rounded quotients. */
function reaches(votes: number, base: number, [part, whole]: Share, strict: boolean): boolean {
  return strict ? votes * whole > base * part : votes * whole >= base * part;
}

function isEnough(
  { yeas, nays, amends }: Votes,
  { rules, size, isConstitutional }: Setting,
): boolean {
  const { of, ...kinds } = rules.parameters.required;
  const { share: needed, strict } = kinds[isConstitutional ? 'constitutional' : 'simple'];
  const eligible = yeas + nays + amends;
  return eligible > 0 && reaches(yeas, of === 'roster' ? size : eligible, needed, strict);
}

function hasQuorum(
  { yeas, nays, amends }: Votes,
  { rules, size, isConstitutional }: Setting,
): boolean {
  const needed = rules.parameters.quorum?.[isConstitutional ? 'constitutional' : 'simple'];
  return needed === undefined || reaches(yeas + nays + amends, size, needed, false);
}

function endOfFirst(votes: Votes, setting: Setting): End {
  const { rules, size } = setting;
  const { yeas, nays, amends } = votes;
  const eligible = yeas + nays + amends;
  if (!hasQuorum(votes, setting)) return 'deferred';
  const { amend_tolerance: tolerance, second_pass } = rules.parameters;
  // x ≤ ⌈share·base⌉ is x − 1 < share·base.
  const within = (base: number, [part, whole]: Share): boolean =>
    (amends - 1) * whole < base * part;
  const isTolerated =
    amends === 0 ||
    (tolerance !== null && within(size, tolerance.roster) && within(eligible, tolerance.eligible));
  if (isEnough(votes, setting) && isTolerated) return 'ratified';
  if (amends === 0 || !isEnough({ yeas: yeas + amends, nays, amends: 0 }, setting))
    return 'rejected';
  const above = second_pass?.defer_above ?? null;
  return above !== null && amends * above[1] > eligible * above[0] ? 'deferred' : 'again';
}

function endOfSecond(votes: Votes, setting: Setting): End {
  if (!hasQuorum(votes, setting)) return 'deferred';
  return isEnough(votes, setting) ? 'ratified' : 'rejected';
}

/** Every way in which so many members could vote; who is left abstains. */
function* waysOf(members: number): Generator<Votes> {
  for (let yeas = 0; yeas <= members; yeas += 1)
    for (let nays = 0; yeas + nays <= members; nays += 1)
      for (let amends = 0; yeas + nays + amends <= members; amends += 1)
        yield { yeas, nays, amends };
}

function plus(one: Votes, other: Votes): Votes {
  return {
    yeas: one.yeas + other.yeas,
    nays: one.nays + other.nays,
    amends: one.amends + other.amends,
  };
}

function atVote(votes: Votes, missing: number, setting: Setting): MotionAtVote {
  const { size, isConstitutional, rules } = setting;
  const abstentions = size - votes.yeas - votes.nays - votes.amends - missing;
  return {
    title: 'A motion',
    constitutional: isConstitutional,
    riskTier: 'high',
    tally: { ...votes, abstentions },
    missing,
    rosterSize: size,
    rules,
  };
}

const cases = fc
  .record({
    rules: anyRules,
    yeas: fc.nat({ max: 6 }),
    nays: fc.nat({ max: 3 }),
    amends: fc.nat({ max: 3 }),
    missing: fc.nat({ max: 2 }),
    absent: fc.nat({ max: 4 }),
    isConstitutional: fc.boolean(),
  })
  .map(({ rules, yeas, nays, amends, missing, absent, isConstitutional }) => {
    const counted = { yeas, nays, amends: rules.parameters.amends === 'counted' ? amends : 0 };
    const size = yeas + nays + counted.amends + missing + absent;
    return { votes: counted, missing, setting: { rules, size, isConstitutional } };
  });

/** Where the second pass of these votes can end when nobody has answered in it yet. */
function endsOfAsking(votes: Votes, setting: Setting): Set<End> {
  const asked = votes.nays + votes.amends;
  return new Set(
    [...waysOf(asked)].map(way =>
      endOfSecond(plus({ yeas: votes.yeas, nays: 0, amends: 0 }, way), setting),
    ),
  );
}

describe('before anybody is asked a second time', () => {
  it('a motion is open exactly where some way to answer spares it the second pass and some end differs', () => {
    let [asked, open] = [0, 0];
    fc.assert(
      fc.property(cases, ({ votes, missing, setting }) => {
        const completed = [...waysOf(missing)]
          .map(way => (setting.rules.parameters.amends === 'counted' ? way : { ...way, amends: 0 }))
          .map(way => plus(votes, way));
        const ends = completed.map(all => endOfFirst(all, setting));
        const everyEnd = new Set(
          completed.flatMap((all, index) =>
            ends[index] === 'again' ? [...endsOfAsking(all, setting)] : [ends[index]],
          ),
        );
        const decisions = decideFirstPass(atVote(votes, missing, setting));
        const isOpen = everyEnd.size > 1 && ends.some(end => end !== 'again');
        const counted = endOfFirst(votes, setting);
        expect(decisions.at(-1)?.outcome).toBe(
          isOpen ? 'incomplete' : counted === 'again' ? 'accepted_with_amendments' : counted,
        );
        asked += Number(!isOpen && counted === 'again');
        open += Number(isOpen);
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(asked, open)).toBeGreaterThan(50);
  });
});

describe('a second pass that was asked', () => {
  const answered = cases.chain(given => {
    const asked = given.votes.nays + given.votes.amends;
    return fc.record({
      given: fc.constant(given),
      answers: fc.constantFrom(...waysOf(asked)),
      abstaining: fc.nat({ max: asked }),
    });
  });

  it('is incomplete exactly where some way to give the missing answers ends it otherwise', () => {
    let [complete, incomplete] = [0, 0];
    fc.assert(
      fc.property(answered, ({ given: { votes, missing, setting }, answers, abstaining }) => {
        const first = decideFirstPass(atVote(votes, missing, setting));
        fc.pre(first.at(-1)?.outcome === 'accepted_with_amendments');
        const silent = votes.nays + votes.amends - answers.yeas - answers.nays - answers.amends;
        const absent = Math.max(0, silent - abstaining);
        const known = plus({ yeas: votes.yeas, nays: 0, amends: 0 }, answers);
        const ends = new Set<End>();
        // Who is missing in the first pass says something there; who amends or opposes is asked again, like all the others.
        for (const late of waysOf(missing)) {
          const end = endOfFirst(plus(votes, late), setting);
          if (end !== 'again') ends.add(end);
          else
            for (const way of waysOf(absent + late.nays + late.amends))
              ends.add(
                endOfSecond(
                  plus(known, plus({ yeas: late.yeas, nays: 0, amends: 0 }, way)),
                  setting,
                ),
              );
        }
        const { outcome } = decideSecondPass(atVote(known, absent + missing, setting));
        expect(outcome).toBe(ends.size > 1 ? 'incomplete' : [...ends][0]);
        if (ends.size > 1) incomplete += 1;
        else complete += 1;
      }),
      { numRuns: 3000, maxSkipsPerRun: 1000 },
    );
    expect(Math.min(complete, incomplete)).toBeGreaterThan(50);
  });

  it('ratifies nothing without the yeas that the rules ask for, and no amendment is one', () =>
    fc.assert(
      fc.property(
        anyRules,
        fc.nat({ max: 30 }),
        fc.nat({ max: 30 }),
        fc.nat({ max: 30 }),
        fc.nat({ max: 10 }),
        fc.boolean(),
        (rules, yeas, nays, amends, missing, isConstitutional) => {
          const votes = { yeas, nays, amends };
          const setting = { rules, size: yeas + nays + amends + missing, isConstitutional };
          const { outcome } = decideSecondPass(atVote(votes, missing, setting));
          if (outcome !== 'ratified') return;
          expect(yeas).toBeGreaterThan(0);
          expect(isEnough(votes, setting) && hasQuorum(votes, setting)).toBe(true);
          // Also when everybody who is missing says no.
          expect(isEnough({ ...votes, nays: nays + missing }, setting)).toBe(true);
        },
      ),
      { numRuns: 3000 },
    ));

  it('that nobody answers ends like one in which everybody could still say anything', () => {
    // 5 yeas stay of 24; 13 of 18 were asked again and none answers: they could ratify it, and reject it.
    const setting = { rules: shippedRules('guarded'), size: 24, isConstitutional: false };
    expect(decideSecondPass(atVote({ yeas: 5, nays: 0, amends: 0 }, 13, setting)).outcome).toBe(
      'incomplete',
    );
    expect(decideSecondPass(atVote({ yeas: 5, nays: 0, amends: 13 }, 0, setting)).outcome).toBe(
      'rejected',
    );
  });
});

describe('a second pass that is assumed', () => {
  it('has the arithmetic of the page: amends become yeas, and nothing else changes', () =>
    fc.assert(
      fc.property(cases, ({ votes, setting }) => {
        const decisions = decideMotion(atVote(votes, 0, setting));
        const first = endOfFirst(votes, setting);
        const assumed = { yeas: votes.yeas + votes.amends, nays: votes.nays, amends: 0 };
        expect(decisions.at(-1)?.outcome).toBe(
          first === 'again' ? endOfSecond(assumed, setting) : first,
        );
        if (first === 'again') expect(decisions[1]).toMatchObject(assumed);
      }),
      { numRuns: 2000 },
    ));
});
