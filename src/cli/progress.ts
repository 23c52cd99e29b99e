/**
 * Shows a run while it goes on, on the stream it is given and nowhere else: on a terminal one live line per reviewer
 * that is gone afterwards, elsewhere one plain line per change.
 */
import type { Clock } from '../core/ports/clock.ts';
import type { OnEvent, RunEvent } from '../core/words/events.ts';
import { displayOf, type Review } from '../core/words/review.ts';
import { count, duration, shortCount } from '../render/figures.ts';
import { cut, oneLine, pad, widthOf, wrapWords } from '../render/terminal-text.ts';
import { type Environment, forLog } from './terminal.ts';

interface ProgressSettings {
  /** Standard error: standard output belongs to the report. */
  readonly stream: NodeJS.WritableStream & { readonly rows?: number; readonly columns?: number };
  readonly isTerminal: boolean;
  /** Columns, for a stream that does not know its own. */
  readonly width: number;
  readonly environment: Environment;
  readonly clock?: Pick<Clock, 'monotonicMs'>;
}

interface Progress {
  readonly onEvent: OnEvent;
  /** Removes the live lines and gives the cursor back. Events after it are ignored; a second call does nothing. */
  stop(): void;
}

export function createProgress(settings: ProgressSettings): Progress {
  return settings.isTerminal ? createLiveProgress(settings) : createPlainProgress(settings);
}

const systemClock = { monotonicMs: () => performance.now() };
const redrawMs = 100;
const reminderMs = 30_000;

function createLiveProgress({
  stream,
  width,
  environment,
  clock = systemClock,
}: ProgressSettings): Progress {
  let board = emptyBoard;
  let isStopped = false;
  let timer: NodeJS.Timeout | null = null;
  let update: { (text: string): void; clear(): void; done(): void } | null = null;

  const draw = () => {
    // One column stays free: a line that fills the last one makes some terminals wrap.
    const size = { width: (stream.columns ?? width) - 1, rows: stream.rows ?? 24 };
    if (board.places.size > 0) update?.(layBoard(board, clock.monotonicMs(), size).join('\n'));
  };
  const start = async () => {
    const { createLogUpdate } = await import('log-update');
    if (isStopped) return;
    update = createLogUpdate(stream, { defaultWidth: width });
    draw();
  };

  return {
    onEvent(event) {
      if (isStopped) return;
      board = advance(board, event, clock.monotonicMs());
      // Before there are live lines a note stays on the screen: what it tells of came before the run.
      if (event.type === 'note' && board.places.size === 0)
        stream.write(
          `${forLog(wrapWords(oneLine(event.message), stream.columns ?? width), environment)}\n`,
        );
      if (timer !== null) return;
      timer = setInterval(draw, redrawMs).unref();
      void start();
    },
    stop() {
      if (isStopped) return;
      isStopped = true;
      if (timer !== null) clearInterval(timer);
      update?.clear();
      update?.done();
    },
  };
}

function createPlainProgress({
  stream,
  environment,
  clock = systemClock,
}: ProgressSettings): Progress {
  let board = emptyBoard;
  let isStopped = false;
  let timer: NodeJS.Timeout | null = null;
  const print = (line: string) => void stream.write(`${forLog(line, environment)}\n`);

  return {
    onEvent(event) {
      if (isStopped) return;
      board = advance(board, event, clock.monotonicMs());
      const line = describe(event, board);
      if (line !== null) print(line);
      timer ??= setInterval(
        () => print(`${tallyOf(board)} ${pendingOf(board)}`.trimEnd()),
        reminderMs,
      ).unref();
    },
    stop() {
      isStopped = true;
      if (timer !== null) clearInterval(timer);
    },
  };
}

/** The plain line of an event; null for those that change no state. */
function describe(event: RunEvent, board: Board): string | null {
  if (event.type === 'run-start')
    return `Run ${oneLine(event.run, 40)}: ${board.title}\n${tallyOf(board)} ${pendingOf(board)}`.trimEnd();
  if (event.type === 'review-start')
    return `${oneLine(event.reviewer, 100)}: asking${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}`;
  if (event.type === 'review-retry')
    return `${oneLine(event.reviewer, 100)}: retrying in ${Math.ceil(event.waitMs / 1000)}s (${event.cause})`;
  if (event.type === 'review-end')
    return `${tallyOf(board)} ${oneLine(event.review.reviewer, 100)} ${resultOf(event.review, event.remembered ? 'remembered' : '')}${whyOf(event.review)}`;
  if (event.type === 'mode' && event.mode !== 'full') {
    const isStopped = event.mode === 'force_return';
    return `${oneLine(event.reviewer, 100)}: ${isStopped ? 'stopped, its tokens are used up' : 'critical and high only, its tokens run short'}`;
  }
  return event.type === 'claim-form' || event.type === 'note' ? board.news : null;
}

/** What a progress display knows: the state of every reviewer, advanced by events, and the lines that show it. */
interface Place {
  readonly id: string;
  readonly state: 'waiting' | 'asking' | 'retrying' | 'ended';
  readonly attempt: number;
  /** Milliseconds of the clock; null before the first question. */
  readonly since: number | null;
  readonly outputTokens: number;
  /** Why it is asked again; empty otherwise. */
  readonly remark: string;
  readonly review: Review | null;
}

interface Board {
  readonly title: string;
  readonly startedAt: number;
  /** In panel order. */
  readonly places: ReadonlyMap<string, Place>;
  /** What happened last that is no reviewer's doing; null when nothing. */
  readonly news: string | null;
}

const emptyBoard: Board = { title: '', startedAt: 0, places: new Map(), news: null };

/** The board after an event; `now` in milliseconds of the clock. */
function advance(board: Board, event: RunEvent, now: number): Board {
  // Every entry takes the events of its own key; the compiler cannot follow that through the lookup.
  const step = steps[event.type] as (board: Board, event: RunEvent, now: number) => Board;
  return step(board, event, now);
}

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

const steps: {
  readonly [Type in RunEvent['type']]: (board: Board, event: EventOf<Type>, now: number) => Board;
} = {
  'run-start': (_, { title, reviewers }, now) => ({
    title: oneLine(title, 200),
    startedAt: now,
    places: new Map(reviewers.map(({ id }) => [id, newPlace(id)])),
    news: null,
  }),
  'review-start': (board, { reviewer, attempt }, now) =>
    withPlace(board, reviewer, place => ({
      state: 'asking',
      attempt,
      since: place.since ?? now,
      remark: '',
    })),
  'review-progress': (board, { reviewer, outputTokens }) =>
    withPlace(board, reviewer, () => ({ outputTokens })),
  'review-retry': (board, { reviewer, cause, waitMs }) =>
    withPlace(board, reviewer, () => ({
      state: 'retrying',
      remark: `in ${Math.ceil(waitMs / 1000)}s (${cause})`,
    })),
  'review-end': (board, { review, remembered }) =>
    withPlace(board, review.reviewer, () => ({
      state: 'ended',
      review,
      remark: remembered ? 'remembered' : '',
    })),
  warning: board => board,
  exhausted: (board, { ledger }) => ({
    ...board,
    news: `The tokens of ${oneLine(ledger, 100)} are used up.`,
  }),
  mode: (board, { reviewer, mode }) =>
    mode === 'full'
      ? board
      : withPlace(board, reviewer, () => ({
          remark: mode === 'force_return' ? 'stopped: out of tokens' : 'critical and high only',
        })),
  'claim-form': (board, { claims }) => ({ ...board, news: count(claims, 'claim') }),
  'run-end': board => board,
  note: (board, { message }) => ({ ...board, news: oneLine(message) }),
};

/** `[2/5 agents complete]`: only whole reviews count. */
function tallyOf(board: Board): string {
  const places = [...board.places.values()];
  return `[${places.filter(isComplete).length}/${places.length} agents complete]`;
}

/** Who is still to be heard, and how many will not be: `1 failed, waiting for beta, gamma`. */
function pendingOf(board: Board): string {
  const places = [...board.places.values()];
  const failed = places.filter(place => place.review?.status === 'failed').length;
  const waiting = places
    .filter(place => place.state !== 'ended')
    .map(place => oneLine(place.id, 40));
  const parts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(waiting.length > 0
      ? [
          `waiting for ${waiting.slice(0, 8).join(', ')}${waiting.length > 8 ? ` and ${waiting.length - 8} more` : ''}`,
        ]
      : []),
  ];
  return parts.join(', ');
}

/** `✓ 4 findings, 8.8k tokens, 14.2s`; one that failed has found nothing to count. */
function resultOf(review: Review, remark: string): string {
  const tokens = review.usage.inputTokens + review.usage.outputTokens;
  const facts = [
    ...(review.status === 'failed' ? [] : [count(review.findings.length, 'finding')]),
    ...(tokens > 0 ? [`${shortCount(tokens)} tokens`] : []),
    duration(review.durationMs),
    ...(remark === '' ? [] : [remark]),
  ];
  return `${oneLine(displayOf(review), 120)} ${facts.join(', ')}`;
}

/** What a person can do about one that failed is seldom in its status. */
function whyOf({ status, failure }: Review): string {
  const message = status === 'failed' ? oneLine(failure?.message ?? '', 300) : '';
  return message === '' ? '' : `: ${message}`;
}

/** One line per reviewer below a line for the whole, none wider than `width`, at most `rows` of them. */
function layBoard(
  board: Board,
  now: number,
  size: { readonly width: number; readonly rows: number },
): string[] {
  const places = [...board.places.values()];
  const room = Math.max(1, size.rows - 3);
  const shown =
    places.length <= room
      ? places
      : [...places].sort((one, other) => urgency(one) - urgency(other)).slice(0, room);
  const nameWidth = Math.min(
    30,
    shown.reduce((widest, place) => Math.max(widest, widthOf(place.id)), 0),
  );
  const rest = places.filter(place => !shown.includes(place));
  const lines = [
    `${tallyOf(board)} ${spanOf(now - board.startedAt)} · ${board.title}`,
    ...shown.map(
      place =>
        `  ${markOf(place)} ${pad(cut(oneLine(place.id, 100), nameWidth), nameWidth)}  ${describePlace(place, now)}`,
    ),
    ...(rest.length > 0 ? [`  … and ${rest.length} more: ${tally(rest)}`] : []),
    ...(board.news === null ? [] : [board.news]),
  ];
  return lines.map(line => cut(line, size.width));
}

function newPlace(id: string): Place {
  return {
    id,
    state: 'waiting',
    attempt: 0,
    since: null,
    outputTokens: 0,
    remark: '',
    review: null,
  };
}

function withPlace(board: Board, id: string, next: (place: Place) => Partial<Place>): Board {
  const place = board.places.get(id) ?? newPlace(id);
  return { ...board, places: new Map(board.places).set(id, { ...place, ...next(place) }) };
}

function isComplete(place: Place): boolean {
  return place.review?.status === 'complete';
}

/** Those at work first, then those that failed: what is done and well may go unseen. */
function urgency(place: Place): number {
  if (place.state === 'asking' || place.state === 'retrying') return 0;
  if (place.state === 'waiting') return 2;
  return isComplete(place) ? 3 : 1;
}

function markOf(place: Place): string {
  if (place.review !== null)
    return { complete: '✓', partial: '◐', failed: '✗' }[place.review.status];
  return { waiting: '·', asking: '…', retrying: '↻', ended: '✓' }[place.state];
}

function describePlace(place: Place, now: number): string {
  if (place.review !== null) return resultOf(place.review, place.remark).replace(/^[✓✗◐] /, '');
  if (place.state === 'waiting') return 'waiting';
  const attempt = place.attempt > 1 ? [`attempt ${place.attempt}`] : [];
  const tokens = place.outputTokens > 0 ? [`${shortCount(place.outputTokens)} tokens`] : [];
  return [
    `${place.state}${place.remark === '' ? '' : ` ${place.remark}`}`,
    spanOf(now - (place.since ?? now)),
    ...tokens,
    ...attempt,
  ].join(', ');
}

function tally(places: readonly Place[]): string {
  const words = { 0: 'at work', 1: 'not complete', 2: 'waiting', 3: 'complete' } as const;
  const parts = Object.entries(words).map(
    ([order, word]) =>
      [places.filter(place => urgency(place) === Number(order)).length, word] as const,
  );
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, word]) => `${amount} ${word}`)
    .join(', ');
}

/** Whole seconds: a figure that changes ten times a second is noise. */
function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds}s` : duration(seconds * 1000);
}
