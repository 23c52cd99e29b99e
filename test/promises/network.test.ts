/** A coding agent reaches the hosts of its model and nothing else of the network, whatever it tries, and what is said of it is so. */
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChangedRepository, endOf, jury, startJury } from '../cli/jury.ts';

/**
 * Stands in for a client that somebody has taken over: tries what its first argument lists and writes down what came of it, then
 * answers, unless it could not reach its model.
 */
const client = `#!${process.execPath}
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
if (process.argv[2] === '--version') { console.log('2.1.330 (Claude Code)'); process.exit(0); }
const beside = name => new URL(name, import.meta.url);
const { direct, proxied } = JSON.parse(readFileSync(beside('tries.json'), 'utf8'));
const talk = (port, host, bytes) => new Promise(resolve => {
  let heard = '';
  const socket = connect({ port, host, timeout: 5_000 }, () => socket.write(bytes));
  socket.on('data', chunk => { heard += chunk; if (heard.includes('vendor')) socket.end(); });
  socket.on('error', error => resolve(error.code ?? 'error'));
  socket.on('timeout', () => socket.destroy());
  socket.on('close', () => resolve(heard));
});
const proxy = new URL(process.env.HTTPS_PROXY ?? 'http://127.0.0.1:1');
const seen = {};
for (const [host, port] of direct) seen[host + ':' + port] = await talk(port, host, 'GET / HTTP/1.0\\r\\n\\r\\n');
for (const to of proxied) seen['CONNECT ' + to] = await talk(proxy.port, proxy.hostname, 'CONNECT ' + to + ' HTTP/1.1\\r\\nHost: ' + to + '\\r\\n\\r\\n');
seen.environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => /proxy|cert/i.test(name)));
seen.certificate = process.env.SSL_CERT_FILE && readFileSync(process.env.SSL_CERT_FILE, 'utf8');
writeFileSync(beside('seen.json'), JSON.stringify(seen));
if (!JSON.stringify(seen).includes('vendor')) {
  console.error('API Error: 403 status code (no body)');
  process.exit(1);
}
for await (const _ of process.stdin);
const text = 'MINOR|src/sum.js:2|The sum of an empty list throws\\nVERDICT: needs-changes\\nEND OF ANSWER';
const usage = { input_tokens: 1, output_tokens: 1 };
for (const record of [
  { type: 'system', subtype: 'init', tools: [], mcp_servers: [], model: 'claude-sonnet-4-5' },
  { type: 'stream_event', event: { type: 'message_start', message: { model: 'claude-sonnet-4-5', usage } } },
  { type: 'stream_event', event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } } },
  { type: 'stream_event', event: { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage } },
  { type: 'assistant', message: { model: 'claude-sonnet-4-5', content: [{ type: 'text', text }], usage } },
  { type: 'result', subtype: 'success', is_error: false, result: text, stop_reason: 'end_turn', usage, total_cost_usd: 0 },
]) console.log(JSON.stringify(record));
`;

const answering: ReturnType<typeof startJury>[] = [];
const sample = createChangedRepository();
let secret: Server;
let proxy: Server;
let asked: string[];
let reached: number;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const listen = (server: Server): Promise<void> =>
  new Promise(resolve => server.listen(0, '127.0.0.1', resolve));

beforeAll(async () => {
  sample.write('../panel/claude.mjs', client);
  sample.write('../authority.pem', 'an authority');
  sample.write('authority.pem', 'an authority of the change');
  chmodSync(path.join(sample.root, '../panel/claude.mjs'), 0o755);
  secret = createServer((_, response) => {
    reached += 1;
    response.end('a service of this machine');
  });
  proxy = createServer();
  proxy.on('connect', ({ url = '' }, socket: Socket) => {
    asked.push(url);
    socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\nfrom the vendor');
  });
  await Promise.all([secret, proxy].map(listen));
});
afterAll(() => {
  for (const server of [secret, proxy]) server.close();
  for (const child of answering) child.kill('SIGKILL');
});
beforeEach(() => {
  [asked, reached] = [[], 0];
});

function configure(settings = '', isolation = ''): string {
  const words = `write: [..]${isolation}`;
  sample.write(
    '../panel/jury.config.yaml',
    `reviewers:\n  - { id: agent, runner: claude, executable: ./claude.mjs, isolation: { ${words} }${settings} }\n`,
  );
  return path.join(sample.root, '../panel/jury.config.yaml');
}

interface Tries {
  readonly direct?: readonly (readonly [string, number])[];
  readonly proxied?: readonly string[];
}

async function review(
  config: string,
  { direct = [], proxied = [] }: Tries,
  environment: Readonly<Record<string, string>> = {},
) {
  sample.write('../panel/tries.json', JSON.stringify({ direct, proxied }));
  const child = startJury(
    sample.root,
    ['review', '--fresh', '--format', 'json', '--config', config],
    {
      ANTHROPIC_API_KEY: 'fake-key-0123456789abcdef',
      HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
      https_proxy: '',
      NO_PROXY: '',
      no_proxy: '',
      ...environment,
    },
  );
  answering.push(child);
  const { stdout } = await endOf(child);
  const { reviewers } = JSON.parse(stdout) as {
    reviewers: { status: string; cause?: string; message?: string; isolation?: object }[];
  };
  const file = path.join(sample.root, '../panel/seen.json');
  const seen = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Record<
    string,
    unknown
  >;
  return { reviewer: reviewers[0], seen };
}

/** Read off the machine, not off what is promised: the sandbox of bubblewrap has a loopback, the other needs a program for it. */
function canHaveDoors(): boolean {
  const { stdout } = jury(path.dirname(configure()), ['doctor', '--json']);
  const { isolation } = JSON.parse(stdout) as { isolation: { level: string; by: string | null } };
  const places = ['/usr/bin/ip', '/bin/ip', '/usr/sbin/ip', '/sbin/ip'];
  return (
    isolation.level === 'L1' &&
    (isolation.by === 'bubblewrap' || places.some(each => existsSync(each)))
  );
}

describe.skipIf(!canHaveDoors())('a coding agent, where there are namespaces', () => {
  it('reaches the hosts of its model by the proxy of its sandbox and nothing else, directly or by it', async () => {
    const port = portOf(secret);
    const proxied = [
      'api.anthropic.com:443',
      'statsig.anthropic.com:443',
      'api.anthropic.com:22',
      `127.0.0.1:${port}`,
      '169.254.169.254:80',
      'evil.example.org:443',
    ];
    const { reviewer, seen } = await review(configure(), {
      direct: [
        ['127.0.0.1', port],
        ['192.0.2.1', 443],
        ['169.254.169.254', 80],
      ],
      proxied,
    });
    const [own, ...others] = proxied;
    expect(seen[`CONNECT ${own}`]).toMatch(/^HTTP\/1\.1 200 [^]*from the vendor$/);
    for (const other of others) expect(seen[`CONNECT ${other}`]).toMatch(/^HTTP\/1\.1 403 /);
    expect(seen[`127.0.0.1:${port}`]).toBe('ECONNREFUSED');
    expect([seen['192.0.2.1:443'], seen['169.254.169.254:80']]).toEqual([
      'ENETUNREACH',
      'ENETUNREACH',
    ]);
    expect([asked, reached]).toEqual([['api.anthropic.com:443'], 0]);
    expect(reviewer).toMatchObject({
      status: 'complete',
      isolation: { level: 'L1', network: false, hosts: ['api.anthropic.com:443'] },
    });
    expect(jury(path.dirname(configure()), ['doctor']).stdout).toMatch(
      /agent \(claude\): L1, network: api\.anthropic\.com only$/m,
    );
  });

  it('with an endpoint of its own reaches that and not its vendor', async () => {
    const config = configure(", baseUrl: 'https://models.example.org:8443/v1'");
    const { reviewer } = await review(config, {
      proxied: ['models.example.org:8443', 'api.anthropic.com:443'],
    });
    expect(asked).toEqual(['models.example.org:8443']);
    expect(reviewer).toMatchObject({ isolation: { hosts: ['models.example.org:8443'] } });
    expect(jury(path.dirname(config), ['doctor']).stdout).toMatch(
      /network: models\.example\.org:8443 only$/m,
    );
  });

  it('that could not reach its model fails, and the record says why', async () => {
    const { reviewer } = await review(
      configure(),
      { proxied: ['api.anthropic.com:443', 'evil.example.org:443'] },
      { HTTPS_PROXY: 'http://127.0.0.1:1' },
    );
    expect(reviewer).toMatchObject({ status: 'failed', cause: 'unreachable' });
    expect(JSON.stringify(reviewer)).toMatch(
      /api\.anthropic\.com:443 cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:1/,
    );
  });

  it('keeps the network where its configuration leaves it that, and doctor says so', async () => {
    const config = configure('', ', network: true');
    const { seen, reviewer } = await review(config, { direct: [['127.0.0.1', portOf(secret)]] });
    expect([seen[`127.0.0.1:${portOf(secret)}`], reached]).toEqual([
      expect.stringContaining('a service of this machine'),
      // It fails, and is asked once more without a schema.
      2,
    ]);
    expect(reviewer).toMatchObject({ isolation: { network: true } });
    expect(jury(path.dirname(config), ['doctor']).stdout).toMatch(
      /with the network: Its configuration leaves it the network\./,
    );
  });

  it('believes the authorities that the person who runs it believes, but none of the checkout', async () => {
    const tries = { proxied: ['api.anthropic.com:443'] };
    const own = path.join(sample.root, '../authority.pem');
    const { seen } = await review(configure(), tries, { SSL_CERT_FILE: own });
    expect([seen.environment, seen.certificate]).toEqual([
      expect.objectContaining({ SSL_CERT_FILE: own }),
      'an authority',
    ]);
    const theirs = path.join(sample.root, 'authority.pem');
    const other = await review(configure(), tries, {
      SSL_CERT_FILE: theirs,
      NODE_EXTRA_CA_CERTS: theirs,
    });
    expect(Object.keys(other.seen.environment as object).toSorted()).toEqual(
      ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'].toSorted(),
    );
  });
});
