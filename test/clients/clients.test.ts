/** The genuine clients, driven by our runners against the scripted server. Re-run on every new version of a client. */
import { mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClientRunner } from '../../src/adapters/runners/client-runner.ts';
import { type ClientName, clientNames } from '../../src/core/words/runner.ts';
import { clients, findClient } from '../../src/adapters/runners/client-program.ts';
import type { Seat } from '../../src/core/words/config.ts';
import type { Cause } from '../../src/core/words/review.ts';
import { turnOf, type TurnOptions } from '../adapters/runners/clients/turn.ts';
import { seatOf } from '../adapters/runners/turns.ts';
import {
  type Behaviour,
  type ModelServer,
  scriptedText,
  startModelServer,
} from '../model-server.ts';
import { installClients } from './install.ts';
import { offeredTools, survivors } from './observed.ts';

interface Expected {
  readonly cause: Cause;
  readonly httpStatus?: number;
  /** Model requests the server saw. */
  readonly requests: number;
  /** It asks on and on until it is killed: more requests may have left before the kill arrived, none after it. */
  readonly isLoop?: true;
  readonly totalMs?: number;
}

interface ClientFacts {
  readonly keyVariable: string;
  readonly keyHeader: readonly [name: string, value: string];
  /** Names of the tools the model is offered. */
  readonly tools: readonly string[];
  readonly stop: 'end' | 'unknown';
  /** Files below the attempt folder that hold the prompt after a good run. */
  readonly promptFiles: RegExp | null;
  readonly failures: Readonly<Partial<Record<Behaviour | 'refused', Expected>>>;
}

const key = 'fake-key-0123456789abcdef';
const hang = { cause: 'deadline', totalMs: 8_000 } as const;

const facts: Record<ClientName, ClientFacts> = {
  claude: {
    keyVariable: 'ANTHROPIC_API_KEY',
    keyHeader: ['x-api-key', key],
    tools: [],
    stop: 'end',
    promptFiles: null,
    failures: {
      401: { cause: 'auth', httpStatus: 401, requests: 3 },
      429: { cause: 'rate-limited', httpStatus: 429, requests: 3 },
      500: { cause: 'provider', httpStatus: 500, requests: 3 },
      403: { cause: 'auth', httpStatus: 403, requests: 1 },
      404: { cause: 'provider', httpStatus: 404, requests: 2 },
      quota: { cause: 'quota', httpStatus: 429, requests: 3 },
      529: { cause: 'rate-limited', httpStatus: 529, requests: 3 },
      ctx: { cause: 'context', httpStatus: 400, requests: 1 },
      maxtok: { cause: 'truncated', requests: 4 },
      truncate: { cause: 'truncated', requests: 4 },
      ssefail: { cause: 'provider', httpStatus: 500, requests: 3 },
      garbage: { cause: 'provider', requests: 2 },
      drop: { cause: 'unreachable', requests: 3 },
      refused: { cause: 'unreachable', requests: 0 },
      hang: { ...hang, requests: 1 },
      empty: { cause: 'empty', requests: 2 },
      refusal: { cause: 'refusal', requests: 2 },
    },
  },
  codex: {
    keyVariable: 'OPENAI_API_KEY',
    keyHeader: ['authorization', `Bearer ${key}`],
    tools: ['apply_patch', 'request_user_input'],
    stop: 'end',
    promptFiles: null,
    failures: {
      401: { cause: 'auth', httpStatus: 401, requests: 2 },
      429: { cause: 'rate-limited', httpStatus: 429, requests: 2 },
      500: { cause: 'provider', httpStatus: 500, requests: 6 },
      403: { cause: 'auth', httpStatus: 403, requests: 2 },
      404: { cause: 'provider', httpStatus: 404, requests: 1 },
      quota: { cause: 'quota', requests: 1 },
      529: { cause: 'rate-limited', httpStatus: 529, requests: 6 },
      ctx: { cause: 'context', requests: 1 },
      maxtok: { cause: 'truncated', requests: 1 },
      truncate: { cause: 'truncated', requests: 2 },
      ssefail: { cause: 'provider', requests: 2 },
      garbage: { cause: 'provider', requests: 2 },
      drop: { cause: 'unreachable', requests: 6 },
      refused: { cause: 'unreachable', requests: 0 },
      hang: { ...hang, requests: 1 },
      empty: { cause: 'empty', requests: 1 },
      refusal: { cause: 'empty', requests: 1 },
    },
  },
  gemini: {
    keyVariable: 'GEMINI_API_KEY',
    keyHeader: ['x-goog-api-key', key],
    tools: [],
    stop: 'unknown',
    promptFiles: /^(?:out\.jsonl|home\/\.gemini\/.*chats\/.*)$/,
    failures: {
      401: { cause: 'auth', httpStatus: 401, requests: 1 },
      429: { cause: 'rate-limited', httpStatus: 429, requests: 2 },
      500: { cause: 'provider', httpStatus: 500, requests: 2 },
      403: { cause: 'auth', httpStatus: 403, requests: 1 },
      404: { cause: 'provider', httpStatus: 404, requests: 1 },
      quota: { cause: 'quota', httpStatus: 429, requests: 1 },
      529: { cause: 'rate-limited', httpStatus: 529, requests: 2 },
      ctx: { cause: 'context', httpStatus: 400, requests: 1 },
      truncate: { cause: 'truncated', requests: 1 },
      ssefail: { cause: 'provider', requests: 2 },
      garbage: { cause: 'provider', requests: 2 },
      drop: { cause: 'unreachable', requests: 2 },
      refused: { cause: 'unreachable', requests: 0 },
      hang: { ...hang, requests: 1 },
      empty: { cause: 'empty', requests: 2 },
      refusal: { cause: 'refusal', requests: 2 },
    },
  },
  opencode: {
    keyVariable: 'OPENAI_API_KEY',
    keyHeader: ['authorization', `Bearer ${key}`],
    tools: [],
    stop: 'end',
    promptFiles: /^home\/data\/opencode\/opencode\.db/,
    failures: {
      401: { cause: 'auth', httpStatus: 401, requests: 1 },
      429: { cause: 'rate-limited', httpStatus: 429, requests: 6 },
      500: { cause: 'provider', httpStatus: 500, requests: 6, totalMs: 120_000 },
      403: { cause: 'auth', httpStatus: 403, requests: 1 },
      404: { cause: 'provider', httpStatus: 404, requests: 1 },
      ctx: { cause: 'context', requests: 2 },
      // A hot loop of some 700 requests a minute: killed at the first one past the cap of 8.
      garbage: { cause: 'provider', requests: 9, isLoop: true },
      hang: { ...hang, totalMs: 12_000, requests: 1 },
      empty: { cause: 'empty', requests: 1 },
      refusal: { cause: 'refusal', requests: 1 },
    },
  },
};

let programs: ReadonlyMap<ClientName, string> = new Map();
const rows: string[] = [];

beforeAll(async () => {
  programs = await installClients();
});

afterAll(() => {
  console.log(['client     behaviour       requests  seconds  answer', ...rows].join('\n'));
});

describe.each(clientNames)('the genuine %s', name => {
  const { keyVariable, keyHeader, tools, stop, promptFiles, failures } = facts[name];
  let server: ModelServer;
  let temporaryFolder: string;

  beforeEach(async context => {
    const isMissing = !programs.has(name);
    if (isMissing && process.env.JURY_REQUIRE_CLIENTS === '1')
      throw new Error(`${name} is not installed.`);
    // Visible in the report: this is the one place where a test may be passed over.
    if (isMissing) context.skip(`${name} is not installed`);
    server = await startModelServer();
    temporaryFolder = await mkdtemp(join(tmpdir(), 'jury-clients-'));
  });

  afterEach(async () => {
    await server?.close();
    if (temporaryFolder !== undefined) await rm(temporaryFolder, { recursive: true, force: true });
  });

  async function ask(
    behaviour: Behaviour | 'refused',
    options: TurnOptions & { readonly seat?: Partial<Seat> } = {},
  ) {
    if (behaviour !== 'refused') server.set({ plan: [behaviour] });
    const runner = createClientRunner(name, {
      environment: { PATH: process.env.PATH, [keyVariable]: key },
      temporaryFolder,
    });
    const executable = programs.get(name) ?? '';
    const seat = seatOf({
      runner: name,
      executable,
      baseUrl: behaviour === 'refused' ? 'http://127.0.0.1:1' : server.url,
      ...options.seat,
    });
    const startedAt = performance.now();
    const answer = await runner.ask(turnOf(seat, options), new AbortController().signal);
    const outcome =
      answer.status === 'answered'
        ? `answered (${answer.stop})`
        : `${answer.failure.cause} ${answer.failure.httpStatus ?? ''}`;
    rows.push(
      [
        name.padEnd(10),
        behaviour.padEnd(15),
        String(server.modelCalls().length).padStart(8),
        ((performance.now() - startedAt) / 1000).toFixed(1).padStart(8),
        ` ${outcome}`,
      ].join(' '),
    );
    return answer;
  }

  test('brings back the answer, with its usage, and sends the key and no tools', async () => {
    const answer = await ask('ok');
    expect(answer).toMatchObject({ status: 'answered', text: scriptedText, stop });
    expect(answer.usage).toMatchObject({
      calls: 1,
      outputTokens: 21,
      cachedTokens: 100,
      estimated: false,
    });
    const calls = server.modelCalls();
    expect(calls).toHaveLength(1);
    expect(calls[0]?.headers[keyHeader[0]]).toBe(keyHeader[1]);
    expect(offeredTools(calls[0]).toSorted()).toEqual(tools);
    expect(calls[0]?.text).toContain('You are a careful reviewer.');
    expect(calls[0]?.text).toContain('+const a = 1;');
  });

  test.each(Object.entries(failures) as [Behaviour | 'refused', Expected][])(
    'meets "%s" with a failure that is named, and leaves nobody behind',
    async (behaviour, { cause, httpStatus, requests, isLoop = false, totalMs = 60_000 }) => {
      const answer = await ask(behaviour, { totalMs });
      expect(answer).toMatchObject({
        status: 'failed',
        failure: { cause, httpStatus: httpStatus ?? null },
      });
      const seen = server.modelCalls().length;
      if (isLoop)
        expect(answer.status === 'failed' && answer.failure.message).toMatch(
          new RegExp(`; ended after ${requests} requests\\.$`),
        );
      expect(isLoop ? Math.min(seen, requests) : seen).toBe(requests);
      expect(await survivors(temporaryFolder)).toEqual([]);
      expect(await readdir(temporaryFolder)).toEqual([]);
      // In this time the loop made several requests more.
      if (isLoop) await new Promise(resolve => setTimeout(resolve, 500));
      expect(server.modelCalls()).toHaveLength(seen);
    },
  );

  test('is run as its native program, not as the stub that npm leaves', async () => {
    const seat = seatOf({ runner: name, executable: programs.get(name) ?? '' });
    const found = await findClient(clients[name], seat, { environment: {}, temporaryFolder });
    const ending = clients[name].natives[0] ?? '.bin/gemini';
    expect(found).toEqual(expect.stringMatching(new RegExp(`/${ending}$`)));
  });

  test('takes mentions of files and variables for the text that they are', async () => {
    const canary = join(temporaryFolder, 'canary.txt');
    await writeFile(canary, 'CANARY-CONTENT');
    const mention = `See @${canary} and @../system.md, {file:${canary}} {env:HOME} !cat ${canary}`;
    expect(
      await ask('ok', {
        prompt: `Review.\n${mention}\n/help\n`,
        instructions: `Cite like this: ${mention} {env:JURY_KEY}.`,
      }),
    ).toMatchObject({ status: 'answered' });
    const [call] = server.modelCalls();
    expect(server.modelCalls()).toHaveLength(1);
    expect(call?.text).not.toContain('CANARY-CONTENT');
    expect(call?.text).not.toContain(key);
    expect(call?.text.split(JSON.stringify(mention).slice(1, -1))).toHaveLength(3);
  });

  test('leaves its prompt only where it is known to, and its key nowhere', async () => {
    const watch = await watchDisk(name, programs.get(name) ?? '', temporaryFolder);
    expect(
      await ask('ok', {
        prompt: 'PROMPT-CANARY\n',
        seat: { executable: watch.program, isolation: unenclosed },
      }),
    ).toMatchObject({ status: 'answered' });
    const { prompt, key: leaked } = await watch.findings();
    expect(leaked).toEqual([]);
    expect(prompt.filter(path => promptFiles?.test(path) !== true)).toEqual([]);
    expect(prompt.length > 0).toBe(promptFiles !== null);
  });
});

test('a cut answer that claude had resumed does not pass for a whole one', async context => {
  const executable = programs.get('claude');
  if (executable === undefined) context.skip('claude is not installed');
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'jury-clients-'));
  const pieces = ['CRITICAL|src/a.ts:10|Null ', 'dereference\nVERDICT: risky'];
  const server = await startModelServer({
    plan: ['maxtok', 'ok'],
    text: () => pieces.shift() ?? '',
  });
  const runner = createClientRunner('claude', {
    environment: { PATH: process.env.PATH, ANTHROPIC_API_KEY: key },
    temporaryFolder,
  });
  const answer = await runner.ask(
    turnOf(seatOf({ runner: 'claude', executable, baseUrl: server.url })),
    new AbortController().signal,
  );
  expect(answer).toMatchObject({ status: 'answered', text: scriptedText, stop: 'cut' });
  await server.close();
  await rm(temporaryFolder, { recursive: true, force: true });
});

/** The programs of these tests write down what they see outside of their own folder. */
const unenclosed = { sandbox: false, network: false, read: [], write: [] };

/**
 * A program that runs the genuine one and, before the attempt folder is deleted, looks through it for what should not
 * have been written down.
 */
async function watchDisk(name: ClientName, executable: string, folder: string) {
  const found = await findClient(clients[name], seatOf({ runner: name, executable }), {
    environment: {},
    temporaryFolder: folder,
  });
  if (typeof found !== 'string') throw new Error(found.failure.message);
  const program = await realpath(folder).then(path => `${path}.watch.mjs`);
  const report = `${program}.json`;
  await writeFile(program, watcher(found, report), { mode: 0o700 });
  return {
    program,
    async findings() {
      const text = await readFile(report, 'utf8');
      await rm(program);
      await rm(report);
      return JSON.parse(text) as {
        readonly prompt: readonly string[];
        readonly key: readonly string[];
      };
    },
  };
}

function watcher(genuine: string, report: string) {
  return `#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
const root = dirname(process.cwd());
const { status } = spawnSync(${JSON.stringify(genuine)}, process.argv.slice(2), { stdio: 'inherit' });
const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).map(entry => join(entry.parentPath ?? entry.path, entry.name));
const holding = words => files.filter(path => readFileSync(path).includes(words)).map(path => path.slice(root.length + 1));
if (process.argv[2] !== '--version') writeFileSync(${JSON.stringify(report)}, JSON.stringify({ prompt: holding('PROMPT-CANARY'), key: holding(${JSON.stringify(key)}) }));
process.exit(status ?? 1);
`;
}
