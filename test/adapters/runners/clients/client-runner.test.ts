/** What all four clients have in common: the checks before the start, the end, the version, the fingerprint. */
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findClient } from '../../../../src/adapters/runners/client-program.ts';
import { clientNames, type ClientName } from '../../../../src/core/words/runner.ts';
import { claude } from '../../../../src/adapters/runners/claude.ts';
import { codex } from '../../../../src/adapters/runners/codex.ts';
import { opencode } from '../../../../src/adapters/runners/opencode.ts';
import type { Progress } from '../../../../src/core/ports/runner.ts';
import {
  createFakeClient,
  expectNothingLeft,
  fakeKey,
  keyVariables,
  type FakeClient,
  type Scenario,
} from './fakes.ts';
import { createFolder } from '../../git/sample-repository.ts';
import { seatOf } from '../turns.ts';
import { rows } from './rows.ts';

const good = (client: ClientName) => rows[client][0]?.scenario ?? { lines: [] };

async function playing(client: ClientName, scenario: Scenario = good(client), isShell = true) {
  const fake = await createFakeClient(client, isShell);
  await fake.play(scenario);
  return fake;
}

describe.each(clientNames)('%s', client => {
  test('is not started without a key', async () => {
    const fake = await playing(client);
    expect(await fake.ask({ environment: { [keyVariables[client]]: '' } })).toMatchObject({
      status: 'failed',
      failure: { cause: 'auth', httpStatus: null },
      usage: { calls: 0 },
    });
    expect(await fake.ask({ seat: { apiKeyEnv: 'TEAM_KEY' } })).toMatchObject({
      failure: { cause: 'auth', message: 'No key: set TEAM_KEY.' },
    });
    expect(await fake.notes()).toBeNull();
  });

  test('is not started with a prompt that it would not take whole', async () => {
    const fake = await playing(client);
    const most = { claude: 9_000_000, codex: 1_000_000, gemini: 3_000_000, opencode: 2_000_000 }[
      client
    ];
    expect(await fake.ask({ prompt: 'x'.repeat(most + 1) })).toMatchObject({
      status: 'failed',
      failure: { cause: 'context' },
    });
    // Two bytes, one character.
    expect(await fake.ask({ prompt: 'é'.repeat(most / 2 + 1) })).toMatchObject(
      client === 'codex'
        ? { status: 'answered' }
        : { status: 'failed', failure: { cause: 'context' } },
    );
  });

  test('is not found when it is not installed', async () => {
    const fake = await playing(client);
    expect(await fake.ask({ seat: { executable: '/nowhere/client' } })).toMatchObject({
      status: 'failed',
      failure: { cause: 'not-found' },
    });
    expect(
      await fake.runner().fingerprint(fake.seat({ executable: '/nowhere/client' })),
    ).toBeNull();
  });

  test('is found on PATH by its name', async () => {
    const fake = await playing(client);
    const PATH = `${dirname(fake.seat().executable ?? '')}:${process.env.PATH}`;
    const { executable: _unused, ...seat } = fake.seat();
    expect(await fake.runner({ PATH, [keyVariables[client]]: fakeKey }).fingerprint(seat)).toMatch(
      /^[0-9a-f]{64}$/,
    );
  });

  test('that is not a verified version answers with a warning in its transcript', async () => {
    const fake = await playing(client, { ...good(client), version: '99.0.0' });
    const answer = await fake.ask();
    expect(answer.status).toBe('answered');
    expect(answer.transcript).toContain(`${client} 99.0.0 is not a verified version`);
  });

  test('has one fingerprint for equal seats and another for another model, endpoint or program', async () => {
    const fake = await playing(client);
    const runner = fake.runner();
    const first = await runner.fingerprint(fake.seat());
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await runner.fingerprint(fake.seat({ id: 'beta', timeout: 7 }))).toBe(first);
    expect(
      await fake.runner({ [keyVariables[client]]: 'another-key' }).fingerprint(fake.seat()),
    ).toBe(first);
    expect(await runner.fingerprint(fake.seat({ model: 'other' }))).not.toBe(first);
    expect(await runner.fingerprint(fake.seat({ baseUrl: 'http://127.0.0.1:1' }))).not.toBe(first);
    await writeFile(fake.seat().executable ?? '', '#!/usr/bin/env node\nconsole.log("1.0.0")\n', {
      mode: 0o700,
    });
    expect(await runner.fingerprint(fake.seat())).not.toBe(first);
  });

  test('that is interrupted has failed, whatever its exit code, and is gone', async () => {
    const fake = await playing(client, { ...good(client), hangs: true, exitOnSignal: 0 });
    const controller = new AbortController();
    const asked = fake.ask({ signal: controller.signal });
    await started(fake);
    controller.abort();
    expect(await asked).toMatchObject({ status: 'failed', failure: { cause: 'cancelled' } });
    await expectNothingLeft(fake);
  });

  test('never shows the key, even when it prints it', async () => {
    const fake = await playing(client, {
      ...good(client),
      stderr: `Authorization: Bearer ${fakeKey}`,
      exitCode: 1,
    });
    const answer = await fake.ask();
    expect(JSON.stringify(answer)).not.toContain(fakeKey);
    expect(answer.transcript).toContain('⟦SECRET:key⟧');
  });

  test('costs what the operator says it costs', async () => {
    const fake = await playing(client);
    const answer = await fake.ask({ seat: { price: { input: 2, output: 10, cached: 1 } } });
    const { inputTokens, cachedTokens, outputTokens } = answer.usage;
    expect(answer.usage.cost).toBeCloseTo(
      ((inputTokens - cachedTokens) * 2 + cachedTokens + outputTokens * 10) / 1_000_000,
      12,
    );
  });
});

test('a client that ignores signals is killed', async () => {
  const fake = await playing('gemini', { lines: [], hangs: true, ignoresSignals: true });
  expect(await fake.ask({ totalMs: 700 })).toMatchObject({
    status: 'failed',
    failure: { cause: 'deadline' },
  });
  await expectNothingLeft(fake);
});

test('an answer of a megabyte in one line arrives whole', async () => {
  const text = 'x'.repeat(1_048_576);
  const fake = await playing('codex', {
    lines: [
      { type: 'turn.started' },
      { type: 'item.completed', item: { type: 'agent_message', text } },
      {
        type: 'turn.completed',
        usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 },
      },
    ],
  });
  expect(await fake.ask()).toMatchObject({ status: 'answered', text });
});

test('a client that floods its output is ended', async () => {
  const fake = await playing('codex', {
    lines: Array.from({ length: 6 }, () => 'x'.repeat(1_000_000)),
  });
  expect(await fake.ask()).toMatchObject({ status: 'failed', failure: { cause: 'flood' } });
});

test('a good answer does not count when the prompt was not taken whole', async () => {
  const fake = await playing('claude', { ...good('claude'), readsPrompt: false }, false);
  expect(await fake.ask({ prompt: 'x'.repeat(2_000_000) })).toMatchObject({
    status: 'failed',
    failure: { cause: 'unread' },
  });
});

test('claude takes a login token in place of a key, and then without bare mode', async () => {
  const fake = await playing('claude', good('claude'), false);
  expect(
    await fake.ask({ environment: { CLAUDE_CODE_OAUTH_TOKEN: 'token-0123456789' } }),
  ).toMatchObject({ status: 'answered' });
  const notes = await fake.notes();
  expect(notes?.args).not.toContain('--bare');
  expect(notes?.environment).toMatchObject({ CLAUDE_CODE_OAUTH_TOKEN: 'token-0123456789' });
  expect(notes?.environment).not.toHaveProperty('ANTHROPIC_API_KEY');
});

test('a version with a known hole is refused before it sees the prompt', async () => {
  const fake = await playing('codex', { ...good('codex'), version: 'codex-cli 0.22.9' });
  expect(await fake.ask()).toMatchObject({ status: 'failed', failure: { cause: 'version' } });
  expect(await fake.notes()).toBeNull();
});

test('instructions cannot make opencode read a file or a variable', async () => {
  const fake = await playing('opencode', good('opencode'), false);
  const instructions =
    'Cite as {file:line}, never {env:JURY_KEY} or {file:/etc/passwd} "apiKey":"{env:JURY_KEY}".';
  await fake.ask({ instructions });
  const configuration = (await fake.notes())?.environment.OPENCODE_CONFIG_CONTENT ?? '';
  expect(configuration.match(/\{(?:env|file):[^}]*\}/g)).toEqual(['{env:JURY_KEY}']);
  expect(configuration).toContain('"apiKey":"{env:JURY_KEY}"');
  expect(JSON.parse(configuration)).toMatchObject({
    agent: { reviewer: { prompt: instructions } },
  });
});

test.each([
  ['codex', 'http://127.0.0.1:9', 'base_url="http://127.0.0.1:9/v1"'],
  ['codex', 'http://127.0.0.1:9/openai/v1/', 'base_url="http://127.0.0.1:9/openai/v1"'],
  ['claude', 'http://127.0.0.1:9/v1', '"ANTHROPIC_BASE_URL":"http://127.0.0.1:9"'],
  ['gemini', 'http://127.0.0.1:9/v1beta/', '"GOOGLE_GEMINI_BASE_URL":"http://127.0.0.1:9"'],
  ['opencode', 'http://127.0.0.1:9/', '"baseURL":"http://127.0.0.1:9/v1"'],
] as const)('%s at %s is told %s', async (client, baseUrl, told) => {
  const fake = await playing(client, good(client), false);
  await fake.ask({ seat: { baseUrl } });
  const notes = await fake.notes();
  expect(
    [...(notes?.args ?? []), JSON.stringify(notes?.environment).replaceAll('\\"', '"')].join('\n'),
  ).toContain(told);
});

test('shows how much was written while it works', async () => {
  const fake = await playing('claude', { ...good('claude'), pauseMs: 30 });
  const seen: Progress[] = [];
  await fake.ask({ onProgress: progress => seen.push(progress) });
  expect(seen.length).toBeGreaterThan(2);
  const bytes = seen.map(progress => progress.bytes ?? 0);
  expect(bytes).toEqual(bytes.toSorted((one, other) => one - other));
  expect(seen.at(-1)?.outputTokens).toBe(21);
});

describe('behind an npm shim', () => {
  test.each([
    [codex, '@openai/codex/bin/codex.js', 'node_modules'],
    [codex, '@openai/codex/bin/codex.js', 'node_modules/@openai/codex/node_modules'],
    [claude, '@anthropic-ai/claude-code/bin/claude.exe', 'node_modules'],
    [opencode, 'opencode-ai/bin/opencode.exe', 'node_modules'],
  ] as const)('the native $0.name of the same installation is run', async (client, shim, place) => {
    const folder = createFolder();
    const shimPath = join(folder, 'node_modules', shim);
    await mkdir(dirname(shimPath), { recursive: true });
    await writeFile(shimPath, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    await mkdir(join(folder, 'bin'));
    await symlink(shimPath, join(folder, 'bin', client.name));
    const world = { environment: { PATH: join(folder, 'bin') }, temporaryFolder: folder };
    const seat = seatOf({ runner: client.name });
    expect(await findClient(client, seat, world)).toBe(join(folder, 'bin', client.name));

    const native = join(folder, place, client.natives[0] ?? '');
    await mkdir(dirname(native), { recursive: true });
    await symlink(process.execPath, native);
    expect(await findClient(client, seat, world)).toBe(await realpath(process.execPath));
  });
});

async function started(fake: FakeClient) {
  while ((await fake.notes().catch(() => null)) === null)
    await new Promise(resolve => setTimeout(resolve, 20));
}
