/**
 * Tells OpenTelemetry of a run: a span for it, in that one for each review, in those one for each question that was really asked.
 * What goes wrong here is no matter of the run: nothing of this throws into it.
 */
import http from 'node:http';
import https from 'node:https';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
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
import type { Answer, Runner, Turn } from '../../core/ports/runner.ts';
import {
  type OnEvent,
  type Review,
  type Usage,
  addUsage,
  noUsage,
} from '../../core/words/review.ts';
import { isFree } from '../../core/words/runner.ts';
import {
  type CallName,
  describeAnswer,
  describeReview,
  nameCall,
  nameReviewer,
  openMeasures,
} from './measures.ts';
import {
  type TelemetryParent,
  type TelemetrySettings,
  type TelemetryTarget,
  hostsOf,
} from './settings.ts';

export interface Telemetry {
  /** Is told of everything that happens in the run. */
  readonly onEvent: OnEvent;
  /** The same runner, whose questions are told of. */
  watch(runner: Runner): Runner;
  /** Sends what is left. Resolves with why not all could be sent, in one sentence; null: all was, or there was nothing to tell. */
  end(ending: RunEnding): Promise<string | null>;
}

export interface RunEnding {
  /** Null: no run came of it. */
  readonly run: string | null;
  /** Null: it has no gate. */
  readonly outcome: string | null;
  readonly claims: readonly { readonly severity: string; readonly agreement: string }[];
  /** What kind of error it ended with; null: none. */
  readonly error: string | null;
}

interface OpenReview {
  readonly startedAt: Date;
  /** Null until somebody is really asked: what is read from the journal takes no time. */
  span: Span | null;
  /** Of what was asked now. */
  usage: Usage;
}

interface OpenCall {
  readonly name: CallName;
  readonly span: Span;
  /** Null: it belongs to the run, as a vote does. */
  readonly review: OpenReview | null;
  readonly began: number;
}

/** `process`: what was asked for, such as `review`. */
export function openTelemetry(
  settings: TelemetrySettings,
  { process, ...instance }: Instance & { readonly process: string },
): Telemetry {
  const { tracer, meter, close, drop } = openExporters(settings, instance);
  const measures = openMeasures(meter);
  const { root, open, endReview, ask } = openSpans(tracer, {
    process,
    measures,
    parent: settings.parent,
  });
  let hasBegun = false;

  const take: OnEvent = event => {
    if (event.type === 'run-start') {
      hasBegun = true;
      root.setAttribute('jury.run.id', event.run);
    }
    if (event.type === 'review-start' && !open.has(event.reviewer))
      open.set(event.reviewer, { startedAt: new Date(), span: null, usage: noUsage });
    if (event.type === 'review-end') endReview(event.review, event.remembered);
  };

  return {
    onEvent: event => void guard(() => take(event)),
    watch: runner => ({
      ...runner,
      ask: (turn, signal, onProgress) => {
        const asking = () => runner.ask(turn, signal, onProgress);
        // Who is asked with a signal that has gone off is not asked.
        return signal.aborted || isFree(turn.seat.runner) ? asking() : ask(turn, asking);
      },
    }),
    async end({ run, outcome, claims, error }) {
      if (!hasBegun && run === null) {
        await drop();
        return null;
      }
      guard(() => {
        for (const { span } of open.values()) span?.end();
        root.setAttributes({
          // An earlier run was the answer.
          'jury.run.kept': !hasBegun,
          ...(run !== null && { 'jury.run.id': run }),
          ...(outcome !== null && { 'jury.run.outcome': outcome }),
          ...(error !== null && { 'error.type': error }),
        });
        if (error !== null) root.setStatus({ code: SpanStatusCode.ERROR });
        root.end();
        if (!hasBegun) return;
        measures.run(outcome ?? (error === null ? 'NONE' : 'ERROR'), process);
        for (const { severity, agreement } of claims) measures.claim(severity, agreement);
      });
      return close();
    },
  };
}

interface SpanSettings extends Pick<TelemetrySettings, 'parent'> {
  readonly process: string;
  readonly measures: ReturnType<typeof openMeasures>;
}

/** The span of the run, and by event those below it. */
function openSpans(tracer: Tracer, { process, measures, parent: outer }: SpanSettings) {
  const open = new Map<string, OpenReview>();
  const start = (name: string, attributes: Attributes, parent: Context, at?: Date) =>
    tracer.startSpan(
      name,
      {
        kind: name.startsWith('chat ') ? SpanKind.CLIENT : SpanKind.INTERNAL,
        attributes,
        ...(at && { startTime: at }),
      },
      parent,
    );
  const root = start(
    'invoke_workflow jury',
    {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.agent.name': 'jury',
      'jury.process': process,
    },
    contextOf(outer),
  );
  const within = trace.setSpan(ROOT_CONTEXT, root);

  const startReview = (reviewer: string, at: Date) => {
    const name = nameReviewer(reviewer);
    return start(
      `invoke_agent ${name}`,
      { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name },
      within,
      at,
    );
  };
  const endReview = (review: Review, isRemembered: boolean) => {
    const { startedAt, span: asked = null, usage = noUsage } = open.get(review.reviewer) ?? {};
    open.delete(review.reviewer);
    const isOwnWork = !isRemembered && isFree(review.runner);
    const isKept = !asked && !isOwnWork && (isRemembered || review.attempts > 0);
    const now = new Date();
    const span = asked ?? startReview(review.reviewer, isOwnWork ? (startedAt ?? now) : now);
    span.setAttributes(describeReview(review, { isKept, usage }));
    if (review.status === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(asked ? undefined : now);
    if (!isKept) measures.review(review);
  };
  const startCall = ({ seat, attempt }: Turn): OpenCall => {
    const review = open.get(seat.id) ?? null;
    if (review) review.span ??= startReview(seat.id, review.startedAt);
    const name = nameCall(seat);
    const span = start(
      `${name.operation} ${name.subject}`,
      { ...name.attributes, 'jury.reviewer': nameReviewer(seat.id), 'jury.call.attempt': attempt },
      review?.span ? trace.setSpan(ROOT_CONTEXT, review.span) : within,
    );
    return { name, span, review, began: performance.now() };
  };
  const endCall = ({ name, span, review, began }: OpenCall, answer: Answer) => {
    if (review) review.usage = addUsage(review.usage, answer.usage);
    span.setAttributes(describeAnswer(answer));
    if (answer.status === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
    measures.call(name, answer, performance.now() - began);
  };
  const ask = async (turn: Turn, asking: () => Promise<Answer>) => {
    const call = guard(() => startCall(turn));
    try {
      const answer = await asking();
      if (call) guard(() => endCall(call, answer));
      return answer;
    } finally {
      call?.span.end();
    }
  };
  return { root, open, endReview, ask };
}

function contextOf(parent: TelemetryParent | null) {
  return parent
    ? trace.setSpanContext(ROOT_CONTEXT, {
        traceId: parent.traceId,
        spanId: parent.spanId,
        traceFlags: parent.flags,
        isRemote: true,
      })
    : ROOT_CONTEXT;
}

/** What a library makes of what it is told must not end a run. */
function guard<Told>(tell: () => Told) {
  try {
    return tell();
  } catch {
    return null;
  }
}

// Sends spans and metrics by OTLP over HTTP. All it sends by is given: these libraries read nothing of the environment here.

export interface Instance {
  readonly version: string;
  /** Tells the metrics of one run from those of another one. */
  readonly id: string;
}

export function openExporters(settings: TelemetrySettings, instance: Instance) {
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
      const isSent = await endsWithin(
        shutDown(),
        Math.max(traces?.timeoutMs ?? 0, metrics?.timeoutMs ?? 0),
      );
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
function resourceOf({ resource, serviceName }: TelemetrySettings, { version, id }: Instance) {
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
      { url, headers, protocol, compression, timeoutMs }: TelemetryTarget,
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
  const { code } = error as Error & { readonly code?: unknown };
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

async function endsWithin(work: Promise<unknown>, ms: number) {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>(resolve => (timer = setTimeout(() => resolve(false), ms)));
  try {
    return await Promise.race([work.then(() => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}
