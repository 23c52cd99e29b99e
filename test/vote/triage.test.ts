import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Conflict,
  type Motion,
  type Packet,
  buildPackets,
  triage,
  describeConflict,
  gatherConflicts,
} from '../../src/vote/triage.ts';
import { type MotionsRun, summariseTriage } from '../../src/vote/motions-run.ts';
import { conflictOf, firstNames, sessionOf, thresholds } from './sample-session.ts';
import type { Position } from '../../src/vote/records.ts';

function tierOf(
  {
    size = 72,
    supporters,
    conflicts = 0,
    ...rest
  }: { size?: number; supporters: number; conflicts?: number } & Partial<
    Omit<Motion, 'supporters'>
  >,
  settings = thresholds,
) {
  const session = sessionOf(size, [{ ...rest, supporters: firstNames(supporters) }]);
  const against = firstNames(conflicts).map(name => conflictOf(name));
  return triage(session, new Map([['m-1', against]]), settings)[0]?.riskTier;
}

describe('risk tiers', () => {
  it.each([
    [{ supporters: 48 }, 'low'],
    [{ supporters: 47 }, 'medium'],
    [{ supporters: 24 }, 'medium'],
    [{ supporters: 23 }, 'high'],
    [{ supporters: 60, isNovel: true }, 'high'],
    [{ supporters: 48, conflicts: 1 }, 'medium'],
    [{ supporters: 30, conflicts: 5 }, 'medium'],
    [{ supporters: 30, conflicts: 6 }, 'high'],
  ] as const)('%o of 72 is %s', (given, expected) => expect(tierOf(given)).toBe(expected));

  it('follow exact arithmetic for rosters of any size', () =>
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 400 })
          .chain(size => fc.tuple(fc.constant(size), fc.integer({ min: 0, max: size }))),
        ([size, supporters]) => {
          const expected =
            supporters * 100 >= 66 * size
              ? 'low'
              : supporters * 100 >= 33 * size
                ? 'medium'
                : 'high';
          expect(tierOf({ size, supporters })).toBe(expected);
        },
      ),
    ));

  it('fast-track more when the threshold of low risk is lowered', () =>
    expect(tierOf({ supporters: 40 }, { ...thresholds, low: 0.5 })).toBe('low'));

  it('may trust a broad source, without conflict and with ten supporters', () => {
    const trusting = { ...thresholds, triage: { low_from_tier: true } };
    expect(tierOf({ supporters: 30, consensusTier: 'high' }, trusting)).toBe('low');
    expect(tierOf({ supporters: 30, consensusTier: 'high' })).toBe('medium');
    expect(tierOf({ supporters: 30, consensusTier: 'high', conflicts: 1 }, trusting)).toBe(
      'medium',
    );
    expect(tierOf({ supporters: 30, consensusTier: 'medium' }, trusting)).toBe('medium');
    expect(tierOf({ size: 20, supporters: 9, consensusTier: 'high' }, trusting)).toBe('medium');
  });

  it('list who has not spoken by code point and average the shares in motion order', () => {
    const session = {
      ...sessionOf(0, [{ supporters: ['b'] }, { supporters: [] }]),
      roster: ['c', 'b', 'Ä', 'a', 'Z'].map(name => ({
        name,
        id: name,
        role: null,
        backstory: null,
        model: null,
        baseUrl: null,
      })),
    };
    const triaged = triage(session, new Map(), thresholds);
    expect(triaged[0]?.gap).toEqual(['Z', 'a', 'c', 'Ä']);
    expect(summaryOf(triaged)).toMatchObject({
      total_motions: 2,
      high_risk: 2,
      average_implicit_support: 0.1,
      total_conflicts: 0,
    });
    expect(summaryOf([]).average_implicit_support).toBe(0);
  });
});

function summaryOf(triaged: MotionsRun['triaged']) {
  return summariseTriage({
    triaged,
    inputs: { conflicts_named: null } as MotionsRun['inputs'],
  } as MotionsRun);
}

function packetsOf(
  size: number,
  supporters: readonly number[],
  conflicts: readonly Conflict[] = [],
  sampling: Parameters<typeof buildPackets>[2] = null,
) {
  const session = sessionOf(
    size,
    supporters.map(count => ({ supporters: firstNames(count) })),
  );
  const byMotion = new Map(
    session.motions.map(({ id }) => [id, conflicts.filter(({ motionId }) => motionId === id)]),
  );
  return buildPackets(session, triage(session, byMotion, thresholds), sampling);
}

const shape = (packets: readonly Packet[]) =>
  packets.map(({ assigned, alreadyEndorsed }) => [
    assigned.map(({ motionId, conflict }) => `${motionId}${conflict === null ? '' : ' conflict'}`),
    alreadyEndorsed,
  ]);

describe('packets', () => {
  it('go to every member, also empty ones: nobody is asked about a motion of low risk', () =>
    expect(shape(packetsOf(3, [2]))).toEqual([
      [[], ['m-1']],
      [[], ['m-1']],
      [[], []],
    ]));

  it('ask who has not spoken, and everybody in conflict, supporter or not', () => {
    const packets = packetsOf(
      4,
      [2, 0],
      [conflictOf('Member-001', 'm-1'), conflictOf('Member-004', 'm-1')],
    );
    expect(shape(packets)).toEqual([
      [['m-1 conflict', 'm-2'], []],
      [['m-2'], ['m-1']],
      [['m-1', 'm-2'], []],
      [['m-1 conflict', 'm-2'], []],
    ]);
    expect(packets[0]?.assigned[0]?.conflict?.own).toBe('oppose');
  });

  it('take a sample of a motion of medium risk alone, and all in conflict', () => {
    const asked = packetsOf(20, [8, 2], [conflictOf('Member-001', 'm-1')], 3);
    const onMedium = asked
      .filter(({ assigned }) => assigned.some(({ motionId }) => motionId === 'm-1'))
      .map(({ member }) => member.name);
    expect([onMedium.length, onMedium[0]]).toEqual([4, 'Member-001']);
    // The second motion is of high risk: no sample is taken there.
    expect(
      asked.filter(({ assigned }) => assigned.some(({ motionId }) => motionId === 'm-2')),
    ).toHaveLength(18);
  });

  it('ask all of those who have not spoken when the sample is larger than they are', () =>
    expect(shape(packetsOf(5, [2], [], 9))).toEqual(shape(packetsOf(5, [2]))));
});

const [a, b, c] = ['Member-001', 'Member-002', 'Member-003'];
const positionOf = (rest: Partial<Position>) => ({
  archon_name: a,
  mega_motion_id: null,
  stance: null,
  text: null,
  source: null,
  ...rest,
});

describe('conflicts', () => {
  it('are named with the words of both, one for each member, in roster order', () => {
    const session = sessionOf(3, [{}, {}]);
    const found = {
      mega_motion_id: 'm-1',
      archon_names: [c, a],
      source: 'motion m-2',
      own: 'We never publish logs',
      against: 'Publish logs',
    };
    const conflicts = gatherConflicts(session, [], [found, { ...found, own: 'Later' }]);
    expect(conflicts.get('m-1')?.map(({ memberName, own }) => [memberName, own])).toEqual([
      [a, 'We never publish logs'],
      [c, 'We never publish logs'],
    ]);
    expect(describeConflict(conflicts.get('m-1')?.[0] ?? expect.fail())).toBe(
      'motion m-2 says "We never publish logs" where this motion says "Publish logs"',
    );
    expect(conflicts.has('m-2')).toBe(false);
  });

  it('follow from a stated stance that maps to oppose, and from no other', () => {
    const session = sessionOf(3, [{}, {}]);
    const stated = [
      positionOf({ archon_name: c, mega_motion_id: 'm-1', stance: 'Reject' }),
      positionOf({ archon_name: a, mega_motion_id: 'm-1', stance: 'oppose', source: 'speech 4' }),
      positionOf({ archon_name: b, mega_motion_id: 'm-1', stance: 'endorse' }),
      positionOf({ archon_name: b, mega_motion_id: 'm-2', stance: 'I do not oppose this' }),
      positionOf({ archon_name: 'Nobody', mega_motion_id: 'm-1', stance: 'oppose' }),
    ];
    const conflicts = gatherConflicts(session, stated, []);
    expect(conflicts.get('m-1')?.map(({ memberName, source }) => [memberName, source])).toEqual([
      [a, 'speech 4'],
      [c, 'positions.json'],
    ]);
    expect(conflicts.has('m-2')).toBe(false);
  });
});
