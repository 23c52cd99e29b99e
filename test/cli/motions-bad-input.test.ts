/** What can be wrong with a vote is told in one sentence: what, where, and how it is put right; nothing is lost by it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startMemberServer, type MemberServer, type MemberServerScript } from './member-server.ts';
import {
  createSession,
  readArtifacts,
  type SessionRequest,
  type SessionSample,
} from './motions-session.ts';
import { juryBeside } from './jury.ts';

const names = ['Ada', 'Bo', 'Cy'];

interface Setting {
  readonly members?: SessionRequest['members'];
  readonly script?: MemberServerScript;
}

async function prepare({ members = names, script }: Setting = {}): Promise<
  SessionSample & { readonly server: MemberServer }
> {
  const server = await startMemberServer(script);
  const sample = createSession({
    members,
    motions: 2,
    settings: { endpoints: [{ baseUrl: server.url, model: 'm' }] },
  });
  return { ...sample, server };
}

const real = ['motions', 'session', '--real-agent'];

test('a roster that names a member twice is refused with both places, before anybody is asked', async () => {
  const { folder, server } = await prepare({ members: [...names, 'ada'] });
  const { code, stderr } = await juryBeside(folder, real);
  expect([code, server.calls(), stderr]).toEqual([
    2,
    0,
    'Error: roster.json: element 3: "ada" is element 0 already ("Ada": names that make one id are one member). Name every member once.\n',
  ]);
});

test('a rule file with a share of 3/2 is refused with the key, and how a share is written', async () => {
  const { folder, server } = await prepare();
  const rules = JSON.parse(readFileSync('rules/guarded.json', 'utf8')) as {
    parameters: { required: { simple: { share: number[] } } };
  };
  rules.parameters.required.simple.share = [3, 2];
  writeFileSync(path.join(folder, 'ours.json'), JSON.stringify({ ...rules, name: 'ours' }));
  const { code, stderr } = await juryBeside(folder, [...real, '--rules', 'ours.json']);
  expect([code, server.calls()]).toEqual([3, 0]);
  expect(stderr).toMatch(
    /ours\.json cannot be used: parameters\.required\.simple\.share: .* as 3\/2 is; .* such as \[2, 3\]/,
  );
});

test('servers that fail are named, with how the vote goes on, which it then does', async () => {
  const { folder, server } = await prepare({ script: { failing: names } });
  const { code, stderr } = await juryBeside(folder, real);
  expect(code).toBe(2);
  const told = stderr.trimEnd().split('\n').at(-1) ?? '';
  expect(told).toMatch(
    /^Error: no review could be collected: HTTP 500: .+ \(asked at http:\S+\)\. Nothing is/,
  );
  const [, run = ''] = /"jury resume (\S+)"/.exec(told) ?? [];
  server.set({});
  const resumed = await juryBeside(folder, ['resume', run]);
  expect([resumed.code, resumed.stderr.includes('are missing')]).toEqual([0, false]);
});

/** Three for every motion, three against it; the facilitator of their panels says this. */
const split =
  (facilitator: string): NonNullable<MemberServerScript['answer']> =>
  ({ member, prompt }) => {
    if (member === 'facilitator') return facilitator;
    const ids = [...prompt.matchAll(/motion_id: "([^"]+)"/g)].map(([, id]) => id);
    const stance = names.includes(member) ? 'endorse' : 'oppose';
    return ids.length === 0
      ? 'Weighed.\nVOTE: pass'
      : JSON.stringify([...new Set(ids)].map(motion_id => ({ motion_id, stance })));
  };

test('a facilitator that answers prose is told of, and asked for alone when the vote goes on', async () => {
  const { folder, server } = await prepare({
    members: [...names, 'Di', 'Ed', 'Flo'],
    script: { answer: split('They mostly agree.') },
  });
  const { code, stderr } = await juryBeside(folder, real);
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
    0,
    expect.stringMatching(
      /^jury: 2 answers are missing \(most often because: The facilitator did not report: The answer holds no recommendation\)\. "jury resume \S+" asks only/,
    ),
  ]);
  const before = server.calls();
  server.set({ answer: split('{"recommendation": "fail"}') });
  const resumed = await juryBeside(folder, ['resume', 'latest']);
  expect(resumed.stderr).toMatch(/ended with 2 answers missing: nothing else is asked for/);
  expect([resumed.code, server.calls() - before, resumed.stderr.includes('are missing')]).toEqual([
    0,
    2,
    false,
  ]);
});

test('a vote that a ceiling cut short says why, and how to go on', async () => {
  const { folder } = await prepare();
  const { code, stderr } = await juryBeside(folder, [...real, '--max-calls', '1']);
  expect(code).toBe(2);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
    /^jury: 4 answers are missing \(most often because: .*ceiling.*1 call.*\)\. "jury resume \S+" asks only for what is missing; --max-calls/,
  );
});

test('a roster that was changed since keeps a vote from going on; its results stay', async () => {
  const { folder, results, server } = await prepare();
  await juryBeside(folder, [...real, '--max-calls', '1']);
  const before = readArtifacts(results);
  writeFileSync(path.join(folder, 'session', 'roster.json'), JSON.stringify(names.slice(1)));
  const { code, stderr } = await juryBeside(folder, ['resume', 'latest', '--max-calls', '9']);
  expect([code, server.calls(), readArtifacts(results)]).toEqual([2, 1, before]);
  expect(stderr).toMatch(
    /^jury: Run \S+ cannot go on: the roster was changed since it began\. Its results stay\. Put it back, or /m,
  );
});

test('counts beside the triage of another session are refused, and decided without it', async () => {
  const { folder, results } = await prepare();
  await juryBeside(folder, [...real, '--second-pass', 'assume']);
  const other = path.join(folder, 'other');
  mkdirSync(other);
  const copy = (name: string, change: (text: string) => string): void =>
    writeFileSync(path.join(other, name), change(readFileSync(path.join(results, name), 'utf8')));
  copy('aggregations.json', text => text);
  const ratify = ['motions', 'ratify', '--aggregations', 'other/aggregations.json'];
  expect((await juryBeside(folder, ratify)).code).toBe(0);
  for (const [change, why] of [
    [(text: string) => text.replaceAll('"m-1"', '"m-9"'), 'it does not know motion "Motion 1"'],
    [
      (text: string) => text.replaceAll('Motion 0', 'Another'),
      'it does not know motion "Motion 0"',
    ],
    [
      (text: string) => text.replace('"roster_size": 3', '"roster_size": 72'),
      'its roster has 72 members, that of the counts 3',
    ],
  ] as const) {
    copy('triage_results.json', change);
    const { code, stderr } = await juryBeside(folder, ratify);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        `triage_results.json beside aggregations.json is of another vote: ${why}`,
      ),
    ]);
  }
});

test('what a simulation invented is marked at every motion, also when it is decided again', async () => {
  const { folder, results } = await prepare();
  const { stdout } = await juryBeside(folder, ['motions', 'session', '--simulate']);
  expect(stdout.match(/^\S+ \[simulated\] Motion \d$/gm)).toHaveLength(2);
  const report = readFileSync(path.join(results, 'report.md'), 'utf8');
  expect(report).toMatch(/^# Simulated vote on motions: /);
  expect(report.match(/^\| \d \| `Motion \d` \| high \| \w+ \(simulated\) \|/gm)).toHaveLength(2);
  expect(report.match(/^### \d\. Motion \d: \w+ \(simulated\)$/gm)).toHaveLength(2);
  const ratify = ['motions', 'ratify', '--aggregations', path.join(results, 'aggregations.json')];
  const again = await juryBeside(folder, ratify);
  expect(again.stdout.match(/^\S+ \[simulated\] Motion \d$/gm)).toHaveLength(2);
  expect(again.stdout).toContain('simulated: the counts are those of a simulation');
  const asJson = await juryBeside(folder, [...ratify, '--json']);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ simulated: true });
});
