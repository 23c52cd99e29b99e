/**
 * One endpoint of this machine for a program without a network: a socket in its folder, of which Jury hands every connection on to
 * that endpoint and to nothing else; and a program in its sandbox that listens at the same address there and starts it.
 */
import { open } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join, relative } from 'node:path';

export interface EndpointProxy {
  /** To put before the program, within the sandbox. */
  readonly words: readonly string[];
  /** Ends its connections. */
  close(): Promise<void>;
}

/** Of an attempt. Both are absolute, and the program starts in `cwd`. */
export interface ProxyPlace {
  /** Of mode 0700. */
  readonly root: string;
  readonly cwd: string;
}

interface Address {
  /** An IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Rejects when there can be no socket in the folder. */
export function openEndpointProxy(endpoint: string, place: ProxyPlace): Promise<EndpointProxy> {
  const address = addressOf(endpoint);
  const server = createServer({ allowHalfOpen: true }, inner =>
    joinSockets(inner, connect({ ...address, allowHalfOpen: true })),
  );
  return openSocket(server, address, place);
}

/** Throws for what is no URL. */
export function addressOf(endpoint: string): Address {
  const { hostname, port, protocol } = new URL(endpoint);
  return {
    host: hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

/** `api.example.org:443` */
export function hostOf(endpoint: string) {
  return `${new URL(endpoint).hostname}:${addressOf(endpoint).port}`;
}

/** Each hands on what it reads until the other has ended too; the end of one by force is that of both. */
export function joinSockets(inner: Socket, outer: Socket) {
  for (const [one, other] of [
    [inner, outer],
    [outer, inner],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => {
      if (!one.readableEnded || !one.writableFinished) other.destroy();
    });
    one.pipe(other);
  }
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
    one.on('close', () => (one.readableEnded && one.writableFinished) || other.destroy());
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

/** A client has some at a time; what a hostile one opens beyond them is closed. */
const mostConnections = 128;

/** What comes to `address` in the sandbox comes to the server. Rejects when there can be no socket in the folder. */
export async function openSocket(
  server: Server,
  { host, port }: Address,
  { root, cwd }: ProxyPlace,
): Promise<EndpointProxy> {
  server.maxConnections = mostConnections;
  // A name of a socket is cut at 107 bytes: both sides name it in few, whatever the folder is called.
  const folder = await open(root);
  const end = await listen(server, `/proc/self/fd/${folder.fd}/${socketName}`).catch(
    async error => {
      await folder.close();
      throw error;
    },
  );
  return {
    words: [
      process.execPath,
      '-e',
      listener,
      '--',
      relative(cwd, join(root, socketName)),
      host,
      String(port),
    ],
    async close() {
      await end();
      await folder.close();
    },
  };
}

const socketName = 'e.sock';

/** What comes back ends the server and its connections. */
export async function listen(server: Server, path: string) {
  const sockets = new Set<Socket>();
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    // Rejecting once more does nothing: a connection that cannot be taken later on is no fault of this process.
    server.on('error', reject);
    server.listen(path, resolve);
  });
  return async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise(resolve => server.close(resolve));
  };
}
