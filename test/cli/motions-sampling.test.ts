/** A vote whose motions a sample may decide: by the built program, with members behind a scripted server. */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ReviewResponse } from '../../src/core/vote/records.ts';
import { jury, juryBeside } from './jury.ts';
import { type MemberServer, type MemberServerScript, startMemberServer } from './member-server.ts';
import { createSession, readResult, type SessionSample, startIn } from './motions-session.ts';

const servers: MemberServer[] = [];
const samples: SessionSample[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
  for (const { folder } of samples.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function serve(script: MemberServerScript): Promise<MemberServer> {
  const server = await startMemberServer(script);
  servers.push(server);
  return server;
}

function sampleOf(server: MemberServer, settings: object = {}): SessionSample {
  const reviewer = { runner: 'api', model: 'openai-compatible/scripted', baseUrl: server.url };
  const sample = createSession({
    members: Array.from({ length: 32 }, (_, index) => `Member-${index}`),
    motions: 6,
    settings: { reviewer: { ...reviewer, timeout: 20 }, ...settings },
  });
  samples.push(sample);
  return sample;
}

/** Everybody supports the first three motions; on the others half of the members are against. */
const say: MemberServerScript['say'] = ({ member, prompt }) => {
  const asked = [...prompt.matchAll(/motion_id: "(m-(\d+))"/g)];
  if (member === 'facilitator' || asked.length === 0) return null;
  return JSON.stringify(
    asked.map(([, id, number]) => ({
      motion_id: id,
      stance: Number(number) < 3 || Number(member.slice(7)) % 2 === 0 ? 'endorse' : 'oppose',
      reasoning: `${member} on ${id}.`,
      confidence: 0.8,
      opposition_concerns: ['It is too broad to be carried out within the year.'],
    })),
  );
};

const voting = ['motions', 'session', '--real-agent', '--batch', '2', '--rules', 'explicit'];
const sampled = [...voting, '--sample-risk', '.05'];

interface Row {
  readonly mega_motion_id: string;
  readonly outcome: string;
  readonly decided_by: string;
  readonly sample_risk: number | null;
}

const rowsIn = (results: string): Row[] =>
  readResult(results, 'ratification_results.json') as Row[];

const saidIn = (results: string): string[] =>
  (readResult(results, 'review_responses.json') as ReviewResponse[]).map(row =>
    [row.archon_id, row.mega_motion_id, row.stance, row.look].join(' '),
  );

describe('a vote by sample', () => {
  test(
    'decides early what is clear, says so wherever it shows how a motion ended, and goes on without asking twice',
    { timeout: 120_000 },
    async () => {
      const server = await serve({ say });
      const { folder, results } = sampleOf(server);
      const plan = await juryBeside(folder, [...sampled, '--dry-run']);
      expect(plan.stdout).toContain('Plan: up to 192 reviews in up to 96 calls');
      expect(plan.stdout).toContain('at a risk of at most 0.05');
      expect(server.calls()).toBe(0);

      const { code, stdout, stderr } = await juryBeside(folder, sampled);
      expect(code).toBe(0);
      const rows = rowsIn(results);
      const early = rows.filter(({ decided_by }) => decided_by === 'sample');
      expect(early.map(({ mega_motion_id }) => mega_motion_id)).toEqual(
        expect.arrayContaining(['m-0', 'm-1', 'm-2']),
      );
      for (const { sample_risk } of early) expect(sample_risk).toBeLessThanOrEqual(0.05);
      for (const row of rows) expect(row.sample_risk === null).toBe(row.decided_by === 'vote');
      const said =
        /decided by a sample of \d+ of 32, (?:at most a [\d.]+ % risk that all|whatever the others)/;
      expect(stdout).toMatch(said);
      expect(readFileSync(path.join(results, 'report.md'), 'utf8')).toMatch(said);
      expect(stderr).toMatch(/Look \d of 8: \d of 6 motions need nobody more/);
      const { sampling } = readResult(results, 'pipeline_result.json') as {
        sampling: { calls_saved: number; reviews_saved: number };
      };
      expect(stdout).toContain(`and ${sampling.calls_saved} call`);
      const asked = server.answered.filter(call => call.includes('m-'));
      expect(asked.length - 96 + sampling.calls_saved).toBe(0);
      expect(jury(folder, ['motions', 'verify-audit', results]).code).toBe(0);
      // Counts do not say in which order members were drawn: alone they decide only what nobody could turn.
      const counts = path.join(results, 'aggregations.json');
      const replayed = jury(folder, [
        'motions',
        'ratify',
        '--aggregations',
        counts,
        '--rules',
        'explicit',
        '--json',
      ]);
      const { votes: replays } = JSON.parse(replayed.stdout) as { votes: Row[] };
      const outcomeOf = new Map(rows.map(row => [row.mega_motion_id, row.outcome]));
      expect(replays.some(({ outcome }) => outcome === 'incomplete')).toBe(true);
      for (const { mega_motion_id, outcome } of replays)
        expect(['incomplete', outcomeOf.get(mega_motion_id)]).toContain(outcome);

      const [calls, before] = [server.calls(), saidIn(results)];
      const again = await juryBeside(folder, sampled);
      expect([again.code, server.calls()]).toEqual([0, calls]);
      expect(saidIn(results)).toEqual(before);
      const planned = await juryBeside(folder, [...sampled, '--dry-run', '--json']);
      expect(JSON.parse(planned.stdout)).toMatchObject({
        isComplete: true,
        sampleRisk: 0.05,
        answered: before.length,
        expected: { calls: 0 },
      });
    },
  );

  test(
    'that was killed goes through the same looks; with another risk it is another vote',
    { timeout: 120_000 },
    async () => {
      const server = await serve({ say, delayMs: 40 });
      const { folder, results } = sampleOf(server, { sample_risk: 0.05 });
      const { child, ended } = startIn(folder, voting);
      const watch = setInterval(() => server.answered.length >= 40 && child.kill('SIGKILL'), 2);
      expect((await ended).code).toBeNull();
      clearInterval(watch);
      expect((await juryBeside(folder, voting)).code).toBe(0);
      const rows = rowsIn(results);
      expect(rows.some(({ decided_by }) => decided_by === 'sample')).toBe(true);
      // What was under way or being written down when it was killed.
      const asked = server.answered.filter(call => call.includes('m-'));
      expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(8);
      const other = await juryBeside(folder, [
        ...voting,
        '--sample-risk',
        '0.01',
        '--dry-run',
        '--json',
      ]);
      expect(JSON.parse(other.stdout)).toMatchObject({ run: null, sampleRisk: 0.01 });
    },
  );

  test(
    'under a ceiling is incomplete, and topped up decides all',
    { timeout: 120_000 },
    async () => {
      const server = await serve({ say });
      const { folder, results } = sampleOf(server);
      const capped = await juryBeside(folder, [...sampled, '--max-calls', '30']);
      expect([capped.code, server.calls()]).toEqual([2, 30]);
      expect(rowsIn(results).some(({ outcome }) => outcome === 'incomplete')).toBe(true);
      expect(jury(folder, ['motions', 'verify-audit', results])).toMatchObject({ code: 0 });
      const { code } = await juryBeside(folder, ['resume', 'latest', '--max-calls', '500']);
      expect(code).toBe(0);
      expect(rowsIn(results).some(({ outcome }) => outcome === 'incomplete')).toBe(false);
      expect(jury(folder, ['motions', 'verify-audit', results])).toMatchObject({ code: 0 });
      const asked = server.answered.filter(call => call.includes('m-'));
      expect(new Set(asked).size).toBe(asked.length);
    },
  );

  test.each(['0', '.5', '1', 'abc', '3/2', '-0.1', ''])('takes no risk of %j', async value => {
    const server = await serve({ say });
    const { folder } = sampleOf(server);
    const { code, stderr } = await juryBeside(folder, [...voting, `--sample-risk=${value}`]);
    expect([code, server.calls()]).toEqual([3, 0]);
    expect(stderr).toContain('--sample-risk');
  });

  test('takes none from a configuration either', async () => {
    const server = await serve({ say });
    const { folder } = sampleOf(server, { sample_risk: 0.5 });
    const { code, stderr } = await juryBeside(folder, voting);
    expect([code, server.calls()]).toEqual([3, 0]);
    expect(stderr).toContain('sample_risk');
  });
});
