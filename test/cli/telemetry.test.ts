/** OpenTelemetry of a run: the built program, real reviewers, a collector and a model server that follow a script. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PrintedRecord } from '../../src/core/words/run.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { startCollector, type CollectedSpan, type Collector } from '../collector.ts';
import { startModelServer, type ModelServer } from '../model-server.ts';
import { createChangedRepository, startJury, writePanel } from './jury.ts';

let collector: Collector;
let model: ModelServer;
beforeAll(async () => {
  [collector, model] = await Promise.all([
    startCollector(),
    startModelServer({ text: 'VERDICT: safe\nNone' }),
  ]);
});
afterAll(() => Promise.all([collector.close(), model.close()]));
beforeEach(() => {
  collector.set('ok');
  model.set({ plan: ['ok'], usage: { input: 1_234, output: 21, cached: 100 } });
});

interface Ended {
  readonly code: number | null;
  readonly record: PrintedRecord;
  readonly stderr: string;
}

/** Does not block: collector and model answer in this process. */
async function run(
  { root }: SampleRepository,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = startJury(root, [...args, '--format', 'json'], environment);
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', text => (stdout += String(text)));
  child.stderr?.setEncoding('utf8').on('data', text => (stderr += String(text)));
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  expect(stdout, stderr).toMatch(/^\{/);
  return { code, record: JSON.parse(stdout) as PrintedRecord, stderr };
}

function endpoint(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...more,
  };
}

/** An API, a program that fails, and a built-in check. */
function mixedPanel(sample: SampleRepository): string {
  const file = writePanel(sample, [{ id: 'failing', script: 'process.exit(7);' }]);
  writeFileSync(
    path.join(sample.root, '../panel/jury.config.yaml'),
    `quorum: 1\nreviewers:
  - { id: api-one, runner: api, model: openai-compatible/m-1, baseUrl: '${model.url}/v1' }
  - { id: failing, runner: command, command: [node, ./failing.mjs], required: false }
  - { id: diff, runner: builtin, analyser: diff }
`,
  );
  return file;
}

function named(name: string): CollectedSpan {
  const found = collector.spans().filter(span => span.name === name);
  expect(found, `spans called "${name}" among ${collector.spans().map(each => each.name).join(', ')}`).toHaveLength(1);
  return found[0] as CollectedSpan;
}

describe('the spans of a run', () => {
  it('are a tree of the run, its reviews and their questions', async () => {
    const sample = createChangedRepository();
    const { record } = await run(sample, ['review', '--config', mixedPanel(sample)], endpoint());
    console.log(JSON.stringify(collector.spans(), null, 1), record.outcome);
    for (const m of ['gen_ai.client.token.usage', 'gen_ai.client.operation.duration', 'jury.run.outcome', 'jury.review.status', 'jury.claims']) console.log(m, JSON.stringify(collector.points(m)));
    console.log(collector.resource(), record.usage, record.reviewers.map(r => r.tokens));
    named('chat m-1');
  });
});
