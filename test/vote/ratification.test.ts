import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  requiredOf,
  decideMotion,
  type Decision,
  type MotionAtVote,
  motionAtVote,
  simulatedTally,
  type Tally,
} from '../../src/vote/ratification.ts';
import { RuleSet, withoutImplicit, labelOf } from '../../src/vote/aggregation.ts';
import { anyRules } from './any-rules.ts';
import { aggregationOf, everyRuleSet, shippedRules } from './sample-session.ts';
import { fewestToTurn } from '../../src/vote/motions-run.ts';
import type { FirstOutcome } from '../../src/core/words/claim.ts';

const [explicit, seed, quorum, guarded] = everyRuleSet as [RuleSet, RuleSet, RuleSet, RuleSet];

/** Yeas, nays and amends; who is left abstains. */
type Votes = readonly [yeas: number, nays?: number, amends?: number];

type Case = Partial<Omit<MotionAtVote, 'tally' | 'rosterSize' | 'rules'>> & {
  readonly size?: number;
};

const tally = (yeas: number, nays: number, amends: number, abstentions: number) => ({
  yeas,
  nays,
  amends,
  abstentions,
});

function decide(
  rules: RuleSet,
  [yeas, nays = 0, amends = 0]: Votes,
  { size = 72, missing = 0, ...more }: Case = {},
) {
  const abstentions = Math.max(0, size - yeas - nays - amends - missing);
  const counted = { tally: tally(yeas, nays, amends, abstentions), missing };
  const motion = { title: 'A motion', riskTier: 'high', constitutional: null } as const;
  return decideMotion({ ...motion, ...counted, ...more, rosterSize: size, rules });
}

const outcomes = (decisions: readonly Decision[]) => decisions.map(({ outcome }) => outcome);
const ended = (rules: RuleSet, votes: Votes, more?: Case) => outcomes(decide(rules, votes, more));
const constitutional = 'On CONSTITUTIONAL safeguards';

/** Every way to answer, one by one. */
function everyWay(
  rules: RuleSet,
  [yeas, nays, amends]: Required<Votes>,
  { missing, ...given }: Case & { readonly missing: number },
) {
  const found = new Set<string | undefined>();
  for (let y = 0; y <= missing; y += 1) {
    for (let n = 0; y + n <= missing; n += 1) {
      for (let a = 0; y + n + a <= missing; a += 1) {
        const counted = rules.parameters.amends === 'counted' ? a : 0;
        found.add(ended(rules, [yeas + y, nays + n, amends + counted], given).at(-1));
      }
    }
  }
  return found;
}

describe('answers that are missing', () => {
  const cases = fc.record({
    yeas: fc.nat({ max: 9 }),
    nays: fc.nat({ max: 9 }),
    amends: fc.nat({ max: 9 }),
    missing: fc.nat({ max: 8 }),
    absent: fc.nat({ max: 9 }),
    title: fc.constantFrom('A motion', constitutional),
    riskTier: fc.constantFrom('low' as const, 'high' as const),
  });

  it('leave a motion incomplete exactly where some way to answer ends it otherwise', () =>
    fc.assert(
      fc.property(anyRules, cases, (set, { yeas, nays, amends: stated, absent, ...rest }) => {
        const amends = set.parameters.amends === 'counted' ? stated : 0;
        const given = { ...rest, size: yeas + nays + amends + rest.missing + absent };
        const ways = everyWay(set, [yeas, nays, amends], given);
        expect(ended(set, [yeas, nays, amends], given).at(-1)).toBe(
          ways.size > 1 ? 'incomplete' : [...ways][0],
        );
      }),
      { numRuns: 500 },
    ));

  it('keep the figures so far, and no second pass', () => {
    expect(decide(guarded, [12], { missing: 12, size: 24 })).toEqual([
      expect.objectContaining({ outcome: 'incomplete', yeas: 12 }),
    ]);
    expect(ended(guarded, [19, 12, 5], { missing: 14 })).toEqual(['incomplete']);
  });
});

describe('rule set explicit', () => {
  it.each([
    [37, {}, 'ratified'],
    [36, {}, 'rejected'],
    [48, { title: constitutional }, 'ratified'],
    [47, { title: constitutional }, 'rejected'],
    [0, { riskTier: 'low' }, 'rejected'],
  ] as const)('%i yeas, %o is %s', (yeas, given, expected) =>
    expect(ended(explicit, [yeas], given)).toEqual([expected]),
  );

  it('counts an amendment as an abstention and has no quorum', () => {
    const counts = aggregationOf({
      implicit_endorsements: 9,
      explicit_endorsements: 3,
      oppositions: 2,
      amendments_proposed: 4,
      abstentions: 1,
    });
    expect(
      [explicit, quorum, withoutImplicit(quorum)].map(
        rules => motionAtVote(counts, 0, 72, rules).tally,
      ),
    ).toEqual([tally(3, 2, 0, 5), tally(12, 2, 4, 1), tally(3, 2, 4, 1)]);
    expect([labelOf(withoutImplicit(quorum)), labelOf(withoutImplicit(seed))]).toEqual([
      'quorum@1+no-implicit',
      'seed@1',
    ]);
    expect(decide(explicit, [3])[0]).toMatchObject({
      quorum_required: 0,
      quorum_met: true,
      threshold_required: 37,
    });
  });
});

describe('rule set seed', () => {
  it('fast-tracks a motion of low risk and is otherwise as explicit', () => {
    expect(decide(seed, [0], { riskTier: 'low' })).toEqual([
      expect.objectContaining({ outcome: 'ratified', threshold_type: 'fast_track' }),
    ]);
    expect(ended(seed, [36])).toEqual(['rejected']);
  });
});

const ofSeven = (rules: RuleSet, votes: Votes, title = 'A motion') =>
  decide(rules, votes, { size: 7, title });

describe('rule sets quorum and guarded', () => {
  const amended = ['accepted_with_amendments', 'ratified'];
  it.each([
    ['e 35', [35], {}, ['deferred']],
    ['a low-risk motion of 48 supporters', [48], { riskTier: 'low' }, ['ratified']],
    ['e 36 with 4 amends', [19, 13, 4], {}, ['ratified']],
    ['e 36 with 5 amends', [19, 12, 5], {}, amended],
    ['constitutional 40/20', [40, 20], { title: constitutional }, ['ratified']],
    ['constitutional 39/21', [39, 21], { title: constitutional }, ['rejected']],
    ['constitutional e 47', [47], { title: constitutional }, ['deferred']],
    ['half of them amends', [18, 18, 36], {}, amended],
  ] as const)('decide %s alike', (_, votes, given, expected) => {
    for (const rules of [quorum, guarded]) expect(ended(rules, votes, given)).toEqual(expected);
  });

  it('ask for 25 of 48 on a low-risk motion', () =>
    expect(decide(quorum, [48], { riskTier: 'low' })[0]).toMatchObject({
      eligible_votes: 48,
      threshold_required: 25,
      quorum_required: 36,
      quorum_met: true,
    }));

  it('turn amends into yeas in the second pass', () =>
    expect(decide(quorum, [19, 12, 5])[1]).toMatchObject({
      yeas: 24,
      nays: 12,
      amends: 0,
      eligible_votes: 36,
      threshold_required: 19,
    }));

  it('guarded alone defers for revision when more than half are amends', () => {
    const [, second] = decide(guarded, [17, 18, 37]);
    expect(second).toMatchObject({
      outcome: 'deferred',
      threshold_type: 'revision_required',
      yeas: 17,
      nays: 18,
      amends: 37,
      threshold_required: 0,
    });
    expect(ended(quorum, [17, 18, 37])).toEqual(amended);
  });

  it('scale to a roster of seven', () => {
    expect(ofSeven(explicit, [4])[0]).toMatchObject({ threshold_required: 4, outcome: 'ratified' });
    expect(ofSeven(explicit, [5], constitutional)[0]).toMatchObject({
      threshold_required: 5,
      outcome: 'ratified',
    });
    expect(ofSeven(quorum, [3])[0]).toMatchObject({ quorum_required: 4, outcome: 'deferred' });
    expect(outcomes(ofSeven(quorum, [4, 2, 1]))).toEqual(['ratified']);
    expect(outcomes(ofSeven(quorum, [4, 1, 2]))).toEqual(amended);
  });

  it('decide as fractions do, for every roster and every count', () => {
    const Counts = fc
      .integer({ min: 1, max: 120 })
      .chain(size =>
        fc.tuple(
          fc.constant(size),
          fc.integer({ min: 0, max: size }),
          fc.integer({ min: 0, max: size }),
          fc.integer({ min: 0, max: size }),
          fc.boolean(),
        ),
      );
    fc.assert(
      fc.property(Counts, ([size, yeas, nays, amends, isConstitutional]) => {
        fc.pre(yeas + nays + amends <= size);
        const e = yeas + nays + amends;
        // x ≥ ⌈2e/3⌉ is 3x ≥ 2e, and x ≥ ⌊e/2⌋+1 is 2x > e: no rounding at all.
        const reaches = (votes: number) =>
          e > 0 && (isConstitutional ? 3 * votes >= 2 * e : 2 * votes > e);
        const hasQuorum = isConstitutional ? 3 * e >= 2 * size : 2 * e >= size;
        const isTolerated = 72 * (amends - 1) < 5 * size && 10 * (amends - 1) < e;
        const expected = !hasQuorum
          ? 'deferred'
          : reaches(yeas) && (amends === 0 || isTolerated)
            ? 'ratified'
            : amends > 0 && reaches(yeas + amends)
              ? 'accepted_with_amendments'
              : 'rejected';
        const given = { size, title: isConstitutional ? constitutional : 'Plain' };
        const decisions = decide(guarded, [yeas, nays, amends], given);
        expect(decisions[0]?.outcome).toBe(expected);
        expect(decisions).toHaveLength(expected === 'accepted_with_amendments' ? 2 : 1);
        if (expected === 'accepted_with_amendments')
          expect(decisions[1]?.outcome).toBe(2 * amends > e ? 'deferred' : 'ratified');
        expect(ended(quorum, [yeas, nays, amends], given)[1] ?? 'ratified').toBe('ratified');
      }),
      { numRuns: 2000 },
    );
  });

  it('never ratify on silence', () => {
    for (const rules of [explicit, quorum, guarded])
      expect(ended(rules, [0], { title: constitutional }).at(-1)).not.toBe('ratified');
  });
});

const kindOf = (title: string, declared: boolean | null = null) => {
  const [first] = decide(guarded, [39, 21], { title, constitutional: declared });
  return [first?.threshold_type, first?.supermajority_because, first?.outcome];
};

describe('constitutional motions', () => {
  it.each(['On CONSTITUTIONAL safeguards', 'Unconstitutional surveillance', 'constitutional'])(
    'are those whose title says so: %s',
    title => expect(kindOf(title)).toEqual(['supermajority', 'title', 'rejected']),
  );

  it('are those that are declared so, and none that is declared otherwise', () => {
    expect(kindOf('Plain', true)).toEqual(['supermajority', 'declared', 'rejected']);
    expect(kindOf('Constitutional', true)).toEqual(['supermajority', 'declared', 'rejected']);
    expect(kindOf('Unconstitutional surveillance', false)).toEqual([
      'simple_majority',
      null,
      'ratified',
    ]);
    expect(kindOf('The constitution')).toEqual(['simple_majority', null, 'ratified']);
  });

  it('need no supermajority where nobody votes on them', () =>
    expect(decide(seed, [0], { riskTier: 'low', constitutional: true })[0]).toMatchObject({
      threshold_type: 'fast_track',
      supermajority_because: null,
    }));
});

describe('simulated votes', () => {
  type Counts = Parameters<typeof tally>;
  it.each<[boolean, Counts, Counts]>([
    [true, [55, 10, 5, 2], [55, 10, 0, 7]],
    [false, [38, 28, 6, 0], [38, 28, 0, 6]],
  ])('come from the table: consensus %s', (consensus, counted, others) => {
    expect(simulatedTally(consensus, 72, guarded)).toEqual(tally(...counted));
    expect(simulatedTally(consensus, 72, explicit)).toEqual(tally(...others));
  });

  it('are scaled down to smaller rosters and always make the roster', () => {
    expect(simulatedTally(false, 7, guarded)).toEqual(tally(3, 2, 0, 2));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), size => {
        const { yeas, nays, amends, abstentions } = simulatedTally(false, size, guarded);
        expect(yeas + nays + amends + abstentions).toBe(size);
      }),
    );
  });
});

function required(simple: unknown[], constitutional: unknown[]) {
  const [one, other] = [simple, constitutional].map(([part, whole, strict]) => ({
    share: [part, whole],
    strict,
  }));
  return { required: { of: 'roster', simple: one, constitutional: other } };
}

describe('rule sets as data', () => {
  it('ship with figures that are checked', () => {
    for (const rules of [explicit, seed, quorum, guarded])
      expect(RuleSet.parse(rules)).toEqual(rules);
  });

  it('round by integers', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.integer({ min: 0, max: 97 }),
        fc.integer({ min: 1, max: 97 }),
        (base, part, whole) => {
          const up = requiredOf(base, { share: [part, whole], strict: false });
          expect(
            BigInt(up) * BigInt(whole) >= BigInt(base) * BigInt(part) &&
              BigInt(up - 1) * BigInt(whole) < BigInt(base) * BigInt(part),
          ).toBe(true);
          expect(requiredOf(base, { share: [part, whole], strict: true })).toBe(
            Number((BigInt(base) * BigInt(part)) / BigInt(whole)) + 1,
          );
        },
      ),
    ));

  it.each([
    ['constitutional motions would need fewer yeas', required([2, 3, false], [1, 2, true])],
    ['without a single yea', required([0, 1, false], [1, 2, true])],
    ['asks for more than all votes', required([1, 2, true], [3, 3, true])],
    [
      'constitutional motions would need fewer votes',
      { quorum: { simple: [2, 3], constitutional: [1, 2] } },
    ],
    ['there are no amends to tolerate', { amends: 'abstention', second_pass: null }],
    ['there are no amends to vote on again', { amends: 'abstention', amend_tolerance: null }],
    ['is missing, but "amends" are counted', { amend_tolerance: null }],
    ['is missing, but "amends" are counted', { second_pass: null }],
    ['must not be more than the whole', { quorum: { simple: [3, 2], constitutional: [3, 2] } }],
  ])('are refused when they contradict themselves: %s', (reason, change) => {
    const checked = RuleSet.safeParse({
      ...guarded,
      parameters: { ...guarded.parameters, ...change },
    });
    expect(checked.error?.issues.map(({ message }) => message).join('\n')).toContain(reason);
  });
});

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
        if (outcomeOf({ ...motion, tally: { ...tally, yeas: yeas + implicit } }) === standing)
          continue;
        const changed = (Object.keys(given) as (keyof Tally)[]).reduce(
          (sum, kind) => sum + Math.max(0, given[kind] - tally[kind]),
          0,
        );
        if (fewest === null || changed < fewest) fewest = changed;
      }
  return fewest;
}
