/**
 * The genuine clients behind the proxy of their sandbox: each finds its model by it and needs no host besides. The vendors are played
 * by the scripted server behind TLS, with certificates of an authority that was made for this.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createSecureServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClientRunner } from '../../src/adapters/runners/client-runner.ts';
import { type ClientName, clientNames } from '../../src/core/words/runner.ts';
import { openSandbox } from '../../src/adapters/runners/enclose.ts';
import type { Cause } from '../../src/core/words/review.ts';
import { turnOf } from '../adapters/runners/clients/turn.ts';
import { seatOf } from '../adapters/runners/turns.ts';
import { type ModelServer, scriptedText, startModelServer } from '../model-server.ts';
import { installClients } from './install.ts';

interface Facts {
  readonly keyVariable: string;
  readonly host: string;
  /** What it asks for besides and does without: the names up to their first dot. */
  readonly refused: readonly string[];
  /** How it fails when its vendor cannot be reached. Default: at once, and says so. */
  readonly unreached?: { readonly cause: Cause; readonly totalMs: number };
}

const facts: Record<ClientName, Facts> = {
  claude: {
    keyVariable: 'ANTHROPIC_API_KEY',
    host: 'api.anthropic.com:443',
    refused: [],
  },
  codex: {
    keyVariable: 'OPENAI_API_KEY',
    host: 'api.openai.com:443',
    refused: [],
  },
  gemini: {
    keyVariable: 'GEMINI_API_KEY',
    host: 'generativelanguage.googleapis.com:443',
    refused: [],
  },
  opencode: {
    keyVariable: 'OPENAI_API_KEY',
    host: 'api.openai.com:443',
    refused: ['registry'],
    // It tries on until it is ended.
    unreached: { cause: 'deadline', totalMs: 25_000 },
  },
};

const { mechanism } = await openSandbox({ temporaryFolder: tmpdir() });
const hasDoors = mechanism.by !== null && mechanism.noProxy === null;

let programs: ReadonlyMap<ClientName, string> = new Map();
let folder: string;
let model: ModelServer;
let vendors: Server | ReturnType<typeof createSecureServer>;
let proxy: Server;
let asked: string[];

/** An authority, and a key with a certificate of it for all vendors. */
function makeCertificates() {
  const openssl = (...words: string[]) =>
    void execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = Object.values(facts).map(({ host }) => `DNS:${host.replace(/:.*/, '')}`);
  writeFileSync(
    join(folder, 'names'),
    `subjectAltName=${[...new Set(names)].join(',')}\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n`,
  );
  openssl('req', '-x509', ...key, '-keyout', 'own.key', '-out', 'own.pem', '-subj', '/CN=Own');
  openssl('req', ...key, '-keyout', 'key', '-out', 'request', '-subj', '/CN=Vendors');
  const signing = ['-CA', 'own.pem', '-CAkey', 'own.key', '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'request', ...signing, '-out', 'certificate');
}

function joinBoth(one: Socket, other: Socket) {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    from.on('error', () => to.destroy()).pipe(to);
}

const portOf = (server: typeof vendors) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  programs = await installClients();
  folder = mkdtempSync(join(tmpdir(), 'jury-clients-'));
  makeCertificates();
  model = await startModelServer();
  const modelPort = Number(new URL(model.url).port);
  const read = (name: string) => readFileSync(join(folder, name));
  vendors = createSecureServer({ key: read('key'), cert: read('certificate') }, socket =>
    joinBoth(socket, connect(modelPort, '127.0.0.1')),
  );
  proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket: Socket) => {
    asked.push(url);
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    joinBoth(socket, connect(url.endsWith(':443') ? portOf(vendors) : modelPort, '127.0.0.1'));
  });
  for (const server of [vendors, proxy])
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  for (const server of [vendors, proxy]) server?.close();
  await model?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  asked = [];
  model.set({});
});

describe.skipIf(!hasDoors).each(clientNames)('the genuine %s', name => {
  const { keyVariable, host, refused, unreached } = facts[name];
  const { cause, totalMs } = unreached ?? { cause: 'unreachable', totalMs: 60_000 };

  beforeEach(context => {
    const isMissing = !programs.has(name);
    if (isMissing && process.env.JURY_REQUIRE_CLIENTS === '1')
      throw new Error(`${name} is not installed.`);
    if (isMissing) context.skip(`${name} is not installed`);
  });

  function ask(baseUrl?: string, proxyUrl = `http://127.0.0.1:${portOf(proxy)}`) {
    const runner = createClientRunner(name, {
      environment: {
        PATH: process.env.PATH,
        [keyVariable]: 'fake-key-0123456789abcdef',
        HTTPS_PROXY: proxyUrl,
        HTTP_PROXY: proxyUrl,
        NODE_EXTRA_CA_CERTS: join(folder, 'own.pem'),
        SSL_CERT_FILE: join(folder, 'own.pem'),
      },
      temporaryFolder: folder,
    });
    const seat = seatOf({
      runner: name,
      executable: programs.get(name) ?? '',
      ...(baseUrl !== undefined && { baseUrl }),
    });
    return runner.ask(turnOf(seat, { totalMs }), new AbortController().signal);
  }

  test('finds its vendor by the proxy of its sandbox and does without every other host', async () => {
    const answer = await ask();
    expect(answer).toMatchObject({
      status: 'answered',
      text: scriptedText,
      isolation: { level: 'L1', network: false, hosts: [host] },
    });
    expect(model.modelCalls()).toHaveLength(1);
    expect([...new Set(asked)]).toEqual([host]);
    const told = answer.transcript.split('--- network ---\n')[1] ?? '';
    expect(told.match(/^[^.]+/gm) ?? []).toEqual(refused);
  });

  test('finds an endpoint without encryption by it too', async () => {
    const answer = await ask('http://models.example.org:8080');
    expect(answer).toMatchObject({ status: 'answered', text: scriptedText });
    expect([...new Set(asked)]).toEqual(['models.example.org:8080']);
  });

  test('whose vendor cannot be reached fails as such, with the reason', async () =>
    expect(await ask(undefined, 'http://127.0.0.1:1')).toMatchObject({
      status: 'failed',
      failure: {
        cause,
        message: expect.stringContaining(
          `${host} cannot be reached: connect ECONNREFUSED 127.0.0.1:1`,
        ),
      },
    }));
});
