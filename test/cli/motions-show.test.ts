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
    expect(paragraphOf('3. Buy a second scanner: ratified')).toMatchInlineSnapshot(`
      "### 3. Buy a second scanner: ratified

      It passed with changes: 9 were for it and 2 against it. It needed 6, more than half of the 11 votes (abstentions left out), and had 3 more than that.  
      Of those for it, 3 had supported it before the vote and were not asked. All 9 who were asked answered: 3 said yes, 3 said no, 2 wanted changes and 1 abstained.  
      As it was first put, 6 were for it, 3 against it, 2 wanted changes and 1 abstained. The 6 were enough (it needed 6 of the 11 votes), but more than 1 wanted changes, so it could pass only with them. Its panel wrote the changes into the text, and the 5 who had said no or wanted changes were asked about it: 3 said yes and 2 said no.  
      How close it was: nothing that those who were asked again could have said would have turned it: the 6 who were for it at first are enough by themselves.  
      A panel argued it out and recommended to amend it; the vote did not go against that.  
      Before the vote it was put at high risk, because only 3 of 12 members (25 %) already supported it; it takes 33 % for medium risk.  
      By other rules that ship with Jury (\`explicit@1\`, \`seed@1\`) it would not have passed.

      - Strongest objection, from Gus (85 % sure), about the amended text:

      > \`\`\`
      > The money is needed for the roof, which leaks onto the shelves we would scan.
      > \`\`\`

      - Strongest support, from Kira (80 % sure), about the amended text:

      > \`\`\`
      > Used, and with a limit, it leaves enough for the roof.
      > \`\`\`"
    `);
    expect(paragraphOf('7. Raise the yearly fee to 40: rejected')).toMatchInlineSnapshot(`
      "### 7. Raise the yearly fee to 40: rejected

      It did not pass: 5 were for it and 6 against it. It needed 6, more than half of the 11 votes (abstentions left out), so it was 1 short.  
      Of those for it, 4 had supported it before the vote and were not asked. All 8 who were asked answered: 1 said yes, 6 said no and 1 abstained.  
      How close it was: if 1 of those who said no had said yes instead, it would have passed.  
      A panel argued it out and recommended to pass it; the vote went the other way, and votes decide.  
      Before the vote it was put at medium risk, because 4 of 12 members (33 %) already supported it; it takes 33 % for medium risk and 66 % for low.  
      Every other rule set that ships with Jury would have decided the same.

      - Strongest objection, from Ivo (95 % sure):

      > \`\`\`
      > A third of our members live on a pension. The last raise cost us sixty of them, and more money than it brought.
      > \`\`\`

      - Strongest support, from Emil (70 % sure):

      > \`\`\`
      > We have not raised it for nine years, and heating costs twice as much.
      > \`\`\`"
    `);
  });

  it('tells it once for each motion', () => {
    expect(report.match(/^It (?:passed|did not pass|was put off)/gm)).toHaveLength(8);
    expect(report).not.toContain('Threshold');
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
        /^7\. Raise the yearly fee to 40: rejected\nIt did not pass: 5 were for it/,
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
  expect(stdout).toContain('It did not pass: 5 were for it and 6 against it.');
  expect(stdout).toContain('Only counts were recorded');
  expect(stdout).not.toMatch(/Ivo|panel/);
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
