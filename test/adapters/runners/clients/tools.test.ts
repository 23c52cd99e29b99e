/** How the clients are started for a reviewer with tools, and what becomes of one that never asks for them. */
import { describe, expect, test } from 'vitest';
import { clientNames, type ClientName } from '../../../../src/core/words/runner.ts';
import { claude as claudeClient } from '../../../../src/adapters/runners/claude.ts';
import { gemini as geminiClient } from '../../../../src/adapters/runners/gemini.ts';
import type { ReviewerTools } from '../../../../src/core/ports/runner.ts';
import { toolNames, toolOffers } from '../../../../src/core/tools/offers.ts';
import { createFakeClient, expectNothingLeft, fakeKey } from './fakes.ts';
import { turnOf } from './turn.ts';
import { rows } from './rows.ts';

const tools: ReviewerTools = {
  list: toolOffers,
  call: () => Promise.resolve({ text: '', isError: false }),
  isSpent: () => false,
  callsAfterEnd: () => 0,
};

const starts = new Map<ClientName, ReturnType<typeof startOnce>>();

/** What every test of this client looks at. */
function start(client: ClientName) {
  const known = starts.get(client) ?? startOnce(client);
  starts.set(client, known);
  return known;
}

/** A good answer of the client, by a program that never starts the server. */
async function startOnce(client: ClientName) {
  const fake = await createFakeClient(client);
  await fake.play(rows[client][0]?.scenario ?? { lines: [] });
  const answer = await fake
    .runner()
    .ask({ ...turnOf(fake.seat({ tools: true })), tools }, new AbortController().signal);
  const notes = await fake.notes();
  if (notes === null) throw new Error('nothing was started');
  return { answer, notes, fake };
}

describe.each(clientNames)('%s with tools', client => {
  test('has failed when it never listed them, however good its answer, and leaves nothing', async () => {
    const { answer, fake } = await start(client);
    expect(answer).toMatchObject({ status: 'failed', failure: { cause: 'tools-missing' } });
    await expectNothingLeft(fake);
  });

  test('is told of the token in a way that other users of the machine cannot read, and of no key', async () => {
    const { notes } = await start(client);
    const said = {
      ...notes.environment,
      ...Object.fromEntries(Object.entries(notes.files).map(([path, { text }]) => [path, text])),
    };
    const token =
      /JURY_TOOLS_TOKEN"?:"([0-9a-f]{64})"/.exec(Object.values(said).join('\n'))?.[1] ??
      notes.environment['JURY_TOOLS_TOKEN'];
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(notes.args.join(' ')).not.toContain(token);
    expect(Object.values(notes.files).map(({ mode }) => mode)).toEqual(
      Object.keys(notes.files).map(() => '600'),
    );
    expect(JSON.stringify([notes.args, notes.files])).not.toContain(fakeKey);
  });

  test('without them starts as ever', async () => {
    const fake = await createFakeClient(client);
    await fake.play(rows[client][0]?.scenario ?? { lines: [] });
    expect(await fake.ask({ seat: { tools: true } })).toMatchObject({ status: 'answered' });
    expect(JSON.stringify(await fake.notes())).not.toContain('JURY_TOOLS');
  });

  test('has another fingerprint with them than without', async () => {
    const { fake } = await start(client);
    const [without, withTools, again] = await Promise.all(
      [fake.seat(), fake.seat({ tools: true }), fake.seat({ tools: true })].map(seat =>
        fake.runner().fingerprint(seat),
      ),
    );
    expect(withTools).not.toBe(without);
    expect(withTools).toBe(again);
  });
});

test('claude is allowed our tools and asks nobody', async () => {
  const { notes } = await start('claude');
  expect(notes.args).toEqual(
    expect.arrayContaining([
      '--strict-mcp-config',
      '--mcp-config',
      expect.stringMatching(/\/mcp\.json$/),
      '--allowed-tools',
      toolNames.map(name => `mcp__jury__${name}`).join(','),
      '--permission-mode',
      'dontAsk',
    ]),
  );
  expect(notes.environment).toMatchObject({ MCP_TIMEOUT: '10000' });
  expect(JSON.parse(notes.files['mcp.json']?.text ?? '{}')).toMatchObject({
    mcpServers: {
      jury: {
        type: 'stdio',
        command: process.execPath,
        args: [expect.stringMatching(/dist\/mcp\/reviewer-tools\.js$/)],
        env: { ANTHROPIC_API_KEY: '' },
      },
    },
  });
});

test('codex requires the server, enables our tools and hands on two variables by name', async () => {
  const { notes } = await start('codex');
  const setting = notes.args.find(word => word.startsWith('mcp_servers.jury='));
  expect(setting).toContain(
    `required=true,enabled_tools=[${toolNames.map(name => JSON.stringify(name)).join(',')}],startup_timeout_sec=10,tool_timeout_sec=30`,
  );
  expect(setting).toContain('env_vars=["JURY_TOOLS_SOCKET","JURY_TOOLS_TOKEN"]');
});

test('gemini names our tools among the only ones', async () => {
  const { notes } = await start('gemini');
  expect(notes.args.slice(-2)).toEqual(['--allowed-mcp-server-names', 'jury']);
  expect(JSON.parse(notes.files['home/.gemini/settings.json']?.text ?? '{}')).toMatchObject({
    tools: { core: toolNames.map(name => `mcp_jury_${name}`) },
    mcpServers: { jury: { includeTools: [...toolNames], trust: true, timeout: 10_000 } },
  });
});

test('opencode allows our tools and denies the rest', async () => {
  const { notes } = await start('opencode');
  const permission = {
    '*': 'deny',
    ...Object.fromEntries(toolNames.map(name => [`jury_${name}`, 'allow'])),
  };
  expect(JSON.parse(notes.environment['OPENCODE_CONFIG_CONTENT'] ?? '{}')).toMatchObject({
    permission,
    agent: { reviewer: { permission } },
    mcp: {
      jury: {
        type: 'local',
        enabled: true,
        environment: { OPENCODE_CONFIG_CONTENT: '', JURY_KEY: '' },
      },
    },
  });
});

test('what was said before a tool answered is no part of the answer', () => {
  const claude = claudeClient.read();
  for (const record of [
    {
      type: 'assistant',
      message: { content: [{ type: 'text', text: 'Let me look.' }, { type: 'tool_use' }] },
    },
    { type: 'user', message: { content: [{ type: 'tool_result', content: 'x' }] } },
    { type: 'assistant', message: { content: [{ type: 'text', text: 'VERDICT: safe' }] } },
    { type: 'result', is_error: false, result: 'VERDICT: safe', stop_reason: 'end_turn' },
  ])
    claude.take(record);
  expect(claude.conclude({ exitCode: 0, stderr: '' })).toEqual({
    text: 'VERDICT: safe',
    stop: 'end',
  });

  const gemini = geminiClient.read();
  for (const record of [
    { type: 'message', role: 'assistant', content: 'Let me look.', delta: true },
    { type: 'tool_use', tool_name: 'x' },
    { type: 'tool_result', status: 'success' },
    { type: 'message', role: 'assistant', content: 'VERDICT: safe', delta: true },
    { type: 'result', status: 'success', stats: { input_tokens: 9, output_tokens: 9, cached: 0 } },
  ])
    gemini.take(record);
  expect(gemini.conclude({ exitCode: 0, stderr: '' })).toEqual({
    text: 'VERDICT: safe',
    stop: 'unknown',
  });
});
