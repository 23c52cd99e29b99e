/** Sends spans and metrics by OTLP over HTTP. All it sends by is given: these libraries read nothing of the environment here. */
import http from 'node:http';
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { ExportResultCode } from '@opentelemetry/core';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import {
  type IExporterMetricsHelper,
  type ISerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  MetricsExporterMetricsHelper,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { hostsOf, type TelemetrySettings } from './settings.ts';

/** `id` tells the metrics of one run from those of another one. */
export function openExporters(
  settings: TelemetrySettings,
  instance: Readonly<Record<'version' | 'id', string>>,
) {
  const { traces, metrics, temporality } = settings;
  const resource = resourceOf(settings, instance);
  const sending = openSending();
  const tracers = new TracerProvider({
    resource,
    spanProcessors: [traces ?? []].flat().map(
      target =>
        new BatchSpanProcessor({
          exporter: sending.exporter(
            target,
            formats[target.protocol].spans,
            TraceExporterMetricsHelper,
          ),
          exportTimeoutMillis: target.timeoutMs,
        }),
    ),
  });
  const meters = new MeterProvider({
    resource,
    readers: [metrics ?? []].flat().map(
      target =>
        new PeriodicExportingMetricReader({
          exporter: withTemporality(
            sending.exporter(
              target,
              formats[target.protocol].metrics,
              MetricsExporterMetricsHelper,
            ),
            temporality,
          ),
          exportTimeoutMillis: target.timeoutMs,
        }),
    ),
  });
  const shutDown = (): Promise<unknown> =>
    Promise.allSettled([tracers.shutdown(), meters.shutdown()]);
  return {
    tracer: tracers.getTracer('jury', instance.version),
    meter: meters.getMeter('jury', instance.version),
    /** Sends nothing more. */
    async drop() {
      sending.stop();
      await shutDown();
    },
    /**
     * Sends what is left, within the time that the settings give. Never rejects. Resolves with why something was not sent; null:
     * all was.
     */
    async close() {
      const most = Math.max(traces?.timeoutMs ?? 0, metrics?.timeoutMs ?? 0);
      const isSent = await Promise.race([
        shutDown().then(() => true),
        wait(most, false, { ref: false }),
      ]);
      sending.stop();
      const why = isSent ? sending.failure() : 'no answer in time';
      return why === null
        ? null
        : `Telemetry could not be sent to ${hostsOf(settings).join(' and ')}: ${why}.`;
    },
  };
}

const formats = {
  'http/json': {
    spans: JsonTraceSerializer,
    metrics: JsonMetricsSerializer,
    media: 'application/json',
  },
  'http/protobuf': {
    spans: ProtobufTraceSerializer,
    metrics: ProtobufMetricsSerializer,
    media: 'application/x-protobuf',
  },
} as const;

/** What the operator says of the service stands, but for what tells one run of Jury from another. */
function resourceOf(
  { resource, serviceName }: TelemetrySettings,
  { version, id }: Parameters<typeof openExporters>[1],
) {
  return resourceFromAttributes({
    'telemetry.sdk.name': 'opentelemetry',
    'telemetry.sdk.language': 'nodejs',
    'service.version': version,
    'service.instance.id': id,
    ...resource,
    'service.name': serviceName,
  });
}

function openSending() {
  const agents: http.Agent[] = [];
  let failure: string | null = null;
  let isStopped = false;
  return {
    exporter<Items>(
      { url, headers, protocol, compression, timeoutMs }: NonNullable<TelemetrySettings['traces']>,
      format: ISerializer<Items, unknown>,
      helper: IExporterMetricsHelper<Items>,
    ) {
      const exporter = new OTLPExporterBase(
        createOtlpHttpExportDelegate(
          {
            url,
            headers: () => Promise.resolve({ ...headers, 'Content-Type': formats[protocol].media }),
            compression,
            timeoutMillis: timeoutMs,
            concurrencyLimit: 30,
            agentFactory: scheme => {
              const agent = new (scheme === 'https:' ? https : http).Agent({ keepAlive: true });
              agents.push(agent);
              return agent;
            },
          },
          format,
          `otlp_${protocol.replace('/', '_')}_exporter`,
          helper,
          undefined,
        ),
      );
      const send = exporter.export.bind(exporter);
      exporter.export = (items, done) => {
        if (isStopped) return done({ code: ExportResultCode.SUCCESS });
        send(items, result => {
          if (result.error) failure ??= describeFailure(result.error);
          done(result);
        });
      };
      return exporter;
    },
    /** Why the first export that failed did; null: none has. Holds nothing that an endpoint said. */
    failure: () => failure,
    /** Ends what is still on its way, and begins nothing: an endpoint that hangs keeps no process from ending. */
    stop() {
      isStopped = true;
      for (const agent of agents) agent.destroy();
    },
  };
}

/** By code or status alone: what a server answers, and what a library says of it, may repeat what was sent. */
function describeFailure(error: Error) {
  const { code } = error as Error & { code?: unknown };
  if (typeof code === 'number') return `it answered with ${code}`;
  if (typeof code === 'string' && /^[A-Z_]{2,40}$/.test(code)) return code;
  return 'no usable answer';
}

function withTemporality(
  exporter: OTLPExporterBase<ResourceMetrics>,
  temporality: TelemetrySettings['temporality'],
): PushMetricExporter {
  return Object.assign(exporter, {
    selectAggregationTemporality: (type: InstrumentType) =>
      temporality === 'delta' && type !== InstrumentType.UP_DOWN_COUNTER
        ? AggregationTemporality.DELTA
        : AggregationTemporality.CUMULATIVE,
  });
}
