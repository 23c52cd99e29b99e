/**
 * One endpoint of this machine for a program without a network: a socket in its folder, of which Jury hands every connection on to
 * that endpoint and to nothing else; and a program in its sandbox that listens at the same address there and starts it.
 */
import { createServer, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

export interface Door {
  /** To put before the program, within the sandbox. */
  readonly words: readonly string[];
  /** Ends its connections. */
  close(): Promise<void>;
}

/** The program in the sandbox reads none of Jury's files: they need not be there. A signal that ends the client ends it in the same way. */
const listener = `'use strict';
const net = require('node:net');
const { spawn } = require('node:child_process');
const [, path, host, port, file, ...words] = process.argv;
const server = net.createServer({ allowHalfOpen: true }, inner => {
  const outer = net.connect({ path, allowHalfOpen: true });
  for (const [one, other] of [[inner, outer], [outer, inner]]) {
    one.on('error', () => other.destroy());
    one.pipe(other);
  }
});
server.on('error', error => {
  console.error(error.message);
  process.exit(125);
});
server.listen(Number(port), host, () => {
  const child = spawn(file, words, { stdio: 'inherit' });
  child.on('error', () => process.exit(127));
  child.on('exit', (code, signal) =>
    signal === null ? process.exit(code) : process.kill(process.pid, signal),
  );
});
`;

/** A name of a socket is cut at 107 bytes. */
const longestPath = 100;

/** `folder` is absolute and of mode 0700. Rejects when there can be no socket in it. */
export async function openDoor(endpoint: string, folder: string): Promise<Door> {
  const { host, port } = addressOf(endpoint);
  const path = join(folder, 'e.sock');
  if (Buffer.byteLength(path) > longestPath) throw new Error('the path of the folder is too long');
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, inner => {
    const outer = connect({ host, port, allowHalfOpen: true });
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one));
      one.pipe(other);
    }
  });
  await listen(server, path);
  return {
    words: [process.execPath, '-e', listener, '--', path, host, String(port)],
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function addressOf(endpoint: string): { readonly host: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(endpoint);
  return {
    host: hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}
