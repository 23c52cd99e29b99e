/** OpenTelemetry of a run: the built program, real reviewers, a collector and a model server that follow a script. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PrintedRecord } from '../../src/core/words/run.ts';
import { createFolder, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { startCollector, type CollectedSpan, type Collector } from '../collector.ts';
import { startModelServer, type ModelServer } from '../model-server.ts';
import {
  createChangedRepository,
  endOf,
  goodAnswer,
  juryBeside,
  startJury,
  writePanel,
} from './jury.ts';

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
  model.set({
    text: 'VERDICT: safe\nNone',
    plan: ['ok'],
    usage: { input: 1_234, output: 21, cached: 100 },
  });
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
) {
  const words = [...args, '--format', 'json'];
  const { code, stdout, stderr } = await juryBeside(root, words, { environment });
  expect(stdout, stderr).toMatch(/^\{/);
  return { code, record: JSON.parse(stdout) as PrintedRecord, stderr };
}

function endpoint(more: Readonly<Record<string, string>> = {}) {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    ...more,
  };
}

/** An API, a program that fails, and a built-in check. */
function mixedPanel(sample: SampleRepository) {
  const file = writePanel(sample, [{ id: 'failing', script: 'process.exit(7);' }]);
  writeFileSync(
    path.join(sample.root, '../panel/jury.config.yaml'),
    `quorum: 1\nreviewers:
  - { id: api-one, runner: api, model: openai-compatible/m-1, baseUrl: '${model.url}/v1' }
  - { id: failing, runner: command, command: [sh, ./failing.sh], required: false }
  - { id: diff, runner: builtin, analyser: diff }
`,
  );
  return file;
}

function named(name: string) {
  const spans = collector.spans();
  const found = spans.filter(span => span.name === name);
  expect(found, `${name} in ${spans.map(each => each.name).join(', ')}`).toHaveLength(1);
  return found[0] as CollectedSpan;
}

/** Everything that was sent, headers too. */
function sent() {
  return collector.requests
    .map(({ headers, body }) => `${JSON.stringify(headers)}\n${body.toString('latin1')}`)
    .join('\n');
}

function sumOf(metric: string, wanted: Readonly<Record<string, unknown>>) {
  return collector
    .points(metric)
    .filter(({ attributes }) =>
      Object.entries(wanted).every(([name, value]) => attributes[name] === value),
    )
    .reduce((sum, point) => sum + point.sum, 0);
}

describe('what a run tells', () => {
  it('is a tree: the run, its reviews, and their questions', async () => {
    const sample = createChangedRepository();
    const { record } = await run(sample, ['review', '--config', mixedPanel(sample)], endpoint());
    const root = named('invoke_workflow jury');
    expect(root).toMatchObject({
      kind: 1,
      parent: null,
      status: 0,
      attributes: {
        'gen_ai.operation.name': 'invoke_workflow',
        'gen_ai.agent.name': 'jury',
        'jury.process': 'review',
        'jury.run.id': record.run,
        'jury.run.outcome': record.outcome,
        'jury.run.kept': false,
      },
    });
    const review = named('invoke_agent api-one');
    expect(review).toMatchObject({
      kind: 1,
      parent: root.spanId,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': 'api-one',
        'jury.runner': 'api',
        'jury.review.status': 'complete',
        'jury.review.kept': false,
        'jury.review.findings': 0,
        'gen_ai.usage.input_tokens': 1_234,
      },
    });
    expect(named('chat m-1')).toMatchObject({
      kind: 3,
      parent: review.spanId,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai-compatible',
        'gen_ai.request.model': 'm-1',
        'gen_ai.response.model': 'm-1',
        'gen_ai.usage.input_tokens': 1_234,
        'gen_ai.usage.output_tokens': 21,
        'gen_ai.usage.cache_read.input_tokens': 100,
        'jury.reviewer': 'api-one',
        'jury.call.attempt': 1,
        'jury.usage.estimated': false,
      },
    });
    expect(named('invoke_agent failing')).toMatchObject({
      parent: root.spanId,
      status: 2,
      attributes: { 'error.type': 'exit', 'jury.review.status': 'failed' },
    });
    expect(named('invoke_agent command')).toMatchObject({
      parent: named('invoke_agent failing').spanId,
      status: 2,
      attributes: { 'error.type': 'exit', 'gen_ai.agent.name': 'command' },
    });
    // The built-in check asks nobody.
    expect(named('invoke_agent diff').parent).toBe(root.spanId);
    expect(collector.spans()).toHaveLength(6);
    const page = readFileSync(new URL('../../docs/telemetry.md', import.meta.url), 'utf8');
    for (const { attributes } of collector.spans())
      for (const name of Object.keys(attributes)) expect(page).toContain(`\`${name}\``);
    expect(new Set(collector.spans().map(({ traceId }) => traceId)).size).toBe(1);
    expect(collector.resource()).toMatchObject({
      'service.name': 'jury',
      'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/) as string,
    });
  });

  it('is measured: as many tokens as the report has, in the buckets of the conventions', async () => {
    const sample = createChangedRepository();
    const { record } = await run(sample, ['review', '--config', mixedPanel(sample)], endpoint());
    const tokens = (type: string) =>
      sumOf('gen_ai.client.token.usage', { 'gen_ai.token.type': type });
    expect([tokens('input'), tokens('output')]).toEqual([
      record.usage.details.inputTokens,
      record.usage.details.outputTokens,
    ]);
    expect(tokens('input')).toBeGreaterThan(1_234);
    expect(collector.points('gen_ai.client.token.usage')[0]?.bounds).toEqual(
      Array.from({ length: 14 }, (_, index) => 4 ** index),
    );
    const durations = collector.points('gen_ai.client.operation.duration');
    expect(durations[0]?.bounds).toEqual(
      Array.from({ length: 14 }, (_, index) => 2 ** index / 100),
    );
    expect(durations.map(({ count, attributes }) => [count, attributes['error.type']])).toEqual([
      [1, undefined],
      [1, 'exit'],
    ]);
    expect(sumOf('jury.run.outcome', { 'jury.run.outcome': record.outcome })).toBe(1);
    expect(sumOf('jury.review.status', { 'jury.review.status': 'complete' })).toBe(2);
    expect(sumOf('jury.review.status', { 'error.type': 'exit' })).toBe(1);
  });

  it('counts claims by severity and agreement', async () => {
    const sample = createChangedRepository();
    const panel = writePanel(sample, [
      { id: 'one', script: goodAnswer },
      { id: 'two', script: goodAnswer },
    ]);
    const { record } = await run(sample, ['review', '--config', panel], endpoint());
    expect(record.claims).toHaveLength(1);
    expect(collector.points('jury.claims')).toMatchObject([
      {
        sum: 1,
        attributes: {
          'jury.claim.severity': record.claims[0]?.severity,
          'jury.claim.agreement': 'all',
        },
      },
    ]);
  });

  it('says why a question failed by our causes', async () => {
    model.set({ plan: ['401'] });
    const sample = createChangedRepository();
    await run(sample, ['review', '--config', mixedPanel(sample)], endpoint());
    expect(named('chat m-1')).toMatchObject({ status: 2, attributes: { 'error.type': 'auth' } });
    expect(sumOf('jury.review.status', { 'jury.runner': 'api', 'error.type': 'auth' })).toBe(1);
  });

  it('hangs below the span of whoever started it, and not where that one is not sampled', async () => {
    const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const sample = createChangedRepository();
    const args = ['review', '--config', mixedPanel(sample), '--fresh'];
    await run(sample, args, endpoint({ TRACEPARENT: `00-${trace}-${span}-01` }));
    expect(named('invoke_workflow jury')).toMatchObject({ traceId: trace, parent: span });
    collector.set('ok');
    await run(sample, args, endpoint({ TRACEPARENT: `00-${trace}-${span}-00` }));
    expect(collector.requests.map(({ path }) => path)).toEqual(['/v1/metrics']);
  });

  it('of a run that goes on is what was asked now; what was kept takes no time', async () => {
    const sample = createChangedRepository();
    const panel = writePanel(sample, [
      { id: 'steady', script: goodAnswer },
      { id: 'other', script: 'process.exit(7);', settings: 'required: true' },
    ]);
    const first = await run(sample, ['review', '--config', panel], endpoint());
    expect(first.record.outcome).toBe('INCOMPLETE');
    collector.set('ok');
    await run(sample, ['resume', 'latest'], endpoint());
    expect(named('invoke_workflow jury').attributes).toMatchObject({
      'jury.process': 'resume',
      'jury.run.id': first.record.run,
    });
    const kept = named('invoke_agent steady');
    expect(kept.attributes).toMatchObject({ 'jury.review.kept': true });
    expect(kept.attributes).not.toHaveProperty('gen_ai.usage.input_tokens');
    expect(kept.durationMs).toBe(0);
    expect(named('invoke_agent other').attributes).toMatchObject({ 'jury.review.kept': false });
    expect(named('invoke_agent command').parent).toBe(named('invoke_agent other').spanId);
    expect(sumOf('jury.review.status', { 'jury.review.status': 'complete' })).toBe(0);
  });

  it('of a run that an earlier one answers is that alone', async () => {
    const sample = createChangedRepository();
    const args = ['review', '--config', writePanel(sample, [{ id: 'one', script: goodAnswer }])];
    const { record } = await run(sample, args);
    const again = await run(sample, args, endpoint());
    expect(again.record.reused).toBe(true);
    expect(collector.spans().map(({ name }) => name)).toEqual(['invoke_workflow jury']);
    expect(named('invoke_workflow jury').attributes).toMatchObject({
      'jury.run.id': record.run,
      'jury.run.kept': true,
    });
    expect(collector.points('jury.run.outcome')).toEqual([]);
  });
});

describe('how it is sent', () => {
  it('is protobuf where nobody says otherwise, packed where somebody says so, with the headers of the operator', async () => {
    const sample = createChangedRepository();
    const { stderr } = await run(sample, ['review', '--config', mixedPanel(sample)], {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20top-secret-key,x-team=jury',
      OTEL_SERVICE_NAME: 'review-of-ours',
    });
    expect(collector.requests.map(({ path }) => path).sort()).toEqual([
      '/v1/metrics',
      '/v1/traces',
    ]);
    for (const { headers, body } of collector.requests) {
      expect(headers).toMatchObject({
        authorization: 'Bearer top-secret-key',
        'x-team': 'jury',
        'content-type': 'application/x-protobuf',
        'content-encoding': 'gzip',
      });
      expect(body.toString('latin1')).toContain('review-of-ours');
    }
    expect(sent()).toContain('invoke_agent api-one');
    expect(stderr).not.toContain('top-secret-key');
  });

  it('is one signal alone where only its address is set', async () => {
    const sample = createChangedRepository();
    await run(sample, ['review', '--config', mixedPanel(sample)], {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/elsewhere`,
    });
    expect(collector.requests.map(({ path }) => path)).toEqual(['/elsewhere']);
  });
});

describe('what is never sent', () => {
  const secret = 'ghp_Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2Rl';
  const told = 'PurpleElephantsAgree';

  it('is anything that anybody wrote', async () => {
    const sample = createChangedRepository();
    sample.write(`src/${told}/${secret}.js`, `export const ${told} = '${secret}';\n`);
    sample.commit(`${told} ${secret}`);
    writePanel(sample, [
      { id: 'loud', script: `console.error('${secret} ${told}'); process.exit(9);` },
      {
        id: 'finder',
        script: `console.log('CRITICAL|src/${told}/${secret}.js:1|${told} leaks ${secret}\\nVERDICT: risky');`,
      },
    ]);
    const panel = path.join(sample.root, '../panel/jury.config.yaml');
    writeFileSync(
      panel,
      `quorum: 1\nreviewers:
  - { id: api-one, runner: api, model: 'openai-compatible/${secret}', baseUrl: '${model.url}/v1' }
  - { id: loud, runner: command, command: [node, ./loud.mjs, '${told}'], model: '${secret}' }
  - { id: finder, runner: command, command: [node, ./finder.mjs] }
`,
    );
    model.set({ text: `CRITICAL|src/${told}/${secret}.js:1|${told} ${secret}\nVERDICT: risky` });
    const { record } = await run(sample, ['review', '--config', panel], endpoint());
    expect(record.claims.length).toBeGreaterThan(0);
    expect(collector.spans().map(({ name }) => name)).toContain('invoke_agent loud');
    expect(collector.spans().map(({ name }) => name)).toContain('chat unnamed');
    for (const word of [secret, told, 'leaks', sample.root, 'sum.js', record.subject.title])
      expect(sent()).not.toContain(word);
  });

  it('is anything at all where no endpoint is set, or telemetry is off; nothing of it is loaded then', async () => {
    const sample = createChangedRepository();
    sample.write('.env', `OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}\n`);
    sample.commit('a file that asks for telemetry');
    const args = ['review', '--reviewers', 'diff', '--fresh'];
    const parts = async (environment: Record<string, string>) => {
      const folder = createFolder();
      // What a process has loaded is told at its end.
      await endOf(startJury(sample.root, args, { ...environment, NODE_V8_COVERAGE: folder }));
      const loaded = readdirSync(folder).map(name => readFileSync(path.join(folder, name), 'utf8'));
      expect(loaded.join('')).toContain('dist/cli/main.js');
      return [...loaded.join('').matchAll(/[\w/-]*(?:telemetry-|opentelemetry)[\w-]*\.js/g)].map(
        ([file]) => file,
      );
    };
    expect(await parts({})).toEqual([]);
    expect(await parts(endpoint({ OTEL_SDK_DISABLED: 'true' }))).toEqual([]);
    expect(
      await parts(endpoint({ OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' })),
    ).toEqual([]);
    expect(collector.connections()).toBe(0);
    expect(await parts(endpoint())).not.toEqual([]);
    expect(collector.connections()).toBeGreaterThan(0);
  });

  it('is anything of it to a reviewer, also where the configuration names the variable', async () => {
    const sample = createChangedRepository();
    const file = path.join(sample.root, '../seen.json');
    const panel = writePanel(sample, [
      {
        id: 'curious',
        script: `fs.writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env));\n${goodAnswer}`,
        settings: 'environment: [OTEL_EXPORTER_OTLP_HEADERS, TRACEPARENT, OTHER_ONE]',
      },
    ]);
    await run(
      sample,
      ['review', '--config', panel],
      endpoint({
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=key',
        TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        OTHER_ONE: 'seen',
      }),
    );
    const seen = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    expect(seen['OTHER_ONE']).toBe('seen');
    expect(Object.keys(seen).filter(name => /^OTEL_|^TRACE/.test(name))).toEqual([]);
  });
});

/** Without what differs from run to run anyway. */
function verdict({ code, record }: Ended) {
  return [
    code,
    record.outcome,
    record.reasons,
    record.claims,
    record.reviewers.map(({ id, status }) => [id, status]),
  ];
}

describe('an endpoint that does not take it', () => {
  let sample: SampleRepository;
  let args: readonly string[];
  let usual: unknown;
  beforeAll(async () => {
    sample = createChangedRepository();
    args = [
      'review',
      '--config',
      writePanel(sample, [{ id: 'one', script: goodAnswer }]),
      '--fresh',
    ];
    // The first run makes what is new known.
    await run(sample, args);
    usual = verdict(await run(sample, args));
  });

  it.each(['hang', 'drip', 'drop', 307, 401, 429, 503] as const)(
    'changes nothing of a run, and is named once by its host: %s',
    async behaviour => {
      const { host } = new URL(collector.url);
      collector.set(behaviour);
      const ended = await run(
        sample,
        args,
        endpoint({
          OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:password@${host}/key-in-path`,
          OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20top-secret-key',
          OTEL_EXPORTER_OTLP_TIMEOUT: '400',
        }),
      );
      expect([...new Set(collector.requests.map(({ path }) => path))].sort()).toEqual([
        '/key-in-path/v1/metrics',
        '/key-in-path/v1/traces',
      ]);
      expect(verdict(ended)).toEqual(usual);
      expect(ended.stderr.split('\n').filter(line => line.includes('Telemetry'))).toEqual([
        expect.stringMatching(`^Telemetry could not be sent to ${host}: `),
      ]);
      expect(ended.stderr).not.toMatch(/password|key-in-path|top-secret/);
    },
  );

  it('is no matter where nobody listens, or where it is no address or no protocol of ours', async () => {
    const gone = await startCollector();
    await gone.close();
    for (const [environment, why] of [
      [{ OTEL_EXPORTER_OTLP_ENDPOINT: gone.url }, /: ECONNREFUSED\.$/m],
      [
        { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317/secret' },
        /^OTEL_EXPORTER_OTLP_ENDPOINT is no http or https address, so no telemetry is sent\.$/m,
      ],
      [endpoint({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }), /must be http\/protobuf or http\/json/],
      [
        endpoint({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=%0Asecret' }),
        /^Telemetry could not be sent to /m,
      ],
    ] as const) {
      const ended = await run(sample, args, environment);
      expect(verdict(ended)).toEqual(usual);
      expect(ended.stderr).toMatch(why);
      expect(ended.stderr).not.toContain('secret');
    }
    expect(collector.connections()).toBe(0);
  });
});

describe('doctor', () => {
  it('says whether telemetry is on, and names the host alone', async () => {
    const { root } = createChangedRepository();
    const look = async (environment: Record<string, string>) => {
      const { stdout } = await juryBeside(root, ['doctor', '--offline'], { environment });
      return stdout.split('\n').find(line => line.includes('telemetry')) ?? '';
    };
    expect(await look({})).toBe('  telemetry: none; no OTEL_EXPORTER_OTLP_ENDPOINT is set');
    expect(
      await look({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:key@collector.example:4318/k' }),
    ).toBe('✓ telemetry: spans and metrics of runs go to collector.example:4318');
    expect(await look({ OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' })).toMatch(/^! telemetry: OTEL_/);
  });
});
