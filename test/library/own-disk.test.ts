import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemProcesses } from '../../src/adapters/system/processes.ts';
import { createJury, type JuryRequest, type ProcessResult } from '../../src/index.ts';
import { createChangedRepository } from '../cli/jury.ts';
import { createMemoryDisk } from '../simulation/memory-disk.ts';

const requests: readonly (readonly [string, JuryRequest, string])[] = [
  [
    'a change',
    { process: 'review', range: 'HEAD~1..HEAD' },
    'IMPORTANT|src/sum.js:2|An empty list throws\nVERDICT: needs-changes',
  ],
  [
    'a question',
    { process: 'ask', prompt: 'Is it sound?' },
    '## HIGH\n\n### Look at the empty list\n\nIt throws.\n\n## MEDIUM\n\nNone\n\n## LOW\n\nNone\n',
  ],
];

describe('a disk of the caller', () => {
  it.each(requests)('holds everything of a run about %s', async (_, request, text) => {
    const { root: cwd } = createChangedRepository();
    const before = readdirSync(cwd);
    const disk = createMemoryDisk();
    const ask = () => ({ text });
    const settings = {
      cwd,
      environment: {
        PATH: process.env.PATH,
        JURY_TMPDIR: process.env.TMPDIR,
        JURY_STATE: process.env.JURY_STATE,
      },
      disk,
      config: { reviewers: ['one', 'two'].map(id => ({ id, runner: 'mine' })) },
      runners: { mine: ask },
    };
    const run = await createJury(settings).run(request);
    expect(run.reviews.map(({ status }) => status)).toEqual(['complete', 'complete']);
    expect(existsSync(run.folder)).toBe(false);
    expect(readdirSync(cwd)).toEqual(before);
    const files = [...disk.files().keys()];
    for (const name of ['plan.json', 'journal.jsonl', 'events.jsonl', 'report.md', 'raw/one.json'])
      expect(files).toContain(path.posix.join(run.folder, name));
    // Another one with the same disk finds it, and need not ask again.
    const again = createJury({ ...settings, runners: { mine: () => Promise.reject(new Error()) } });
    expect((await again.report('latest')).record.run).toBe(run.record.run);
    expect((await again.list()).ended).toHaveLength(1);
    expect(await again.resource(`resources://runs/${run.record.run}/report.md`)).toContain('sum');
  });
});

describe('processes of the caller', () => {
  it('start the programs of the panel, and nothing else does', async () => {
    const { root: cwd } = createChangedRepository();
    const started: string[] = [];
    const ended: ProcessResult = {
      exitCode: 0,
      signal: null,
      stdout: 'IMPORTANT|src/sum.js:2|An empty list throws\nVERDICT: needs-changes',
      stdoutIsUtf8: true,
      stderr: '',
      stopped: null,
      spawnError: null,
      durationMs: 1,
      inputDelivered: true,
    };
    const run = await createJury({
      cwd,
      environment: { PATH: process.env.PATH, JURY_STATE: process.env.JURY_STATE },
      config: {
        reviewers: [{ id: 'one', runner: 'command', command: [process.execPath, '-e', '1'] }],
      },
      processes: {
        ...systemProcesses,
        run: ({ args, input }) => {
          started.push(args.join(' '));
          return Promise.resolve({ ...ended, inputDelivered: input !== '' });
        },
      },
    }).run({ process: 'review', range: 'HEAD~1..HEAD' });
    expect(started).toEqual(['-e 1']);
    expect(run.reviews[0]?.status).toBe('complete');
    expect(run.record.claims).toHaveLength(1);
  });
});
