/**
 * Whether, where and how OpenTelemetry is sent, by the variables that its specification names. Of the environment of whoever starts
 * Jury and of nothing else: no file of a project can make anything leave. Loads no library of OpenTelemetry.
 */
import { z } from 'zod';
import type { Environment } from '../system/disk.ts';

/** Where one signal goes. */
interface TelemetryTarget {
  /** With whatever the operator put into it: never printed. */
  url: string;
  /** Never printed. */
  headers: Record<string, string>;
  protocol: 'http/protobuf' | 'http/json';
  compression: 'gzip' | 'none';
  /** Bounds one export, and the wait for the last ones when a run ends. */
  timeoutMs: number;
}

export interface TelemetrySettings {
  /** Null: this signal is not sent. One of the two is. */
  readonly traces: TelemetryTarget | null;
  readonly metrics: TelemetryTarget | null;
  readonly serviceName: string;
  /** Of `OTEL_RESOURCE_ATTRIBUTES`. */
  readonly resource: Readonly<Record<string, string>>;
  readonly temporality: 'cumulative' | 'delta';
  /** The span of whoever started Jury, as W3C Trace Context writes it; what is not of that form counts for nothing. */
  readonly parent: string;
}

/** Null: nothing is to be sent. A text: something is, but the variable that it names cannot be used, so nothing is. */
export function readTelemetrySettings(environment: Environment): TelemetrySettings | string | null {
  const read = reader(environment);
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null;
  const traces = targetOf('TRACES', read);
  if (typeof traces === 'string') return traces;
  const metrics = targetOf('METRICS', read);
  if (typeof metrics === 'string') return metrics;
  if (!traces && !metrics) return null;
  const { 'service.name': name, ...resource } = pairsOf(read('OTEL_RESOURCE_ATTRIBUTES'));
  return {
    traces,
    metrics,
    serviceName: read('OTEL_SERVICE_NAME') ?? name ?? 'jury',
    resource,
    temporality:
      read('OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE')?.toLowerCase() === 'delta'
        ? 'delta'
        : 'cumulative',
    parent: read('TRACEPARENT') ?? '',
  };
}

/**
 * Without all that says where telemetry goes, by which key, and in which trace: a reviewer must neither send there nor know of it, also
 * where its configuration names such a variable.
 */
export function withoutTelemetry(environment: Environment): Environment {
  const traced = new Set(['TRACEPARENT', 'TRACESTATE', 'BAGGAGE']);
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !name.toUpperCase().startsWith('OTEL_') && !traced.has(name.toUpperCase()),
    ),
  );
}

/** Hosts that something is sent to; of an address nothing else is shown, since the rest may hold a key. */
export function hostsOf({ traces, metrics }: Pick<TelemetrySettings, 'traces' | 'metrics'>) {
  const targets = [traces, metrics].filter(target => target !== null);
  return [...new Set(targets.map(({ url }) => new URL(url).host))];
}

type Signal = 'TRACES' | 'METRICS';

/** What a variable holds. One that is empty counts as not set. */
type Read = (name: string) => string | undefined;

function reader(environment: Environment): Read {
  return name => {
    const value = environment[name]?.trim();
    return value === '' ? undefined : value;
  };
}

function targetOf(signal: Signal, read: Read): TelemetryTarget | string | null {
  const exporters = read(`OTEL_${signal}_EXPORTER`)?.split(',') ?? ['otlp'];
  if (!exporters.some(name => name.trim() === 'otlp')) return null;
  const variables = [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  const variable = variables.find(name => read(name) !== undefined);
  if (variable === undefined) return null;
  const text = read(variable) ?? '';
  const address = URL.canParse(text) ? new URL(text) : null;
  if (!address || !['http:', 'https:'].includes(address.protocol))
    return `${variable} is no http or https address, so no telemetry is sent.`;
  // The address of a signal stands as it is; to the one for all signals its path is added.
  if (variable !== variables[0])
    address.pathname = `${address.pathname.replace(/\/$/, '')}/v1/${signal.toLowerCase()}`;
  const protocol = Protocol.safeParse(ofSignal('PROTOCOL', signal, read) ?? 'http/protobuf');
  if (!protocol.success)
    return 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json, so no telemetry is sent.';
  return {
    url: address.href,
    headers: {
      ...pairsOf(read('OTEL_EXPORTER_OTLP_HEADERS')),
      ...pairsOf(read(`OTEL_EXPORTER_OTLP_${signal}_HEADERS`)),
    },
    protocol: protocol.data,
    compression: ofSignal('COMPRESSION', signal, read) === 'gzip' ? 'gzip' : 'none',
    timeoutMs: Timeout.parse(ofSignal('TIMEOUT', signal, read)),
  };
}

const Protocol = z.enum(['http/protobuf', 'http/json']);

/** Less than the ten seconds of the specification: nobody waits that long for a verdict that is there. */
const usualTimeoutMs = 2_000;
const Timeout = z.coerce.number().int().positive().max(60_000).catch(usualTimeoutMs);

function ofSignal(name: string, signal: Signal, read: Read) {
  return read(`OTEL_EXPORTER_OTLP_${signal}_${name}`) ?? read(`OTEL_EXPORTER_OTLP_${name}`);
}

/** `key=value,key=value` with values in percent encoding. What is no pair is left out. */
function pairsOf(text: string | undefined) {
  const pairs = (text ?? '').split(',').map(pair => /^\s*([^\s=]+)\s*=(.*)$/.exec(pair));
  return Object.fromEntries(
    pairs.flatMap(pair => (pair ? [[pair[1], decode(pair[2]?.trim() ?? '')]] : [])),
  ) as Record<string, string>;
}

function decode(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
