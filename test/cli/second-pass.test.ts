/** The second pass through the built program, against a scripted model server: who is asked, and what every place says of it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runsOf } from '../state-of.ts';
import { type MemberRequest, startMemberServer, type MemberServer } from './member-server.ts';
import { createSession, readResult, type SessionSample } from './motions-session.ts';
import { juryBeside } from './jury.ts';

const members = Array.from({ length: 24 }, (_, index) => `Member-${index}`);
const text = 'The council shall meet in public. It shall keep minutes.';
const amended = 'The council shall meet in public. It shall keep minutes, and publish them.';

/** On m-0: 5 support it, 6 abstain, 6 oppose, 7 amend. On m-1 one of the six abstains instead: too few for a panel. */
function firstStance(member: number, id: string) {
  if (member <= 10 || (member === 11 && id === 'm-1')) return 'abstain';
  return member <= 16 ? 'oppose' : 'amend';
}

/** Of the amended text of m-0 everybody still says no; of that of m-1, amenders yes. */
function secondStance(member: number, id: string) {
  return id === 'm-1' && member > 16 ? 'endorse' : 'oppose';
}

function answer({ member, prompt }: MemberRequest) {
  if (member === 'facilitator')
    return JSON.stringify({
      recommendation: 'amend',
      recommendation_rationale: 'Both have a point.',
      votes: {},
      revised_motion_text: prompt.includes('# Arguments') ? `${amended} Always.` : amended,
      dissenting_opinions: [],
    });
  const ids = [...prompt.matchAll(/^motion_id: "(m-\d)"$/gm)].map(([, id]) => id ?? '');
  if (ids.length === 0) return 'Weighed.\nVOTE: amend';
  const stanceOf = prompt.includes('This is the second pass') ? secondStance : firstStance;
  return JSON.stringify(
    ids.map(id => ({
      motion_id: id,
      stance: stanceOf(Number(member.slice('Member-'.length)), id),
      reasoning: 'Weighed.',
      opposition_concerns: ['Minutes that nobody reads are no gain for anybody in the city.'],
      amendment_text: 'Publish the minutes.',
    })),
  );
}

interface Held {
  readonly sample: SessionSample;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: string;
}

let server: MemberServer;
beforeAll(async () => {
  server = await startMemberServer({ answer });
});

async function hold(...flags: readonly string[]) {
  const sample = createSession({
    members,
    motions: 2,
    settings: { endpoints: [{ baseUrl: server.url, model: 'scripted' }] },
  });
  writeFileSync(
    path.join(sample.folder, 'session', 'mega-motions.json'),
    JSON.stringify(
      ['m-0', 'm-1'].map(id => ({
        mega_motion_id: id,
        title: `Motion ${id}`,
        consolidated_text: text,
        all_supporting_archons: members.slice(0, 5),
      })),
    ),
  );
  const args = ['motions', 'session', '--real-agent', '--concurrency', '12', ...flags];
  const { code, stdout, stderr } = await juryBeside(sample.folder, args);
  const [run = ''] = readdirSync(runsOf(sample.folder));
  const report = readFileSync(path.join(runsOf(sample.folder), run, 'report.md'), 'utf8');
  return { sample, code, stdout, stderr, report };
}

const rowsOf = ({ sample }: Held, name: string) =>
  readResult(sample.results, name) as readonly Record<string, unknown>[];

const first = { yeas: 5, nays: 6, amends: 7, abstentions: 6, outcome: 'accepted_with_amendments' };

describe('a second pass that is asked', () => {
  let held: Held;
  beforeAll(async () => {
    held = await hold();
  }, 60_000);

  test('decides by what is said of the amended text, and keeps the first figures beside it', () => {
    expect(held.code).toBe(0);
    expect(rowsOf(held, 'ratification_results.json')).toMatchObject([
      {
        outcome: 'rejected',
        yeas: 5,
        nays: 13,
        amends: 0,
        second_pass: 'asked',
        first_pass: first,
        revised_by: 'panel',
        revised_motion_text: `${amended} Always.`,
      },
      {
        outcome: 'ratified',
        yeas: 12,
        nays: 5,
        amends: 0,
        second_pass: 'asked',
        first_pass: { ...first, nays: 5, abstentions: 7 },
        revised_by: 'facilitator',
        revised_motion_text: amended,
      },
    ]);
    expect(held.stdout).toContain(
      'Yeas: 5 | Nays: 13 | Amends: 0 | Abstain: 6 · simple_majority 5/10 NOT MET, second pass asked\n   first pass: Yeas 5 | Nays 6 | Amends 7 | Abstain 6\n',
    );
    expect(held.stdout).toContain(
      '1 ratified, 1 rejected, 0 deferred; 2 of them in a second pass as amended, asked: 25 of 25 answered',
    );
    // What other rules would have come to is assumed, and says so; nothing of this vote is.
    const told = `${held.stdout}\n${held.report}`.replaceAll(/^.*By other rules.*$/gm, '');
    expect(told).not.toContain('assumed');
  });

  test('shows what was changed, and has a row for each answer', () => {
    expect(held.report).toContain(
      [
        'Motion 2, as a facilitator merged the amendments:',
        '',
        '> ```',
        '>   The council shall meet in public.',
        '> - It shall keep minutes.',
        '> + It shall keep minutes, and publish them.',
        '> ```',
      ].join('\n'),
    );
    expect(held.report).toContain('| 5 yea, 6 nay, 7 amend, 6 abstain; second pass asked |');
    const passes = rowsOf(held, 'review_responses.json').map(({ pass }) => pass);
    expect([
      passes.filter(pass => pass === 1).length,
      passes.filter(pass => pass === 2).length,
    ]).toEqual([38, 25]);
    expect(held.stderr).toContain('Plan of the second pass: ');
  });
});

describe('a second pass that is assumed', () => {
  let held: Held;
  beforeAll(async () => {
    held = await hold('--second-pass', 'assume');
  }, 60_000);

  test('has the arithmetic of the page, and every place says that nobody was asked', async () => {
    const rows = rowsOf(held, 'ratification_results.json');
    expect(rows).toMatchObject([
      { outcome: 'ratified', yeas: 12, nays: 6, second_pass: 'assumed', first_pass: first },
      { outcome: 'ratified', yeas: 12, nays: 5, second_pass: 'assumed' },
    ]);
    const voted = Object.values(rows[0]?.votes_by_archon as Record<string, string>);
    expect([
      voted.filter(vote => vote === 'yea').length,
      voted.filter(vote => vote === 'amend').length,
    ]).toEqual([5, 7]);
    expect(held.stdout).toContain(
      'simple_majority 12/10 MET, second pass assumed, not asked\n   first pass: Yeas 5 | Nays 6 | Amends 7 | Abstain 6\n',
    );
    expect(held.report).toContain(
      '| 5 yea, 6 nay, 7 amend, 6 abstain; second pass assumed, not asked |',
    );
    const { details } = rowsOf(held, 'audit_trail.json').find(
      ({ event_type }) => event_type === 'final_ratification_completed',
    ) as { details: unknown };
    expect(details).toMatchObject({ second_pass: 'assumed, not asked' });
    expect(held.stderr).not.toContain('second pass');
    const json = await juryBeside(held.sample.folder, [
      'motions',
      'session',
      '--real-agent',
      '--second-pass',
      'assume',
      '--json',
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ratification: {
        second_pass: { motions: 2, how: 'assumed, not asked', questions: 0, answered: 0 },
        votes: [{ second_pass: 'assumed', first_pass: first }, { second_pass: 'assumed' }],
      },
    });
  }, 60_000);
});
