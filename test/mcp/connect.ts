/**
 * Real clients of the protocol, one for each generation, talking to the built program over its standard input and output: the older
 * client, and where a program is named, to a process of its own.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  Client as NewClient,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { byHand, juryBeside, program } from '../cli/jury.ts';

export interface CallOptions {
  readonly onprogress?: (progress: { progress: number; message?: string | undefined }) => void;
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

export interface Connected {
  readonly listTools: () => Promise<readonly { readonly name: string }[]>;
  readonly call: (
    name: string,
    given: Record<string, unknown>,
    options?: CallOptions,
  ) => Promise<Called>;
  readonly listResources: () => Promise<readonly { readonly uri: string }[]>;
  readonly read: (uri: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

export interface Called {
  readonly isError: boolean;
  /** The text as it came. */
  readonly text: string;
  /** Its JSON; empty for an error, which is a sentence. */
  readonly answer: Readonly<Record<string, unknown>>;
}

export interface Place {
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: the program that was built. */
  readonly program?: string;
}

export const generations = ['1.x', '2.x as of 2025', '2.x as of 2026'] as const;
export type Generation = (typeof generations)[number];

export function connect(generation: Generation, place: Place): Promise<Connected> {
  return generation === '1.x'
    ? connectOld(place)
    : connectNew(place, generation === '2.x as of 2026' ? { pin: '2026-07-28' } : 'legacy');
}

function spawnOf({ cwd, args = [], environment = {}, program: file = program }: Place): {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  stderr: 'ignore';
} {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  return {
    command: process.execPath,
    args: [file, 'mcp', ...args],
    cwd,
    env: { ...inherited, ...byHand, ...environment },
    stderr: 'ignore',
  };
}

/** The program in the process beside that of the tests. */
async function serveBeside({ cwd, args = [], environment = {} }: Place): Promise<Transport> {
  const server = createServer().listen(path.join(createFolder(), 'mcp'));
  const ended = juryBeside(cwd, ['mcp', ...args], {
    environment: { ...byHand, ...environment },
    socket: server.address() as string,
  });
  const [socket] = (await once(server, 'connection')) as [Socket];
  server.close();
  const transport: Transport = {
    start: async () => {
      createInterface({ input: socket }).on('line', line =>
        transport.onmessage?.(JSON.parse(line) as JSONRPCMessage),
      );
    },
    send: async message => void socket.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      socket.end();
      await ended;
      transport.onclose?.();
    },
  };
  return transport;
}

async function connectOld(place: Place): Promise<Connected> {
  const client = new OldClient({ name: 'test', version: '1' });
  await client.connect(new OldTransport(spawnOf(place)));
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, given, options) =>
      toCalled(await client.callTool({ name, arguments: given }, undefined, options)),
    listResources: async () => (await client.listResources()).resources,
    read: async uri => textOf((await client.readResource({ uri })).contents),
    close: () => client.close(),
  };
}

async function connectNew(place: Place, mode: 'legacy' | { pin: string }): Promise<Connected> {
  const client = new NewClient({ name: 'test', version: '2' }, { versionNegotiation: { mode } });
  await client.connect(
    place.program === undefined ? await serveBeside(place) : new NewTransport(spawnOf(place)),
  );
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, given, options) =>
      toCalled(await client.callTool({ name, arguments: given }, options)),
    listResources: async () => (await client.listResources()).resources,
    read: async uri => textOf((await client.readResource({ uri })).contents),
    close: () => client.close(),
  };
}

function toCalled(result: Record<string, unknown>): Called {
  const [first] = Array.isArray(result.content) ? (result.content as { text?: string }[]) : [];
  const text = first?.text ?? '';
  return {
    isError: result.isError === true,
    text,
    answer: result.isError === true ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

function textOf(contents: readonly object[]): string {
  const [first] = contents;
  return first !== undefined && 'text' in first ? String(first.text) : '';
}
