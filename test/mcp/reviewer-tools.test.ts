/** The program as clients start it: the built file, spoken to by genuine MCP clients of both generations. */
import { Client as ClientOfToday } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportOfToday } from '@modelcontextprotocol/client/stdio';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveTools } from '../../src/adapters/runners/client-runner.ts';
import type { ReviewerTools } from '../../src/core/ports/runner.ts';
import { type ToolAnswer, toolNames, toolOffers } from '../../src/core/tools/offers.ts';
import { createFolder } from '../adapters/git/sample-repository.ts';

interface Recorded extends ReviewerTools {
  readonly calls: { name: string; input: unknown }[];
}

/** Tools that say back what they were asked; `wait` gives up only with its signal. */
function createEcho(): Recorded {
  const calls: Recorded['calls'] = [];
  return {
    calls,
    list: toolOffers,
    isSpent: () => false,
    callsAfterEnd: () => 0,
    async call(name, input, signal): Promise<ToolAnswer> {
      calls.push({ name, input });
      if (name === 'branch_status') {
        await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
        calls.push({ name: 'given up', input: null });
      }
      return { text: `${name} ${JSON.stringify(input)}`, isError: name === 'branch_return' };
    },
  };
}

type ToolService = Awaited<ReturnType<typeof serveTools>>;

async function openService(tools: ReviewerTools = createEcho()): Promise<ToolService> {
  const service = await serveTools(tools, createFolder());
  onTestFinished(() => service.close());
  return service;
}

interface Connection {
  listTools(): Promise<{
    readonly tools: readonly {
      readonly name: string;
      readonly annotations?: object | undefined;
      readonly inputSchema: object;
    }[];
  }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const generations: readonly (readonly [string, (service: ToolService) => Promise<Connection>])[] = [
  [
    'v2',
    async ({ launch }) => {
      const client = new ClientOfToday({ name: 'test', version: '1' });
      await client.connect(
        new TransportOfToday({
          command: launch.command,
          args: [...launch.args],
          env: launch.environment,
          stderr: 'ignore',
        }),
      );
      return client;
    },
  ],
  [
    'v1',
    async ({ launch }) => {
      const client = new EarlierClient({ name: 'test', version: '1' });
      await client.connect(
        new EarlierTransport({
          command: launch.command,
          args: [...launch.args],
          env: launch.environment,
          stderr: 'ignore',
        }),
      );
      return client;
    },
  ],
];

describe.each(generations)('a client of generation %s', (_, open) => {
  it('lists the tools, which tells the engine that they are ready, and calls them', async () => {
    const tools = createEcho();
    const service = await openService(tools);
    const client = await open(service);
    onTestFinished(() => client.close());
    expect(service.wasReady()).toBe(false);
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(toolNames);
    expect(listed.map(({ annotations }) => annotations)).toEqual(
      toolNames.map(() => ({ readOnlyHint: true, destructiveHint: false, openWorldHint: false })),
    );
    expect(listed.map(({ inputSchema }) => inputSchema)).toEqual(
      toolOffers().map(({ inputSchema }) => inputSchema),
    );
    expect(
      await client.callTool({ name: 'semantic_search', arguments: { query: 'ä\u2028\n🦉' } }),
    ).toMatchObject({
      content: [{ type: 'text', text: 'semantic_search {"query":"ä\u2028\\n🦉"}' }],
      isError: false,
    });
    expect(service.wasReady()).toBe(true);
    expect(await client.callTool({ name: 'branch_return', arguments: {} })).toMatchObject({
      isError: true,
    });
    expect(tools.calls.map(({ name }) => name)).toEqual(['semantic_search', 'branch_return']);
  });

  it('is told that the review has ended when the engine goes away', async () => {
    const service = await openService();
    const client = await open(service);
    onTestFinished(() => client.close());
    await client.listTools();
    const asked = client.callTool({ name: 'branch_status', arguments: {} });
    await new Promise(resolve => setTimeout(resolve, 50));
    await service.close();
    const { content } = (await asked) as { content: readonly { text: string }[] };
    expect(content[0]?.text).toMatch(/ended this review|branch_status/);
    expect(
      await client.callTool({ name: 'semantic_search', arguments: { query: 'x' } }),
    ).toMatchObject({
      isError: true,
      content: [{ text: 'Jury has ended this review: give your final answer.' }],
    });
  });
});

function start(service: ToolService) {
  const { command, args, environment } = service.launch;
  const child = spawn(command, args, { env: environment, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [output, errors] = ['', ''];
  child.stdout.on('data', chunk => (output += String(chunk)));
  child.stderr.on('data', chunk => (errors += String(chunk)));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, ended, output: () => output, errors: () => errors };
}

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

async function talk(
  messages: readonly unknown[],
  answers: number,
): Promise<readonly Record<string, unknown>[]> {
  const { child, output } = start(await openService());
  for (const message of messages)
    child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  while (output().split('\n').length <= answers)
    await new Promise(resolve => setTimeout(resolve, 10));
  return output()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);
}

describe('the program', () => {
  it.each(['2025-06-18', '2025-11-25'])('speaks protocol %s', async version =>
    expect(await talk([initialize(version)], 1)).toMatchObject([
      { id: 1, result: { protocolVersion: version, serverInfo: { name: 'jury' } } },
    ]),
  );

  it('answers unknown methods with -32601, also before the opening', async () => {
    const answers = await talk(
      [
        { jsonrpc: '2.0', id: 7, method: 'nobody/knows', params: {} },
        initialize('2025-06-18'),
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { jsonrpc: '2.0', id: 8, method: 'nobody/knows' },
      ],
      3,
    );
    expect(answers.filter(({ error }) => error !== undefined)).toMatchObject([
      { id: 7, error: { code: -32601 } },
      { id: 8, error: { code: -32601 } },
    ]);
  });

  it('writes nothing but JSON-RPC on its standard output, whatever it is sent', async () => {
    const answers = await talk(
      ['no JSON at all', '[]', '{"jsonrpc":"2.0"}', '\u0000', initialize('2025-06-18')],
      1,
    );
    expect(answers.map(({ jsonrpc }) => jsonrpc)).not.toContain(undefined);
  });

  it('refuses an input of megabytes without sending it on', async () => {
    const tools = createEcho();
    const { child, output } = start(await openService(tools));
    child.stdin.write(`${JSON.stringify(initialize('2025-06-18'))}\n`);
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'semantic_search', arguments: { query: 'x'.repeat(5_000_000) } } })}\n`,
    );
    while (!output().includes('"id":2')) await new Promise(resolve => setTimeout(resolve, 10));
    expect(output()).toContain('400000 are the most');
    expect(tools.calls).toEqual([]);
  });

  it.each([
    ['its standard input ends', (child: ReturnType<typeof spawn>) => child.stdin?.end()],
    ['SIGTERM', (child: ReturnType<typeof spawn>) => child.kill('SIGTERM')],
    ['SIGINT', (child: ReturnType<typeof spawn>) => child.kill('SIGINT')],
  ])('ends on %s', async (_, end) => {
    const { child, ended, output } = start(await openService());
    child.stdin.write(`${JSON.stringify(initialize('2025-06-18'))}\n`);
    while (output() === '') await new Promise(resolve => setTimeout(resolve, 10));
    end(child);
    expect(await ended).toBe(0);
  });

  it('does not start without an engine', async () => {
    const service = await openService();
    const { ended, errors } = start({
      ...service,
      launch: {
        ...service.launch,
        environment: { JURY_TOOLS_SOCKET: '/nonexistent/t.sock', JURY_TOOLS_TOKEN: 'x' },
      },
    });
    expect(await ended).toBe(4);
    expect(errors()).toContain('cannot be reached');
  });
});

describe('the socket', () => {
  it('lies in the folder of the attempt and answers nobody without the token', async () => {
    const tools = createEcho();
    const service = await openService(tools);
    const { JURY_TOOLS_SOCKET: path, JURY_TOOLS_TOKEN: token } = service.launch.environment;
    expect(statSync(dirname(path)).isDirectory()).toBe(true);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const lines = [
      '',
      'x',
      '{"token":"wrong"}',
      `{"token":"${token.slice(1)}"}`,
      '{"ready":true}',
      '{"id":1,"name":"semantic_search","input":{}}',
      `{"token":"${token}","id":1}`,
    ];
    for (const line of lines) {
      const socket = connect(path);
      let answered = '';
      const closed = new Promise(resolve =>
        socket
          .on('data', chunk => (answered += String(chunk)))
          .on('error', () => {})
          .on('close', resolve),
      );
      socket.write(`${line}\n{"ready":true}\n{"id":2,"name":"semantic_search","input":{}}\n`);
      await closed;
      expect(answered).toBe('');
    }
    expect(tools.calls).toEqual([]);
    expect(service.wasReady()).toBe(false);
  });

  it('ends a connection that sends a megabyte without a line', async () => {
    const service = await openService();
    const socket = connect(service.launch.environment.JURY_TOOLS_SOCKET);
    const closed = new Promise(resolve => socket.on('error', () => {}).on('close', resolve));
    socket.write('x'.repeat(1_100_000));
    await closed;
    expect(service.wasReady()).toBe(false);
  });
});
