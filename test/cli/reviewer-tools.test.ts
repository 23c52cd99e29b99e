/** Reviews by a scripted model that uses Jury's own tools: from the configuration to the claims and the run folder. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJury, type Call } from '../../src/index.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import {
  startModelServer,
  type Behaviour,
  type ModelServer,
  type ToolCall,
} from '../model-server.ts';
import { createChangedRepository, jury, writePanel } from './jury.ts';

const finding = {
  severity: 'IMPORTANT',
  text: 'The sum of an empty list throws since the initial value is gone',
  file: 'src/sum.js',
  line: 2,
  quote: '  return list.reduce((a, b) => a + b);',
};
const reported: ToolCall = { name: 'report_finding', input: finding };
const search: ToolCall = { name: 'semantic_search', input: { query: 'sum' } };
const read: ToolCall = { name: 'read_anchor', input: { path: 'src/sum.js', side: 'old' } };

describe('a reviewer with tools', () => {
  let sample: SampleRepository;
  let model: ModelServer;
  beforeEach(async () => {
    sample = createChangedRepository();
    model = await startModelServer();
  });
  afterEach(() => model.close());

  async function review(
    plan: readonly [Behaviour, ...Behaviour[]],
    calls: readonly ToolCall[],
    { text = 'VERDICT: safe\nNone', settings = '' } = {},
  ) {
    let number = 0;
    model.set({
      plan,
      text,
      usage: { input: 900, output: 20, cached: 0 },
      tool: () => calls[Math.min(number++, calls.length - 1)] ?? search,
    });
    writeFileSync(
      path.join(sample.root, '../jury.config.yaml'),
      `reviewers:\n  - { id: alpha, runner: api, model: openai-compatible/scripted, baseUrl: '${model.url}/v1', tools: true${settings} }\n`,
    );
    const call: Call = { cwd: sample.root, environment: process.env };
    const run = await createJury(call).run({
      process: 'review',
      config: path.join(sample.root, '../jury.config.yaml'),
    });
    const [held] = run.reviews;
    if (held === undefined) throw new Error('Nobody was asked.');
    return { review: held, folder: run.folder, outcome: run.record.outcome };
  }

  it('searches, reads and reports, and what it reported joins what it answered, located', async () => {
    const { review: held, folder } = await review(
      ['tool', 'tool', 'tool', 'ok'],
      [search, read, reported],
      { text: 'SUGGESTION|src/sum.js:1|Name the parameter better\nVERDICT: safe' },
    );
    expect(held).toMatchObject({
      status: 'complete',
      usage: { calls: 4, inputTokens: 3_600, outputTokens: 80 },
    });
    expect(
      held.findings.map(({ id, severity, location }) => [
        id,
        severity,
        location?.path,
        location?.line,
        location?.anchoring,
      ]),
    ).toEqual([
      ['alpha/#1', 'low', 'src/sum.js', 1, 'exact'],
      ['alpha/R1', 'high', 'src/sum.js', 2, 'exact'],
    ]);
    const told = model.modelCalls().at(-1)?.text ?? '';
    expect(told).toContain('semantic');
    expect(told).toContain('export const sum = list');
    expect(
      readFileSync(path.join(folder, 'raw/alpha.reported.jsonl'), 'utf8').trim().split('\n'),
    ).toHaveLength(1);
    expect(readFileSync(path.join(folder, 'context/alpha.md'), 'utf8')).toContain('# Tools');
  });

  it('is charged once for what its tools told and for what its provider counted', async () => {
    const { review: held } = await review(['tool', 'ok'], [read], {
      text: 'IMPORTANT|src/sum.js:2|It throws\nVERDICT: needs-changes',
    });
    expect(held.spending).toMatchObject({ used: 1_840, own: 1_840, mode: 'full' });
  });

  it('counts a finding once that it reported and then said again', async () => {
    const { review: held } = await review(['tool', 'ok'], [reported], {
      text: `IMPORTANT|src/sum.js:2|${finding.text}\nVERDICT: needs-changes`,
    });
    expect(held.findings).toHaveLength(1);
  });

  it('keeps what it reported when it never answers: partial, with its files unread', async () => {
    const { review: held, outcome } = await review(['tool'], [reported, search]);
    expect(held).toMatchObject({
      status: 'partial',
      failure: { cause: 'budget' },
      findings: [{ id: 'alpha/R1', location: { path: 'src/sum.js', line: 2 } }],
      coverage: [{ path: 'src/sum.js', extent: 'skipped' }],
    });
    // The last round, in which it must answer, is paid for as well.
    expect(held.spending?.used).toBeLessThanOrEqual(held.spending?.total ?? 0);
    expect(model.modelCalls()).toHaveLength(6);
    expect(outcome).not.toBe('PASS');
  });

  it('keeps what it reported before an answer that had to be asked for again', async () => {
    const { review: held } = await review(['tool', 'empty', 'ok'], [reported], {
      text: 'SUGGESTION|src/sum.js:1|Name the parameter better\nVERDICT: safe',
    });
    expect(held).toMatchObject({
      status: 'complete',
      findings: [{ severity: 'low' }, { id: 'alpha/R1', severity: 'high' }],
    });
    expect(model.modelCalls()).toHaveLength(3);
  });

  it('keeps what it reported before its provider broke down', async () => {
    const { review: held } = await review(['tool', '401'], [reported]);
    expect(held).toMatchObject({
      status: 'partial',
      failure: { cause: 'auth' },
      findings: [{ id: 'alpha/R1' }],
    });
  });
});

it('tools are refused for a runner that has none', () => {
  const sample = createChangedRepository();
  const config = writePanel(sample, [{ id: 'alpha', script: '', settings: 'tools: true' }]);
  const { code, stderr } = jury(sample.root, ['review', '--config', config]);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining('runner command has no tools to offer'),
  ]);
});
