/** Serves agents over standard input and output until either side closes; clients of both generations of the protocol. */
import { Console } from 'node:console';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createJobQueue } from './job-queue.ts';
import type { Roots } from './roots.ts';
import { createServer } from './server.ts';

export interface Serving {
  readonly roots: Roots;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
  /** Aborting closes the connection. */
  readonly signal: AbortSignal;
}

/** A message of more bytes closes the connection; the largest legal one is far smaller. */
const mostMessageBytes = 32 * 1024 * 1024;

/** Resolves when the connection is closed and every run is ended with its state saved. */
export async function serveAgents({ signal, ...settings }: Serving): Promise<void> {
  // Standard output carries the protocol and nothing else, whatever a library finds worth printing.
  globalThis.console = new Console(process.stderr, process.stderr);
  const queue = createJobQueue();
  const transport = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: mostMessageBytes,
  });
  const onError = (error: Error): void => settings.log(error.message);
  const closed = new Promise<void>(resolve => {
    const handle = serveStdio(() => createServer({ ...settings, queue }), {
      transport,
      onerror: onError,
    });
    const close = transport.onclose;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is no event target, and the handle does not tell when it closes
    transport.onclose = () => {
      close?.();
      resolve();
    };
    signal.addEventListener('abort', () => void handle.close().finally(resolve), { once: true });
  });
  await closed;
  await queue.close();
}
