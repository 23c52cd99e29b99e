/**
 * The program that a coding-agent client starts to have Jury's tools: MCP on standard input and output, and one socket to
 * the engine, which does everything. It starts nothing, reads no file, and ends with its standard input.
 */
import { connect, type Socket } from 'node:net';
import { type CallToolResult, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { parseJson } from '../core/json.ts';
import { type ToolAnswer, toolOffers } from '../core/tools/offers.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { Flag, Text, Whole } from '../core/words/fields.ts';

/** Characters of one call: more is no input for any of the tools. */
const longestCall = 400_000;

const Reply = z.object({ id: Whole, text: Text, isError: Flag });

const gone = {
  text: 'Jury has ended this review: give your final answer.',
  isError: true,
};

const { JURY_TOOLS_SOCKET: socketPath, JURY_TOOLS_TOKEN: token } = process.env;
// Clients hand on what they were started with, keys included.
for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));

if (socketPath === undefined || token === undefined)
  refuseToStart('This program is started by jury, for its reviewers; it does nothing on its own.');
const engine = await connectToEngine(socketPath, token).catch(error =>
  refuseToStart(`The engine cannot be reached: ${String(error)}.`),
);
process.stdin.once('end', () => process.exit(0));
serveStdio(() => createToolServer(engine));

function createToolServer(link: Awaited<ReturnType<typeof connectToEngine>>) {
  // No underscore in the name: Gemini splits the names of tools at the first one.
  const server = new Server({ name: 'jury', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => {
    link.tellReady();
    return {
      tools: toolOffers().map(({ inputSchema, ...offer }) => ({
        ...offer,
        inputSchema: { ...inputSchema, type: 'object' },
      })),
    };
  });
  server.setRequestHandler(
    'tools/call',
    async (
      { params: { name, arguments: input = {} } },
      { mcpReq: { signal } },
    ): Promise<CallToolResult> => {
      const { text, isError } = await link.call(name, input, signal);
      return { content: [{ type: 'text', text }], isError };
    },
  );
  return server;
}

function refuseToStart(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(programExits.fault);
}

/**
 * The program's end of its one socket: a line of JSON for every message. The first carries the token; then `{ready}` once
 * the client has listed the tools, `{id, name, input}` for a call and `{id, cancel}` to give one up. Rejects when nobody
 * listens there.
 */
async function connectToEngine(socketPath: string, token: string) {
  const socket = await open(socketPath);
  const waiting = new Map<number, (answer: ToolAnswer) => void>();
  let calls = 0;
  const send = (message: object) => void socket.write(`${JSON.stringify(message)}\n`);
  onLines(socket, line => {
    const reply = Reply.safeParse(parseJson(line)).data;
    if (!reply) return;
    waiting.get(reply.id)?.({ text: reply.text, isError: reply.isError });
    waiting.delete(reply.id);
  });
  socket.on('close', () => {
    for (const settle of waiting.values()) settle(gone);
    waiting.clear();
  });
  send({ token });
  return {
    tellReady: () => send({ ready: true }),
    /** Never rejects. */
    async call(name: string, input: unknown, signal: AbortSignal) {
      const id = (calls += 1);
      const message = JSON.stringify({ id, name, input });
      if (message.length > longestCall)
        return {
          text: `The input has ${message.length} characters; ${longestCall} are the most.`,
          isError: true,
        };
      if (socket.destroyed) return gone;
      return new Promise<ToolAnswer>(resolve => {
        waiting.set(id, resolve);
        signal.addEventListener('abort', () => send({ id, cancel: true }), { once: true });
        socket.write(`${message}\n`);
      });
    },
  };
}

function open(socketPath: string) {
  return new Promise<Socket>((resolve, reject) => {
    const socket = connect(socketPath, () => {
      socket.off('error', reject);
      // What breaks later is told by `close`.
      socket.on('error', () => {});
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

function onLines(socket: Socket, take: (line: string) => void) {
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}
