/** Why a motion passed, asked of the built program after a vote of real reviewers, whom a scripted server plays. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runsOf } from '../state-of.ts';
import { answerAsMember, createLibrarySession } from './library-session.ts';
import { startMemberServer } from './member-server.ts';
import { readResult, type SessionSample, type Started } from './motions-session.ts';
import { juryBeside } from './jury.ts';

let sample: SessionSample;
let report: string;
let held: Awaited<Started['ended']>;
const run = (...args: readonly string[]): Started['ended'] => juryBeside(sample.folder, args);

beforeAll(async () => {
  const server = await startMemberServer({ answer: answerAsMember });
  sample = createLibrarySession({ endpoints: [{ baseUrl: server.url, model: 'scripted' }] });
  held = await run('motions', 'session', '--real-agent');
  await server.close();
  report = readFileSync(path.join(sample.results, 'report.md'), 'utf8');
});
afterAll(() => rmSync(sample.folder, { recursive: true, force: true }));

interface Row {
  readonly number: number;
  readonly mega_motion_id: string;
  readonly outcome: string;
}
const rows = (): readonly Row[] => readResult(sample.results, 'explanations.json') as Row[];

describe('explanations.json', () => {
  it('holds a row for each motion, with the outcome of its row of results', () => {
    expect(held.code, held.stderr).toBe(0);
    const results = readResult(sample.results, 'ratification_results.json') as Row[];
    expect(rows().map(row => [row.number, row.mega_motion_id, row.outcome])).toEqual(
      results.map((row, index) => [index + 1, row.mega_motion_id, row.outcome]),
    );
    expect(rows().map(row => row.outcome)).toEqual([
      'ratified',
      'ratified',
      'ratified',
      'rejected',
      'rejected',
      'deferred',
      'rejected',
      'deferred',
    ]);
  });

  it('is covered by the audit trail', async () => {
    const copy = path.join(sample.folder, 'copy');
    cpSync(sample.results, copy, { recursive: true });
    expect((await run('motions', 'verify-audit', copy)).code).toBe(0);
    const file = path.join(copy, 'explanations.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('of our members', 'of the members'));
    const { code, stdout } = await run('motions', 'verify-audit', copy);
    expect([code, stdout]).toEqual([1, expect.stringContaining('changed: explanations.json')]);
  });
});

describe('report.md', () => {
  it('tells why motion 3 passed and motion 7 did not', () => {
    const third = paragraphOf('3. Buy a second scanner: ratified');
    for (const fact of [
      '- Decided: Yeas 9 | Nays 2 | Amends 0 | Abstain 1; simple_majority 9/6 MET, second pass asked (more than 1/2 of 11 votes, 3 to spare)',
      '- Said: 3 endorse, 3 oppose, 2 amend, 1 abstain, 0 did not answer, 3 supported it before and were not asked',
      '- First pass: Yeas 6 | Nays 3 | Amends 2 | Abstain 1; needed 6 of 11 votes, with at most 1 amends. Amended by panel; second pass asked',
      '- How close: no other answers would have turned it',
      '- Panel: recommends amend; the vote went not against it',
      '- By `explicit@1`: rejected',
      '- Strongest objection, from Gus (85 % sure), about the amended text:\n\n> ```\n> The money is needed for the roof, which leaks onto the shelves we would scan.',
    ])
      expect(third).toContain(fact);
    const seventh = paragraphOf('7. Raise the yearly fee to 40: rejected');
    for (const fact of [
      'simple_majority 5/6 NOT MET (more than 1/2 of 11 votes, 1 short)',
      '- How close: with 1 of the nays as yeas it would be ratified',
      '- Panel: recommends pass; the vote went against it, and votes decide',
      '- Risk: medium (some support): 4 of 12 members supported it before, 0 in conflict; medium from 33 %, low from 66 %',
      '- Other shipped rules: the same',
    ])
      expect(seventh).toContain(fact);
  });

  it('tells it once for each motion', () => {
    expect(report.match(/^- Decided: /gm)).toHaveLength(8);
  });

  it('is what jury report and jury show print of the latest run', async () => {
    for (const command of ['report', 'show'])
      expect((await run(command, 'latest')).stdout.trim(), command).toBe(report.trim());
  });
});

describe('jury motions show', () => {
  it.each([['7'], ['m-7'], ['m-7', '--from', 'latest']])(
    'tells of a motion: %s',
    async (...args) => {
      const { code, stdout } = await run('motions', 'show', ...args);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^7\. Raise the yearly fee to 40: rejected\n {2}- Decided: Yeas 5 \| Nays 6/,
      );
      expect(stdout).toContain('Strongest objection, from Ivo (95 % sure):');
      expect(stdout).toContain('A third of our members live on a pension.');
    },
  );

  it('tells it from a run, from a folder, and as jury show', async () => {
    const [id = ''] = readdirSync(runsOf(sample.folder));
    const answers = await Promise.all([
      run('motions', 'show', '3'),
      run('motions', 'show', '3', '--from', id),
      run('motions', 'show', '3', '--from', sample.results),
      run('show', 'latest', 'm-3'),
      run('show', id, '3'),
    ]);
    expect(new Set(answers.map(({ stdout }) => stdout)).size).toBe(1);
  });

  it('gives the row of the file as JSON', async () => {
    const { stdout } = await run('motions', 'show', '4', '--json');
    expect(rows()[3]).toMatchObject(JSON.parse(stdout) as object);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'rejected', final: { margin: -1 } });
  });

  it.each([
    [['m-33'], 'Did you mean "m-3"'],
    [['9'], 'Name it by its id, or by its number in the session: 1 to 8.'],
    [['0'], 'Name it by'],
  ])('refuses what names no motion: %j', async (args, hint) => {
    const { code, stderr, stdout } = await run('motions', 'show', ...args);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(`This vote has no motion "${args[0]}". ${hint}`);
  });

  it('says where there is nothing to tell of', async () => {
    const missing = await run('motions', 'show', '3', '--from', 'session');
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining('holds no explanations.json'),
    ]);
    expect((await run('motions', 'show', '3', '--from', 'nowhere')).code).not.toBe(0);
    expect((await run('motions', 'show')).code).toBe(3);
  });
});

it('jury motions ratify --explain tells what counts alone tell', async () => {
  const { code, stdout } = await run(
    'motions',
    'ratify',
    '--aggregations',
    path.join(sample.results, 'aggregations.json'),
    '--explain',
    '7',
  );
  expect(code).toBe(0);
  expect(stdout).toContain('Rules: guarded@1\n\n7. Raise the yearly fee to 40: rejected\n');
  expect(stdout).toContain('Decided: Yeas 5 | Nays 6');
  expect(stdout).toContain('Only counts were recorded');
  expect(stdout).not.toMatch(/Ivo|[Pp]anel/);
});

it('a simulation that ended last is what is told of, and that nobody was asked', async () => {
  expect((await run('motions', 'session', '--simulate', '--out', 'elsewhere')).code).toBe(0);
  const { stdout } = await run('motions', 'show', '7', '--from', 'elsewhere/session');
  expect(stdout).toContain('Nobody was asked: this is a simulation, and its votes are invented.');
});

function paragraphOf(heading: string): string {
  const start = report.indexOf(`### ${heading}`);
  if (start < 0) throw new Error(`No paragraph "${heading}" in:\n${report}`);
  const end = report.slice(start + 4).search(/^##/m);
  return report.slice(start, start + 4 + end).trim();
}
