import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/adapters/system/ids.ts';
import type { Aggregation, PanelSeating } from '../../../src/core/vote/aggregation.ts';
import { defaultLimits } from '../../../src/core/vote/motions-settings.ts';
import type { PanelRecord } from '../../../src/core/vote/records.ts';
import { renderIdentity } from '../../../src/core/vote/prompts/motions.ts';
import type { Turn } from '../../../src/core/ports/runner.ts';
import { holdPanels } from '../../../src/engine/vote/hold-panels.ts';
import {
  askingOf,
  memberOf,
  memorySteps,
  motionOf,
  scriptMembers,
  seatOf,
  type Said,
  type ScriptedMembers,
} from './scripted-members.ts';

const fence = '0123456789abcdef0123456789abcdef';
const names = ['S1', 'S2', 'S3', 'C1', 'C2', 'C3', 'N1', 'N2', 'N3'];

const aggregation: Aggregation = {
  mega_motion_id: 'm-1',
  mega_motion_title: 'Title of m-1',
  implicit_endorsements: 3,
  explicit_endorsements: 0,
  total_endorsements: 3,
  oppositions: 3,
  amendments_proposed: 1,
  abstentions: 0,
  no_response: 0,
  engaged_count: 7,
  endorsement_ratio: 0.43,
  opposition_ratio: 0.43,
  consensus_reached: false,
  contested: true,
  needs_amendment_synthesis: false,
  status: 'contested',
  amendment_texts: ['Strike clause two.'],
  opposition_reasons: [],
  endorsing_archons: [],
  opposing_archons: [],
  aggregated_at: '',
  not_assigned: 0,
  risk_tier: 'high',
};

function seatingOf(text: string): PanelSeating {
  const [supporters, critics, neutrals] = [
    names.slice(0, 3),
    names.slice(3, 6),
    names.slice(6),
  ].map(side => side.map(memberOf));
  return {
    panelId: 'p-1',
    aggregation,
    supporters: supporters ?? [],
    critics: critics ?? [],
    neutrals: neutrals ?? [],
    subject: {
      motion: motionOf('m-1', { text }),
      contributing: [],
      gap: [],
      support: 0,
      conflicts: [],
      riskTier: 'high',
    },
  };
}

const report = (more: object = {}): string =>
  JSON.stringify({
    recommendation: 'fail',
    recommendation_rationale: 'Costs.',
    votes: {
      S1: 'pass',
      S2: 'pass',
      S3: 'amend',
      C1: 'fail',
      C2: 'fail',
      C3: 'fail',
      N1: 'fail',
      N2: 'defer',
      N3: 'pass',
      Nobody: 'pass',
      Else: 'pass',
    },
    revised_motion_text: null,
    revision_summary: null,
    key_points_discussed: [],
    consensus_areas: [],
    unresolved_concerns: [],
    dissenting_opinions: [{ archon_name: 'S1', opinion: 'It is  worth\nevery penny.' }],
    ...more,
  });

interface Holding {
  readonly say: (turn: Turn) => Said;
  readonly text?: string;
  readonly known?: Map<string, unknown>;
}

async function hold({
  say,
  text = 'The members shall act.',
  known = new Map(),
}: Holding): Promise<{ readonly record: PanelRecord; readonly members: ScriptedMembers }> {
  const members = scriptMembers(say, 1);
  const asking = askingOf({ runner: members.runner, steps: memorySteps(known) });
  const [record] = await holdPanels(
    {
      panels: [seatingOf(text)],
      session: { id: 's', name: 's', motions: [], roster: [] },
      signal: asking.signal,
      note: () => {},
    },
    {
      asking,
      fence,
      hash: sha256,
      textLimits: defaultLimits,
      panelConcurrency: 2,
      identify: renderIdentity,
      seatFor: member => ({ seat: seatOf(member.id), endpoint: null }),
      facilitatorFor: () => ({ seat: seatOf('facilitator'), endpoint: null }),
    },
  );
  if (record === undefined) throw new Error('No panel was held.');
  return { record, members };
}

const plain = (turn: Turn): Said =>
  turn.seat.id === 'facilitator' ? report() : `${turn.seat.id} argues.`;

describe('a panel', () => {
  test('counts the votes of its members by code and keeps dissent word for word', async () => {
    const { record } = await hold({ say: plain });
    expect(record).toMatchObject({
      panel_id: 'p-1',
      supporters: ['S1', 'S2', 'S3'],
      critics: ['C1', 'C2', 'C3'],
      neutrals: ['N1', 'N2', 'N3'],
      panel_size: 9,
      time_limit_minutes: 45,
      recommendation: 'fail',
      vote_breakdown: { pass: 3, fail: 4, amend: 1, defer: 1 },
      votes_agree: true,
      status: 'concluded',
      error: null,
      revision_rationale: 'Costs.',
    });
    expect(record.dissenting_opinions).toEqual([
      { archon_name: 'S1', opinion: 'It is  worth\nevery penny.' },
    ]);
  });

  test('hears the supporters at once, then the critics who read them, then those in the middle, then the facilitator', async () => {
    const { members } = await hold({
      say: turn =>
        turn.seat.id === 'facilitator'
          ? report()
          : `${turn.seat.id} argues ${'at length '.repeat(80)}`,
    });
    const heard = (member: string): string =>
      members.asked.find(asked => asked.member === member)?.prompt ?? '';
    expect(members.asked.map(({ member }) => member.charAt(0)).join('')).toBe('ssscccnnnf');
    expect([
      heard('s2').includes('s1 argues'),
      heard('c1').includes('s1 argues'),
      heard('c1').includes('c2 argues'),
      heard('n1').includes('c2 argues'),
      heard('facilitator').includes('n1 argues'),
      heard('facilitator').includes('Strike clause two.'),
    ]).toEqual([false, true, false, true, true, true]);
    expect([
      heard('c1').includes('only the first 500 characters'),
      heard('facilitator').includes('only the first 400 characters'),
    ]).toEqual([true, true]);
  });

  test('shows each side no vote but its own: votes are cast before anybody reads one', async () => {
    const { record, members } = await hold({
      say: turn =>
        turn.seat.id === 'facilitator'
          ? report({ recommendation: 'pass' })
          : `${turn.seat.id} argues.\nVOTE: ${turn.seat.id.startsWith('c') ? 'fail' : 'pass'}`,
    });
    const others = members.asked
      .filter(({ member }) => member !== 'facilitator')
      .map(({ prompt }) => prompt.slice(0, prompt.indexOf('# Instructions')));
    expect(others.some(prompt => /vote/i.test(prompt))).toBe(false);
    expect(record).toMatchObject({
      vote_breakdown: { pass: 6, fail: 3, amend: 0, defer: 0 },
      votes_agree: true,
    });
    expect(
      record.dissenting_opinions.map(({ archon_name, opinion }) => [archon_name, opinion]).slice(1),
    ).toEqual([
      ['C1', 'c1 argues.'],
      ['C2', 'c2 argues.'],
      ['C3', 'c3 argues.'],
    ]);
  });

  test.each([
    ['support it', 'defer', false],
    ['PASS', 'pass', false],
    ['fail', 'fail', true],
  ])('a recommendation "%s" counts as %s', async (word, recommendation, agree) => {
    const { record } = await hold({
      say: turn =>
        turn.seat.id === 'facilitator' ? report({ recommendation: word }) : 'So it is.',
    });
    expect([record.recommendation, record.votes_agree]).toEqual([recommendation, agree]);
  });

  test('fails when its facilitator never reports, and nothing is made up in its place', async () => {
    const { record, members } = await hold({
      say: turn => (turn.seat.id === 'facilitator' ? 'They could not agree.' : 'So it is.'),
    });
    expect(record).toMatchObject({
      status: 'failed',
      recommendation: null,
      votes_agree: null,
      error: 'The facilitator did not report: The answer holds no recommendation.',
      vote_breakdown: { pass: 0, fail: 0, amend: 0, defer: 0 },
    });
    expect(members.asked.filter(({ member }) => member === 'facilitator')).toHaveLength(3);
  });

  test('fails when neither side argues; one that lacks a voice says so', async () => {
    const silent = await hold({ say: () => ({ fails: 'exit' }) });
    expect(silent.record).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('S1 did not argue: It fails: exit.') as string,
    });
    const short = await hold({
      say: turn => (turn.seat.id === 's2' ? { fails: 'exit' } : plain(turn)),
    });
    expect(short.record).toMatchObject({
      status: 'concluded',
      error: 'S2 did not argue: It fails: exit.',
    });
  });

  test('that was interrupted goes on where it was', async () => {
    const known = new Map<string, unknown>();
    await hold({ say: plain, known });
    for (const key of [...known.keys()].filter(
      key => key.includes('facilitate') || key.includes('/n'),
    ))
      known.delete(key);
    const { record, members } = await hold({ say: plain, known });
    expect(members.asked.map(({ member }) => member)).toEqual(['n1', 'n2', 'n3', 'facilitator']);
    expect(record.recommendation).toBe('fail');
  });
});
