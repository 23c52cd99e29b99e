import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fewestToTurn } from '../../src/vote/account-for-motions.ts';
import { decideMotion, type MotionAtVote, type Tally } from '../../src/vote/ratification.ts';
import type { FirstOutcome } from '../../src/core/words/claim.ts';
import { shippedRules } from './sample-session.ts';

const none: Tally = { yeas: 0, nays: 0, amends: 0, abstentions: 0 };

describe('how few answers turn a motion', () => {
  it.each([
    ['a bare majority', 'explicit', { yeas: 37, nays: 35 }, 1, 'rejected', 'yeas'],
    ['one short of it', 'explicit', { yeas: 36, nays: 36 }, 1, 'ratified', 'nays'],
    ['a clear one', 'explicit', { yeas: 60, nays: 12 }, 24, 'rejected', 'yeas'],
    ['hardly a quorum', 'quorum', { yeas: 36, abstentions: 36 }, 1, 'deferred', 'yeas'],
  ] as const)('%s', (_, name, given, answers, outcome, from) => {
    const tally = { ...none, ...given };
    const turn = turnOf(motionOf(tally, 72, name), tally);
    expect(turn).toMatchObject({ answers, outcome, change: { [from]: -answers } });
  });

  it('leaves alone what nobody was asked', () => {
    const implicit = { ...none, yeas: 60 };
    expect(turnOf(motionOf(implicit, 72, 'quorum'), none)).toBeNull();
  });

  it.each(['explicit', 'quorum', 'guarded'])('is as few as trying everything finds (%s)', name => {
    const rules = shippedRules(name);
    const count = fc.nat({ max: 5 });
    fc.assert(
      fc.property(
        fc.record({ yeas: count, nays: count, amends: count, abstentions: count }),
        fc.nat({ max: 4 }),
        fc.boolean(),
        (cast, implicit, isConstitutional) => {
          const given =
            rules.parameters.amends === 'counted'
              ? cast
              : { ...cast, amends: 0, abstentions: cast.abstentions + cast.amends };
          const size = implicit + given.yeas + given.nays + given.amends + given.abstentions;
          const motion = {
            ...motionOf({ ...given, yeas: given.yeas + implicit }, size, name),
            title: isConstitutional ? 'constitutional' : 'simple',
          };
          expect(turnOf(motion, given)?.answers ?? null).toBe(
            fewestByTrying(motion, given, implicit),
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

function turnOf(motion: MotionAtVote, given: Tally) {
  return fewestToTurn({
    tally: motion.tally,
    given,
    countsAmends: motion.rules.parameters.amends === 'counted',
    endOf: tally => ({ outcome: outcomeOf({ ...motion, tally }), second_pass: null }),
  });
}

function outcomeOf(motion: MotionAtVote): FirstOutcome {
  return decideMotion(motion).at(-1)?.outcome ?? 'incomplete';
}

function motionOf(tally: Tally, rosterSize: number, rules: string): MotionAtVote {
  return {
    title: 'A motion',
    constitutional: null,
    riskTier: 'high',
    tally,
    missing: 0,
    rosterSize,
    rules: shippedRules(rules),
  };
}

/** Over every way in which those who were asked can answer. */
function fewestByTrying(motion: MotionAtVote, given: Tally, implicit: number): number | null {
  const standing = outcomeOf(motion);
  const cast = given.yeas + given.nays + given.amends + given.abstentions;
  const mostAmends = motion.rules.parameters.amends === 'counted' ? cast : 0;
  let fewest: number | null = null;
  for (let yeas = 0; yeas <= cast; yeas += 1)
    for (let nays = 0; nays <= cast - yeas; nays += 1)
      for (let amends = 0; amends <= Math.min(mostAmends, cast - yeas - nays); amends += 1) {
        const tally = { yeas, nays, amends, abstentions: cast - yeas - nays - amends };
        const answered = { ...tally, yeas: yeas + implicit };
        if (outcomeOf({ ...motion, tally: answered }) === standing) continue;
        const changed = (Object.keys(given) as (keyof Tally)[]).reduce(
          (sum, kind) => sum + Math.max(0, given[kind] - tally[kind]),
          0,
        );
        if (fewest === null || changed < fewest) fewest = changed;
      }
  return fewest;
}
