/** What is printed is what the shipped schemas say in every state a run can be in, not only where all goes well. */
import { cpSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { PrintedRecord } from '../../src/core/words/run.ts';
import { createFolder, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, goodAnswer, jury, lastRun, writePanel } from './jury.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
const checks = new Map<string, ValidateFunction>();

/** What a command prints, held to its schema. */
function printedBy(name: string, { root }: SampleRepository, ...words: readonly string[]) {
  const { stdout, stderr } = jury(root, [...words, '--json']);
  const file = fileURLToPath(new URL(`../../schema/jury.${name}.schema.json`, import.meta.url));
  const check = checks.get(name) ?? ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
  checks.set(name, check);
  expect(stdout, `${words.join(' ')}: ${stderr}`).toMatch(/^[{[]/);
  const value: unknown = JSON.parse(stdout);
  check(value);
  expect(check.errors ?? [], words.join(' ')).toEqual([]);
  return value;
}

function runOf(sample: SampleRepository, ...words: readonly string[]) {
  return printedBy('run', sample, ...words) as PrintedRecord;
}

const failing = { id: 'lost', script: 'process.exit(3);', settings: 'required: true' };
const sound = `console.log('No issues found.\\nVERDICT: safe');`;

describe('what is printed of a run', () => {
  it('that could not be decided, that goes on, and whose record is damaged', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [{ id: 'good', script: sound }, failing]);
    const run = runOf(sample, 'review', '--config', config);
    expect([run.outcome, run.exitCode]).toEqual(['INCOMPLETE', 2]);
    expect(runOf(sample, 'resume', 'latest').outcome).toBe('INCOMPLETE');
    printedBy('run', sample, 'review', '--continue', 'latest');
    printedBy('plan', sample, 'plan', '--config', config);
    printedBy('stats', sample, 'stats');
    printedBy('verdicts', sample, 'verdicts');
    printedBy('claims', sample, 'consensus', 'latest');
    const elsewhere = createFolder();
    cpSync(lastRun(sample), path.join(elsewhere, run.run), { recursive: true });
    truncateSync(path.join(lastRun(sample), 'report.json'), 40);
    expect(printedBy('runs', sample, 'runs')).toMatchObject([
      { run: run.run, state: 'unreadable' },
    ]);
    printedBy('stats', sample, 'stats');
    const other = createChangedRepository();
    printedBy('import', other, 'import', elsewhere, '--yes');
    expect(printedBy('runs', other, 'runs')).toMatchObject([{ run: run.run }]);
    expect(runOf(other, 'report', run.run)).toMatchObject({
      outcome: 'INCOMPLETE',
      imported: { said: 'INCOMPLETE' },
    });
    printedBy('clean', other, 'clean');
  }, 120_000);

  it('that keeps most of an earlier one, and of its claims fixed and dismissed', () => {
    const sample = createChangedRepository();
    sample.write('src/other.js', 'export const other = 1;\n');
    sample.commit('three');
    const script = `if (prompt.includes('src/sum.js')) { ${goodAnswer} } else { ${sound} }`;
    const config = writePanel(sample, [
      { id: 'good', script },
      { id: 'second', script },
    ]);
    const review = ['review', 'HEAD~2..HEAD', '--config', config];
    const first = runOf(sample, ...review);
    const [claim] = first.claims;
    expect(claim?.id).toBeDefined();
    sample.write('src/other.js', 'export const other = 2;\n');
    sample.git('commit', '-qam', 'three', '--amend');
    printedBy('plan', sample, 'plan', 'HEAD~2..HEAD', '--config', config);
    printedBy('preview', sample, ...review, '--dry-run');
    const second = runOf(sample, ...review);
    expect(second.carried).toMatchObject({ run: first.run, kept: 1 });
    printedBy('explanation', sample, 'explain', claim?.id ?? '');
    printedBy('decision', sample, 'dismiss', claim?.id ?? '', '--reason', 'x', '--scope', 'file');
    expect(runOf(sample, ...review, '--fresh').dismissed).toHaveLength(1);
    printedBy('explanation', sample, 'explain', claim?.id ?? '');
    sample.write('src/sum.js', 'export const sum = list => list.reduce((a, b) => a + b, 0) + 0;\n');
    sample.commit('four');
    writePanel(sample, [
      { id: 'good', script: sound },
      { id: 'second', script: sound },
    ]);
    printedBy('run', sample, ...review);
    printedBy('explanation', sample, 'explain', claim?.id ?? '');
    printedBy('stats', sample, 'stats');
  }, 120_000);

  it('that reached what may be spent in the month', () => {
    const sample = createChangedRepository();
    const seats = ['one', 'two'].map(id => ({
      id,
      script: goodAnswer,
      settings: 'price: { input: 1000, output: 0 }',
    }));
    const config = writePanel(sample, seats, 'maxCostPerMonth: 0.000001\nconcurrency: 1\n');
    const run = runOf(sample, 'review', '--config', config);
    expect(run.reasons.map(({ rule }) => rule)).toContain('month');
    expect(printedBy('plan', sample, 'plan', '--config', config)).toHaveProperty('month');
    expect(printedBy('stats', sample, 'stats')).toHaveProperty('month');
  }, 60_000);

  it('of a question, a research, a brainstorm, a document, a commit and answers from elsewhere', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [{ id: 'good', script: goodAnswer }, failing]);
    sample.write('plan.md', '# A plan\n\nIt is none.\n');
    for (const words of [
      ['ask', 'Is it good?'],
      ['research', 'What is it?'],
      ['brainstorm', 'What may it be?'],
      ['document', 'plan.md'],
      ['gates', 'HEAD~1..HEAD'],
    ])
      expect(runOf(sample, ...words, '--config', config).command).toBe(words[0]);
    printedBy('runs', sample, 'runs');
    printedBy('stats', sample, 'stats');
    const answers = createFolder();
    writeFileSync(
      path.join(answers, 'good.md'),
      'IMPORTANT|src/sum.js:2|The sum of an empty list throws\nVERDICT: needs-changes\n',
    );
    writeFileSync(path.join(answers, 'empty.md'), '');
    printedBy('run', sample, 'collect', answers);
  }, 120_000);

  it('there is none of', () => {
    const sample = createChangedRepository();
    for (const [name, word] of [
      ['stats', 'stats'],
      ['clean', 'clean'],
    ] as const)
      printedBy(name, sample, word);
    expect(printedBy('runs', sample, 'runs')).toEqual([]);
  }, 60_000);
});

it('a machine whose configuration seats what is not there is told by its schema', () => {
  const sample = createChangedRepository();
  sample.write(
    'jury.config.yaml',
    `reviewers:
  - { id: gone, runner: command, command: [no-such-program-anywhere] }
  - { id: api, runner: api, model: openai-compatible/m, baseUrl: 'http://127.0.0.1:9/v1' }
`,
  );
  expect(printedBy('doctor', sample, 'doctor', '--offline')).toBeDefined();
  printedBy('doctor', sample, 'doctor', '--trust-config', '--timeout', '2');
}, 60_000);
