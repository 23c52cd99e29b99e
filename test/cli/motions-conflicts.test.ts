/** What becomes of the search for conflicts, through the built program: files, report, terminal and JSON say whether it was finished. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startMemberServer } from './member-server.ts';
import { createSession, readResult } from './motions-session.ts';
import { juryBeside } from './jury.ts';

interface Given {
  readonly text: string;
  readonly by: readonly string[];
}

function sampleOf(texts: readonly Given[], settings: object) {
  const sample = createSession({ members: ['Ada', 'Ben', 'Cleo'], motions: 0, settings });
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

async function vote(comparison: string, args: readonly string[] = []) {
  const server = await startMemberServer({ comparison });
  const { folder, results } = sampleOf(opposed, {
    reviewer: { runner: 'api', model: 'openai-compatible/scripted', timeout: 5 },
    endpoints: [{ baseUrl: server.url }],
    conflicts: {},
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

const quotes = (own: string) =>
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
  test(
    'are not looked for, and files, report and terminal say so',
    { timeout: 60_000 },
    async () => {
      const { folder, results } = sampleOf(opposed, {});
      const { code, stdout } = await juryBeside(folder, ['motions', 'session', '--no-simulate']);
      expect(code).toBe(0);
      expect(stdout).toContain(
        'Potential conflicts: 0 (of those that were stated: texts were not compared)',
      );
      for (const [file, key] of [
        ['triage_results.json', 'summary'],
        ['pipeline_result.json', 'triage'],
      ] as const)
        expect(readResult(results, file)).toMatchObject({
          [key]: { total_conflicts: 0, conflict_search: 'not_run' },
        });
    },
  );
});
