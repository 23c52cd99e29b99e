/**
 * The hosts of a coding agent's model for a program without a network: a proxy of which Jury lets pass what goes to these hosts and
 * nothing else. Jury looks their names up and dials, so that no name leads to this machine or into the network it stands in; where
 * the person who runs Jury has a proxy, it goes on through that one, which looks the names up itself.
 */
import { lookup as lookUp } from 'node:dns';
import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as plainRequest,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { request as secureRequest } from 'node:https';
import { BlockList, connect, isIPv6, type LookupFunction, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { pipeline } from 'node:stream';
import type { Environment } from '../system/disk.ts';
import {
  addressOf,
  type EndpointProxy,
  type ProxyPlace,
  hostOf,
  joinSockets,
  openSocket,
} from './endpoint-proxy.ts';

interface Reach {
  /** URLs, of which scheme, host and port count. */
  endpoints: readonly string[];
  /** Somebody wrote them down: they may lie in a private network, and an address written down may be any. */
  isConfigured: boolean;
  /** Of Jury: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` count, in either case. */
  environment: Environment;
  /** Default: that of the system. */
  lookup?: typeof lookUp;
}

export interface HostProxy extends EndpointProxy {
  /** Leads the program to it. */
  readonly environment: Readonly<Record<string, string>>;
  told(): Told;
}

interface Told {
  /** Connections that came about. */
  opened: number;
  /** Those that did not, by target and reason. */
  unreached: readonly Unreached[];
}

interface Unreached {
  /** As the program named it. */
  target: string;
  /** Part of a sentence: `leads to 10.0.0.1, an address of a private network`. */
  why: string;
  /** Is it one of its hosts? */
  isOwn: boolean;
  times: number;
}

/** Where it is in the sandbox, whose loopback is its own. */
const address = { host: '127.0.0.1', port: 3128 } as const;

const url = `http://${address.host}:${address.port}`;

const variables: HostProxy['environment'] = {
  HTTPS_PROXY: url,
  https_proxy: url,
  HTTP_PROXY: url,
  http_proxy: url,
  // A name that the reviewer's configuration lets through would be tried without a network.
  NO_PROXY: '',
  no_proxy: '',
};

/** Rejects when there can be no socket in the folder. */
export async function openHostProxy(reach: Reach, place: ProxyPlace): Promise<HostProxy> {
  const log = createLog();
  const outers = new Set<Outer>();
  const keep: Guard['keep'] = outer => {
    outers.add(outer);
    outer.on('error', () => {}).on('close', () => outers.delete(outer));
    return outer;
  };
  const guard: Guard = { reach, log, keep };
  const server = createServer((request, response) => {
    pass(request, response, guard).catch(() => response.destroy());
  });
  server.on('connect', (request: IncomingMessage, inner: Socket, head: Buffer) => {
    inner.on('error', () => {});
    tunnel(request, { inner, head }, guard).catch(() => inner.destroy());
  });
  const { words, close } = await openSocket(server, address, place);
  return {
    words,
    environment: variables,
    told: () => log.told(),
    async close() {
      for (const outer of outers) outer.destroy();
      await close();
    },
  };
}

interface Guard {
  reach: Reach;
  log: ReturnType<typeof createLog>;
  /** Until it ends, or the proxy is closed. */
  keep<Kept extends Outer>(outer: Kept): Kept;
}

type Outer = Socket | ClientRequest;

type Target = ReturnType<typeof targetOf>;

/** Throws for what is no URL. `name`: `api.example.org:443`. */
function targetOf(url: string) {
  return { ...addressOf(url), name: hostOf(url), isPlain: new URL(url).protocol === 'http:' };
}

/** `CONNECT api.example.org:443` */
async function tunnel(
  { url: authority = '' }: IncomingMessage,
  { inner, head }: { inner: Socket; head: Buffer },
  guard: Guard,
): Promise<void> {
  const outer = await reachFor(authority, `http://${authority}`, guard);
  if (outer instanceof Unreachable)
    return void inner.end(
      [
        `HTTP/1.1 ${outer.status} ${STATUS_CODES[outer.status] ?? ''}`,
        'Content-Type: text/plain',
        `Content-Length: ${Buffer.byteLength(outer.message)}`,
        'Connection: close',
        '',
        outer.message,
      ].join('\r\n'),
    );
  inner.write('HTTP/1.1 200 Connection established\r\n\r\n');
  outer.write(head);
  joinSockets(inner, outer);
  // It may have gone while its host was looked for.
  if (inner.destroyed) outer.destroy();
}

/** `POST http://models.example.org:8080/v1/messages`, for an endpoint without encryption. */
async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  guard: Guard,
): Promise<void> {
  const { url: asked = '', method = 'GET' } = request;
  const outer = await reachFor(asked, asked, guard, true);
  if (outer instanceof Unreachable)
    return void response
      .writeHead(outer.status, { 'content-type': 'text/plain', connection: 'close' })
      .end(outer.message);
  const { host, pathname, search } = new URL(asked);
  const onward = plainRequest({
    method,
    path: `${pathname}${search}`,
    headers: { ...withoutHop(request.headers), host },
    createConnection: () => outer,
  });
  response.on('close', () => outer.destroy());
  pipeline(request, onward, () => {});
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  onward.on('error', () => response.destroy());
  response.writeHead(answer.statusCode ?? 502, withoutHop(answer.headers));
  pipeline(answer, response, () => {});
}

/** What one side of a proxy says to the proxy alone. */
const hop = new Set(
  'connection keep-alive proxy-authorization proxy-connection upgrade'.split(' '),
);

function withoutHop(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hop.has(name)));
}

class Unreachable extends Error {
  readonly status: 403 | 502;
  constructor(status: 403 | 502, message: string) {
    super(message);
    this.status = status;
  }
}

/** A connection to what the program asked for, or why there is none; either is told. */
async function reachFor(asked: string, url: string, guard: Guard, isPlain = false) {
  const { reach, log } = guard;
  const wanted = URL.canParse(url) ? targetOf(url) : null;
  const own = reach.endpoints.map(targetOf).filter(({ name }) => name === wanted?.name);
  const [named] = own;
  try {
    if (!wanted || !named) throw new Unreachable(403, 'is none of the hosts that it may reach');
    if (isPlain && !(wanted.isPlain && own.some(each => each.isPlain)))
      throw new Unreachable(403, 'is asked for without encryption');
    const outer = await dial(named, guard);
    log.opened += 1;
    return outer;
  } catch (error) {
    const { status, message } =
      error instanceof Unreachable
        ? error
        : new Unreachable(502, `cannot be reached: ${whyOf(error)}`);
    log.add(wanted?.name ?? asked, message, own.length > 0);
    return new Unreachable(status, `Jury: ${wanted?.name ?? asked} ${message}.\n`);
  }
}

/** Sockets that failed at several addresses say nothing but a code. */
function whyOf(error: unknown) {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || 'no reason is known';
}

async function dial(target: Target, { reach, keep }: Guard) {
  const proxy = proxyFor(target, reach.environment);
  if (proxy) return keep(await dialThrough(proxy, target, keep));
  const { host, port } = target;
  const outer = keep(connect({ host, port, allowHalfOpen: true, lookup: guardedLookup(reach) }));
  await once(outer, 'connect');
  return outer;
}

/** What is dialled is what was judged: a name that means another address a moment later gains nothing by it. */
function guardedLookup({ isConfigured, lookup = lookUp }: Reach): LookupFunction {
  return (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, []);
      const faults = found.map(({ address: each }) => faultOf(each, isConfigured));
      const open = found.filter((_, index) => faults[index] === null);
      const [first] = open;
      if (!first) return done(new Unreachable(403, `leads to ${faults[0] ?? 'no address'}`), []);
      return options.all ? done(null, open) : done(null, first.address, first.family);
    });
}

const privateNetworks = listOf(
  '10.0.0.0/8 100.64.0.0/10 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 fc00::/7 fec0::/10'.split(
    ' ',
  ),
);

/** Of a machine itself, of what is plugged to it (where clouds keep the credentials of a machine), of several at once, of none. */
const thisMachine = listOf(
  '0.0.0.0/8 127.0.0.0/8 169.254.0.0/16 224.0.0.0/3 ::/127 fe80::/10 ff00::/8'.split(' '),
);

function listOf(networks: readonly string[]) {
  const list = new BlockList();
  for (const network of networks) {
    const [start = '', bits = ''] = network.split('/');
    const isLong = isIPv6(start);
    list.addSubnet(start, Number(bits), isLong ? 'ipv6' : 'ipv4');
    // Where an IPv4 address stands in one of a gateway between the two.
    if (!isLong) list.addSubnet(`64:ff9b::${start}`, 96 + Number(bits), 'ipv6');
  }
  return list;
}

/** Null for an address that may be dialled. */
function faultOf(found: string, isConfigured: boolean) {
  const isIn = (list: BlockList) => list.check(found, isIPv6(found) ? 'ipv6' : 'ipv4');
  if (isIn(thisMachine) || isIn(ownAddresses()))
    return `${found}, which is this machine or next to it`;
  return !isConfigured && isIn(privateNetworks) ? `${found}, in a private network` : null;
}

/** As they are now: a machine is moved from one network to another. */
function ownAddresses() {
  const own = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  return listOf(own.map(each => `${each.address}/${isIPv6(each.address) ? 128 : 32}`));
}

/** The proxy of the person who runs Jury, for one target; null where it is reached without. */
function proxyFor({ name, host, isPlain }: Target, environment: Reach['environment']) {
  const valueOf = (variable: string) =>
    environment[variable.toLowerCase()] || environment[variable] || '';
  const written = valueOf(isPlain ? 'HTTP_PROXY' : 'HTTPS_PROXY');
  const isSpared = valueOf('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
    .map(entry => entry.replace(/^\*?\./, ''))
    .some(
      entry =>
        entry !== '' &&
        [host, name].some(each => entry === '*' || each === entry || each.endsWith(`.${entry}`)),
    );
  if (written === '' || isSpared) return null;
  const proxy = written.includes('://') ? written : `http://${written}`;
  if (URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol)) return new URL(proxy);
  throw new Unreachable(502, 'is behind a proxy that is no http:// or https:// address');
}

async function dialThrough(proxy: URL, { name }: Target, keep: Guard['keep']) {
  const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const asking = (proxy.protocol === 'https:' ? secureRequest : plainRequest)({
    method: 'CONNECT',
    ...addressOf(proxy.href),
    path: name,
    agent: false,
    headers: {
      host: name,
      ...(user !== ':' && {
        'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}`,
      }),
    },
  });
  keep(asking).end();
  const [answer, socket, head] = (await once(asking, 'connect')) as [
    IncomingMessage,
    Socket,
    Buffer,
  ];
  const { statusCode = 0 } = answer;
  if (statusCode < 200 || statusCode > 299) {
    socket.destroy();
    throw new Unreachable(502, `cannot be reached: the proxy answered ${statusCode}`);
  }
  socket.unshift(head);
  return socket;
}

/** A hostile program asks for much: what it said is cut, and told up to a number. */
const [longestTarget, mostTold] = [120, 20];

function createLog() {
  const unreached = new Map<string, Unreached>();
  return {
    opened: 0,
    add(asked: string, why: string, isOwn: boolean) {
      const target = asked.slice(0, longestTarget);
      const key = `${target} ${why}`;
      const times = (unreached.get(key)?.times ?? 0) + 1;
      if (times > 1 || isOwn || unreached.size < mostTold)
        unreached.set(key, { target, why, isOwn, times });
    },
    told(): Told {
      return { opened: this.opened, unreached: [...unreached.values()] };
    },
  };
}
