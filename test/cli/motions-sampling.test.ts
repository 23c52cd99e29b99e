/** A vote whose motions a sample may decide: by the built program, with members behind a scripted server. */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { jury, juryBeside } from './jury.ts';
import { type MemberServer, type MemberServerScript, startMemberServer } from './member-server.ts';
import { createSession, readResult, type SessionSample } from './motions-session.ts';

const servers: MemberServer[] = [];
const samples: SessionSample[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
  for (const { folder } of samples.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function serve(script: MemberServerScript) {
  const server = await startMemberServer(script);
  servers.push(server);
  return server;
}

function sampleOf(server: MemberServer, settings: object = {}) {
  const reviewer = { runner: 'api', model: 'openai-compatible/scripted', baseUrl: server.url };
  const sample = createSession({
    members: Array.from({ length: 32 }, (_, index) => `Member-${index}`),
    motions: 6,
    // Motions of medium risk, whoever supports them.
    settings: { medium: 0, reviewer: { ...reviewer, timeout: 20 }, ...settings },
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

const voting = 'motions session --real-agent --batch 2 --rules explicit'.split(' ');
const sampled = [...voting, '--sample', '8', '--sample-risk', '.01'];

interface Row {
  readonly mega_motion_id: string;
  readonly outcome: string;
  readonly decided_by: string;
  readonly asked: number | null;
  readonly risk: number | null;
}

const rowsIn = (results: string) => readResult(results, 'ratification_results.json') as Row[];

describe('a vote by sample', () => {
  test(
    'decides what is clear, leaves open what is not, and says how many more would decide it',
    { timeout: 120_000 },
    async () => {
      const server = await serve({ say });
      const { folder, results } = sampleOf(server);
      const plan = await juryBeside(folder, [...sampled, '--dry-run']);
      expect(plan.stdout).toContain('Plan: 48 reviews in ');
      expect(server.calls()).toBe(0);

      const { code, stdout } = await juryBeside(folder, sampled);
      const rows = rowsIn(results);
      expect(rows.map(({ decided_by, asked }) => [decided_by, asked])).toEqual(
        rows.map(() => ['sample', 8]),
      );
      const clear = rows.slice(0, 3);
      expect(clear.map(({ outcome }) => outcome)).toEqual(['ratified', 'ratified', 'ratified']);
      for (const { risk } of clear) expect(risk).toBeLessThanOrEqual(0.01);
      const open = rows.slice(3);
      expect(open.map(({ outcome }) => outcome)).toEqual(open.map(() => 'incomplete'));
      expect(code).toBe(2);
      expect(stdout).toMatch(
        /decided by a sample of 8 of \d+, at most a [\d.]+ % risk that the others/,
      );
      expect(readFileSync(path.join(results, 'report.md'), 'utf8')).toMatch(
        /a sample of 8 of \d+ was asked, 8 answered, and with a chance of up to [\d.]+ % the others would turn it; (?:\d+ more|all)/,
      );
      expect(jury(folder, ['motions', 'verify-audit', results]).code).toBe(0);
      // Counts do not say who was drawn: alone they decide only what nobody could turn.
      const { votes: replays } = JSON.parse(
        jury(folder, [
          'motions',
          'ratify',
          '--aggregations',
          path.join(results, 'aggregations.json'),
          '--rules',
          'explicit',
          '--json',
        ]).stdout,
      ) as { votes: Row[] };
      expect(replays.map(({ outcome }) => outcome)).toEqual(replays.map(() => 'incomplete'));
    },
  );

  test('does not ratify what all who were asked are against', { timeout: 120_000 }, async () => {
    const server = await serve({
      say: request => say(request)?.replaceAll('endorse', 'oppose') ?? null,
    });
    const { folder, results } = sampleOf(server);
    await juryBeside(folder, [...sampled, '--rules', 'seed']);
    expect(rowsIn(results).map(({ outcome }) => outcome)).not.toContain('ratified');
  });

  test('without a sample there is no risk to set', async () => {
    const server = await serve({ say });
    const { folder } = sampleOf(server);
    const { code, stderr } = await juryBeside(folder, [...voting, '--sample-risk', '.01']);
    expect([code, server.calls()]).toEqual([3, 0]);
    expect(stderr).toContain('--sample');
  });

  test.each(['0', '.5', '1', 'abc', '3/2', '-0.1', ''])('takes no risk of %j', async value => {
    const server = await serve({ say });
    const { folder } = sampleOf(server);
    const { code, stderr } = await juryBeside(folder, [
      ...voting,
      '--sample',
      '8',
      `--sample-risk=${value}`,
    ]);
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
