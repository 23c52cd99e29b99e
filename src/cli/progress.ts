/**
 * Shows a run while it goes on, on the stream it is given and nowhere else: on a terminal one live line per reviewer
 * that is gone afterwards, elsewhere one plain line per change.
 */
import type { Clock } from '../core/ports/runner.ts';
import { type Review, type RunEvent, displayOf } from '../core/words/review.ts';
import { nameFew } from '../core/verdict/coverage.ts';
import {
  count,
  cut,
  duration,
  oneLine,
  pad,
  shortCount,
  widthOf,
  wrapWords,
} from '../render/figures.ts';
import { type Environment, forLog, type Streams } from './terminal.ts';
import { present } from '../core/groups.ts';

const systemClock = { monotonicMs: () => performance.now() };
const redrawMs = 100;
const reminderMs = 30_000;

/** On standard error: standard output belongs to the report. */
export function createProgress(
  {
    streams: { stderr: stream },
    environment,
  }: { streams: Pick<Streams, 'stderr'>; environment: Environment },
  clock: Pick<Clock, 'monotonicMs'> = systemClock,
) {
  const widthOfStream = () => stream.columns ?? 80;
  const board: Board = { places: new Map(), title: '', news: '' };
  let isStopped = false;
  let timer: NodeJS.Timeout | null = null;
  let update: { (text: string): void; clear(): void; done(): void } | null = null;
  const print = (line: string) => void stream.write(`${forLog(line, environment)}\n`);
  const startedAt = clock.monotonicMs();
  const draw = () => {
    // One column stays free: a line that fills the last one makes some terminals wrap.
    const size = { width: widthOfStream() - 1, rows: stream.rows ?? 24 };
    update?.(layBoard(board, clock.monotonicMs() - startedAt, size).join('\n'));
  };
  const open = async () => {
    const { createLogUpdate } = await import('log-update');
    if (isStopped) return;
    update = createLogUpdate(stream);
    draw();
  };
  return {
    onEvent(event: RunEvent) {
      if (isStopped) return;
      const line = advance(board, event);
      if (!stream.isTTY) {
        if (line !== null) print(line);
        timer ??= setInterval(() => print(sumOf(board)), reminderMs).unref();
        return;
      }
      // Before there are live lines a note stays on the screen: what it tells of came before the run.
      if (board.places.size === 0 && line !== null) print(wrapWords(line, widthOfStream()));
      if (timer || board.places.size === 0) return;
      timer = setInterval(draw, redrawMs).unref();
      void open();
    },
    /** Removes the live lines and gives the cursor back. Events after it are ignored; a second call does nothing. */
    stop() {
      if (isStopped) return;
      isStopped = true;
      if (timer) clearInterval(timer);
      update?.clear();
      update?.done();
    },
  };
}

/** How a reviewer stands, in words; `review` once it has ended. */
interface Place {
  words: string;
  /** That it has written so far. */
  tokens: number;
  review: Review | null;
}

/** What the lines are made of. */
interface Board {
  places: Map<string, Place>;
  title: string;
  news: string;
}

function having({ places }: Board, isMeant: (place: Place) => boolean) {
  return [...places].filter(([, place]) => isMeant(place)).map(([id]) => oneLine(id, 40));
}

/** `[2/5 agents complete]`: only whole reviews count. */
function tallyOf(board: Board) {
  const complete = having(board, ({ review }) => review?.status === 'complete').length;
  return `[${complete}/${board.places.size} agents complete]`;
}

/** With who is still to be heard, and how many will not be: `1 failed, waiting for beta, gamma`. */
function sumOf(board: Board) {
  const failed = having(board, ({ review }) => review?.status === 'failed').length;
  const waiting = having(board, ({ review }) => !review);
  const parts = present(
    failed > 0 && `${failed} failed`,
    waiting.length > 0 && `waiting for ${nameFew(waiting, 8)}`,
  );
  return `${tallyOf(board)} ${parts.join(', ')}`.trimEnd();
}

/** The plain line of an event; null for those that change no state. */
function advance(board: Board, event: RunEvent) {
  const { places } = board;
  const say = (id: string, words: string) => {
    const { tokens = 0, review = null } = places.get(id) ?? {};
    places.set(id, { words, tokens, review });
    return `${oneLine(id, 100)}: ${words}`;
  };
  switch (event.type) {
    case 'run-start':
      board.title = oneLine(event.title, 200);
      for (const { id } of event.reviewers)
        places.set(id, { words: 'waiting', tokens: 0, review: null });
      return `Run ${oneLine(event.run, 40)}: ${board.title}\n${sumOf(board)}`;
    case 'review-start':
      return say(event.reviewer, `asking${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}`);
    case 'review-retry':
      return say(event.reviewer, `retrying in ${Math.ceil(event.waitMs / 1000)}s (${event.cause})`);
    case 'review-end': {
      const { review } = event;
      const words = resultOf(review, event.remembered);
      places.set(review.reviewer, { words, tokens: 0, review });
      return `${tallyOf(board)} ${oneLine(review.reviewer, 100)} ${words}${whyOf(review)}`;
    }
    case 'mode':
      return event.mode === 'full'
        ? null
        : say(
            event.reviewer,
            event.mode === 'force_return'
              ? 'stopped, its tokens are used up'
              : 'critical and high only, its tokens run short',
          );
    case 'claim-form':
      return (board.news = count(event.claims, 'claim'));
    case 'note':
      return (board.news = oneLine(event.message));
    case 'review-progress': {
      const place = places.get(event.reviewer);
      if (place?.review === null)
        places.set(event.reviewer, { ...place, tokens: event.outputTokens });
      return null;
    }
    case 'warning':
    case 'exhausted':
    case 'run-end':
    default:
      return null;
  }
}

/** Below a line for the whole one for each reviewer, none wider than `width`. */
function layBoard(board: Board, ms: number, { width, rows }: Record<'width' | 'rows', number>) {
  return present(
    `${tallyOf(board)} ${spanOf(ms)} · ${board.title}`,
    ...layPlaces([...board.places], Math.max(1, rows - 3)),
    board.news !== '' && board.news,
  ).map(line => cut(line, width));
}

/** Those at work go before those that wait, and these before those that have ended. */
function layPlaces(all: readonly (readonly [string, Place])[], room: number) {
  const order = ([, { words, review }]: (typeof all)[number]) =>
    words === 'waiting' ? 1 : !review ? 0 : 2;
  const shown =
    all.length <= room
      ? all
      : all.toSorted((one, other) => order(one) - order(other)).slice(0, room);
  const names = shown.map(([id]) => cut(oneLine(id, 100), 30));
  const widest = Math.max(0, ...names.map(widthOf));
  const rest = all.length - shown.length;
  return present(
    ...shown.map(
      ([, { words, tokens }], index) =>
        `  ${pad(names[index] ?? '', widest)}  ${words}${tokens > 0 ? `, ${shortCount(tokens)} tokens` : ''}`,
    ),
    rest > 0 && `  … and ${rest} more`,
  );
}

/** `✓ 4 findings, 8.8k tokens, 14.2s`; one that failed has found nothing to count. */
function resultOf(review: Review, isRemembered: boolean) {
  const tokens = review.usage.inputTokens + review.usage.outputTokens;
  const facts = present(
    review.status !== 'failed' && count(review.findings.length, 'finding'),
    tokens > 0 && `${shortCount(tokens)} tokens`,
    duration(review.durationMs),
    isRemembered && 'remembered',
  );
  return `${oneLine(displayOf(review), 120)} ${facts.join(', ')}`;
}

/** What a person can do about one that failed is seldom in its status. */
function whyOf({ status, failure }: Review) {
  const message = status === 'failed' ? oneLine(failure?.message ?? '', 300) : '';
  return message === '' ? '' : `: ${message}`;
}

/** Whole seconds: a figure that changes ten times a second is noise. */
function spanOf(ms: number) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds}s` : duration(seconds * 1000);
}
