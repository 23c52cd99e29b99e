import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  requiredOf,
  decideMotion,
  type Decision,
  type MotionAtVote,
  motionAtVote,
  simulatedTally,
} from '../../src/vote/ratification.ts';
import { RuleSet, withoutImplicit, labelOf } from '../../src/vote/aggregation.ts';
import { anyRules } from './any-rules.ts';
import { aggregationOf, everyRuleSet } from './sample-session.ts';

const [explicit, seed, quorum, guarded] = everyRuleSet as [RuleSet, RuleSet, RuleSet, RuleSet];

interface Case {
  readonly yeas: number;
  readonly nays?: number;
  readonly amends?: number;
  readonly missing?: number;
  readonly size?: number;
  readonly title?: string;
  readonly riskTier?: MotionAtVote['riskTier'];
  readonly constitutional?: boolean | null;
}

function decide(
  rules: RuleSet,
  {
    yeas,
    nays = 0,
    amends = 0,
    missing = 0,
    size = 72,
    title = 'A motion',
    riskTier = 'high',
    constitutional: declared = null,
  }: Case,
) {
  return decideMotion({
    title,
    riskTier,
    constitutional: declared,
    tally: {
      yeas,
      nays,
      amends,
      abstentions: Math.max(0, size - yeas - nays - amends - missing),
    },
    missing,
    rosterSize: size,
    rules,
  });
}

const outcomes = (decisions: readonly Decision[]) => decisions.map(({ outcome }) => outcome);
const tally = (yeas: number, nays: number, amends: number, abstentions: number) => ({
  yeas,
  nays,
  amends,
  abstentions,
});
const constitutional = 'On CONSTITUTIONAL safeguards';

/** Every way to answer, one by one. */
function everyWay(rules: RuleSet, given: Case) {
  const { yeas, nays = 0, amends = 0, missing = 0 } = given;
  const found = new Set<string | undefined>();
  for (let y = 0; y <= missing; y += 1) {
    for (let n = 0; y + n <= missing; n += 1) {
      for (let a = 0; y + n + a <= missing; a += 1) {
        const counted = rules.parameters.amends === 'counted' ? a : 0;
        found.add(
          decide(rules, {
            ...given,
            yeas: yeas + y,
            nays: nays + n,
            amends: amends + counted,
            missing: 0,
          }).at(-1)?.outcome,
        );
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
      fc.property(anyRules, cases, (set, { absent, amends: stated, ...rest }) => {
        const amends = set.parameters.amends === 'counted' ? stated : 0;
        const given = {
          ...rest,
          amends,
          size: rest.yeas + rest.nays + amends + rest.missing + absent,
        };
        const ways = everyWay(set, given);
        expect(decide(set, given).at(-1)?.outcome).toBe(
          ways.size > 1 ? 'incomplete' : [...ways][0],
        );
      }),
      { numRuns: 500 },
    ));

  it('keep the figures so far, and no second pass', () => {
    expect(decide(guarded, { yeas: 12, missing: 12, size: 24 })).toEqual([
      expect.objectContaining({ outcome: 'incomplete', yeas: 12 }),
    ]);
    expect(outcomes(decide(guarded, { yeas: 19, nays: 12, amends: 5, missing: 14 }))).toEqual([
      'incomplete',
    ]);
  });
});

describe('rule set explicit', () => {
  it.each([
    [{ yeas: 37 }, 'ratified'],
    [{ yeas: 36 }, 'rejected'],
    [{ yeas: 48, title: constitutional }, 'ratified'],
    [{ yeas: 47, title: constitutional }, 'rejected'],
    [{ yeas: 0, riskTier: 'low' }, 'rejected'],
  ] as const)('%o is %s', (given, expected) =>
    expect(outcomes(decide(explicit, given))).toEqual([expected]),
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
    expect(decide(explicit, { yeas: 3 })[0]).toMatchObject({
      quorum_required: 0,
      quorum_met: true,
      threshold_required: 37,
    });
  });
});

describe('rule set seed', () => {
  it('fast-tracks a motion of low risk and is otherwise as explicit', () => {
    expect(decide(seed, { yeas: 0, riskTier: 'low' })).toEqual([
      expect.objectContaining({ outcome: 'ratified', threshold_type: 'fast_track' }),
    ]);
    expect(outcomes(decide(seed, { yeas: 36 }))).toEqual(['rejected']);
  });
});

describe('rule sets quorum and guarded', () => {
  it.each([
    ['e 35', { yeas: 35 }, ['deferred']],
    ['a low-risk motion of 48 supporters', { yeas: 48, riskTier: 'low' }, ['ratified']],
    ['e 36 with 4 amends', { yeas: 19, nays: 13, amends: 4 }, ['ratified']],
    [
      'e 36 with 5 amends',
      { yeas: 19, nays: 12, amends: 5 },
      ['accepted_with_amendments', 'ratified'],
    ],
    ['constitutional 40/20', { yeas: 40, nays: 20, title: constitutional }, ['ratified']],
    ['constitutional 39/21', { yeas: 39, nays: 21, title: constitutional }, ['rejected']],
    ['constitutional e 47', { yeas: 47, title: constitutional }, ['deferred']],
    [
      'half of them amends',
      { yeas: 18, nays: 18, amends: 36 },
      ['accepted_with_amendments', 'ratified'],
    ],
  ] as const)('decide %s alike', (_, given, expected) => {
    expect(outcomes(decide(quorum, given))).toEqual(expected);
    expect(outcomes(decide(guarded, given))).toEqual(expected);
  });

  it('ask for 25 of 48 on a low-risk motion', () =>
    expect(decide(quorum, { yeas: 48, riskTier: 'low' })[0]).toMatchObject({
      eligible_votes: 48,
      threshold_required: 25,
      quorum_required: 36,
      quorum_met: true,
    }));

  it('turn amends into yeas in the second pass', () =>
    expect(decide(quorum, { yeas: 19, nays: 12, amends: 5 })[1]).toMatchObject({
      yeas: 24,
      nays: 12,
      amends: 0,
      eligible_votes: 36,
      threshold_required: 19,
    }));

  it('guarded alone defers for revision when more than half are amends', () => {
    const [, second] = decide(guarded, { yeas: 17, nays: 18, amends: 37 });
    expect(second).toMatchObject({
      outcome: 'deferred',
      threshold_type: 'revision_required',
      yeas: 17,
      nays: 18,
      amends: 37,
      threshold_required: 0,
    });
    expect(outcomes(decide(quorum, { yeas: 17, nays: 18, amends: 37 }))).toEqual([
      'accepted_with_amendments',
      'ratified',
    ]);
  });

  it('scale to a roster of seven', () => {
    expect(decide(explicit, { yeas: 4, size: 7 })[0]).toMatchObject({
      threshold_required: 4,
      outcome: 'ratified',
    });
    expect(decide(explicit, { yeas: 5, size: 7, title: constitutional })[0]).toMatchObject({
      threshold_required: 5,
      outcome: 'ratified',
    });
    expect(decide(quorum, { yeas: 3, size: 7 })[0]).toMatchObject({
      quorum_required: 4,
      outcome: 'deferred',
    });
    expect(outcomes(decide(quorum, { yeas: 4, nays: 2, amends: 1, size: 7 }))).toEqual([
      'ratified',
    ]);
    expect(outcomes(decide(quorum, { yeas: 4, nays: 1, amends: 2, size: 7 }))).toEqual([
      'accepted_with_amendments',
      'ratified',
    ]);
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
        const given = {
          size,
          yeas,
          nays,
          amends,
          title: isConstitutional ? constitutional : 'Plain',
        };
        const decisions = decide(guarded, given);
        expect(decisions[0]?.outcome).toBe(expected);
        expect(decisions).toHaveLength(expected === 'accepted_with_amendments' ? 2 : 1);
        if (expected === 'accepted_with_amendments')
          expect(decisions[1]?.outcome).toBe(2 * amends > e ? 'deferred' : 'ratified');
        expect(outcomes(decide(quorum, given))[1] ?? 'ratified').toBe('ratified');
      }),
      { numRuns: 2000 },
    );
  });

  it('never ratify on silence', () => {
    for (const rules of [explicit, quorum, guarded])
      expect(outcomes(decide(rules, { yeas: 0, title: constitutional })).at(-1)).not.toBe(
        'ratified',
      );
  });
});

const kindOf = (title: string, declared: boolean | null = null) => {
  const [first] = decide(guarded, { yeas: 39, nays: 21, title, constitutional: declared });
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
    expect(decide(seed, { yeas: 0, riskTier: 'low', constitutional: true })[0]).toMatchObject({
      threshold_type: 'fast_track',
      supermajority_because: null,
    }));
});

describe('simulated votes', () => {
  it.each([
    [true, [55, 10, 5, 2]],
    [false, [38, 28, 6, 0]],
  ] as const)(
    'come from the table: consensus %s',
    (consensus, [yeas, nays, amends, abstentions]) => {
      expect(simulatedTally(consensus, 72, guarded)).toEqual(
        tally(yeas, nays, amends, abstentions),
      );
      expect(simulatedTally(consensus, 72, explicit)).toEqual(
        tally(yeas, nays, 0, 72 - yeas - nays),
      );
    },
  );

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
