/**
 * Tells OpenTelemetry of a run: a span for it, in that one for each review, in those one for each question that was really asked.
 * What goes wrong here is no matter of the run: nothing of this throws into it.
 */
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
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
import { type Instance, openExporters } from './exporters.ts';
import type { TelemetryParent, TelemetrySettings } from './settings.ts';

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
      name.span,
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
