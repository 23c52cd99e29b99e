/**
 * Serves a reviewer's tools to the MCP program that its client starts: a socket in the attempt folder, a random token that
 * each connection must show first, and nothing but calls of these tools behind it.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import type { ReviewerTools } from '../../core/ports/runner.ts';
import { toolNames } from '../../core/tools/offers.ts';
import { listen } from '../sandbox/endpoint-proxy.ts';
import { packageRoot } from '../system/package-root.ts';

/** How a client starts the MCP program. */
export interface ToolLaunch {
  readonly command: string;
  readonly args: readonly string[];
  /** The token is here: into files of mode 0600 or an environment, never onto a command line. */
  readonly environment: Readonly<Record<'JURY_TOOLS_SOCKET' | 'JURY_TOOLS_TOKEN', string>>;
  readonly names: readonly string[];
}

export interface ToolService {
  readonly launch: ToolLaunch;
  /** Has the client listed the tools? */
  wasReady(): boolean;
  /** `listener` is told of every call before its answer goes out: without an answer the client asks its model nothing more. */
  watch(listener: () => void): void;
  close(): Promise<void>;
}

/** Characters of one message. */
const longestMessage = 1_048_576;

/** Built from `src/mcp/reviewer-tools.ts`. */
const toolProgram: string = join(packageRoot, 'dist', 'mcp', 'reviewer-tools.js');

export function describeLaunch(
  environment: ToolLaunch['environment'],
  program = toolProgram,
): ToolLaunch {
  return { command: process.execPath, args: [program], environment, names: toolNames };
}

/** What the MCP program reads: itself, what starts it, and the packages that stand beside it or around it. */
export function toolFiles(program = toolProgram) {
  const around = /^.*?[/\\]node_modules(?=[/\\])/.exec(packageRoot)?.[0];
  return [
    process.execPath,
    dirname(program),
    join(packageRoot, 'package.json'),
    around ?? join(packageRoot, 'node_modules'),
  ];
}

/** `folder` is absolute and of mode 0700. Rejects when there can be no socket in it. */
export async function serveTools(
  tools: ReviewerTools,
  folder: string,
  program = toolProgram,
): Promise<ToolService> {
  const token = randomBytes(32).toString('hex');
  const path =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\jury-${randomBytes(16).toString('hex')}`
      : join(folder, 't.sock');
  const ended = new AbortController();
  let onCall: (() => void) | null = null;
  let isReady = false;
  // A wrong token, or anything that is no message, ends the connection without a word.
  const server = createServer(socket => {
    let isKnown = false;
    const underWay = new Map<number, AbortController>();
    socket.on('error', () => {});
    socket.on('close', () => underWay.forEach(call => call.abort()));
    const answer = async (id: number, name: string, input: unknown) => {
      const own = new AbortController();
      underWay.set(id, own);
      const signal = AbortSignal.any([ended.signal, own.signal]);
      const { text, isError } = await tools.call(name, input, signal);
      underWay.delete(id);
      onCall?.();
      if (!socket.destroyed) socket.write(`${JSON.stringify({ id, text, isError })}\n`);
    };
    readLines(socket, line => {
      const message = Message.safeParse(parseJson(line)).data;
      isKnown ||= message !== undefined && 'token' in message && isEqual(message.token, token);
      if (!isKnown || !message) socket.destroy();
      else if ('ready' in message) isReady = true;
      else if ('cancel' in message) underWay.get(message.id)?.abort();
      else if ('id' in message) void answer(message.id, message.name, message.input);
    });
  });
  const end = await listen(server, path);
  return {
    launch: describeLaunch({ JURY_TOOLS_SOCKET: path, JURY_TOOLS_TOKEN: token }, program),
    watch: listener => void (onCall = listener),
    wasReady: () => isReady,
    async close() {
      ended.abort();
      await end();
    },
  };
}

const Message = z.union([
  z.strictObject({ token: z.string() }),
  z.strictObject({ ready: z.literal(true) }),
  z.strictObject({ id: z.int(), name: z.string(), input: z.unknown() }),
  z.strictObject({ id: z.int(), cancel: z.literal(true) }),
]);

function readLines(socket: Socket, take: (line: string) => void) {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestMessage) socket.destroy();
    for (const line of lines) if (!socket.destroyed) take(line);
  });
}

function isEqual(given: string, token: string) {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
