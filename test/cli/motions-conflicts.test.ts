/** What becomes of the search for conflicts, through the built program: files, report, terminal and JSON say whether it was finished. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { startMemberServer, type MemberServer } from './member-server.ts';
import { createSession, readResult, type SessionSample } from './motions-session.ts';
import { juryBeside } from './jury.ts';

const servers: MemberServer[] = [];
const samples: SessionSample[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
  for (const { folder } of samples.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Given {
  readonly text: string;
  readonly by: readonly string[];
}

function sampleOf(texts: readonly Given[], settings: object): SessionSample {
  const sample = createSession({ members: ['Ada', 'Ben', 'Cleo'], motions: 0, settings });
  samples.push(sample);
  writeFileSync(
    path.join(sample.folder, 'session', 'mega-motions.json'),
    JSON.stringify(
      texts.map(({ text, by }, index) => ({
        mega_motion_id: `m-${index}`,
        title: `Motion ${index}`,
        consolidated_text: text,
        all_supporting_archons: by,
        unique_archon_count: by.length,
      })),
    ),
  );
  return sample;
}

const opposed: readonly Given[] = [
  { text: 'The harbour is closed to foreign ships at night.', by: ['Ada'] },
  { text: 'Foreign ships enter the harbour at every hour.', by: ['Ben'] },
];

interface TriageFile {
  readonly summary: Record<string, unknown>;
  readonly motions: readonly { readonly conflict_details: Record<string, string> }[];
}

async function vote(
  comparison: string,
  args: readonly string[] = [],
): Promise<{
  readonly triage: TriageFile;
  readonly result: { readonly triage: unknown };
  readonly stdout: string;
  readonly stderr: string;
  readonly calls: number;
}> {
  const server = await startMemberServer({ comparison });
  servers.push(server);
  const { folder, results } = sampleOf(opposed, {
    reviewer: { runner: 'api', model: 'openai-compatible/scripted', timeout: 5 },
    endpoints: [{ baseUrl: server.url }],
    conflicts: { detector: 'model' },
  });
  const { stdout, stderr } = await juryBeside(folder, [
    'motions',
    'session',
    '--real-agent',
    ...args,
  ]);
  return {
    triage: readResult(results, 'triage_results.json') as TriageFile,
    result: readResult(results, 'pipeline_result.json') as { triage: unknown },
    stdout,
    stderr,
    calls: server.calls(),
  };
}

const quotes = (own: string): string =>
  JSON.stringify([
    { text: 1, quote_of_0: own, quote: 'Foreign ships enter the harbour at every hour' },
  ]);

describe('conflicts found by a model', () => {
  test('hold the words of both texts', { timeout: 60_000 }, async () => {
    const { triage, result, stdout } = await vote(
      quotes('The harbour is closed to foreign ships at night'),
    );
    expect(triage.summary).toMatchObject({
      total_conflicts: 2,
      conflict_search: 'finished',
      conflict_detector: 'model',
      conflicts_dropped: 0,
    });
    expect(triage.motions.map(({ conflict_details }) => conflict_details)).toEqual([
      {
        Ben: 'motion m-1 says "Foreign ships enter the harbour at every hour" where this motion says "The harbour is closed to foreign ships at night"',
      },
      {
        Ada: 'motion m-0 says "The harbour is closed to foreign ships at night" where this motion says "Foreign ships enter the harbour at every hour"',
      },
    ]);
    expect(result.triage).toEqual(triage.summary);
    expect(stdout).toContain('Potential conflicts: 2\n');
  });

  test('are dropped and counted when the words are made up', { timeout: 60_000 }, async () => {
    const { triage, stdout } = await vote(quotes('The harbour is shut to all ships for ever'));
    expect(triage.summary).toMatchObject({
      total_conflicts: 0,
      conflict_search: 'finished',
      conflicts_dropped: 1,
    });
    expect(stdout).toContain('Potential conflicts: 0 (1 without literal quotes dropped)');
  });

  test('are not known when it answers prose', { timeout: 60_000 }, async () => {
    const { triage, result, stdout, stderr } = await vote('I see nothing of the kind.', ['--json']);
    expect(triage.summary).toMatchObject({ total_conflicts: 0, conflict_search: 'not_finished' });
    expect(result.triage).toEqual(triage.summary);
    expect(JSON.parse(stdout)).toMatchObject({ triage: { conflict_search: 'not_finished' } });
    expect(stderr).toContain('the search for conflicts was not finished');
  });
});

describe('conflicts without anybody to ask', () => {
  test('are found by clauses, and the files say so', { timeout: 60_000 }, async () => {
    const { folder, results } = sampleOf(
      [
        { text: 'Members shall publish audit logs every month, and nothing else.', by: ['Ada'] },
        { text: 'Members shall not publish audit logs every month.', by: ['Ben'] },
      ],
      { conflicts: { detector: 'model' } },
    );
    const { code, stderr } = await juryBeside(folder, ['motions', 'session', '--no-simulate']);
    expect(code).toBe(0);
    expect(stderr).toContain('there is no model to ask about conflicts');
    expect(readResult(results, 'triage_results.json')).toMatchObject({
      summary: { total_conflicts: 2, conflict_search: 'finished', conflict_detector: 'clauses' },
    });
  });

  test(
    'are a lower bound among 2,500 clauses that are all alike: files, report and terminal say so',
    { timeout: 120_000 },
    async () => {
      const { folder, results } = sampleOf(
        Array.from({ length: 2_500 }, (_, index) => ({
          text: `Members shall ${index % 2 ? 'not ' : ''}publish audit logs in town ${index} case${index}`,
          by: ['Ada'],
        })),
        { save_packets: false },
      );
      const { code, stdout } = await juryBeside(folder, ['motions', 'session', '--no-simulate']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Potential conflicts: \d+ \(at least: the search was not finished\)/);
      const unfinished = { conflict_search: 'not_finished', conflict_detector: 'clauses' };
      expect(readResult(results, 'triage_results.json')).toMatchObject({ summary: unfinished });
      expect(readResult(results, 'pipeline_result.json')).toMatchObject({ triage: unfinished });
      const markdown = await juryBeside(folder, [
        'motions',
        'session',
        '--no-simulate',
        '--format',
        'markdown',
        '--out',
        'again',
      ]);
      expect(markdown.stdout).toContain('(at least: the search was not finished)');
    },
  );
});
