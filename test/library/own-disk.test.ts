import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createJury, type JurySettings } from '../../src/index.ts';
import { createMemoryDisk } from '../simulation/memory-disk.ts';

const answer = `SEVERITY | FINDING_ID | TITLE
CRITICAL | F-001 | The list may be empty
VERDICT: NEEDS_ATTENTION

## F-001

\`\`\`json
{"path":"sum.js","line":1}
\`\`\`

ReviewComplete: YES
`;

function createProject(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'jury-own-disk-'));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  git('init', '-q');
  writeFileSync(path.join(folder, 'sum.js'), 'export const sum = list => 0;\n');
  git('add', '.');
  git('commit', '-qm', 'one');
  writeFileSync(
    path.join(folder, 'sum.js'),
    'export const sum = list => list.reduce((a, b) => a + b);\n',
  );
  git('commit', '-qam', 'two');
  return folder;
}

function settingsIn(cwd: string): JurySettings {
  return {
    cwd,
    environment: { PATH: process.env['PATH'], JURY_TMPDIR: process.env['JURY_TMPDIR'] },
    disk: createMemoryDisk(),
    config: {
      reviewers: ['one', 'two'].map(id => ({ id, runner: 'mine', persona: 'code-quality-reviewer' })),
    },
    runners: { mine: async () => answer },
  };
}

describe('a disk of the caller', () => {
  it.each([
    ['a change', { process: 'review', range: 'HEAD~1..HEAD' }],
    ['a question', { process: 'ask', question: 'Is it sound?' }],
  ] as const)('holds everything of a run of %s', async (_, request) => {
    const cwd = createProject();
    const settings = settingsIn(cwd);
    const run = await createJury(settings).run(request);
    expect(run.reviews.map(({ status }) => status)).toEqual(['complete', 'complete']);
    expect(existsSync(run.folder)).toBe(false);
    expect(readdirSync(cwd).toSorted()).toEqual(['.git', 'sum.js']);
    const files = settings.disk === undefined ? [] : [...createFiles(settings)];
    for (const name of ['plan.json', 'journal.jsonl', 'events.jsonl', 'report.md', 'raw/one.json'])
      expect(files).toContain(path.join(run.folder, name));
    // Another one with the same disk finds it.
    const again = await createJury(settings).report('latest');
    expect(again.record.run).toBe(run.record.run);
    expect((await createJury(settings).run(request)).record.reused).toBe(true);
  });
});

function createFiles({ disk }: JurySettings): Iterable<string> {
  return (disk as ReturnType<typeof createMemoryDisk>).files().keys();
}
