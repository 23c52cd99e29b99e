/**
 * The program's end of its one socket: a line of JSON for every message. The first carries the token; then `{ready}` once
 * the client has listed the tools, `{id, name, input}` for a call and `{id, cancel}` to give one up.
 */
import { connect, type Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import type { ToolAnswer } from '../core/tools/offers.ts';

export interface Engine {
  tellReady(): void;
  /** Never rejects. */
  call(name: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer>;
}

/** Characters of one call: more is no input for any of the tools. */
const longestCall = 400_000;

const Reply = z.object({ id: z.int(), text: z.string(), isError: z.boolean() });

const gone: ToolAnswer = {
  text: 'Jury has ended this review: give your final answer.',
  isError: true,
};

/** Rejects when nobody listens there. */
export async function connectToEngine(socketPath: string, token: string): Promise<Engine> {
  const socket = await open(socketPath);
  const waiting = new Map<number, (answer: ToolAnswer) => void>();
  let calls = 0;
  const send = (message: object): void => void socket.write(`${JSON.stringify(message)}\n`);
  onLines(socket, line => {
    const reply = parseReply(line);
    if (reply === null) return;
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
    call(name, input, signal) {
      const id = (calls += 1);
      const message = JSON.stringify({ id, name, input });
      if (message.length > longestCall)
        return Promise.resolve({
          text: `The input has ${message.length} characters; ${longestCall} are the most.`,
          isError: true,
        });
      if (socket.destroyed) return Promise.resolve(gone);
      return new Promise(resolve => {
        waiting.set(id, resolve);
        signal.addEventListener('abort', () => send({ id, cancel: true }), { once: true });
        socket.write(`${message}\n`);
      });
    },
  };
}

function open(socketPath: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath, () => {
      socket.off('error', reject);
      // What breaks later is told by `close`.
      socket.on('error', () => {});
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

function onLines(socket: Socket, take: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  socket.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}

function parseReply(line: string): z.infer<typeof Reply> | null {
  try {
    return Reply.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
