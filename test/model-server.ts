/**
 * A model server that follows a script, on the loopback address: Anthropic Messages, OpenAI Responses and Chat
 * Completions, and Gemini on one port. `plan[i]` is what the i-th model call meets; the last entry repeats.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { anthropic } from './model-server/anthropic.ts';
import { chat } from './model-server/chat.ts';
import { gemini } from './model-server/gemini.ts';
import {
  failureKinds,
  type Behaviour,
  type FailureKind,
  type Frame,
  type Protocol,
  type Reply,
  type TokenCounts,
  type ToolCall,
} from './model-server/protocol.ts';
import { responses } from './model-server/responses.ts';
import { listen } from './listening.ts';

export type { Behaviour, ToolCall } from './model-server/protocol.ts';

export interface Script {
  /** The answer; a function sees the request, for answers that must repeat something of the prompt. */
  readonly text: string | ((request: LoggedRequest) => string);
  /** By the number of the call; a function sees the body of the request, for several that speak to one server. */
  readonly plan: readonly [Behaviour, ...Behaviour[]] | ((body: string) => Behaviour);
  readonly usage: TokenCounts;
  /** For behaviour `tool`; a function sees the request, for calls that depend on what the tools told before. */
  readonly tool: ToolCall | ((request: LoggedRequest) => ToolCall);
  /** Sent with 429, never with `quota`. */
  readonly retryAfterSeconds: number;
  /** Before each model answer. */
  readonly delayMs: number;
}

export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed when it is JSON, else text. */
  readonly body: unknown;
  readonly text: string;
  /** Null for everything but model calls. */
  readonly protocol: Protocol['name'] | null;
  readonly behaviour: Behaviour | null;
}

export interface ModelServer {
  readonly url: string;
  /** Every request so far, counting and listing ones too. Headers are logged: use fake keys only. */
  readonly requests: readonly LoggedRequest[];
  modelCalls(): readonly LoggedRequest[];
  /** Changes the script, starts its plan again and clears the log. */
  set(script: Partial<Script>): void;
  close(): Promise<void>;
}

export const scriptedText = 'CRITICAL|src/a.ts:10|Null dereference\nVERDICT: risky';

const defaults: Script = {
  text: scriptedText,
  plan: ['ok'],
  usage: { input: 1234, output: 21, cached: 100 },
  tool: { name: 'read_file', input: { path: 'a' } },
  retryAfterSeconds: 1,
  delayMs: 0,
};
const protocols: readonly Protocol[] = [anthropic, responses, chat, gemini];

export async function startModelServer(options: Partial<Script> = {}): Promise<ModelServer> {
  let script = { ...defaults, ...options };
  let calls = 0;
  const requests: LoggedRequest[] = [];
  const sockets = new Set<Socket>();
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await readText(request);
    const protocol =
      request.method === 'POST'
        ? protocols.find(({ path }) => path.test(pathOf(request)))
        : undefined;
    const behaviour = protocol === undefined ? null : nextOf(script.plan, calls++, text);
    const logged = logOf(request, text, protocol, behaviour);
    requests.push(logged);
    if (protocol === undefined || behaviour === null) answerOther(request, response, text);
    else
      setTimeout(answerModel, script.delayMs, {
        request,
        response,
        protocol,
        behaviour,
        script,
        logged,
        number: calls,
      });
  };
  // A request that its client gave up needs no answer.
  const server = createServer(
    (request, response) => void handle(request, response).catch(() => {}),
  );
  // A client on a busy machine would be told that its connection is closed when it asks again.
  server.keepAliveTimeout = 0;
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (_request, socket: Socket) =>
    socket.end('HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  );
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    modelCalls: () => requests.filter(request => request.protocol !== null),
    set(changes) {
      script = { ...script, ...changes };
      calls = 0;
      requests.length = 0;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function nextOf(plan: Script['plan'], calls: number, body: string) {
  return typeof plan === 'function' ? plan(body) : (plan[Math.min(calls, plan.length - 1)] ?? 'ok');
}

async function readText(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function pathOf(request: IncomingMessage) {
  return new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
}

function logOf(
  request: IncomingMessage,
  text: string,
  protocol: Protocol | undefined,
  behaviour: Behaviour | null,
): LoggedRequest {
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: parse(text),
    text,
    protocol: protocol?.name ?? null,
    behaviour,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'req_scripted',
    ...headers,
  });
  response.end(JSON.stringify(body));
}

/** Token counts, model lists and probes, which clients ask for besides. */
function answerOther(request: IncomingMessage, response: ServerResponse, text: string) {
  const path = pathOf(request);
  const tokens = Math.ceil(text.length / 4);
  if (path.endsWith('/count_tokens')) sendJson(response, 200, { input_tokens: tokens });
  else if (path.endsWith(':countTokens')) sendJson(response, 200, { totalTokens: tokens });
  else if (/\/models(?:\/[^/:]+)?$/.test(path))
    sendJson(response, 200, {
      object: 'list',
      data: [
        {
          id: 'scripted',
          object: 'model',
          type: 'model',
          display_name: 'Scripted',
          created_at: '2025-01-01T00:00:00Z',
        },
      ],
      models: [],
      has_more: false,
    });
  else if (path === '/' && (request.method === 'GET' || request.method === 'HEAD')) response.end();
  else
    sendJson(response, 404, {
      error: { message: `no such path: ${path}`, type: 'not_found', code: 404 },
    });
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly protocol: Protocol;
  readonly behaviour: Behaviour;
  readonly script: Script;
  readonly logged: LoggedRequest;
  readonly number: number;
}

function answerModel(call: Call) {
  const { request, response, protocol, behaviour, script } = call;
  if (behaviour === 'hang') return;
  if (behaviour === 'drop') return void request.socket.destroy();
  if (behaviour === 'garbage')
    return void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<html><body>Please sign in to the network</body></html>');
  if (isFailureKind(behaviour)) {
    const { status, body } = protocol.failure(behaviour, script.retryAfterSeconds);
    return sendJson(
      response,
      status,
      body,
      behaviour === '429' ? { 'retry-after': String(script.retryAfterSeconds) } : {},
    );
  }
  if (streams(call)) return sendStream(call);
  // A client that falls back to one plain request meets the same trouble there.
  if (behaviour === 'hangmid') return;
  if (behaviour === 'truncate') return void request.socket.destroy();
  if (behaviour === 'ssefail') return sendJson(response, 500, protocol.failure('500', 0).body);
  sendJson(response, 200, protocol.whole(replyOf(call)));
}

function isFailureKind(behaviour: Behaviour): behaviour is FailureKind {
  return (failureKinds as readonly string[]).includes(behaviour);
}

function streams({ protocol, logged }: Call) {
  if (protocol.name === 'gemini') return logged.path.includes(':streamGenerateContent');
  return fieldOf(logged.body, 'stream') === true;
}

function sendStream(call: Call): void {
  const { response, protocol, behaviour } = call;
  const { opening, pieces, closing, breakdown } = protocol.stream(replyOf(call));
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': 'req_scripted',
  });
  const send = (frames: readonly Frame[]) => {
    for (const { event, data } of frames)
      response.write(
        `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
      );
  };
  send(opening);
  if (behaviour === 'hangmid') return send(pieces.slice(0, 1));
  if (behaviour === 'ssefail') {
    send(breakdown);
    return void response.end();
  }
  send(pieces);
  if (behaviour === 'truncate') return void setTimeout(() => response.destroy(), 20);
  send(closing);
  response.end();
}

function replyOf({ behaviour, script, logged, number }: Call): Reply {
  const text = typeof script.text === 'string' ? script.text : script.text(logged);
  const model = /models\/([^:/]+):/.exec(logged.path)?.[1] ?? fieldOf(logged.body, 'model');
  return {
    number,
    model: typeof model === 'string' ? model : 'scripted',
    usage: script.usage,
    text: behaviour === 'empty' || behaviour === 'tool' ? '' : text,
    ending: behaviour === 'maxtok' ? 'limit' : behaviour === 'refusal' ? 'refusal' : 'normal',
    tool:
      behaviour !== 'tool'
        ? null
        : typeof script.tool === 'function'
          ? script.tool(logged)
          : script.tool,
    wantsUsage: fieldOf(fieldOf(logged.body, 'stream_options'), 'include_usage') === true,
  };
}

function fieldOf(value: unknown, name: string) {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
