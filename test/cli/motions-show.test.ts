/** Why a motion passed, asked of the built program after a vote of real reviewers, whom a scripted server plays. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runsOf } from '../state-of.ts';
import { answerAsMember, createLibrarySession } from './library-session.ts';
import { startMemberServer } from './member-server.ts';
import { readResult, type SessionSample, type Started } from './motions-session.ts';
import { juryBeside } from './jury.ts';

let sample: SessionSample;
let report: string;
let held: Awaited<Started['ended']>;
const run = (...args: readonly string[]) => juryBeside(sample.folder, args);

beforeAll(async () => {
  const server = await startMemberServer({ answer: answerAsMember });
  sample = createLibrarySession({ endpoints: [{ baseUrl: server.url, model: 'scripted' }] });
  held = await run('motions', 'session', '--real-agent');
  await server.close();
  report = readFileSync(path.join(sample.results, 'report.md'), 'utf8');
});

interface Row {
  readonly number: number;
  readonly mega_motion_id: string;
  readonly outcome: string;
}
const rows = () => readResult(sample.results, 'explanations.json') as Row[];

describe('explanations.json', () => {
  it('holds a row for each motion, with the outcome of its row of results', () => {
    expect(held.code, held.stderr).toBe(0);
    const results = readResult(sample.results, 'ratification_results.json') as Row[];
    expect(rows().map(row => [row.number, row.mega_motion_id, row.outcome])).toEqual(
      results.map((row, index) => [index + 1, row.mega_motion_id, row.outcome]),
    );
    expect(rows().map(row => row.outcome)).toEqual(
      'ratified ratified ratified rejected rejected deferred rejected deferred'.split(' '),
    );
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

      It passed as amended: 9 yea, 2 nay, 1 abstain; simple_majority 9/6 MET, second pass asked. These rules ask for more than 1/2 of the 11 votes that count.  
      3 supported it before the vote and were not asked, which counts as yea. Those who were asked: 3 yea, 3 nay, 2 amend, 1 abstain, 0 without answer.  
      As it was first put: 6 yea, 3 nay, 2 amend, 1 abstain; it needed 6 of 11 votes, and at most 1 amend. Second pass on the text amended by its panel: asked, of 5 who had said no or wanted changes 3 yea, 2 nay, 0 abstain.  
      How close it was: no other answers of those who were asked last would have turned it.  
      A panel recommended: amend; the vote did not go against that.  
      Risk before the vote: high (little support; 3 of 12 members supported it; 0 in conflict with it; low from 66 %, medium from 33 %).  
      By other rules that ship with Jury: \`explicit@1\` rejected, \`seed@1\` rejected.

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

      It did not pass: 5 yea, 6 nay, 1 abstain; simple_majority 5/6 NOT MET. These rules ask for more than 1/2 of the 11 votes that count.  
      4 supported it before the vote and were not asked, which counts as yea. Those who were asked: 1 yea, 6 nay, 1 abstain, 0 without answer.  
      How close it was: if 1 nay had been yea, it would have been ratified.  
      A panel recommended: pass; the vote went the other way, and votes decide.  
      Risk before the vote: medium (some support; 4 of 12 members supported it; 0 in conflict with it; low from 66 %, medium from 33 %).  
      By every other rule set that ships with Jury: the same.

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
        /^7\. Raise the yearly fee to 40: rejected\nIt did not pass: 5 yea, 6 nay/,
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
  expect(stdout).toContain('It did not pass: 5 yea, 6 nay, 1 abstain;');
  expect(stdout).toContain('Only counts were recorded');
  expect(stdout).not.toMatch(/Ivo|panel/);
});

it('a simulation that ended last is what is told of, and that nobody was asked', async () => {
  expect((await run('motions', 'session', '--simulate', '--out', 'elsewhere')).code).toBe(0);
  const { stdout } = await run('motions', 'show', '7', '--from', 'elsewhere/session');
  expect(stdout).toContain('Nobody was asked: this is a simulation, and its votes are invented.');
});

function paragraphOf(heading: string) {
  const start = report.indexOf(`### ${heading}`);
  if (start < 0) throw new Error(`No paragraph "${heading}" in:\n${report}`);
  const end = report.slice(start + 4).search(/^##/m);
  return report.slice(start, start + 4 + end).trim();
}
