/** `jury motions --real-agent` through the built program, against scripted model servers on the loopback address. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReviewResponse } from '../../src/vote/records.ts';
import { jury, juryBeside } from './jury.ts';
import { startMemberServer } from './member-server.ts';
import { createSession, readArtifacts, readResult, startIn } from './motions-session.ts';
import { runsOf } from '../state-of.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `Member-${index}`);
const voting = ['motions', 'session', '--real-agent'];

describe('real reviewers', () => {
  test(
    'three endpoints, one refusing every other call and one that hangs: it finishes, limits hold at every moment, no failure is an abstention',
    { timeout: 180_000 },
    async () => {
      const [good, limited, hanging] = [
        await startMemberServer({ delayMs: 30 }),
        await startMemberServer({ behaviour: 'limit', delayMs: 30 }),
        await startMemberServer({ behaviour: 'hang' }),
      ];
      const { folder, results } = createSession({
        members: [...names(8), { name: 'Pinned', base_url: hanging.url, model: 'scripted' }],
        motions: 5,
        settings: {
          reviewer: { runner: 'api', model: 'openai-compatible/scripted', timeout: 1 },
          endpoints: [
            { baseUrl: good.url, concurrency: 2, weight: 2 },
            { baseUrl: limited.url, concurrency: 3 },
            { baseUrl: hanging.url, concurrency: 1 },
          ],
        },
      });
      const { code, stdout, stderr } = await juryBeside(folder, [
        ...voting,
        '--batch',
        '5',
        '--concurrency',
        '8',
        '--json',
      ]);
      // The one who never answers could turn some of the motions, and those are not decided.
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('Plan: 45 reviews in 9 calls') as string,
      ]);
      expect(JSON.parse(stdout)).toMatchObject({
        ratification: {
          votes: expect.arrayContaining([
            expect.objectContaining({ outcome: 'incomplete', no_response: 1 }),
            expect.objectContaining({ outcome: 'ratified', no_response: 1 }),
          ]) as unknown[],
        },
      });
      const responses = (
        readResult(results, 'review_responses.json') as (ReviewResponse & { pass: number })[]
      ).filter(({ pass }) => pass === 1);
      expect(responses).toHaveLength(45);
      const [pinned, others] = [
        responses.filter(({ archon_name }) => archon_name === 'Pinned'),
        responses.filter(({ archon_name }) => archon_name !== 'Pinned'),
      ];
      expect(others.every(({ status }) => status === 'ok')).toBe(true);
      expect(pinned.map(({ status, stance }) => [status, stance])).toEqual(
        Array.from({ length: 5 }, () => ['no_response', null]),
      );
      expect([
        good.mostAtOnce() <= 2,
        limited.mostAtOnce() <= 3,
        hanging.mostAtOnce() <= 1,
      ]).toEqual([true, true, true]);
      expect([good.answered.length > 0, limited.answered.length > 0, hanging.calls() >= 3]).toEqual(
        [true, true, true],
      );
      expect(stderr).toContain('is rate limited');
      expect(
        responses.filter(
          ({ stance, reasoning }) => stance === 'ABSTAIN' && !reasoning.includes(' on m-'),
        ),
      ).toEqual([]);
    },
  );

  test(
    'kill -9 at any moment: nothing that was answered is asked again, and the results are those of an undisturbed run',
    { timeout: 180_000 },
    async () => {
      const server = await startMemberServer({ delayMs: 20 });
      const request = {
        members: names(12),
        motions: 10,
        settings: {
          reviewer: {
            runner: 'api',
            model: 'openai-compatible/scripted',
            baseUrl: server.url,
            timeout: 20,
          },
        },
      };
      const args = [...voting, '--batch', '1', '--concurrency', '4'];
      const undisturbed = createSession(request);
      expect((await juryBeside(undisturbed.folder, args)).code).toBe(0);
      const calls = server.answered.length;

      const killed = createSession(request);
      let kills = 0;
      // Twice among the reviews, once while the panel sits.
      for (const answers of [20, 75, 123]) {
        const { child, ended } = startIn(killed.folder, kills === 0 ? args : ['resume', 'latest']);
        const watch = setInterval(
          () => server.answered.length - calls >= answers && child.kill('SIGKILL'),
          2,
        );
        if ((await ended).code === null) kills += 1;
        clearInterval(watch);
      }
      const { code, stderr } = await juryBeside(killed.folder, args);
      expect([code, stderr.includes('has ended')]).toEqual([0, false]);
      expect(readArtifacts(killed.results)).toEqual(readArtifacts(undisturbed.results));
      expect(kills).toBe(3);
      // Four under way and four being written down are the most that a kill can cost.
      expect(server.answered.length - calls).toBeLessThanOrEqual(calls + 8 * kills);
    },
  );

  test('a vote that ended is named and nobody is asked; one that was interrupted is resumed from its folder', async () => {
    const server = await startMemberServer();
    const { folder, results } = createSession({
      members: names(3),
      motions: 2,
      settings: { endpoints: [{ baseUrl: server.url, model: 'scripted' }] },
    });
    const { code, stdout } = await juryBeside(folder, [...voting, '--format', 'markdown']);
    expect(code).toBe(0);
    const [run = ''] = readdirSync(runsOf(folder));
    expect(stdout).toBe(readFileSync(path.join(runsOf(folder), run, 'report.md'), 'utf8'));
    expect(stdout).toContain('## Motions\n\n| # | Motion | Risk | Outcome |');
    const calls = server.calls();
    const resumed = await juryBeside(folder, ['resume']);
    expect([resumed.code, resumed.stderr]).toEqual([
      0,
      expect.stringMatching(/has ended; nothing is missing\. Its results are in /) as string,
    ]);
    expect(resumed.stderr).toContain(results);
    expect(server.calls()).toBe(calls);
    expect(jury(folder, ['runs']).stdout).toMatch(
      /^Votes on motions:\n\d{8}T\d{6}Z-[0-9a-f]{6} {2}ENDED {2}/,
    );
    for (const command of ['show', 'report'])
      expect(jury(folder, [command, 'latest'])).toMatchObject({ code: 0, stdout });
    expect(readFileSync(path.join(results, 'report.md'), 'utf8')).toBe(stdout);
    expect(jury(folder, ['show', run, 'm-0'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1\. Motion 0: /) as string,
    });
  });

  test('beyond the ceiling nobody is asked, and what those could turn is not decided', async () => {
    const server = await startMemberServer();
    const { folder, results } = createSession({
      members: names(4),
      motions: 2,
      settings: { endpoints: [{ baseUrl: server.url, model: 'scripted' }] },
    });
    const { code, stderr } = await juryBeside(folder, [
      ...voting,
      '--max-calls',
      '3',
      '--concurrency',
      '1',
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Ceiling: 3 calls.') as string]);
    expect(server.calls()).toBe(3);
    const missing = (readResult(results, 'review_responses.json') as ReviewResponse[]).filter(
      ({ status }) => status === 'no_response',
    );
    expect(missing.map(({ error }) => error)).toEqual([
      'The ceiling of 3 calls is reached.',
      'The ceiling of 3 calls is reached.',
    ]);
  });

  test.each([
    [
      {},
      'the configuration has no motions.reviewer and no motions.endpoints, and no member of the roster has a base_url',
    ],
    [{ reviewer: { runner: 'command', command: ['no-such-program'] } }, 'no-such-program'],
    [
      {
        reviewer: {
          runner: 'api',
          model: 'anthropic/some-model',
          apiKeyEnv: 'JURY_TEST_NO_SUCH_KEY',
        },
      },
      'No key in JURY_TEST_NO_SUCH_KEY.',
    ],
  ])('that cannot start end the vote with an error (%#)', (settings, reason) => {
    const { folder, results } = createSession({ members: names(2), motions: 1, settings });
    const { code, stderr } = jury(folder, voting);
    expect(code).toBe(3);
    expect(stderr).toContain('Error: real reviewers requested but not available: ');
    expect(stderr).toContain(reason);
    expect(() => readArtifacts(results)).toThrow('ENOENT');
  });

  test('none of whom answers anything end it with exit 2, and the results are kept', () => {
    const { folder, results } = createSession({
      members: names(2),
      motions: 1,
      settings: { reviewer: { runner: 'command', command: ['node', './silent.mjs'], timeout: 5 } },
    });
    writeFileSync(path.join(folder, 'silent.mjs'), 'process.exit(1);\n');
    const { code, stderr } = jury(folder, voting);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^Error: no review could be collected: .*(?:exit|ended|code) /m,
      ) as string,
    ]);
    expect(
      (readResult(results, 'review_responses.json') as ReviewResponse[]).map(
        ({ status, attempts }) => [status, attempts],
      ),
    ).toEqual([
      ['no_response', 3],
      ['no_response', 3],
    ]);
    writeFileSync(path.join(folder, 'silent.mjs'), 'process.exit(2);\n');
    expect(jury(folder, voting).stderr).toMatch(
      /ended with 2 answers missing: .* The program of command is another since: what it answered /,
    );
  });
});
