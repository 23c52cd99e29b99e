/** OpenTelemetry of runs that share a process, as programs and the MCP server hold them. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createJury, type JurySettings, type ReviewerFunction } from '../../src/index.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository } from '../cli/jury.ts';
import { startMemberServer } from '../cli/member-server.ts';
import { createSession } from '../cli/motions-session.ts';
import { startCollector, type Collector } from '../collector.ts';
import { startModelServer } from '../model-server.ts';

let collector: Collector;
let sample: SampleRepository;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector.close());
beforeEach(() => {
  collector.set('ok');
  sample = createChangedRepository();
});

const secret = 'house-of-Zm9vYmFyYmF6cXV4MTIzNDU2';

const mine: ReviewerFunction = () => ({
  text: 'None\nVERDICT: safe',
  model: 'house/one',
  usage: { inputTokens: 12, outputTokens: 3 },
});

const says = (text: string) => () => ({
  text: `IMPORTANT|src/sum.js:2|${text}\nVERDICT: needs-changes`,
});

function juryOf(settings: JurySettings = {}) {
  return createJury({
    cwd: sample.root,
    environment: {
      PATH: process.env.PATH,
      JURY_TMPDIR: process.env.TMPDIR,
      JURY_STATE: process.env.JURY_STATE,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    },
    config: { quorum: 1, reviewers: [{ id: 'one', runner: secret }] },
    runners: { [secret]: mine },
    ...settings,
  });
}

const review = { process: 'review', range: 'HEAD~1..HEAD', fresh: true } as const;

it('tells runs apart that go on at once', async () => {
  const other = createChangedRepository();
  const runs = await Promise.all([juryOf().run(review), juryOf({ cwd: other.root }).run(review)]);
  const roots = collector.spans().filter(({ parent }) => parent === null);
  expect(roots.map(({ attributes }) => String(attributes['jury.run.id'])).toSorted()).toEqual(
    runs.map(({ record }) => record.run).toSorted(),
  );
  for (const { traceId } of roots)
    expect(
      collector
        .spans()
        .filter(span => span.traceId === traceId)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['invoke_agent one', 'invoke_agent own', 'invoke_workflow jury']);
  expect(collector.points('gen_ai.client.token.usage').map(({ sum }) => sum)).toEqual([
    12, 3, 12, 3,
  ]);
});

it('calls a runner of the caller by no name of its own', async () => {
  await juryOf().run(review);
  const bodies = collector.requests.map(({ body }) => body.toString()).join('');
  expect(bodies).toContain('"house/one"');
  expect(bodies).not.toContain(secret);
});

it('goes by the environment that is given, and by no other', async () => {
  const before = { ...process.env };
  try {
    process.env.OTEL_EXPORTER_OTLP_HEADERS = 'authorization=stray';
    process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'http://127.0.0.1:9/stray';
    process.env.OTEL_RESOURCE_ATTRIBUTES = 'stray=1';
    process.env.OTEL_SERVICE_NAME = 'stray';
    await juryOf().run(review);
    expect(collector.requests.map(({ path }) => path).toSorted()).toEqual([
      '/v1/metrics',
      '/v1/traces',
    ]);
    expect(JSON.stringify(collector.requests.map(({ headers }) => headers))).not.toContain('stray');
    expect(collector.requests.map(({ body }) => body.toString()).join('')).not.toContain('stray');
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
});

it('sends nothing of a request from which no run came', async () => {
  await expect(juryOf().run({ ...review, range: 'no-such-revision' })).rejects.toThrow(
    /no-such-revision/,
  );
  expect(collector.connections()).toBe(0);
});

it('tells of a run that was interrupted', async () => {
  const interrupt = new AbortController();
  const slow: ReviewerFunction = () => {
    setTimeout(() => interrupt.abort(), 0);
    return new Promise(() => {});
  };
  const run = await juryOf({ runners: { [secret]: slow }, signal: interrupt.signal }).run(review);
  expect(run.outcome).toBe('INCOMPLETE');
  expect(
    collector.spans().find(({ parent }) => parent === null)?.attributes['jury.run.outcome'],
  ).toBe('INCOMPLETE');
});

it('tells of the judge of a strategy, who sits on no panel', async () => {
  const model = await startModelServer({ text: '1|a full queue|a full queue|SAME' });
  try {
    await juryOf({
      config: {
        strategy: 'llm',
        judge: { model: 'openai-compatible/scripted', baseUrl: `${model.url}/v1` },
        reviewers: [
          { id: 'one', runner: 'first' },
          { id: 'two', runner: 'second' },
        ],
      },
      runners: {
        first: says('Jobs of the scheduler run in random order each night'),
        second: says('At random the scheduler picks the order of its work'),
      },
    }).run(review);
    const root = collector.spans().find(({ parent }) => parent === null);
    const asked = collector.spans().filter(({ name }) => name === 'chat scripted');
    expect(asked).toMatchObject([
      { parent: root?.spanId, attributes: { 'jury.reviewer': 'judge' } },
    ]);
    expect(model.modelCalls()).toHaveLength(1);
  } finally {
    await model.close();
  }
});

it('tells of a vote: each question to a member is a span of the run', async () => {
  const server = await startMemberServer();
  const { folder } = createSession({
    members: ['Member-0', 'Member-1'],
    motions: 2,
    settings: {
      reviewer: { runner: 'api', model: 'openai-compatible/scripted' },
      endpoints: [{ baseUrl: server.url }],
    },
  });
  try {
    const voted = await juryOf({ cwd: folder, config: undefined, trustConfig: true }).vote({
      dir: 'session',
      realAgent: true,
    });
    const root = collector.spans().find(({ parent }) => parent === null);
    expect(root?.attributes).toMatchObject({
      'jury.process': 'motions',
      'jury.run.id': voted?.runId,
    });
    const calls = collector.spans().filter(({ name }) => name === 'chat scripted');
    expect(calls).toHaveLength(server.calls());
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) expect(call.parent).toBe(root?.spanId);
    const total = collector
      .points('gen_ai.client.token.usage')
      .reduce((sum, { sum: tokens }) => sum + tokens, 0);
    const { input, output } = server.tokens();
    expect(total).toBe(input + output);
  } finally {
    await server.close();
  }
});
