/** The way to named hosts: what goes to them passes, and nothing else, whatever a name says it means. */
import type { lookup as lookUp } from 'node:dns';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { connect, createServer as createPlainServer, type Socket } from 'node:net';
import { mkdir } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHostProxy, type HostProxy } from '../../../src/adapters/sandbox/host-proxy.ts';
import { freshFolder } from '../runners/turns.ts';
import { listen } from '../../listening.ts';

interface Opened {
  readonly proxy: HostProxy;
  /** Of the socket that the program in the sandbox is handed on to. */
  readonly path: string;
}

async function open(reach: Partial<Parameters<typeof openHostProxy>[0]>): Promise<Opened> {
  const root = await freshFolder();
  const cwd = join(root, 'cwd');
  await mkdir(cwd);
  const proxy = await openHostProxy(
    { endpoints: ['https://api.example.org'], isConfigured: false, environment: {}, ...reach },
    { root, cwd },
  );
  onTestFinished(() => proxy.close());
  return { proxy, path: join(root, 'e.sock') };
}

/** Everything that comes back to these bytes; `end` closes this side at once. */
function say(path: string, bytes: string, end = true): Promise<string> {
  return new Promise(resolve => {
    let heard = '';
    const socket = connect({ path, allowHalfOpen: true });
    socket.on('data', chunk => (heard += String(chunk)));
    socket.on('error', error => resolve(`${heard}${error.message}`));
    socket.on('close', () => resolve(heard));
    socket.on('end', () => socket.end());
    socket.write(bytes);
    if (end) socket.end();
  });
}

const connectTo = (authority: string): string =>
  `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;

/** Answers only when the other side has said all it wants to. */
async function serve(handle?: (socket: Socket) => void): Promise<number> {
  const server = createPlainServer({ allowHalfOpen: true }, socket => {
    let heard = '';
    socket.on('error', () => {});
    if (handle !== undefined) return handle(socket);
    socket.on('data', chunk => (heard += String(chunk)));
    socket.on('end', () => socket.end(`heard ${heard.length}${'.'.repeat(500_000)}`));
  });
  onTestFinished(() => void server.close());
  return listen(server);
}

async function serveHttp(answer: (request: IncomingMessage) => string): Promise<number> {
  const server: Server = createServer((asked, response) => {
    asked.resume().on('end', () => response.end(answer(asked)));
  });
  onTestFinished(() => void server.close());
  return listen(server);
}

async function serveProxy(status = 200): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url, headers }, socket: Socket) => {
    asked.push(`${url} ${headers['proxy-authorization'] ?? '-'}`);
    if (status === 200) socket.write('HTTP/1.1 200 OK\r\n\r\nhello');
    else socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    socket.on('error', () => {}).on('data', chunk => socket.end(chunk));
  });
  const port = await listen(proxy);
  onTestFinished(() => void proxy.close());
  return { port, asked };
}

const looksUp = (...answers: (readonly string[])[]): typeof lookUp => {
  const lookup = (
    _name: string,
    _options: object,
    done: (
      error: null,
      found: readonly { readonly address: string; readonly family: number }[],
    ) => void,
  ): void => {
    const found = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    done(
      null,
      found.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return lookup as typeof lookUp;
};

describe.skipIf(process.platform !== 'linux')('a way to named hosts, on Linux', () => {
  it('carries what goes each way, to the end, also when one side has ended before', async () => {
    const port = await serve();
    const { proxy, path } = await open({
      endpoints: [`http://127.0.0.1:${port}`],
      isConfigured: true,
    });
    const heard = await say(path, `${connectTo(`127.0.0.1:${port}`)}${'x'.repeat(300_000)}`);
    expect(heard.slice(0, 39)).toBe('HTTP/1.1 200 Connection established\r\n\r\n');
    expect(heard.slice(39, 51)).toBe('heard 300000');
    expect(heard).toHaveLength(39 + 12 + 500_000);
    expect(proxy.told()).toEqual({ opened: 1, unreached: [] });
  });

  it.each([
    ['evil.example.org:443', 'evil.example.org:443'],
    ['api.example.org.evil.org:443', 'api.example.org.evil.org:443'],
    ['api.example.org:22', 'api.example.org:22'],
    ['api.example.org', 'api.example.org:80'],
    ['api.example.org.:443', 'api.example.org.:443'],
    ['127.1:443', '127.0.0.1:443'],
    ['[::1]:443', '[::1]:443'],
    ['169.254.169.254:80', '169.254.169.254:80'],
    ['api.example.org@evil.org:443', 'evil.org:443'],
    ['%zz:443', '%zz:443'],
  ])('refuses %s, and counts it', async (authority, target) => {
    const { proxy, path } = await open({ lookup: looksUp(['192.0.2.1']) });
    for (const _ of [1, 2])
      expect(await say(path, connectTo(authority))).toMatch(
        /^HTTP\/1\.1 403 Forbidden\r\n[^]*is none of the hosts that it may reach\.\n$/,
      );
    expect(proxy.told()).toEqual({
      opened: 0,
      unreached: [
        { target, why: 'is none of the hosts that it may reach', isOwn: false, times: 2 },
      ],
    });
  });

  const own = Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);

  it.each(
    [
      '127.0.0.1',
      '127.8.9.1',
      '0.0.0.0',
      '169.254.169.254',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      '::ffff:127.0.0.1',
      '::ffff:a9fe:a9fe',
      '64:ff9b::7f00:1',
      'fe80::1',
      'ff02::1',
      'fe80::1%eth0',
      ...own,
      ...own.map(each => `::ffff:${each}`),
    ].flatMap(
      address =>
        [
          [address, true],
          [address, false],
        ] as const,
    ),
  )(
    'is never a way to %s, this machine or next to it (configured: %s)',
    async (address, isConfigured) => {
      const { proxy, path } = await open({ isConfigured, lookup: looksUp([address]) });
      expect(await say(path, connectTo('api.example.org:443'))).toMatch(/^HTTP\/1\.1 403 /);
      expect(proxy.told().unreached).toEqual([
        {
          target: 'api.example.org:443',
          why: `leads to ${address}, which is this machine or next to it`,
          isOwn: true,
          times: 1,
        },
      ]);
    },
  );

  it.each(['10.1.2.3', '172.31.0.1', '192.168.1.1', '100.64.0.1', 'fd00::1', '64:ff9b::a01:203'])(
    'of a vendor is no way to %s in a private network',
    async address => {
      const { path } = await open({ lookup: looksUp([address]) });
      expect(await say(path, connectTo('api.example.org:443'))).toMatch(
        /^HTTP\/1\.1 403 [^]*in a private network\.\n$/,
      );
    },
  );

  it('dials what was judged: a name that means another address the next time gains nothing', async () => {
    let arrived = 0;
    const port = await serve(socket => {
      arrived += 1;
      socket.end();
    });
    // A name is looked up once for each connection; where a second look were taken, it would lead here.
    for (const lookup of [
      looksUp(['192.0.2.1'], ['127.0.0.1']),
      looksUp(['127.0.0.1', '192.0.2.1']),
    ]) {
      const { proxy, path } = await open({
        endpoints: [`https://api.example.org:${port}`],
        lookup,
      });
      const heard = say(path, connectTo(`api.example.org:${port}`), false);
      await Promise.race([heard, new Promise(resolve => setTimeout(resolve, 200))]);
      await proxy.close();
      expect(await heard).not.toMatch(/ (?:200|403) /);
    }
    expect(arrived).toBe(0);
  });

  it('says why nobody answered', async () => {
    const { proxy, path } = await open({ endpoints: ['http://127.0.0.1:1'], isConfigured: true });
    expect(await say(path, connectTo('127.0.0.1:1'))).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    expect(proxy.told().unreached).toEqual([
      expect.objectContaining({ isOwn: true, why: expect.stringMatching(/ECONNREFUSED/) }),
    ]);
  });

  it('hands on a request without encryption to an endpoint without it, and to no other', async () => {
    const port = await serveHttp(({ method, url, headers }) =>
      JSON.stringify([method, url, headers.host, headers['proxy-authorization'] ?? null]),
    );
    const base = `http://127.0.0.1:${port}`;
    const { path } = await open({ endpoints: [base], isConfigured: true });
    const ask = (asked: string): Promise<string> =>
      new Promise((resolve, reject) =>
        request(
          {
            socketPath: path,
            method: 'POST',
            path: asked,
            headers: { 'proxy-authorization': 'x', host: 'other' },
          },
          response => {
            let text = '';
            response.on('data', chunk => (text += String(chunk)));
            response.on('end', () => resolve(`${response.statusCode} ${text}`));
          },
        )
          .on('error', reject)
          .end('x'),
      );
    expect(await ask(`${base}/v1/messages?a=1`)).toBe(
      `200 ["POST","/v1/messages?a=1","127.0.0.1:${port}",null]`,
    );
    expect(await ask('http://evil.example.org/v1')).toMatch(/^403 /);
    expect(await ask('/v1/messages')).toMatch(/^403 /);
    const secure = await open({ endpoints: [`https://127.0.0.1:${port}`], isConfigured: true });
    const plain = await say(
      secure.path,
      `GET ${base}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(plain).toMatch(/^HTTP\/1\.1 403 [^]*without encryption/);
  });

  describe('with a proxy of the person who runs Jury', () => {
    it.each(['HTTPS_PROXY', 'https_proxy'])(
      'goes on through it (%s), which looks names up itself',
      async variable => {
        const { port, asked } = await serveProxy();
        const { path, proxy } = await open({
          environment: { [variable]: `http://somebody:a%20b@127.0.0.1:${port}` },
          lookup: looksUp(['127.0.0.1']),
        });
        expect(await say(path, `${connectTo('api.example.org:443')}bytes`)).toBe(
          'HTTP/1.1 200 Connection established\r\n\r\nhellobytes',
        );
        expect(await say(path, connectTo('evil.example.org:443'))).toMatch(/^HTTP\/1\.1 403 /);
        const key = Buffer.from('somebody:a b').toString('base64');
        expect([asked, proxy.told().opened]).toEqual([[`api.example.org:443 Basic ${key}`], 1]);
      },
    );

    it.each([
      '*',
      'example.org',
      '.example.org',
      'other.org, api.example.org',
      'api.example.org:443',
    ])('does without where NO_PROXY is %s', async spared => {
      const { port, asked } = await serveProxy();
      const { path } = await open({
        environment: { HTTPS_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: spared },
        lookup: looksUp(['127.0.0.1']),
      });
      expect(await say(path, connectTo('api.example.org:443'))).toMatch(/^HTTP\/1\.1 403 /);
      expect(asked).toEqual([]);
    });

    it('says what the proxy answered, and which it cannot speak to', async () => {
      const { port } = await serveProxy(407);
      const refused = await open({
        environment: { HTTPS_PROXY: `127.0.0.1:${port}`, NO_PROXY: 'ple.org' },
      });
      expect(await say(refused.path, connectTo('api.example.org:443'))).toMatch(
        /^HTTP\/1\.1 502 [^]*the proxy answered 407/,
      );
      const strange = await open({ environment: { HTTPS_PROXY: 'socks5://u:secret@127.0.0.1:1' } });
      const heard = await say(strange.path, connectTo('api.example.org:443'));
      expect(heard).toMatch(/^HTTP\/1\.1 502 [^]*no http:\/\/ or https:\/\/ address/);
      expect(heard).not.toContain('secret');
    });
  });

  it('ends its connections when it is closed', async () => {
    const ended: string[] = [];
    const port = await serve(socket => {
      const writing = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => {
        clearInterval(writing);
        ended.push('outer');
      });
      socket.resume();
    });
    const { proxy, path } = await open({
      endpoints: [`http://127.0.0.1:${port}`],
      isConfigured: true,
    });
    // One side of the second has ended: it is no less closed.
    const all = [false, true].map(end => say(path, connectTo(`127.0.0.1:${port}`), end));
    await expect.poll(() => proxy.told().opened).toBe(2);
    await proxy.close();
    await Promise.all(all);
    await expect.poll(() => ended).toEqual(['outer', 'outer']);
    expect(await say(path, connectTo(`127.0.0.1:${port}`))).toMatch(/ENOENT|ECONNREFUSED/);
  });

  it('gives up what it is still waiting for when it is closed', async () => {
    const ended: string[] = [];
    const silent = createServer().on('connect', (_, socket: Socket) => {
      ended.push('asked');
      socket
        .on('error', () => {})
        .on('end', () => ended.push('gone'))
        .resume();
    });
    const port = await listen(silent);
    onTestFinished(() => void silent.close());
    const { proxy, path } = await open({ environment: { HTTPS_PROXY: `127.0.0.1:${port}` } });
    const heard = say(path, connectTo('api.example.org:443'), false);
    await expect.poll(() => ended).toEqual(['asked']);
    await proxy.close();
    await expect.poll(() => ended).toEqual(['asked', 'gone']);
    await heard;
  });

  it('tells no more than a number of what a program asks for', async () => {
    const { proxy, path } = await open({});
    for (let index = 0; index < 30; index += 1)
      await say(path, connectTo(`${'x'.repeat(200)}.${index}.org:443`));
    const { unreached } = proxy.told();
    expect(unreached.length).toBeLessThanOrEqual(20);
    expect(Math.max(...unreached.map(({ target }) => target.length))).toBe(120);
  });
});
