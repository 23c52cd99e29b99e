import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BudgetFile } from '../../src/core/context/budget.ts';
import type { ReviewPlan } from '../../src/core/printed/reports.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, goodAnswer, jury, juryJson, writePanel } from './jury.ts';
import { runsOf } from '../state-of.ts';

let sample: SampleRepository;
let config: string;

beforeAll(() => {
  sample = createChangedRepository();
  config = writePanel(sample, [
    {
      id: 'safe',
      script: goodAnswer,
      settings: 'persona: security-reviewer, price: { input: 1, output: 5 }',
    },
    { id: 'clean', script: goodAnswer, settings: 'persona: code-quality-reviewer' },
    { id: 'words', script: goodAnswer, settings: 'persona: documentation-reviewer' },
  ]);
});

function planJson(...args: string[]) {
  const { code, stdout, stderr } = jury(sample.root, [
    'plan',
    '--config',
    config,
    '--json',
    ...args,
  ]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as ReviewPlan;
}

describe('jury plan', () => {
  it('tells who is asked and why, with the budgets of the spec, and asks nobody', () => {
    const plan = planJson();
    const tokens = plan.subject.total_tokens;
    expect(plan).toMatchObject({
      schema: 'jury.review-plan/1',
      isolation: 'shared',
      complexity: null,
      quorum: 2,
      calls: { expected: 3, ceiling: 6 },
    });
    expect(plan.budget.budgets).toEqual({
      safe: Math.floor(8192 * (1 + tokens / 16_384)),
      clean: Math.floor(6144 * (1 + tokens / 16_384)),
      words: Math.floor(4096 * (1 + tokens / 16_384)),
    });
    expect(plan.panel.map(({ id, why, packs, files }) => [id, why[0], packs, files])).toEqual([
      ['safe', 'on the panel', 1, ['src/sum.js']],
      ['clean', 'on the panel', 1, ['src/sum.js']],
      ['words', 'on the panel', 1, ['src/sum.js']],
    ]);
    expect(existsSync(path.join(sample.root, '.jury'))).toBe(false);
  });

  it('counts the bytes that the dry run shows', () => {
    const { stdout } = jury(sample.root, ['review', '--config', config, '--dry-run', '--json']);
    const preview = JSON.parse(stdout) as { reviewers: { id: string; bytes: number }[] };
    expect(planJson().panel.map(({ id, bytes }) => ({ id, bytes }))).toEqual(
      preview.reviewers.map(({ id, bytes }) => ({ id, bytes })),
    );
  });

  it('leaves out whom a simple change does not need, and multiplies the budgets', () => {
    const plan = planJson('--complexity', 'SIMPLE');
    expect(plan.panel.map(({ id }) => id)).toEqual(['clean']);
    expect(plan.leftOut).toEqual([
      { id: 'safe', why: 'not asked at complexity SIMPLE', isOutside: false },
      { id: 'words', why: 'not asked at complexity SIMPLE', isOutside: false },
    ]);
    expect(plan.budget).toMatchObject({
      multiplier: 0.75,
      budgets: { clean: Math.floor(6144 * (1 + plan.subject.total_tokens / 16_384) * 0.75) },
    });
  });

  it('names the gap when reviewers are named and the change asks for another', () => {
    const other = createChangedRepository();
    other.write('src/auth.js', 'export const allow = true;\n');
    other.commit('three');
    const { stdout } = jury(other.root, [
      'plan',
      '--config',
      config,
      '--agents',
      'clean',
      '--json',
    ]);
    expect((JSON.parse(stdout) as ReviewPlan).gaps).toContain(
      'No security reviewer is on the panel, and src/auth.js is security-sensitive (path segment "auth.js" contains "auth").',
    );
  });

  it('prints it for people', () => {
    const { code, stdout } = jury(sample.root, ['plan', '--config', config]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Plan {2}/);
    expect(stdout).toContain('Calls:     3, at most 6 with repairs and repeats');
    expect(stdout).toContain(
      'Money:     not known: no price is configured for somebody on the panel',
    );
  });

  it('refuses a complexity nobody knows', () =>
    expect(jury(sample.root, ['plan', '--complexity', 'HARD'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('SIMPLE, STANDARD, COMPLEX') as string,
    }));
});

describe('jury review', () => {
  it('writes the budgets into the run folder and asks the panel of the plan', () => {
    const { record } = juryJson(sample.root, [
      'review',
      '--config',
      config,
      '--complexity',
      'SIMPLE',
      '--fail-on',
      'never',
    ]);
    expect(record.reviewers.map(({ id }) => id)).toEqual(['clean']);
    const budget = JSON.parse(
      readFileSync(path.join(runsOf(sample.root), record.run, 'budget.json'), 'utf8'),
    ) as BudgetFile;
    expect(budget).toEqual(planJson('--complexity', 'SIMPLE').budget);
  });

  it('refuses thresholds that contradict each other', () => {
    const file = writePanel(
      sample,
      [{ id: 'clean', script: goodAnswer }],
      'progressive_summarization: { force_return_threshold: 0.98 }\n',
    );
    expect(jury(sample.root, ['plan', '--config', file])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('there are two thresholds') as string,
    });
  });
});
