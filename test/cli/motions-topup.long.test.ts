/** A vote that ended with answers missing is topped up, and one that misses nothing answers from its journal: by the built program. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReviewResponse } from '../../src/vote/records.ts';
import { runsOf } from '../state-of.ts';
import { jury, juryBeside } from './jury.ts';
import { type MemberRequest, type MemberServer, startMemberServer } from './member-server.ts';
import {
  createSession,
  readArtifacts,
  readResult,
  type SessionSample,
  startIn,
} from './motions-session.ts';

function sampleOf(
  server: MemberServer,
  { members = 8, motions = 10, price }: { members?: number; motions?: number; price?: object } = {},
): SessionSample {
  return createSession({
    members: Array.from({ length: members }, (_, index) => `Member-${index}`),
    motions,
    settings: {
      reviewer: {
        runner: 'api',
        model: 'openai-compatible/scripted',
        baseUrl: server.url,
        timeout: 20,
        ...(price !== undefined && { price }),
      },
    },
  });
}

const voting = ['motions', 'session', '--real-agent', '--batch', '2'];

/** Rows without what differs by how often somebody had to be asked. */
function rowsIn(results: string): Record<string, unknown> {
  const { 'review_responses.json': responses, ...rest } = readArtifacts(results);
  return {
    ...rest,
    responses: (responses as Record<string, unknown>[]).map(row => ({ ...row, attempts: null })),
  };
}

const unsupported = (id: string): object => ({
  mega_motion_id: id,
  title: `Motion ${id}`,
  theme: 'Care',
  consolidated_text: `The members shall act with care in matter ${id}.`,
  source_motion_ids: ['s-1'],
  all_supporting_archons: [],
  unique_archon_count: 0,
});

/** Who answered in the second pass, about which motion. */
function answeredAgain(rows: unknown): string[] {
  return (rows as { archon_name: string; mega_motion_id: string; pass: number; status: string }[])
    .filter(({ pass, status }) => pass === 2 && status === 'ok')
    .map(row => `${row.archon_name} ${row.mega_motion_id}`);
}

const isAskedAgain = (prompt: string): boolean => prompt.startsWith('# Amended motion');

/** Of eight members two endorse, two amend, one opposes, two abstain; the last amends the second motion. All endorse what is amended. */
function amending({ member, prompt }: MemberRequest): string {
  if (member === 'facilitator') {
    const amendments = prompt.match(/^## Amendment/gm) ?? [];
    return JSON.stringify({ revised_motion_text: `As ${amendments.length} want it.` });
  }
  const stanceOn = (id = ''): string | undefined =>
    isAskedAgain(prompt) || (member === 'Member-7' && id === 'm-1')
      ? 'endorse'
      : 'endorse endorse amend amend oppose abstain abstain amend'.split(' ')[
          Number(member.slice(-1))
        ];
  return JSON.stringify(
    [...prompt.matchAll(/^motion_id: "(.*)"$/gm)].map(([, id]) => ({
      motion_id: id,
      stance: stanceOn(id),
      reasoning: 'So it is.',
      amendment_text: `As ${member} says.`,
    })),
  );
}

describe('a vote with missing answers', () => {
  test(
    'under a ceiling, killed while it is topped up and finished without one: its rows are those of an undisturbed vote, and nobody is asked twice',
    { timeout: 180_000 },
    async () => {
      const server = await startMemberServer();
      const undisturbed = sampleOf(server);
      expect((await juryBeside(undisturbed.folder, voting)).code).toBe(0);
      const whole = server.answered.length;

      const { folder, results } = sampleOf(server);
      const capped = await juryBeside(folder, [...voting, '--max-calls', '20']);
      expect([capped.code, server.answered.length - whole]).toEqual([2, 20]);
      // The ceiling is one of the whole vote, with what was spent before.
      const again = await juryBeside(folder, ['resume']);
      expect([again.code, server.answered.length - whole]).toEqual([2, 20]);
      expect(again.stderr).toMatch(/Run \S+ ended with \d+ answers missing: nothing else is asked/);
      expect(again.stderr).toContain('Spent so far: 20 calls');

      server.set({ delayMs: 40 });
      const { child, ended } = startIn(folder, ['resume', 'latest', '--max-calls', '500']);
      const watch = setInterval(
        () => server.answered.length - whole >= 28 && child.kill('SIGKILL'),
        2,
      );
      expect((await ended).code).toBeNull();
      clearInterval(watch);
      server.set({});
      const finished = await juryBeside(folder, voting);
      expect([finished.code, finished.stderr]).toEqual([
        0,
        expect.stringContaining('answers missing: nothing else is asked for') as string,
      ]);
      expect(rowsIn(results)).toEqual(rowsIn(undisturbed.results));
      // What was under way or being written down when it was killed.
      expect(server.answered.length - whole).toBeLessThanOrEqual(whole + 8);
      const asked = server.answered.slice(whole).filter(call => call.includes('m-'));
      expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(8);

      const calls = server.calls();
      const repeated = await juryBeside(folder, voting);
      expect([repeated.code, server.calls(), repeated.stderr]).toEqual([
        0,
        calls,
        expect.stringMatching(/Nothing has changed since run \S+: its answers are used again/),
      ]);
      expect(rowsIn(results)).toEqual(rowsIn(undisturbed.results));
      const [run = ''] = readdirSync(runsOf(folder));
      const fresh = await juryBeside(folder, [...voting, '--fresh']);
      expect([fresh.code, server.calls() - calls]).toEqual([0, whole]);
      expect(readdirSync(runsOf(folder))).toHaveLength(2);
      expect(fresh.stderr).toContain(`The results of the run before are kept in ${results}.${run}`);
      expect(readResult(`${results}.${run}`, 'pipeline_result.json')).toMatchObject({
        run_id: run,
      });

      for (const each of readdirSync(runsOf(folder)))
        writeFileSync(path.join(runsOf(folder), each, 'journal.jsonl'), '');
      const lost = await juryBeside(folder, voting);
      expect([lost.code, lost.stderr]).toEqual([2, expect.stringMatching(/journal .* is gone/)]);
    },
  );

  test(
    'that servers failed: only those are asked again whom they failed, and the rows say who answered',
    { timeout: 90_000 },
    async () => {
      const server = await startMemberServer({ failing: ['Member-2', 'facilitator'] });
      const { folder, results } = sampleOf(server, { members: 6 });
      // Whoever amended or opposed would be asked anew about another amended text.
      const once = [...voting, '--second-pass', 'assume'];
      expect((await juryBeside(folder, once)).code).toBe(2);
      const missing = (): ReviewResponse[] =>
        (readResult(results, 'review_responses.json') as ReviewResponse[]).filter(
          ({ status }) => status === 'no_response',
        );
      expect(
        new Set(missing().map(row => [row.archon_name, row.model, row.endpoint].join())),
      ).toEqual(new Set(['Member-2,,']));
      const answered = server.answered.length;
      server.set({});
      const { code, stderr } = await juryBeside(folder, ['resume']);
      expect([code, stderr]).toEqual([0, expect.stringContaining('Plan: 10 reviews in 5 calls')]);
      const later = server.answered.slice(answered);
      expect(
        new Set(later.filter(call => call.includes('m-')).map(call => call.split(' ')[0])),
      ).toEqual(new Set(['Member-2']));
      expect(missing()).toEqual([]);
      expect(readResult(results, 'review_responses.json')).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ model: 'scripted', endpoint: server.url, attempts: 4 }),
        ]),
      );
      const undisturbed = sampleOf(server, { members: 6 });
      expect((await juryBeside(undisturbed.folder, once)).code).toBe(0);
      const { 'pipeline_result.json': topped, ...rest } = rowsIn(results);
      const { 'pipeline_result.json': first, ...others } = rowsIn(undisturbed.results);
      expect(rest).toEqual(others);
      // Failed calls are calls, too.
      expect((topped as { calls: number }).calls).toBeGreaterThan(
        (first as { calls: number }).calls,
      );
      expect(topped).toMatchObject({
        cost: null,
        thresholds: { low: 0.66, medium: 0.33, max_conflicts: 5, consensus: 0.75, contested: 0.25 },
      });
    },
  );

  test(
    'holds its second pass anew: who answered there is asked again only where the amended text is another one',
    { timeout: 90_000 },
    async () => {
      const asks = ['motions', 'session', '--real-agent', '--batch', '1'];
      const vote = async (server: MemberServer): Promise<SessionSample> => {
        const sample = sampleOf(server, { members: 8, motions: 0 });
        writeFileSync(
          path.join(sample.folder, 'session', 'mega-motions.json'),
          JSON.stringify(['m-1', 'm-2'].map(unsupported)),
        );
        await juryBeside(sample.folder, asks);
        return sample;
      };
      // One member is not reached at all, another says nothing of use when it is asked again.
      const server = await startMemberServer({
        answer: amending,
        failing: ['Member-7'],
        say: ({ member, prompt }) =>
          member === 'Member-3' && isAskedAgain(prompt) ? 'I cannot tell.' : null,
      });
      const { folder, results } = await vote(server);
      expect(answeredAgain(readResult(results, 'review_responses.json'))).toEqual([
        'Member-2 m-1',
        'Member-2 m-2',
        'Member-4 m-1',
        'Member-4 m-2',
      ]);

      // It endorses the one, whose text stays, and amends the other, whose text then is another one.
      server.set({ answer: amending });
      const before = server.requests.length;
      expect((await juryBeside(folder, ['resume'])).code).toBe(0);
      const later = server.requests.slice(before).map(({ member, prompt }) => {
        const pass = isAskedAgain(prompt) ? 'again' : member === 'facilitator' ? 'merges' : 'first';
        return `${pass} ${member} ${/m-\d/.exec(prompt)?.[0] ?? ''}`;
      });
      expect(later.toSorted()).toEqual([
        'again Member-2 m-2',
        'again Member-3 m-1',
        'again Member-3 m-2',
        'again Member-4 m-2',
        'again Member-7 m-2',
        'first Member-7 m-1',
        'first Member-7 m-2',
        'merges facilitator m-2',
      ]);
      const undisturbed = await vote(server);
      // Why somebody was asked again stays in its row, and calls that failed are calls: all else is the same.
      for (const name of ['aggregations.json', 'ratification_results.json'])
        expect(readArtifacts(results)[name]).toEqual(readArtifacts(undisturbed.results)[name]);
    },
  );

  test.each([
    ['the roster', 'session/roster.json', '["Member-0", "Member-1", "Somebody"]'],
    ['the session', 'session/mega-motions.json', null],
    ['the rules', 'rules.json', null],
    ['the settings', 'jury.config.json', { low: 0.7 }],
    [
      'the reviewers',
      'jury.config.json',
      { reviewer: { runner: 'command', command: ['node', 'x'] } },
    ],
    ['the roster and the rules', 'session/roster.json', '["Member-0"]'],
  ])('is not gone on with when %s changed, and nothing is lost', async (what, name, changed) => {
    const server = await startMemberServer();
    const { folder, results } = sampleOf(server, { members: 3, motions: 2 });
    const [file, rules] = [path.join(folder, name), path.join(folder, 'rules.json')];
    writeFileSync(rules, guarded);
    const args = [...voting, '--rules', './rules.json', '--max-calls', '1'];
    expect((await juryBeside(folder, args)).code).toBe(2);
    const before = readArtifacts(results);
    const text = readFileSync(file, 'utf8');
    if (typeof changed === 'string') writeFileSync(file, changed);
    else if (changed === null)
      writeFileSync(file, text.replace('act with care', 'rest').replace('"1"', '"2"'));
    else {
      const { motions } = JSON.parse(text) as { motions: object };
      writeFileSync(file, JSON.stringify({ motions: { ...motions, ...changed } }));
    }
    if (what.includes(' and ')) writeFileSync(rules, guarded.replace('"1"', '"2"'));
    const { code, stderr } = await juryBeside(folder, ['resume', '--max-calls', '50']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(`cannot go on: ${what} (?:was|were) changed since it began`) as string,
    ]);
    expect([readArtifacts(results), server.calls()]).toEqual([before, 1]);
  });
});

const guarded = readFileSync(new URL('../../rules/guarded.json', import.meta.url), 'utf8').replace(
  '"guarded"',
  '"ours"',
);

/** With sixteen calls under way, and a ceiling of 12 dollars that holds and is used. */
async function voteBelow(flag: string, told: string) {
  const server = await startMemberServer({ delayMs: 50, outputTokens: 900 });
  const price = { input: 100, output: 400 };
  const { folder, results } = sampleOf(server, { members: 24, motions: 6, price });
  const args = ['--concurrency', '16', flag, '12'];
  const { code, stderr } = await juryBeside(folder, [...voting, ...args]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(told)]);
  const { input, output } = server.tokens();
  const paid = (input * price.input + output * price.output) / 1e6;
  expect(paid).toBeLessThanOrEqual(12);
  expect(paid).toBeGreaterThan(0.8 * 12);
  return { server, folder, results, args, paid };
}

test(
  'a ceiling in money holds with sixteen calls under way, and is used',
  { timeout: 90_000 },
  async () => {
    const { server, results, paid } = await voteBelow('--max-cost', 'Ceiling: $12.');
    expect(server.mostAtOnce()).toBeGreaterThan(4);
    const { cost } = readResult(results, 'pipeline_result.json') as { cost: number };
    expect(cost).toBeCloseTo(paid, 6);
  },
);

test(
  'a ceiling of the month holds for votes, is used, counts the votes before, and refuses one that has nothing left',
  { timeout: 90_000 },
  async () => {
    const { server, folder, args, paid } = await voteBelow('--max-cost-per-month', 'for the month');
    const calls = server.calls();
    const plan = await juryBeside(folder, [...voting, '--fresh', '--dry-run', ...args]);
    expect(plan.stdout).toContain(`This month: $${paid.toFixed(2)} of $12.00 spent in `);
    const refused = await juryBeside(folder, [...voting, '--fresh', '--max-cost-per-month', '1']);
    expect([refused.code, server.calls()]).toEqual([2, calls]);
    expect(refused.stderr).toContain('Nobody was asked: $');
  },
);

test('a dry run tells calls, tokens, money and time, and asks nobody', async () => {
  const server = await startMemberServer();
  const { folder } = sampleOf(server, { members: 5, motions: 4, price: { input: 1, output: 2 } });
  const { code, stdout } = await juryBeside(folder, [...voting, '--dry-run']);
  expect([code, server.calls()]).toEqual([0, 0]);
  expect(stdout).toMatch(/^DRY RUN: nobody was asked\./);
  expect(stdout).toMatch(
    /Plan: 20 reviews in 10 calls, about \d+ tokens in and \d+ out, about \$0\.\d\d\. Ceiling: none .*Time: about \d+ s, 4 at a time \(assumed: /,
  );
  expect(stdout).toContain(server.url);
  const plan = JSON.parse(
    (await juryBeside(folder, [...voting, '--dry-run', '--json'])).stdout,
  ) as object;
  expect(plan).toMatchObject({
    schema: 'jury.vote-plan/1',
    run: null,
    answered: 0,
    expected: { calls: 10, reviews: 20 },
    panels: { callsEach: 10, most: 4 },
    secondPass: { reviews: 20 },
  });
  expect(stdout).toContain('at most 20 reviews more, and a call for each amended text');
  const assumed = await juryBeside(folder, [
    ...voting,
    '--dry-run',
    '--second-pass',
    'assume',
    '--json',
  ]);
  expect(JSON.parse(assumed.stdout)).toMatchObject({ secondPass: null });
  expect(readdirSync(folder).sort()).toEqual(['jury.config.json', 'session']);
});

test('a simulated vote leaves its report among its results, and the audit covers it', () => {
  const sample = createSession({ members: ['Ada', 'Bob', 'Cid'], motions: 2, settings: {} });
  const { folder, results } = sample;
  expect(jury(folder, ['motions', 'session', '--simulate']).code).toBe(0);
  const report = path.join(results, 'report.md');
  const text = readFileSync(report, 'utf8');
  expect(text).toMatch(/^# Simulated vote on motions/);
  expect(jury(folder, ['motions', 'verify-audit', results]).code).toBe(0);
  writeFileSync(report, text.replace('Motion 1', 'Motion 7'));
  expect(jury(folder, ['motions', 'verify-audit', results])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('changed: report.md') as string,
  });
});
