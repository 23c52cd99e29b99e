import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { judgeBudget, writeBudget } from '../../scripts/budget.mjs';
import { findCircles, measure } from '../../scripts/measure.mjs';
import {
  copySample,
  createFolder,
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';

const twoHundredTokens = 'let a = 1;\n'.repeat(40);
const formatter = '{ "printWidth": 100 }\n';

/** A project with a little source, and its budget. */
function createProject() {
  if (project !== undefined) return copySample(project);
  const sample = createSampleRepository();
  sample.write('.prettierrc.json', formatter);
  sample.write('src/sum.ts', 'export const sum = (a: number, b: number) => a + b;\n');
  sample.commit('The project');
  writeBudget(sample.root);
  sample.commit('Its budget');
  return copySample((project = sample));
}

let project: SampleRepository | undefined;

describe('a tree above its budget', () => {
  const sample = createProject();
  const faults = () => judgeBudget(sample.root).faults;

  it('is red by a sentence for each figure, committed or not', () => {
    expect(faults()).toEqual([]);
    sample.write('src/more.ts', twoHundredTokens);
    const sentences = [
      expect.stringMatching(/^tokens of src: 18 allowed, 218 measured\. .*"budget: …"/),
      expect.stringMatching(/^tokens of src by its syntax: 18 allowed, 218 measured\./),
      expect.stringMatching(/^lines of the largest file: 1 allowed, 40 measured\./),
    ];
    expect(faults()).toEqual(sentences);
    sample.commit('More\n\nbudget: \nThe line above gives no reason.');
    expect(faults()).toEqual(sentences);
  });

  it('is green when the last commit says why', () => {
    sample.commit('More\n\nbudget: sums of more than two');
    const { faults: red, notes } = judgeBudget(sample.root);
    expect(red).toEqual([]);
    expect(notes[0]).toMatch(/^Excused by the last commit: tokens of src:/);
    sample.remove('src/more.ts');
    sample.commit('Less');
  });

  it('is red when the formatter gets other settings, wherever they stand', () => {
    const sentence = expect.stringMatching(/^settings of the formatter: .* Put them back/);
    sample.write('.prettierrc.json', '{ "printWidth": 400 }\n');
    expect(faults()).toEqual([sentence]);
    sample.write('.prettierrc.json', formatter);
    sample.write('src/.editorconfig', 'max_line_length = 400\n');
    expect(faults()).toEqual([sentence]);
    sample.remove('src/.editorconfig');
  });

  it('is red for the processes of npm test, where they were counted at this commit', () => {
    const head = sample.git('rev-parse', 'HEAD');
    const start = (commit: string, started: number) =>
      sample.write('node_modules/.cache/jury/processes.json', JSON.stringify({ commit, started }));
    start(head, 1_000);
    writeBudget(sample.root);
    start(head, 1_010);
    expect(faults()).toEqual([]);
    start(head, 1_011);
    expect(faults()).toEqual([
      expect.stringMatching(/^processes of npm test: 1,000 allowed, 1,011/),
    ]);
    start('another commit', 2_000);
    expect(faults()).toEqual([]);
  });
});

describe('a budget', () => {
  const sample = createProject();

  it('is raised by a commit that says why, and by no other', () => {
    sample.write('src/more.ts', twoHundredTokens);
    writeBudget(sample.root);
    expect(judgeBudget(sample.root).notes.at(-1)).toMatch(/^Raised, not committed: tokens of src,/);
    sample.commit('More\n\nbudget: sums of more than two');
    expect(judgeBudget(sample.root).faults).toEqual([]);
    writeFileSync(path.join(sample.root, 'budget.json'), '{ "tokens of src": 1000 }\n');
    const raised = sample.commit('More to come');
    sample.commit('Something else\n\nbudget: no reason of another commit');
    expect(judgeBudget(sample.root).faults).toEqual([
      expect.stringMatching(
        `^${raised.slice(0, 10)} raises the budget \\(tokens of src, .*settings of the formatter\\)`,
      ),
    ]);
  });

  it('is not raised by the merge of what was explained on a branch', () => {
    const merged = createProject();
    merged.git('checkout', '-q', '-b', 'side');
    merged.write('src/more.ts', twoHundredTokens);
    writeBudget(merged.root);
    merged.commit('More\n\nbudget: sums of more than two');
    merged.git('checkout', '-q', 'main');
    merged.write('README.md', 'A few words.\n');
    writeBudget(merged.root);
    merged.commit('Words\n\nbudget: what it is');
    merged.git('merge', '-q', '-s', 'ours', '--no-commit', 'side');
    merged.git('checkout', 'side', '--', 'src');
    writeBudget(merged.root);
    merged.commit('Merge');
    expect(judgeBudget(merged.root).faults).toEqual([]);
  });
});

it('a tree of any size is measured: many lines, a long chain of imports', () => {
  const folder = createFolder();
  writeFileSync(path.join(folder, 'long.ts'), 'export {};\n'.repeat(150_000));
  expect(measure(folder)).toMatchObject({ lines: 150_000, longestLine: 10 });
  const chain = Array.from({ length: 50_000 }, (_, at) => ({
    file: `${at}`,
    name: `${at}`,
    imports: [`${at === 49_999 ? 49_998 : at + 1}`],
  }));
  expect(findCircles(chain)).toEqual([expect.arrayContaining(['49998', '49999'])]);
});

it('every way to start a process counts once, in a thread of a worker too', async () => {
  const file = path.join(createFolder(), 'count');
  writeFileSync(file, '');
  const counter = fileURLToPath(new URL('../process-count.mjs', import.meta.url));
  const thread = new Worker(
    `import { once } from 'node:events';
    import { workerData } from 'node:worker_threads';
    import { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync } from 'node:child_process';
    const { counter, file } = workerData;
    const { countProcesses } = await import(counter);
    countProcesses(file);
    countProcesses(file);
    const children = [exec('true'), execFile('true'), fork(counter), spawn('true')];
    await Promise.all(children.map(child => once(child, 'exit')));
    execFileSync('true'); execSync('true'); spawnSync('true'); spawnSync('no such program');`,
    { eval: true, workerData: { counter, file } },
  );
  await once(thread, 'exit');
  expect(statSync(file).size).toBe(8);
});
