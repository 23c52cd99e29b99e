/**
 * Tells OpenTelemetry of a run: a span for it, in that one for each review, in those one for each question that was really asked.
 * What goes wrong here is no matter of the run: nothing of this throws into it.
 */
import {
  type Attributes,
  type Context,
  type Meter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { Answer, Runner, Turn } from '../../core/ports/runner.ts';
import {
  type OnEvent,
  type Review,
  type Usage,
  addUsage,
  noUsage,
} from '../../core/words/review.ts';
import { ReviewerId } from '../../core/settings.ts';
import type { Seat } from '../../core/words/config.ts';
import { isFree, kindOf, runnerNames, traitsOf } from '../../core/words/runner.ts';
import { openExporters } from './exporters.ts';
import { type TelemetrySettings } from './settings.ts';

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
  startedAt: Date;
  /** Null until somebody is really asked: what is read from the journal takes no time. */
  span: Span | null;
  /** Of what was asked now. */
  usage: Usage;
}

interface OpenCall {
  name: CallName;
  span: Span;
  /** Null: it belongs to the run, as a vote does. */
  review: OpenReview | null;
  began: number;
}

/** `process`: what was asked for, such as `review`. */
export function openTelemetry(
  settings: TelemetrySettings,
  { process, ...instance }: Readonly<Record<'process' | 'version' | 'id', string>>,
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
  process: string;
  measures: ReturnType<typeof openMeasures>;
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
      name.span,
      { ...name.attributes, 'jury.reviewer': nameReviewer(seat.id), 'jury.call.attempt': attempt },
      review?.span ? trace.setSpan(ROOT_CONTEXT, review.span) : within,
    );
    return { name, span, review, began: performance.now() };
  };
  const endCall = ({ name, span, review, began }: OpenCall, answer: Answer) => {
    if (review) review.usage = addUsage(review.usage, answer.usage);
    span.setAttributes({
      ...outcomeOfCall(answer),
      ...(hasUsage(answer.usage) && tokensOf(answer.usage)),
    });
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

function contextOf(written: string) {
  const parent = parseTraceParent(written);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

/** What a library makes of what it is told must not end a run. */
function guard<Told>(tell: () => Told) {
  try {
    return tell();
  } catch {
    return null;
  }
}

// The metrics: two of the GenAI semantic conventions with the buckets they state, and three of Jury's own.

const tokenBuckets = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
  67_108_864,
];
const secondBuckets = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];

function openMeasures(meter: Meter) {
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    description: 'Number of input and output tokens used.',
    unit: '{token}',
    advice: { explicitBucketBoundaries: tokenBuckets },
  });
  const seconds = meter.createHistogram('gen_ai.client.operation.duration', {
    description: 'GenAI operation duration.',
    unit: 's',
    advice: { explicitBucketBoundaries: secondBuckets },
  });
  const runs = meter.createCounter('jury.run.outcome', {
    description: 'Runs by what they came to.',
    unit: '{run}',
  });
  const reviews = meter.createCounter('jury.review.status', {
    description: 'Reviews by whether they are complete.',
    unit: '{review}',
  });
  const claims = meter.createCounter('jury.claims', {
    description: 'Claims of runs by severity and agreement.',
    unit: '{claim}',
  });
  return {
    call({ attributes }: CallName, answer: Answer, durationMs: number) {
      const { 'error.type': error, ...model } = outcomeOfCall(answer);
      const named = { ...attributes, ...model };
      seconds.record(durationMs / 1_000, known({ ...named, 'error.type': error }));
      if (!hasUsage(answer.usage)) return;
      const { inputTokens, outputTokens, estimated } = answer.usage;
      const counted = { ...named, 'jury.usage.estimated': estimated };
      tokens.record(inputTokens, known({ ...counted, 'gen_ai.token.type': 'input' }));
      tokens.record(outputTokens, known({ ...counted, 'gen_ai.token.type': 'output' }));
    },
    review: (review: Review) =>
      reviews.add(
        1,
        known({
          'jury.runner': nameRunner(review.runner),
          'jury.review.status': review.status,
          'error.type': causeOf(review),
        }),
      ),
    run: (outcome: string, process: string) =>
      runs.add(1, { 'jury.run.outcome': outcome, 'jury.process': process }),
    claim: (severity: string, agreement: string) =>
      claims.add(1, { 'jury.claim.severity': severity, 'jury.claim.agreement': agreement }),
  };
}

/** Without what nobody knows: an attribute that is there has a value. */
function known(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

// What spans and metrics may say, and nothing beside it: names from closed lists, names that look like names, and numbers. No
// text of a prompt, an answer, a finding, a path or an error is among it. `docs/telemetry.md` lists all of it. `gen_ai.*` and
// `error.type` are those of the GenAI semantic conventions of OpenTelemetry, release 0.1.0.

/** How one question is put, as span and metrics call it. */
interface CallName {
  span: string;
  attributes: Attributes;
}

/** An API is asked as a model; a program, and a function of the caller's, as an agent of its own. */
function nameCall({ runner, model }: Pick<Seat, 'runner' | 'model'>): CallName {
  const isApi = kindOf(runner) === 'api';
  const name = modelName(isApi ? (model ?? '').split('/').slice(1).join('/') : model);
  const agent = nameRunner(runner);
  const operation = isApi ? 'chat' : 'invoke_agent';
  return {
    span: `${operation} ${isApi ? (name ?? 'unnamed') : agent}`,
    attributes: {
      'gen_ai.operation.name': operation,
      ...(!isApi && { 'gen_ai.agent.name': agent }),
      'gen_ai.provider.name': providerOf(runner, model),
      'gen_ai.request.model': name,
    },
  };
}

/** What call and metrics have in common. */
function outcomeOfCall(answer: Answer): Attributes {
  return {
    'gen_ai.response.model': modelName(answer.model),
    'error.type': answer.status === 'failed' ? answer.failure.cause : undefined,
  };
}

function nameReviewer(reviewer: string) {
  return ReviewerId.safeParse(reviewer).data ?? 'unnamed';
}

/** `isKept`: nobody was asked now. `usage`: of what was. */
function describeReview(
  review: Review,
  { isKept, usage }: { isKept: boolean; usage: Usage },
): Attributes {
  return {
    'jury.runner': nameRunner(review.runner),
    'jury.review.status': review.status,
    'jury.review.required': review.required,
    'jury.review.attempts': review.attempts,
    'jury.review.findings': review.findings.length,
    'jury.review.kept': isKept,
    'error.type': causeOf(review),
    ...(hasUsage(usage) && tokensOf(usage)),
  };
}

/** Why it is not complete; undefined where it is. */
function causeOf({ status, failure }: Pick<Review, 'status' | 'failure'>) {
  return status === 'complete' ? undefined : failure?.cause;
}

/** Programs of the caller's own name their runners as they like. */
function nameRunner(runner: string) {
  return runnerNames.find(name => name === runner) ?? 'own';
}

function hasUsage({ inputTokens, outputTokens }: Usage) {
  return inputTokens + outputTokens > 0;
}

function tokensOf({ inputTokens, outputTokens, cachedTokens, cost, estimated }: Usage): Attributes {
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cachedTokens,
    'jury.usage.estimated': estimated,
    'jury.usage.cost': cost ?? undefined,
  };
}

const vendors: Record<string, string> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'gcp.gemini',
  'openai-compatible': 'openai-compatible',
};

/** The vendor that a model is written with, else that of the client; whoever has none is its own. */
function providerOf(runner: string, model: string | undefined) {
  const { vendor } = traitsOf(runner);
  const word = (vendor === 'by-model' ? model?.split('/')[0] : vendor) ?? '';
  return (Object.hasOwn(vendors, word) ? vendors[word] : undefined) ?? nameRunner(runner);
}

/**
 * A provider may say anything where it should name its model. What is not written like a name of one, or holds a piece that long
 * keys are made of, is left out.
 */
function modelName(text: string | null | undefined) {
  const isName =
    typeof text === 'string' &&
    /^[A-Za-z0-9][\w.:@+/-]{0,99}$/.test(text) &&
    text.split(/[^A-Za-z0-9]/).every(piece => piece.length < 20);
  return isName ? text : undefined;
}
