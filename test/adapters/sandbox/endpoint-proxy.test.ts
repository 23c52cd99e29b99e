/** A coding agent whose model is on this machine reaches that and nothing else. Where it cannot be kept to it, it keeps the network. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createPlainServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openSandbox, withEnclosure } from '../../../src/adapters/runners/enclose.ts';
import { openEndpointProxy } from '../../../src/adapters/sandbox/endpoint-proxy.ts';
import { answered } from '../../../src/core/ports/runner.ts';
import { SeatIsolation } from '../../../src/core/words/isolation.ts';
import { freshFolder, freshWorld, seatOf } from '../runners/turns.ts';
import { listen } from '../../listening.ts';

const { mechanism } = await openSandbox({ temporaryFolder: '/tmp' });
const hasDoors = mechanism.by !== null && mechanism.noProxy === null;

function serve(text: string): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(`${text}${'.'.repeat(1_000_000)}`));
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const urlOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** What a program sees at each address: the beginning and the length of the answer, or why there is none. */
const look = `
const told = [];
for (const url of process.argv.slice(1))
  told.push(await fetch(url, { method: 'POST', body: 'x'.repeat(500_000) }).then(
    async response => { const text = await response.text(); return text.slice(0, 4) + ' ' + text.length; },
    error => error.cause?.code ?? 'error'));
console.log(told.join('\\n'));
process.exitCode = 7;
`;

async function run(
  baseUrl: string,
  urls: readonly string[],
  below = '',
): Promise<{ readonly lines: string[]; readonly code: number; readonly isolation: object }> {
  const fresh = await freshWorld();
  const world = { ...fresh, temporaryFolder: join(fresh.temporaryFolder, below) };
  await mkdir(world.temporaryFolder, { recursive: true });
  let seen = { lines: [] as string[], code: -1, isolation: {} };
  const seat = seatOf({ runner: 'claude', baseUrl, isolation: SeatIsolation.parse({}) });
  await withEnclosure(
    world,
    seat,
    { file: process.execPath, named: [] },
    async ({ cwd, isolation, within }) => {
      await new Promise<void>(resolve => {
        const [file = '', ...words] = [
          ...(within(true)?.words ?? []),
          process.execPath,
          '--input-type=module',
          '-e',
          look,
          '--',
          ...urls,
        ];
        execFile(file, words, { cwd, env: {} }, (error, stdout) => {
          const code = typeof error?.code === 'number' ? error.code : 0;
          seen = { lines: stdout.trim().split('\n'), code, isolation };
          resolve();
        });
      });
      return answered('');
    },
  );
  return seen;
}

describe.skipIf(!hasDoors)('one endpoint of this machine, where there are namespaces', () => {
  let model: Server;
  let other: Server;
  beforeAll(async () => {
    [model, other] = [await serve('good'), await serve('evil')];
  });
  afterAll(() => {
    model.close();
    other.close();
  });

  it('is reached at its own address, however much goes each way, and nothing else is', async () => {
    const base = urlOf(model);
    const { lines, code, isolation } = await run(base, [
      base,
      `${base}/again`,
      urlOf(other),
      'http://192.0.2.1',
    ]);
    expect(lines).toEqual(['good 1000004', 'good 1000004', 'ECONNREFUSED', 'ENETUNREACH']);
    expect([code, isolation]).toEqual([
      7,
      { level: 'L1', by: mechanism.by, network: false, endpoint: base, reason: null },
    ]);
  });

  it('is reached by the name of this machine too', async () => {
    const base = urlOf(model).replace('127.0.0.1', 'localhost');
    expect((await run(base, [base, urlOf(other)])).lines).toEqual(['good 1000004', 'ECONNREFUSED']);
  });

  it('hears of nobody any more when the way to it is closed', async () => {
    const ended: string[] = [];
    const idle = createPlainServer(socket => {
      ended.push('here');
      socket.resume().on('end', () => ended.push('gone'));
    });
    const port = await listen(idle);
    onTestFinished(() => void idle.close());
    const root = await freshFolder();
    const proxy = await openEndpointProxy(`http://127.0.0.1:${port}`, { root, cwd: root });
    const inner = connect(join(root, 'e.sock')).on('error', () => {});
    await expect.poll(() => ended).toEqual(['here']);
    await proxy.close();
    await expect.poll(() => ended).toEqual(['here', 'gone']);
    inner.destroy();
  });

  it('is reached from a folder with a name too long for a socket', async () => {
    const base = urlOf(model);
    expect((await run(base, [base], 'x'.repeat(120))).lines).toEqual(['good 1000004']);
  });

  it('where nobody can listen is not kept to it: the network is as it was', async () => {
    const { lines, isolation } = await run('http://127.0.0.1:9', [urlOf(model), urlOf(other)]);
    expect(lines).toEqual(['good 1000004', 'evil 1000004']);
    expect(isolation).toMatchObject({ network: true });
  });
});
