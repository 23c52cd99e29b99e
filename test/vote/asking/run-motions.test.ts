import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { artifactsOf } from '../../../src/vote/artifacts.ts';
import { findBreak } from '../../../src/vote/recorded-inputs.ts';
import type { Motion, Session } from '../../../src/vote/triage.ts';
import type { MotionsRun } from '../../../src/vote/motions-run.ts';
import type { PanelSeating } from '../../../src/vote/panels.ts';
import type { PanelRecord } from '../../../src/vote/records.ts';
import type { Stance } from '../../../src/core/words/claim.ts';
import type { Deliberators } from '../../../src/vote/asking/run-motions.ts';
import {
  filing,
  firstNames,
  holdVote,
  panelOf,
  responseOf,
  sessionOf,
  shippedRules,
  votersOf,
} from '../sample-session.ts';

interface Script {
  readonly motions: readonly Partial<Motion>[];
  readonly size?: number;
  readonly rules?: string;
  readonly sample?: number;
  readonly say?: (member: number, motion: string) => Stance | null;
  readonly panel?: (seating: PanelSeating) => Partial<PanelRecord>;
  readonly abortWhen?: 'reviews' | 'panels';
}

const notes: string[] = [];

async function hold({
  motions,
  size = 8,
  rules = 'guarded',
  sample,
  say = () => 'ENDORSE',
  panel = () => ({}),
  abortWhen,
}: Script) {
  const session: Session = sessionOf(size, motions);
  const controller = new AbortController();
  const deliberators: Deliberators = {
    run: 'run-1',
    collectReviews: ({ packets }) => {
      if (abortWhen === 'reviews') controller.abort();
      // Last member first: the order of finishing must not matter.
      return Promise.resolve(
        packets.toReversed().flatMap(({ member, assigned }) =>
          assigned.map(({ motionId }) => {
            const stance = say(Number(member.name.slice(-3)), motionId);
            return responseOf(
              member,
              motionId,
              stance,
              stance === 'AMEND' ? { amendment_text: `by ${member.name}` } : {},
            );
          }),
        ),
      );
    },
    holdSecondPass: null,
    holdPanels: panels => {
      if (abortWhen === 'panels') controller.abort();
      return Promise.resolve(panels.toReversed().map(seating => panelOf(seating, panel(seating))));
    },
  };
  notes.length = 0;
  return holdVote(
    session,
    deliberators,
    { rules: shippedRules(rules), sample: sample ?? null },
    {
      clock: systemClock,
      signal: controller.signal,
      note: message => void notes.push(message),
      keepResults: () => Promise.resolve({ 'triage_results.json': '' }),
    },
  );
}

const decided = async (script: Script) => (await hold(script)) ?? expect.fail('interrupted');
const eventsOf = (run: MotionsRun) => run.audit.events.map(({ event_type }) => event_type);

describe('a vote', () => {
  it('records its phases in order, bound to one another, with the members whose answers it used', async () => {
    const run = await decided({
      motions: [{ supporters: firstNames(3) }],
      say: member => (member === 8 ? null : member > 5 ? 'AMEND' : 'ENDORSE'),
    });
    expect(eventsOf(run)).toEqual(
      'pipeline_started triage_completed packets_generated reviews_aggregated panels_concluded ratification_completed amendment_synthesis_completed final_ratification_completed pipeline_completed'.split(
        ' ',
      ),
    );
    expect(findBreak(run.audit.events, run.audit.head)).toBeNull();
    const attributed = (type: string) =>
      run.audit.events
        .find(({ event_type }) => event_type === type)
        ?.attributed_to.map(name => name.slice(-1));
    expect(attributed('reviews_aggregated')).toEqual(['4', '5', '6', '7']);
    expect(attributed('amendment_synthesis_completed')).toEqual(['6', '7']);
    expect(attributed('triage_completed')).toEqual([]);
  });

  it('keeps one final row for each motion and every pass in the history', async () => {
    const run = await decided({
      motions: [{ supporters: firstNames(3) }, {}],
      say: (member, motion) => (motion === 'm-1' && member > 5 ? 'AMEND' : 'ENDORSE'),
    });
    expect(run.results.map(({ mega_motion_id, outcome }) => [mega_motion_id, outcome])).toEqual([
      ['m-1', 'ratified'],
      ['m-2', 'ratified'],
    ]);
    expect(run.history.map(({ mega_motion_id, outcome }) => [mega_motion_id, outcome])).toEqual([
      ['m-1', 'accepted_with_amendments'],
      ['m-2', 'ratified'],
      ['m-1', 'ratified'],
    ]);
    const [first, , second] = run.history;
    expect(second).toMatchObject({
      revision_of: first?.vote_id,
      yeas: 8,
      amends: 0,
      revised_motion_text: expect.stringContaining('- by Member-006'),
    });
    // Nobody was asked about the amended text: nobody is said to have endorsed it.
    expect([votersOf(first, 'amend'), second?.votes_by_archon]).toEqual([
      ['Member-006', 'Member-007', 'Member-008'],
      first?.votes_by_archon,
    ]);
    expect(second).toMatchObject({
      second_pass: 'assumed',
      first_pass: { yeas: 5, nays: 0, amends: 3, abstentions: 0 },
      revised_by: 'merge',
    });
    expect(new Set(run.history.map(({ vote_id }) => vote_id)).size).toBe(3);
  });

  it('can be recomputed from its votes, and never counts a failure as a vote', async () => {
    const run = await decided({
      motions: [{ supporters: firstNames(2) }],
      say: member => (member === 3 ? null : member === 4 ? 'ABSTAIN' : 'ENDORSE'),
    });
    const [row] = run.results;
    expect([row?.yeas, row?.nays, row?.amends, row?.abstentions]).toEqual(
      ['yea', 'nay', 'amend', 'abstain'].map(vote => votersOf(row, vote).length),
    );
    expect([row?.total_votes, row?.participation_rate, run.aggregations[0]?.no_response]).toEqual([
      7,
      7 / 8,
      1,
    ]);
  });

  it('hears a panel only on contested motions; it advises, and a contrary vote is recorded', async () => {
    const run = await decided({
      motions: [{ supporters: firstNames(2) }, {}],
      say: (member, motion) => (motion === 'm-1' && member > 5 ? 'OPPOSE' : 'ENDORSE'),
      panel: () => ({ recommendation: 'fail' }),
    });
    expect(
      run.panels.map(({ mega_motion_id, supporters, critics, neutrals }) => [
        mega_motion_id,
        supporters.length,
        critics.length,
        neutrals.length,
      ]),
    ).toEqual([['m-1', 3, 3, 0]]);
    expect(
      run.results.map(({ outcome, panel_recommendation }) => [outcome, panel_recommendation]),
    ).toEqual([
      ['ratified', 'fail'],
      ['ratified', null],
    ]);
    expect(
      run.audit.events.find(({ event_type }) => event_type === 'panel_vote_mismatch')?.details,
    ).toEqual({ mega_motion_id: 'm-1', recommendation: 'fail', outcome: 'ratified' });
  });

  it('names who spoke on a panel that failed', async () => {
    const run = await decided({
      motions: [{}],
      size: 10,
      say: member =>
        member === 10 ? null : member > 5 ? 'ABSTAIN' : member > 1 ? 'OPPOSE' : 'ENDORSE',
      panel: ({ critics }) => ({
        status: 'failed',
        recommendation: null,
        arguments: critics.map(({ name }, index) => ({
          archon_name: name,
          side: 'critic',
          argument: index === 0 ? 'It is late.' : null,
          vote: index === 1 ? 'fail' : null,
        })),
      }),
    });
    expect(
      run.audit.events.find(({ event_type }) => event_type === 'panels_concluded'),
    ).toMatchObject({
      attributed_to: ['Member-002', 'Member-003'],
      details: { panels_convened: 1, panels_skipped: 0 },
    });
  });

  it.each(['reviews', 'panels'] as const)(
    'decides nothing when it is interrupted during the %s',
    async abortWhen =>
      expect(
        await hold({
          motions: [{}],
          say: member => (member === 1 ? 'ENDORSE' : 'OPPOSE'),
          abortWhen,
        }),
      ).toBeNull(),
  );

  it('leaves files that read as if each had been printed at once, compact or not', async () => {
    const run = await decided({
      motions: [{ supporters: firstNames(2), text: 'line\nbreak' }],
      say: member => (member > 5 ? 'OPPOSE' : 'AMEND'),
    });
    for (const compact of [true, false]) {
      for (const { name, pieces } of artifactsOf(run, { ...filing, compact })) {
        if (name.endsWith('.md')) continue;
        const text = [...pieces()].join('');
        expect([...pieces()].join(''), name).toBe(text);
        expect(text, name).toBe(`${JSON.stringify(JSON.parse(text), null, compact ? 0 : 2)}\n`);
        const rows = [JSON.parse(text) as object].flat() as {
          rule_set?: string;
          simulated?: boolean;
        }[];
        for (const row of rows)
          expect(row, name).toMatchObject({ rule_set: 'guarded@1', simulated: false });
      }
    }
  });
});
