import { createPassingSteps } from '../../../src/core/ports/steps.ts';
import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { PanelSeating } from '../../../src/vote/panels.ts';
import type { Clock, Runner, Turn } from '../../../src/core/ports/runner.ts';
import { PanelRecord } from '../../../src/vote/records.ts';
import { holdPanels } from '../../../src/vote/asking/hold-panels.ts';
import { aggregationOf } from '../sample-session.ts';
import {
  askingOf,
  hastyClock,
  memberOf,
  motionOf,
  scriptMembers,
  votingOf,
  type Said,
  type ScriptedMembers,
} from './scripted-members.ts';

const fence = '0123456789abcdef0123456789abcdef';
const names = 'S1 S2 S3 C1 C2 C3 N1 N2 N3'.split(' ');

function seatingOf(text: string, amendments: readonly string[]): PanelSeating {
  const [supporters, critics, neutrals] = [
    names.slice(0, 3),
    names.slice(3, 6),
    names.slice(6),
  ].map(side => side.map(memberOf));
  return {
    panelId: 'p-1',
    runId: 'run-1',
    because: {},
    counts: aggregationOf({ amendment_texts: [...amendments] }),
    supporters: supporters ?? [],
    critics: critics ?? [],
    neutrals: neutrals ?? [],
    subject: {
      motion: motionOf('m-1', { text }),
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
  readonly amendments?: readonly string[];
  /** Who thinks until the limit of the panel is reached; calls are then made one by one. */
  readonly endsAt?: string;
}

async function hold({
  say,
  text = 'The members shall act.',
  known = new Map(),
  amendments = ['Strike clause two.'],
  endsAt,
}: Holding): Promise<{ readonly record: PanelRecord; readonly members: ScriptedMembers }> {
  const members = scriptMembers(say, 1);
  const limit = limitedClock();
  const runner: Runner = {
    ...members.runner,
    async ask(turn, signal) {
      if (turn.seat.id !== endsAt) return members.runner.ask(turn, signal);
      limit.reach();
      await once(signal, 'abort');
      signal.throwIfAborted();
      throw new Error('The limit does not end the call.');
    },
  };
  const asking = askingOf({
    runner,
    steps: createPassingSteps(known),
    ...(endsAt === undefined
      ? {}
      : { clock: limit.clock, endpoints: [{ key: 'scripted', limit: 1, weight: 1 }] }),
  });
  const [record] = await holdPanels([seatingOf(text, amendments)], votingOf(asking, { fence }));
  if (record === undefined) throw new Error('No panel was held.');
  return { record, members };
}

/** A hasty clock at which the limit of a panel is reached when somebody says so. */
function limitedClock(): { readonly clock: Clock; reach(): void } {
  const hasty = hastyClock();
  const reached = new EventEmitter();
  return {
    clock: {
      ...hasty,
      async sleep(ms, signal) {
        if (ms !== 45 * 60_000) return hasty.sleep(ms, signal);
        await once(reached, 'limit', signal === undefined ? {} : { signal });
      },
    },
    reach: () => void setImmediate(() => reached.emit('limit')),
  };
}

const plain = (turn: Turn): Said =>
  turn.seat.id === 'facilitator' ? report() : `${turn.seat.id} argues.`;

/** Repeats the mark of the material that it was shown. */
const repeating = (turn: Turn): Said =>
  turn.seat.id === 'facilitator'
    ? report()
    : (/\[end of material [0-9a-f]{32}\]/.exec(turn.prompt)?.[0] ?? 'No mark.');

describe('a panel', () => {
  test('comes to its end whatever marks of other prompts its members repeat', async () => {
    const { record, members } = await hold({ say: repeating });
    expect(record.status).toBe('concluded');
    const marks = members.asked.map(({ prompt }) =>
      [...prompt.matchAll(/\[material ([0-9a-f]{32}):/g)].map(([, mark]) => mark),
    );
    expect(new Set(marks.map(([first]) => first)).size).toBe(members.asked.length);
    expect(marks.flat()).not.toContain(fence);
  });

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

  test('keeps what every member argued and voted, and the synthesis of the facilitator', async () => {
    const { record } = await hold({
      say: turn =>
        turn.seat.id === 'facilitator'
          ? report({
              revised_motion_text: 'The members shall act soon.',
              revision_summary: 'A date.',
              key_points_discussed: ['What it costs.'],
              consensus_areas: ['That it is late.'],
              unresolved_concerns: ['Who pays.'],
            })
          : `${turn.seat.id} argues\nat length.${turn.seat.id === 'n2' ? '' : '\nVOTE: amend'}`,
    });
    expect(record.arguments).toEqual(
      names.map((name, index) => ({
        archon_name: name,
        side: (['supporter', 'critic', 'neutral'] as const)[Math.floor(index / 3)],
        argument: `${name.toLowerCase()} argues\nat length.`,
        vote: name === 'N2' ? null : 'amend',
      })),
    );
    expect(record.synthesis).toEqual({
      recommendation: 'fail',
      rationale: 'Costs.',
      revised_motion_text: 'The members shall act soon.',
      revision_summary: 'A date.',
      key_points_discussed: ['What it costs.'],
      consensus_areas: ['That it is late.'],
      unresolved_concerns: ['Who pays.'],
      dissenting_opinions: [{ archon_name: 'S1', opinion: 'It is  worth\nevery penny.' }],
    });
    expect(record.revised_motion_text).toBe('The members shall act soon.');
    expect(PanelRecord.parse(record)).toEqual(record);
  });

  test('takes the vote of a member from itself, and from the facilitator only where it argued and cast none', async () => {
    const { record } = await hold({
      say: turn => {
        if (turn.seat.id === 'facilitator') return report();
        if (turn.seat.id === 'n1') return { fails: 'exit' };
        return `${turn.seat.id} argues.${turn.seat.id === 'n3' ? '' : '\nVOTE: defer'}`;
      },
    });
    // The facilitator reports a vote of everybody: N1 said nothing, and Nobody and Else do not sit.
    expect([record.reported_votes, record.vote_breakdown]).toEqual([
      { N3: 'pass' },
      { pass: 1, fail: 0, amend: 0, defer: 7 },
    ]);
    expect(record.arguments.at(-3)).toMatchObject({
      archon_name: 'N1',
      argument: null,
      vote: null,
    });
  });

  test('whose facilitator never reports fails: the votes and the dissent of its members stand, and nothing is made up', async () => {
    const { record, members } = await hold({
      say: turn =>
        turn.seat.id === 'facilitator'
          ? 'They could not agree.'
          : `${turn.seat.id} is  sure.\nVOTE: ${turn.seat.id === 's2' ? 'amend' : turn.seat.id.startsWith('s') ? 'pass' : 'fail'}`,
    });
    expect(record).toMatchObject({
      status: 'failed',
      recommendation: null,
      votes_agree: null,
      synthesis: null,
      revised_motion_text: null,
      revision_rationale: null,
      error: 'The facilitator did not report: The answer holds no recommendation.',
      vote_breakdown: { pass: 2, fail: 6, amend: 1, defer: 0 },
      reported_votes: {},
      dissenting_opinions: [
        { archon_name: 'S1', opinion: 's1 is  sure.' },
        { archon_name: 'S2', opinion: 's2 is  sure.' },
        { archon_name: 'S3', opinion: 's3 is  sure.' },
      ],
    });
    expect(record.arguments.map(({ vote }) => vote)).toEqual([
      'pass',
      'amend',
      'pass',
      ...Array<string>(6).fill('fail'),
    ]);
    expect(members.asked.filter(({ member }) => member === 'facilitator')).toHaveLength(3);
  });

  test('that is tied and has no report knows no majority to dissent from', async () => {
    const { record } = await hold({
      say: turn =>
        turn.seat.id === 'facilitator'
          ? { fails: 'exit' }
          : `So it is.\nVOTE: ${{ n: 'defer', s: 'pass', c: 'fail' }[turn.seat.id.charAt(0)]}`,
    });
    expect(record).toMatchObject({
      error: 'The facilitator did not report: It fails: exit.',
      vote_breakdown: { pass: 3, fail: 3, amend: 0, defer: 3 },
      dissenting_opinions: [],
    });
  });

  test.each([
    ['c1', { pass: 3, fail: 0, amend: 0, defer: 0 }, 3],
    ['n2', { pass: 7, fail: 0, amend: 0, defer: 0 }, 7],
    ['facilitator', { pass: 9, fail: 0, amend: 0, defer: 0 }, 9],
  ])(
    'that reaches its limit while %s thinks keeps what was said until then',
    async (last, vote_breakdown, spoken) => {
      const { record } = await hold({
        say: turn => `${turn.seat.id} argues.\nVOTE: pass`,
        endsAt: last,
      });
      expect(record).toMatchObject({
        status: 'failed',
        recommendation: null,
        synthesis: null,
        error: 'The limit of 45 minutes is reached.',
        vote_breakdown,
      });
      expect(record.arguments.map(({ argument }) => argument)).toEqual(
        names.map((name, index) => (index < spoken ? `${name.toLowerCase()} argues.` : null)),
      );
    },
  );

  test('fails when neither side argues; one that lacks a voice says so', async () => {
    const silent = await hold({ say: () => ({ fails: 'exit' }) });
    expect(silent.record).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('S1 did not argue: It fails: exit.') as string,
      dissenting_opinions: [],
    });
    expect(silent.record.arguments).toHaveLength(9);
    const short = await hold({
      say: turn => (turn.seat.id === 's2' ? { fails: 'exit' } : plain(turn)),
    });
    expect(short.record).toMatchObject({
      status: 'concluded',
      error: 'S2 did not argue: It fails: exit.',
    });
  });

  test('whose table is another asks anew: a report about others is not taken for its own', async () => {
    const known = new Map<string, unknown>();
    await hold({ say: plain, known });
    const { members } = await hold({ say: plain, known, amendments: ['Strike clause three.'] });
    expect(members.asked).toHaveLength(10);
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
