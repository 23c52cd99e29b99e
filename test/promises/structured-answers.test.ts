/**
 * Answers by a schema, in reviews and at gates: never less than text on the same seat, and no failure that text would not have had.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, juryBeside, lastRun } from '../cli/jury.ts';
import {
  type Behaviour,
  type ModelServer,
  type Script,
  startModelServer,
} from '../model-server.ts';

interface Printed {
  readonly outcome: string | null;
  readonly claims: readonly { readonly severity: string }[];
  readonly usage: { readonly calls: number };
  readonly reviewers: readonly {
    readonly status: string;
    readonly cause: string | null;
  }[];
}

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const line = (severity: string, at: number, issue: string): string =>
  `${severity}|src/sum.js:${at}|${issue}`;
const empty = 'The sum of an empty list throws';
const slow = 'The list is walked twice';
const findings = [{ severity: 'IMPORTANT', location: 'src/sum.js:2', issue: empty }];
const fill = (prose: string, found: readonly object[] = findings): string =>
  JSON.stringify({ prose, findings: found });
const rejects = (body: string): Behaviour => (body.includes('json_schema') ? '404' : 'ok');

async function ask(script: Partial<Script>, args: readonly string[] = ['review']) {
  server.set({ plan: ['ok'], ...script });
  const sample = createChangedRepository();
  const config = '../panel.yaml';
  sample.write(
    config,
    `reviewers:\n  - { id: a, runner: api, model: openai-compatible/m, baseUrl: '${server.url}/v1' }\n`,
  );
  const { code, stdout } = await juryBeside(sample.root, [
    ...args,
    '--config',
    path.join(sample.root, config),
    '--format',
    'json',
  ]);
  const record = JSON.parse(stdout) as Printed;
  const [reviewer] = record.reviewers;
  if (reviewer === undefined) throw new Error('Nobody was asked.');
  return { code, record, reviewer, sample };
}

const keptIn = (sample: SampleRepository, name: string): string =>
  readFileSync(path.join(lastRun(sample), name), 'utf8');
const given = (): boolean[] => server.modelCalls().map(({ text }) => text.includes('json_schema'));

it('a review is given a schema, and reads what was filled in beside what the prose states', async () => {
  const prose = [line('IMPORTANT', 2, empty), line('SUGGESTION', 2, slow), 'END OF ANSWER'];
  const { record, reviewer, sample } = await ask({ text: fill(prose.join('\n')) });
  expect(given()).toEqual([true]);
  expect([reviewer.status, reviewer.cause]).toEqual(['complete', null]);
  expect(record.claims.map(({ severity }) => severity).sort()).toEqual(['high', 'low']);
  expect(keptIn(sample, 'raw/a.txt')).toContain(prose.join('\n'));
  expect(JSON.parse(keptIn(sample, 'verdicts/a.json'))).toMatchObject({ deviations: [] });
});

it('a server that answers in text has answered', async () => {
  const { reviewer, record } = await ask({ text: `${line('IMPORTANT', 2, empty)}\nEND OF ANSWER` });
  expect(given()).toEqual([true]);
  expect([reviewer.status, record.claims.length]).toEqual(['complete', 1]);
});

it('a server that rejects the schema is asked once more in text, which is counted and said', async () => {
  const { reviewer, record, code, sample } = await ask({
    plan: rejects,
    text: 'None\nEND OF ANSWER',
  });
  expect(given()).toEqual([true, false]);
  expect([reviewer.status, record.outcome, code, record.usage.calls]).toEqual([
    'complete',
    'PASS',
    0,
    2,
  ]);
  expect(keptIn(sample, 'reviews/a.md')).toMatch(/asked again in text/);
});

it.each([
  { said: 'a refusal', text: fill("I'm sorry, but I can't help with that.", []), cause: 'refusal' },
  { said: 'nothing at all', text: fill('', []), cause: 'empty' },
  { said: 'a fault and no finding', text: fill('VERDICT: risky', []), cause: 'contradict' },
])('$said beside an empty list is no review', async ({ text, cause }) => {
  const { reviewer, code } = await ask({ text });
  expect([reviewer.cause, code]).toEqual([cause, 2]);
});

it('an answer that was cut keeps what its prose had said', async () => {
  const whole = fill(`${line('CRITICAL', 2, empty)}\n${line('SUGGESTION', 2, slow)}`);
  const { reviewer, record, code } = await ask({ plan: ['maxtok'], text: whole.slice(0, 70) });
  expect([reviewer.status, record.claims[0]?.severity, code]).toEqual(['partial', 'critical', 1]);
});

it('what cannot be read is asked for again in text', async () => {
  await ask({ text: '{"findings": [' });
  expect(given()).toEqual([true, false]);
});

it.each([
  { args: ['gates', 'HEAD~1..HEAD'], isGiven: true },
  { args: ['ask', 'What is weak?'], isGiven: false },
])('$args.0 is given a schema: $isGiven', async ({ args, isGiven }) => {
  const { reviewer } = await ask({ text: 'None\nEND OF ANSWER' }, args);
  expect([reviewer.status, given()]).toEqual(['complete', [isGiven]]);
});
