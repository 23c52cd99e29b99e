import { describe, expect, it } from 'vitest';
import type { Position } from '../../src/vote/records.ts';
import { describeConflict, gatherConflicts } from '../../src/vote/triage.ts';
import { sessionOf } from './sample-session.ts';

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
