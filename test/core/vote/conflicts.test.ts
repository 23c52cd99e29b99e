import { describe, expect, it } from 'vitest';
import {
  describeConflict,
  findConflicts,
  type Position,
} from '../../../src/core/vote/conflicts.ts';
import { sessionOf } from './sample-session.ts';

const [a, b, c] = ['Member-001', 'Member-002', 'Member-003'];
const positionOf = (rest: Partial<Position>): Position => ({
  memberName: a,
  motionId: null,
  stance: null,
  text: null,
  source: null,
  ...rest,
});

describe('conflicts', () => {
  it('are found between what a member proposed and a motion that says the opposite', () => {
    const session = sessionOf(3, [
      {
        text: 'Preamble.\nMembers shall not publish audit logs every month. Other matters follow',
        supporters: [b],
      },
      {
        id: 'p-1',
        isNovel: true,
        text: 'Members shall publish audit logs every month',
        supporters: [a],
      },
    ]);
    const { conflicts, search } = findConflicts(session, []);
    expect(search).toEqual({ detector: 'clauses', isFinished: true, dropped: 0 });
    expect(conflicts.get('m-1')).toEqual([
      {
        memberName: a,
        motionId: 'm-1',
        kind: 'text',
        own: 'Members shall publish audit logs every month',
        against: 'Members shall not publish audit logs every month',
        source: 'novel proposal p-1',
      },
    ]);
    // The other way round too: who supports the motion contradicts the proposal.
    expect(conflicts.get('p-1')?.map(({ memberName }) => memberName)).toEqual([b]);
    expect(describeConflict(conflicts.get('m-1')?.[0] ?? expect.fail())).toBe(
      'novel proposal p-1 says "Members shall publish audit logs every month" where this motion says "Members shall not publish audit logs every month"',
    );
  });

  it('follow from a stated stance that maps to oppose, and from no other', () => {
    const session = sessionOf(3, [{}, {}]);
    const { conflicts } = findConflicts(session, [
      positionOf({ memberName: c, motionId: 'm-1', stance: 'Reject' }),
      positionOf({ memberName: a, motionId: 'm-1', stance: 'oppose', source: 'speech 4' }),
      positionOf({ memberName: b, motionId: 'm-1', stance: 'endorse' }),
      positionOf({ memberName: b, motionId: 'm-2', stance: 'I do not oppose this' }),
      positionOf({ memberName: 'Nobody', motionId: 'm-1', stance: 'oppose' }),
    ]);
    expect(conflicts.get('m-1')?.map(({ memberName, source }) => [memberName, source])).toEqual([
      [a, 'speech 4'],
      [c, 'positions.json'],
    ]);
    expect(conflicts.get('m-2')).toEqual([]);
  });

  it('reach every supporter of a motion that another motion contradicts, contributor or not', () => {
    const session = sessionOf(3, [
      { text: 'The council must approve every emergency budget transfer', supporters: [a, b] },
      {
        text: 'The emergency budget transfer is approved without the council; we forbid the council to approve every emergency budget transfer',
        supporters: [b, c],
      },
    ]);
    const { conflicts } = findConflicts(session, []);
    expect(conflicts.get('m-1')?.map(({ memberName }) => memberName)).toEqual([b, c]);
    expect(conflicts.get('m-2')?.map(({ memberName }) => memberName)).toEqual([a, b]);
  });

  it('do not set a motion against itself', () => {
    const session = sessionOf(2, [
      {
        text: 'Members shall publish audit logs every month. Members shall not publish audit logs every month.',
        supporters: [a],
      },
    ]);
    expect(findConflicts(session, []).conflicts.get('m-1')).toEqual([]);
  });

  it.each([
    [
      'the same polarity',
      'Members publish audit logs monthly',
      'Members publish audit logs monthly',
    ],
    ['fewer than four content words', 'Members publish logs', 'Members never publish logs'],
    [
      'a denial of something narrower',
      'Members publish audit logs monthly',
      'Members never publish audit logs monthly to foreign press agencies',
    ],
    [
      'words split over two clauses',
      'Members publish audit logs monthly',
      'Members never publish; audit logs monthly',
    ],
  ])('do not follow from %s', (_, own, motion) => {
    expect(
      findConflicts(sessionOf(2, [{ text: motion }]), [positionOf({ text: own })]).conflicts.get(
        'm-1',
      ),
    ).toEqual([]);
  });

  it('reads a text of a megabyte in linear time, also one without any end of a clause', () => {
    const word = 'wort ';
    const session = sessionOf(2, [
      { text: word.repeat(200_000), supporters: [a] },
      { text: 'eins zwei drei vier. '.repeat(50_000), supporters: [b] },
    ]);
    expect(findConflicts(session, []).conflicts.get('m-1')).toEqual([]);
  });
});
