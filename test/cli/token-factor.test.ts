/** Reviewers whose provider counts otherwise than Jury: what it reports is learned, and the next plan counts by it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TokenObservation } from '../../src/core/context/review-plan.ts';
import type { ReviewPlan } from '../../src/core/printed/reports.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { startModelServer, type ModelServer } from '../model-server.ts';
import { createChangedRepository, jury, juryBeside } from './jury.ts';
import { stateOf } from '../state-of.ts';

describe('counting for a vendor family', () => {
  let sample: SampleRepository;
  let model: ModelServer;
  let config: string;
  beforeEach(async () => {
    sample = createChangedRepository();
    // Long, so that the delimiters of a run, which are random, weigh little in what a question takes.
    sample.write('src/long.js', 'total = add(total, next);\n'.repeat(200));
    sample.commit('long');
    model = await startModelServer({ text: 'VERDICT: safe\nNone' });
    config = path.join(sample.root, '../jury.config.yaml');
  });
  afterEach(() => model.close());

  function configure(names: readonly string[], settings = '') {
    writeFileSync(
      config,
      `reviewers:\n${names.map(name => `  - { id: ${name}, runner: api, model: openai-compatible/claude-scripted, baseUrl: '${model.url}/v1'${settings} }\n`).join('')}`,
    );
  }

  function plan() {
    const { code, stdout, stderr } = jury(sample.root, ['plan', '--config', config, '--json']);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as ReviewPlan;
  }

  /** The server of this process answers it: nobody may wait for it without letting go. */
  async function review() {
    await juryBeside(sample.root, ['review', '--config', config, '--json']);
  }

  const file = () => path.join(stateOf(sample.root), 'token-counts.json');

  it('goes by what is known of the family until three reports are there, then by these', async () => {
    configure(['alpha', 'beta', 'gamma']);
    const before = plan();
    expect(before.panel.map(({ factor }) => factor)).toEqual([1.1, 1.1, 1.1]);
    const tokens = before.panel[0]?.tokens ?? 0;
    model.set({ usage: { input: Math.round((tokens / 1.1) * 1.3), output: 20, cached: 0 } });
    await review();
    const { observations } = JSON.parse(readFileSync(file(), 'utf8')) as {
      readonly observations: readonly TokenObservation[];
    };
    expect(observations.map(({ family }) => family)).toEqual([
      'anthropic',
      'anthropic',
      'anthropic',
    ]);
    const after = plan();
    for (const { factor, tokens: counted } of after.panel) {
      expect(factor).toBeCloseTo(1.3, 1);
      expect(counted / tokens).toBeCloseTo(factor / 1.1, 1);
    }
    expect(after.subject).toEqual(before.subject);
    expect(after.budget).toEqual(before.budget);
    writeFileSync(file(), '{"schema":');
    expect(plan().panel.map(({ factor }) => factor)).toEqual([1.1, 1.1, 1.1]);
  });

  it('learns nothing from a reviewer with tools, whose provider reports more than the prompt', async () => {
    configure(['alpha'], ', tools: true');
    await review();
    expect(model.modelCalls().length).toBeGreaterThan(0);
    expect(existsSync(file())).toBe(false);
  });
});
