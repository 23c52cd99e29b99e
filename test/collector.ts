/** A collector of OpenTelemetry on the loopback address: keeps what it got by OTLP over HTTP, and reads what came as JSON. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { listen } from './listening.ts';

/** What a request meets. `drip` answers a byte at a time, without an end; `hang` never answers. A 3xx leads to `/elsewhere`, a 429 asks for an hour. */
export type CollectorBehaviour =
  'ok' | 'hang' | 'drip' | 'drop' | 302 | 307 | 400 | 401 | 429 | 500 | 503;

export interface Collected {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent, unpacked. */
  readonly body: Buffer;
}

export interface CollectedSpan {
  readonly name: string;
  /** 1: internal, 3: client. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: string | null;
  readonly durationMs: number;
  /** 2: an error. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface CollectedPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Of a histogram the sum of what was recorded, of a counter its value. */
  readonly sum: number;
  readonly count: number | null;
  readonly bounds: readonly number[];
}

export interface Collector {
  readonly url: string;
  readonly requests: readonly Collected[];
  /** Connections that were ever opened. */
  connections(): number;
  spans(): CollectedSpan[];
  /** Of the metric of this name. */
  points(metric: string): CollectedPoint[];
  resource(): Readonly<Record<string, unknown>>;
  /** Forgets what it has got. */
  set(behaviour: CollectorBehaviour): void;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const requests: Collected[] = [];
  let behaviour: CollectorBehaviour = 'ok';
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const sent = Buffer.concat(chunks);
        const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
        requests.push({ path: request.url ?? '', headers: request.headers, body });
        if (behaviour === 'drop') request.socket.destroy();
        else if (behaviour === 'drip') {
          response.writeHead(200, { 'content-type': 'application/json' });
          const timer = setInterval(() => response.write(' '), 100);
          request.socket.once('close', () => clearInterval(timer));
        } else if (behaviour !== 'hang')
          response
            .writeHead(behaviour === 'ok' ? 200 : behaviour, {
              'content-type': 'application/json',
              ...((behaviour === 302 || behaviour === 307) && { location: '/elsewhere' }),
              ...(behaviour === 429 && { 'retry-after': '3600' }),
            })
            .end('{}');
      });
  }).on('connection', () => connections++);
  const port = await listen(server);
  const read = (path: string) =>
    requests
      .filter(request => request.path === path && behaviour === 'ok')
      .map(({ body }) => JSON.parse(body.toString()) as Json);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    spans: () => read('/v1/traces').flatMap(spansIn),
    points: metric => read('/v1/metrics').flatMap(sent => pointsIn(sent, metric)),
    resource: () => attributesOf(read('/v1/traces')[0]?.resourceSpans?.[0]?.resource?.attributes),
    set(next) {
      behaviour = next;
      requests.length = 0;
      connections = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

interface Pair {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Point {
  readonly attributes: readonly Pair[];
  readonly sum?: number;
  readonly count?: number;
  readonly asDouble?: number;
  readonly explicitBounds?: readonly number[];
}

interface Json {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes: readonly Pair[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly kind: number;
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly status: { readonly code: number };
        readonly attributes: readonly Pair[];
      }[];
    }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly histogram?: { readonly dataPoints: readonly Point[] };
        readonly sum?: { readonly dataPoints: readonly Point[] };
      }[];
    }[];
  }[];
}

function spansIn({ resourceSpans = [] }: Json) {
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId, status, attributes, ...times }) => ({
        name,
        kind,
        traceId,
        spanId,
        parent: parentSpanId ?? null,
        durationMs:
          Number(BigInt(times.endTimeUnixNano) - BigInt(times.startTimeUnixNano)) / 1_000_000,
        status: status.code,
        attributes: attributesOf(attributes),
      })),
    ),
  );
}

function pointsIn({ resourceMetrics = [] }: Json, wanted: string) {
  return resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics
        .filter(({ name }) => name === wanted)
        .flatMap(({ histogram, sum }) => (histogram ?? sum)?.dataPoints ?? [])
        .map(point => ({
          attributes: attributesOf(point.attributes),
          sum: point.sum ?? point.asDouble ?? NaN,
          count: point.count ?? null,
          bounds: point.explicitBounds ?? [],
        })),
    ),
  );
}

function attributesOf(pairs: readonly Pair[] = []) {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}
