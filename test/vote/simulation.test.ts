import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPackets, triage } from '../../src/vote/triage.ts';
import { printReviews, simulateReviews } from '../../src/vote/artifacts.ts';
import { conflictOf, firstNames, sessionOf, thresholds } from './sample-session.ts';
import { inOrder, toResponse } from '../../src/vote/aggregation.ts';

const idOf = (member: string, motion: string) => `${member} on ${motion}`;

const size = 12;
const AnyMotions = fc.array(
  fc.record({ supporters: fc.nat(size), objecting: fc.subarray(firstNames(size)) }),
  { maxLength: 8 },
);

describe('answers of a simulation', () => {
  it('come in the stored order, one for each assignment, the same whenever they are gone through, and are printed so', () =>
    fc.assert(
      fc.property(AnyMotions, motions => {
        const session = sessionOf(
          size,
          motions.map(({ supporters }) => ({ supporters: firstNames(supporters) })),
        );
        const conflicts = new Map(
          session.motions.map(({ id }, index) => [
            id,
            (motions[index]?.objecting ?? []).map(name => conflictOf(name, id)),
          ]),
        );
        const triaged = triage(session, conflicts, thresholds);
        const packets = buildPackets(session, triaged, null);
        const responses = simulateReviews(packets, triaged, 'now');
        const rows = [...responses];
        expect(rows).toHaveLength(packets.reduce((sum, { assigned }) => sum + assigned.length, 0));
        expect(rows).toEqual(inOrder(rows, session));
        expect([...responses]).toEqual(rows);
        const stamp = { pass: 1, rule_set: 'seed@1', simulated: true };
        const stored = rows.map(row => ({
          response_id: idOf(row.archon_id, row.mega_motion_id),
          ...toResponse(row, '', 0),
          ...stamp,
        }));
        for (const compact of [true, false])
          expect([...printReviews(responses, { idOf, stamp, compact })].join('')).toBe(
            `${JSON.stringify(stored, null, compact ? 0 : 2)}\n`,
          );
      }),
    ));
});
