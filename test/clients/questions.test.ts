/**
 * The genuine clients, asked questions by the built program. The scripted model does what it is told and knows nothing
 * else: it ends its answer as the prompt that reached it asks, and not at all where that prompt does not ask.
 */
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientNames, type ClientName } from '../../src/adapters/runners/client-versions.ts';
import type { RunRecord } from '../../src/core/words/run.ts';
import { createSampleRepository } from '../adapters/git/sample-repository.ts';
import { startJury } from '../cli/jury.ts';
import { startModelServer, type LoggedRequest, type ModelServer } from '../model-server.ts';
import { markAskedFor } from '../promises/obedient-model.ts';
import { installClients } from './install.ts';

const key = 'fake-key-0123456789abcdef';
const questions = [
  {
    mode: 'general',
    lines: ['WEAK|Backups are taken once a day only'],
    prompt: 'What is weak about one database server?',
    claims: 1,
    persona: 'advisor',
  },
  {
    mode: 'debugging',
    lines: ['WEAK|A cache may hold the old price; clear it and look again'],
    prompt: 'The shop shows the old price.',
    claims: 1,
    persona: 'debugger',
  },
  {
    mode: 'architecture',
    lines: ['SUGGESTION|One queue would do for both kinds of work'],
    prompt: 'Two queues, one database.',
    claims: 1,
    persona: 'architect',
  },
  {
    mode: 'verification',
    lines: ['PASS|1', 'PASS|2'],
    prompt: '1. The page has a title\n2. The page has a date',
    claims: 0,
    persona: 'verifier',
  },
] as const;

let programs: ReadonlyMap<ClientName, string> = new Map();
let server: ModelServer;

beforeAll(async () => {
  programs = await installClients();
  server = await startModelServer();
});

afterAll(() => server.close());

describe.each(clientNames)('the genuine %s', name => {
  beforeEach(context => {
    const isMissing = !programs.has(name);
    if (isMissing && process.env.JURY_REQUIRE_CLIENTS === '1')
      throw new Error(`${name} is not installed.`);
    if (isMissing) context.skip(`${name} is not installed`);
  });

  test.each(questions)(
    'completes a question in mode $mode, and the run ends as it is promised',
    async ({ mode, lines, prompt, claims, persona }) => {
      server.set({ plan: ['ok'], text: request => [...lines, ...markIn(request)].join('\n') });
      const { code, record } = await ask(name, [prompt, '--mode', mode]);
      expect(
        record.reviewers.map(reviewer => [reviewer.status, reviewer.cause, reviewer.persona]),
      ).toEqual([['complete', null, persona]]);
      expect([code, record.outcome, record.claims.length]).toEqual([
        0,
        mode === 'verification' ? 'PASS' : null,
        claims,
      ]);
      expect(record.verification?.result ?? null).toBe(mode === 'verification' ? 'pass' : null);
      expect(server.modelCalls()).toHaveLength(1);
    },
  );

  test('is believed that an answer is whole only where it tells how the model stopped', async () => {
    server.set({ plan: ['ok'], text: 'WEAK|Backups are taken once a d' });
    const { code, record } = await ask(name, ['What is weak about one database server?']);
    const tellsHowItStopped = name === 'claude' || name === 'opencode';
    expect(record.reviewers.map(reviewer => [reviewer.status, reviewer.cause])).toEqual([
      tellsHowItStopped ? ['complete', null] : ['partial', 'truncated'],
    ]);
    expect([code, record.quorum.met]).toEqual(tellsHowItStopped ? [0, true] : [2, false]);
  });
});

/** The line the model was asked to end with, wherever in the request it stands. */
function markIn({ body }: LoggedRequest): string[] {
  const marks = textsIn(body)
    .map(markAskedFor)
    .filter(mark => mark !== null);
  return marks.slice(0, 1);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** In a process of its own that is not waited for: the model server answers in this one. */
async function ask(
  name: ClientName,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly record: RunRecord }> {
  const sample = createSampleRepository();
  sample.write(
    '../panel.yaml',
    `reviewers:\n  - { id: ${name}, runner: ${name}, executable: ${JSON.stringify(programs.get(name) ?? '')}, baseUrl: '${server.url}', timeout: 90 }\n`,
  );
  const config = path.join(sample.root, '../panel.yaml');
  const child = startJury(sample.root, ['ask', ...args, '--config', config, '--format', 'json'], {
    ANTHROPIC_API_KEY: key,
    OPENAI_API_KEY: key,
    GEMINI_API_KEY: key,
  });
  let stdout = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  await once(child, 'close');
  return { code: child.exitCode, record: JSON.parse(stdout) as RunRecord };
}
