import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregate, inOrder as answersInOrder, toResponse } from '../../src/vote/aggregation.ts';
import { buildPackets, triage } from '../../src/vote/triage.ts';
import type { ReviewResponse } from '../../src/vote/records.ts';
import { Stance } from '../../src/core/words/claim.ts';
import {
  conflictOf,
  firstNames,
  inOrder,
  responseOf,
  sessionOf,
  thresholds,
} from './sample-session.ts';
import { printReviews, simulateReviews } from '../../src/vote/artifacts.ts';

const session = sessionOf(10, [{ supporters: firstNames(4) }, { supporters: [] }]);
const conflicts = new Map([['m-1', [conflictOf('Member-002')]]]);
const triaged = triage(session, conflicts, thresholds);
const packets = buildPackets(session, triaged, null);

function count(responses: readonly ReviewResponse[], given = { consensus: 0.75, contested: 0.25 }) {
  return aggregate({
    session,
    triaged,
    packets,
    responses: inOrder(session, responses),
    isSimulated: false,
    thresholds: given,
    at: 'now',
  }).map(({ counts }) => counts);
}

/** Answers of members 2 and 5 to 10 on the first motion, in this order; null: no response; undefined: nothing came back. */
function answers(...said: readonly (Stance | null | undefined)[]) {
  const asked = packets
    .filter(({ assigned }) => assigned.some(({ motionId }) => motionId === 'm-1'))
    .map(({ member }) => member);
  return asked.flatMap((member, index) => {
    const stance = said[index];
    if (stance === undefined) return [];
    return [
      responseOf(member, 'm-1', stance, {
        amendment_text: stance === 'AMEND' ? `text of ${member.name}` : null,
        opposition_reason: stance === 'OPPOSE' ? `reason of ${member.name}` : null,
      }),
    ];
  });
}

describe('aggregation', () => {
  it('counts implicit, explicit and missing support by the formulas', () => {
    const [row] = count(answers('ENDORSE', 'OPPOSE', 'AMEND', 'ABSTAIN', null));
    expect(row).toEqual({
      mega_motion_id: 'm-1',
      mega_motion_title: 'A motion',
      implicit_endorsements: 3,
      explicit_endorsements: 1,
      total_endorsements: 4,
      oppositions: 1,
      amendments_proposed: 1,
      abstentions: 1,
      // 7 were asked and 4 answered; one said so by failing, two by silence.
      no_response: 3,
      engaged_count: 7,
      endorsement_ratio: 4 / 7,
      opposition_ratio: 1 / 7,
      consensus_reached: false,
      contested: false,
      needs_amendment_synthesis: false,
      status: 'under_review',
      amendment_texts: ['text of Member-006'],
      opposition_reasons: ['reason of Member-005'],
      endorsing_archons: ['Member-001', 'Member-003', 'Member-004', 'Member-002'],
      opposing_archons: ['Member-005'],
      aggregated_at: 'now',
      not_assigned: 0,
      risk_tier: 'medium',
      constitutional: null,
    });
  });

  it('never counts a failed review as an abstention, and engages nobody by it', () => {
    const rows = count(
      packets.flatMap(({ member, assigned }) =>
        assigned.map(({ motionId }) => responseOf(member, motionId, null)),
      ),
    );
    expect(rows[1]).toMatchObject({
      abstentions: 0,
      no_response: 10,
      engaged_count: 0,
      endorsement_ratio: 0,
      opposition_ratio: 0,
      consensus_reached: false,
      contested: false,
    });
  });

  it.each([
    [['ENDORSE', 'ENDORSE', 'ENDORSE', 'OPPOSE', 'OPPOSE'], 'contested'],
    [['ENDORSE', 'ENDORSE', 'ENDORSE', 'ABSTAIN', 'ABSTAIN'], 'ratification_ready'],
    [['ENDORSE', 'ENDORSE', 'ABSTAIN', 'ABSTAIN', 'ABSTAIN'], 'under_review'],
    [['AMEND', 'AMEND', 'AMEND'], 'under_review'],
  ] as const)('%j leads to %s', (said, status) => {
    const [row] = count(answers(...said));
    expect(row).toMatchObject({ status, needs_amendment_synthesis: said[0] === 'AMEND' });
  });

  it('gives the same rows whatever finished first', () => {
    const all = packets.flatMap(({ member, assigned }) =>
      assigned.map(({ motionId }, index) =>
        responseOf(member, motionId, Stance.options[(member.name.length + index) % 4] ?? 'ABSTAIN'),
      ),
    );
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), shuffled => {
        expect(inOrder(session, shuffled)).toEqual(all);
        expect(count(shuffled)).toEqual(count(all));
      }),
      { numRuns: 30 },
    );
  });

  it('refuses an answer nobody asked for and lets the first of two stand', () => {
    const [first, second] = [
      responseOf(session.roster[4] ?? expect.fail(), 'm-1', 'ENDORSE'),
      responseOf(session.roster[4] ?? expect.fail(), 'm-1', 'OPPOSE'),
    ];
    expect(inOrder(session, [first, second])).toEqual([first]);
    expect(() => inOrder(session, [{ ...first, mega_motion_id: 'unknown' }])).toThrow(
      'nobody asked for',
    );
  });
});

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
        const responses = simulateReviews(packets, 'now');
        const rows = [...responses];
        expect(rows).toHaveLength(packets.reduce((sum, { assigned }) => sum + assigned.length, 0));
        expect(rows).toEqual(answersInOrder(rows, session));
        expect([...responses]).toEqual(rows);
        const stamp = { pass: 1, rule_set: 'seed@1', simulated: true };
        const stored = rows.map(row => ({
          response_id: expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
          ...toResponse(row, '', 0),
          ...stamp,
        }));
        for (const compact of [true, false]) {
          const pieces = printReviews(responses, { session: session.id, stamp, compact });
          const text = [...pieces].join('');
          const printed: { response_id: string }[] = JSON.parse(text);
          expect(text).toBe(`${JSON.stringify(printed, null, compact ? 0 : 2)}\n`);
          expect(printed).toEqual(stored);
          expect(new Set(printed.map(row => row.response_id)).size).toBe(rows.length);
        }
      }),
    ));
});
