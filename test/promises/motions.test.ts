/**
 * A vote on motions: silence decides nothing, words are kept in whatever shape they come, and a changed result does not pass for
 * the one that was written.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ended, jury, juryBeside } from '../cli/jury.ts';
import { startMemberServer, type MemberServer } from '../cli/member-server.ts';
import { runsOf } from '../state-of.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const members = Array.from({ length: 12 }, (_, index) => `Member-${index}`);

/** A session of motions with so many supporters each, and the configuration that seats the members. */
function createVote(supporters: readonly number[], settings: object): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-promise-motions-'));
  folders.push(folder);
  mkdirSync(path.join(folder, 'session'));
  const motions = supporters.map((count, index) => ({
    mega_motion_id: `m-${index}`,
    title: `Motion ${index}`,
    theme: 'Care',
    consolidated_text: `The members shall act with care in matter ${index}.`,
    source_motion_ids: ['s-1'],
    all_supporting_archons: members.slice(0, count),
    unique_archon_count: count,
  }));
  writeFileSync(path.join(folder, 'session/mega-motions.json'), JSON.stringify(motions));
  writeFileSync(path.join(folder, 'session/roster.json'), JSON.stringify(members));
  writeFileSync(path.join(folder, 'jury.config.json'), JSON.stringify({ motions: settings }));
  return folder;
}

/** Members as programs: `script` is given `name` and `ids`, the motions that it is asked about, and prints. */
function createScriptedVote(supporters: readonly number[], script: string): string {
  const folder = createVote(supporters, {
    reviewer: { runner: 'command', command: ['node', './member.mjs'], timeout: 20 },
  });
  writeFileSync(
    path.join(folder, 'member.mjs'),
    `let prompt = '';
process.stdin.setEncoding('utf8').on('data', text => (prompt += text)).on('end', () => {
  const name = /You are (Member-\\d+)/.exec(prompt)?.[1];
  const ids = [...prompt.matchAll(/motion_id: "(m-\\d+)"/g)].map(([, id]) => id);
  // On a panel: the facilitator has no name, and members argue about no list.
  if (name === undefined) return console.log(JSON.stringify({ recommendation: 'defer', recommendation_rationale: 'Both have a point.', votes: {}, dissenting_opinions: [] }));
  if (ids.length === 0) return console.log('Weighed.\\nVOTE: defer');
  const say = (stance, more = {}) => console.log(JSON.stringify(ids.map(motion_id => ({ motion_id, stance, reasoning: 'Weighed.', confidence: 0.8, ...more }))));
  ${script}
});
`,
  );
  return folder;
}

const results = (folder: string): string =>
  path.join(folder, '_bmad-output/review-pipeline/session');
const read = (folder: string, name: string): unknown =>
  JSON.parse(readFileSync(path.join(results(folder), name), 'utf8'));

interface Row {
  readonly mega_motion_id: string;
  readonly outcome: string;
  readonly status: string;
  readonly ratified_at: string | null;
  readonly amendment_texts: readonly string[];
  readonly revised_motion_text: string | null;
}

const rowsOf = (folder: string, name: string): readonly Row[] =>
  read(folder, name) as readonly Row[];

function outcomesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    rowsOf(folder, 'ratification_results.json').map(({ mega_motion_id, outcome }) => [
      mega_motion_id,
      outcome,
    ]),
  );
}

/** The word stands in every place that says how the motion ended. */
function expectIncomplete(folder: string, ids: readonly string[]): void {
  const of = (name: string): readonly Row[] =>
    rowsOf(folder, name).filter(({ mega_motion_id }) => ids.includes(mega_motion_id));
  const { ratification } = read(folder, 'pipeline_result.json') as {
    ratification: {
      votes: readonly Row[];
      ratified: number;
      rejected: number;
      deferred: number;
      incomplete: number;
    };
  };
  const all = ids.map(() => 'incomplete');
  expect(of('ratification_results.json').map(({ outcome }) => outcome)).toEqual(all);
  expect(of('ratification_results.json').map(({ ratified_at }) => ratified_at)).toEqual(
    ids.map(() => null),
  );
  expect(of('ratification_history.json').map(({ outcome }) => outcome)).toEqual(all);
  expect(of('aggregations.json').map(({ status }) => status)).toEqual(all);
  expect(
    ratification.votes
      .filter(({ outcome }) => outcome === 'incomplete')
      .map(({ mega_motion_id }) => mega_motion_id),
  ).toEqual(ids);
  expect(ratification.incomplete).toBe(ids.length);
  expect(ratification.ratified + ratification.rejected + ratification.deferred).toBe(
    ratification.votes.length - ids.length,
  );
}

describe('a server that always answers 500', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer(
      (request, response) =>
        void request
          .resume()
          .on('end', () =>
            response
              .writeHead(500, { 'content-type': 'application/json' })
              .end('{"error":{"message":"broken"}}'),
          ),
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('ratifies nothing but what needs nobody else', { timeout: 120_000 }, async () => {
    const folder = createVote([6, 3, 12], {
      endpoints: [
        {
          baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
          model: 'scripted',
        },
      ],
    });
    const { code, stdout } = await juryBeside(folder, [
      'motions',
      'session',
      '--real-agent',
      '--batch',
      '3',
      '--concurrency',
      '12',
    ]);
    expect(code).toBe(2);
    expectIncomplete(folder, ['m-0', 'm-1']);
    expect(outcomesOf(folder)['m-2']).toBe('ratified');
    expect(stdout).toMatch(/1 ratified, 0 rejected, 0 deferred, 2 incomplete/);
  });
});

describe('a ceiling of calls', () => {
  let server: MemberServer;
  let folder: string;
  let ended: Ended;
  beforeAll(async () => {
    server = await startMemberServer();
    folder = createVote([4, 4], { endpoints: [{ baseUrl: server.url, model: 'scripted' }] });
    ended = await juryBeside(folder, [
      'motions',
      'session',
      '--real-agent',
      '--max-calls',
      '1',
      '--json',
    ]);
  });
  afterAll(() => server.close());

  it('leaves open what the members behind it could turn, in every file and for programs', () => {
    expect(ended.code).toBe(2);
    expectIncomplete(folder, ['m-0', 'm-1']);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      ratification: {
        ratified: 0,
        rejected: 0,
        deferred: 0,
        incomplete: 2,
        votes: [{ outcome: 'incomplete' }, { outcome: 'incomplete' }],
      },
    });
  });

  it('is not forgotten by those who look later: the report, the list of runs, resume, and a decision from the counts', () => {
    const [run = ''] = readdirSync(runsOf(folder));
    expect(readFileSync(path.join(runsOf(folder), run, 'report.md'), 'utf8')).toMatch(
      /\| incomplete \|/,
    );
    expect(jury(folder, ['runs']).stdout).toMatch(/INCOMPLETE/);
    expect(jury(folder, ['resume', 'latest']).code).toBe(2);
    const again = jury(folder, [
      'motions',
      'ratify',
      '--aggregations',
      path.join(results(folder), 'aggregations.json'),
      '--rules',
      'guarded',
      '--json',
    ]);
    expect(again.code).toBe(2);
    expect(
      (JSON.parse(again.stdout) as { votes: Row[] }).votes.map(({ outcome }) => outcome),
    ).toEqual(['incomplete', 'incomplete']);
  });
});

describe('members who did not answer', () => {
  const vote = ['motions', 'session', '--real-agent', '--concurrency', '12'];

  it(
    'leave open what they could turn, to either side, and nothing else',
    { timeout: 60_000 },
    () => {
      // Four of nine are for m-1, and three more could be; on m-0 nobody can outweigh eleven.
      const folder = createScriptedVote(
        [0, 0],
        `
      const number = Number(name.slice(7));
      const stances = { 'm-0': number === 3 ? 'maybe' : 'oppose', 'm-1': number < 3 ? 'maybe' : number < 7 ? 'endorse' : 'oppose' };
      console.log(JSON.stringify(ids.map(motion_id => ({ motion_id, stance: stances[motion_id], reasoning: 'Weighed.' }))));`,
      );
      const { code, stdout } = jury(folder, vote);
      expect([code, outcomesOf(folder)]).toEqual([2, { 'm-0': 'rejected', 'm-1': 'incomplete' }]);
      expect(stdout).toMatch(/0 ratified, 1 rejected, 0 deferred, 1 incomplete/);
    },
  );

  it('do not hold up a vote that they cannot turn', { timeout: 60_000 }, () => {
    const folder = createScriptedVote([6], `say(name === 'Member-11' ? 'maybe' : 'endorse');`);
    expect([jury(folder, vote).code, outcomesOf(folder)]).toEqual([0, { 'm-0': 'ratified' }]);
  });

  it('are not those whom a sample passed over', { timeout: 60_000 }, () => {
    const folder = createScriptedVote([5], `say('endorse');`);
    expect([jury(folder, [...vote, '--sample', '2']).code, outcomesOf(folder)]).toEqual([
      0,
      { 'm-0': 'ratified' },
    ]);
  });
});

function counts(id: string, texts: unknown): object {
  return {
    mega_motion_id: id,
    mega_motion_title: `Motion ${id}`,
    implicit_endorsements: 2,
    explicit_endorsements: 4,
    oppositions: 1,
    amendments_proposed: 5,
    abstentions: 0,
    no_response: 0,
    engaged_count: 12,
    amendment_texts: texts,
  };
}

describe('words that come as objects and lists', () => {
  it.each([
    [
      'an object among the texts',
      ['With care.', { 'Clause 1': 'The audit is public.', 'Clause 2': 'It is held each month.' }],
      ['With care.', 'Clause 1: The audit is public.', 'Clause 2: It is held each month.'],
    ],
    [
      'a list among the texts',
      [['The audit is public.', 'It is held each month.']],
      ['The audit is public.', 'It is held each month.'],
    ],
    [
      'an object in place of the texts',
      { 'Clause 1': { scope: 'all', terms: ['yearly', 'in public'] } },
      ['Clause 1', 'scope: all', 'yearly', 'in public'],
    ],
    ['one text in place of the texts', 'With care.', ['With care.']],
  ])('are read from recorded counts: %s', (_, texts, words) => {
    const folder = createVote([], {});
    writeFileSync(
      path.join(folder, 'aggregations.json'),
      JSON.stringify([counts('a', []), counts('b', texts)]),
    );
    const { code, stdout } = jury(folder, [
      'motions',
      'ratify',
      '--aggregations',
      'aggregations.json',
      '--rules',
      'guarded',
      '--json',
    ]);
    expect(code).toBe(0);
    const { votes } = JSON.parse(stdout) as { votes: Row[] };
    expect(votes.map(({ outcome }) => outcome)).toEqual(['ratified', 'ratified']);
    for (const word of words) expect(votes[1]?.revised_motion_text).toContain(word);
  });

  it('are kept as text from a member who answers with them', { timeout: 60_000 }, () => {
    const folder = createScriptedVote(
      [4, 4],
      `
      if (name.endsWith('9')) say('oppose', { reasoning: ['It is costly.', 'It is late.'], opposition_concerns: { cost: 'There is no budget for a public audit.', time: 'The year is over.' } });
      else say('amend', { confidence: '90%', amendment_type: 'add_clause', amendment_text: { 'Clause 1': 'The audit is public.', 'Clause 2': ['monthly', 'in writing'] }, amendment_rationale: ['Trust.', 'Order.'] });`,
    );
    jury(folder, ['motions', 'session', '--real-agent', '--batch', '2', '--concurrency', '12']);
    interface Said {
      readonly archon_name: string;
      readonly stance: string;
      readonly confidence: number;
      readonly reasoning: string;
      readonly opposition_reason: string;
      readonly amendment_text: string;
      readonly amendment_rationale: string;
      readonly validation: readonly string[];
    }
    const said = read(folder, 'review_responses.json') as readonly Said[];
    const [amending, opposing] = [
      said.find(({ stance }) => stance === 'AMEND'),
      said.find(({ stance }) => stance === 'OPPOSE'),
    ];
    expect(amending).toMatchObject({ confidence: 0.9, validation: [] });
    for (const word of ['Clause 1: The audit is public.', 'Clause 2', 'monthly', 'in writing'])
      expect(amending?.amendment_text).toContain(word);
    for (const word of ['Trust.', 'Order.']) expect(amending?.amendment_rationale).toContain(word);
    for (const word of ['cost: There is no budget for a public audit.', 'time: The year is over.'])
      expect(opposing?.opposition_reason).toContain(word);
    for (const word of ['It is costly.', 'It is late.'])
      expect(opposing?.reasoning).toContain(word);
    for (const { amendment_texts } of rowsOf(folder, 'aggregations.json'))
      expect(amendment_texts).toHaveLength(7);
    expect(rowsOf(folder, 'ratification_results.json')[0]?.revised_motion_text).toContain(
      'The audit is public.',
    );
  });
});

describe('the audit of a vote', () => {
  let folder: string;
  beforeAll(() => {
    // A third of those who take part oppose it, so that a panel is held.
    folder = createScriptedVote(
      [2],
      `say(Number(name.slice(7)) % 3 === 0 ? 'oppose' : 'endorse', { opposition_concerns: ['It is too ` +
        `broad to be carried out within the year.'] });`,
    );
    jury(folder, ['motions', 'session', '--real-agent', '--concurrency', '12']);
  }, 120_000);

  const verify = (): ReturnType<typeof jury> =>
    jury(folder, ['motions', 'verify-audit', results(folder)]);

  function putResult(name: string, text: string): void {
    writeFileSync(path.join(results(folder), name), text);
  }

  /** Runs `check` with one file as `content` makes it, and puts the file back. Null: without the file. */
  function withFile(
    name: string,
    change: (text: string) => string | null,
    check: () => void,
  ): void {
    const file = path.join(results(folder), name);
    const text = readFileSync(file, 'utf8');
    const changed = change(text);
    if (changed === null) rmSync(file);
    else writeFileSync(file, changed);
    check();
    writeFileSync(file, text);
  }

  it('passes when nothing was touched, and again when all was put back', () => {
    expect(verify().code).toBe(0);
  });

  it('does not pass when an answer or an outcome was turned', () => {
    withFile(
      'review_responses.json',
      text => text.replace('"OPPOSE"', '"ENDORSE"'),
      () =>
        expect(verify()).toMatchObject({
          code: 1,
          stdout: expect.stringContaining('review_responses.json'),
        }),
    );
    withFile(
      'ratification_results.json',
      text => text.replace(/"outcome": "\w+"/, '"outcome": "rejected_"'),
      () =>
        expect(verify()).toMatchObject({
          code: 1,
          stdout: expect.stringContaining('ratification_results.json'),
        }),
    );
    withFile(
      'pipeline_result.json',
      text => text.replace(/"ratified": \d+/, '"ratified": 41'),
      () =>
        expect(verify()).toMatchObject({
          code: 1,
          stdout: expect.stringContaining('pipeline_result.json'),
        }),
    );
    expect(verify().code).toBe(0);
  });

  it('does not pass when any result was changed by a single character, or is gone', () => {
    const names = readdirSync(results(folder), { recursive: true, encoding: 'utf8' }).filter(
      name => name.endsWith('.json') && name !== 'audit_trail.json',
    );
    const one = (start: string): string[] =>
      names.filter(name => name.startsWith(start)).slice(0, 1);
    const chosen = [
      ...names.filter(name => !name.includes('/')),
      ...one('review_packets/'),
      ...one('panel_deliberations/'),
    ];
    expect(chosen).toHaveLength(10);
    for (const name of chosen) {
      withFile(
        name,
        text => `${text} `,
        () => expect([name, verify().code]).toEqual([name, 1]),
      );
    }
    withFile(
      'aggregations.json',
      () => null,
      () =>
        expect(verify()).toMatchObject({
          code: 1,
          stdout: expect.stringContaining('aggregations.json'),
        }),
    );
  }, 60_000);

  it('does not pass when a result was added', () => {
    const file = path.join(results(folder), 'review_packets/stranger.json');
    writeFileSync(file, '{}');
    expect(verify()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('review_packets/stranger.json'),
    });
    rmSync(file);
    expect(verify().code).toBe(0);
  });

  it('does not call results intact that no event has the hashes of, as in folders of earlier versions', () => {
    const trail = read(folder, 'audit_trail.json') as {
      details: Record<string, unknown>;
      prev_sha256: string;
    }[];
    let head = '0'.repeat(64);
    for (const event of trail) {
      for (const key of Object.keys(event.details))
        if (key.endsWith('_sha256')) delete event.details[key];
      event.prev_sha256 = head;
      head = createHash('sha256').update(canonical(event)).digest('hex');
    }
    const inputs = path.join(results(folder), 'vote_inputs.json');
    const kept = readFileSync(inputs);
    rmSync(inputs);
    withFile(
      'audit_trail.json',
      () => JSON.stringify(trail),
      () =>
        withFile(
          'pipeline_result.json',
          text => text.replace(/"head_sha256": "\w+"/, `"head_sha256": "${head}"`),
          () => {
            const { code, stdout } = verify();
            expect(code).toBe(2);
            expect(stdout).not.toMatch(/results are intact/);
            const told = JSON.parse(
              jury(folder, ['motions', 'verify-audit', results(folder), '--json']).stdout,
            ) as { intact: unknown };
            expect(told.intact).not.toBe(true);
          },
        ),
    );
    writeFileSync(inputs, kept);
  });

  it('does not pass when an outcome was turned and every hash made to fit again, and says what the answers give', () => {
    const before = new Map(
      ['ratification_results.json', 'pipeline_result.json', 'report.md', 'audit_trail.json'].map(
        name => [name, readFileSync(path.join(results(folder), name), 'utf8')],
      ),
    );
    const textOf = (name: string): string => before.get(name) ?? '';
    const turned = textOf('ratification_results.json').replace(/"yeas": \d+/, '"yeas": 1');
    putResult('ratification_results.json', turned);
    const trail = JSON.parse(textOf('audit_trail.json')) as {
      details: { artifacts_sha256?: Record<string, string> };
    }[];
    const last = trail.at(-1);
    if (last?.details.artifacts_sha256 === undefined) expect.fail('no hashes');
    const [, head = ''] = /"head_sha256": "(\w+)"/.exec(textOf('pipeline_result.json')) ?? [];
    last.details.artifacts_sha256['ratification_results.json'] = sha256(turned);
    putResult('audit_trail.json', JSON.stringify(trail));
    for (const name of ['pipeline_result.json', 'report.md'])
      putResult(name, textOf(name).replaceAll(head, sha256(canonical(last))));
    const { code, stdout } = verify();
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /The results are intact: .*\nThe answers do not give these results: ratification_results\.json: motion \S+, yeas: says 1, the answers give \d+\./,
      ),
    ]);
    for (const [name, text] of before) putResult(name, text);
    expect(verify().code).toBe(0);
  });
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Keys sorted, no white space: what an event is hashed as. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
    .join(',')}}`;
}
