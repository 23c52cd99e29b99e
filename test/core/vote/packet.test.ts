import { describe, expect, it } from 'vitest';
import type { Conflict } from '../../../src/core/vote/conflicts.ts';
import { buildPackets, type Packet, type Sampling } from '../../../src/core/vote/packet.ts';
import { triage } from '../../../src/core/vote/triage.ts';
import { firstNames, sessionOf, sha256, thresholds } from './sample-session.ts';

const conflictOf = (memberName: string, motionId: string): Conflict => ({
  memberName,
  motionId,
  kind: 'stance',
  own: 'oppose',
  against: null,
  source: 'positions.json',
});

function packetsOf(
  size: number,
  supporters: readonly number[],
  conflicts: readonly Conflict[] = [],
  sampling: Sampling | null = null,
): Packet[] {
  const session = sessionOf(
    size,
    supporters.map(count => ({ supporters: firstNames(count) })),
  );
  const byMotion = new Map(
    session.motions.map(({ id }) => [id, conflicts.filter(({ motionId }) => motionId === id)]),
  );
  return buildPackets(session, triage(session, byMotion, thresholds), sampling);
}

const shape = (packets: readonly Packet[]): unknown[] =>
  packets.map(({ assigned, alreadyEndorsed }) => [
    assigned.map(({ motionId, reason }) => `${motionId} ${reason}`),
    alreadyEndorsed,
  ]);

describe('packets', () => {
  it('go to every member, also empty ones: nobody is asked about a motion of low risk', () => {
    expect(shape(packetsOf(3, [2]))).toEqual([
      [[], ['m-1']],
      [[], ['m-1']],
      [[], []],
    ]);
  });

  it('ask who has not spoken, and everybody in conflict, supporter or not', () => {
    const packets = packetsOf(
      4,
      [2, 0],
      [conflictOf('Member-001', 'm-1'), conflictOf('Member-004', 'm-1')],
    );
    expect(shape(packets)).toEqual([
      [['m-1 conflict_review', 'm-2 gap_archon'], []],
      [['m-2 gap_archon'], ['m-1']],
      [['m-1 gap_archon', 'm-2 gap_archon'], []],
      [['m-1 conflict_review', 'm-2 gap_archon'], []],
    ]);
    expect(packets[0]?.assigned[0]?.conflict?.own).toBe('oppose');
  });

  it('take of a sample those with the smallest hash of session, motion and member, and all in conflict', () => {
    const sampling = { size: 3, hash: sha256 };
    const asked = packetsOf(20, [8, 2], [conflictOf('Member-001', 'm-1')], sampling);
    const onMedium = asked
      .filter(({ assigned }) => assigned.some(({ motionId }) => motionId === 'm-1'))
      .map(({ member }) => member.name);
    const expected = Array.from(
      { length: 12 },
      (_, index) => `Member-${String(index + 9).padStart(3, '0')}`,
    )
      .toSorted((one, other) =>
        sha256(`s-1|m-1|${one.toLowerCase().replace('-', '_')}`) <
        sha256(`s-1|m-1|${other.toLowerCase().replace('-', '_')}`)
          ? -1
          : 1,
      )
      .slice(0, 3);
    expect(onMedium.toSorted()).toEqual(['Member-001', ...expected].toSorted());
    // The second motion is of high risk: no sample is taken there.
    expect(
      asked.filter(({ assigned }) => assigned.some(({ motionId }) => motionId === 'm-2')),
    ).toHaveLength(18);
  });

  it('ask all of those who have not spoken when the sample is larger than they are', () => {
    expect(shape(packetsOf(5, [2], [], { size: 9, hash: sha256 }))).toEqual(
      shape(packetsOf(5, [2])),
    );
  });
});
