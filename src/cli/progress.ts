/**
 * Shows a run while it goes on, on the stream it is given and nowhere else: on a terminal one live line per reviewer
 * that is gone afterwards, elsewhere one plain line per change.
 */
import type { OnEvent, RunEvent } from '../core/words/events.ts';
import type { Clock } from '../core/ports.ts';
import { oneLine } from '../render/terminal-text.ts';
import {
  advance,
  emptyBoard,
  layBoard,
  pendingOf,
  resultOf,
  tallyOf,
  type Board,
} from './progress-board.ts';

export interface ProgressSettings {
  /** Standard error: standard output belongs to the report. */
  readonly stream: NodeJS.WritableStream & { readonly rows?: number; readonly columns?: number };
  readonly isTerminal: boolean;
  /** Columns, for a stream that does not know its own. */
  readonly width: number;
  readonly clock?: Pick<Clock, 'monotonicMs'>;
}

export interface Progress {
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

function createLiveProgress({ stream, width, clock = systemClock }: ProgressSettings): Progress {
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
        stream.write(`${oneLine(event.message)}\n`);
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

function createPlainProgress({ stream, clock = systemClock }: ProgressSettings): Progress {
  let board = emptyBoard;
  let isStopped = false;
  let timer: NodeJS.Timeout | null = null;
  const print = (line: string) => void stream.write(`${line}\n`);

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
    return `${tallyOf(board)} ${oneLine(event.review.reviewer, 100)} ${resultOf(event.review, event.remembered ? 'remembered' : '')}`;
  if (event.type === 'mode' && event.mode !== 'full')
    return `${oneLine(event.reviewer, 100)}: ${event.mode === 'force_return' ? 'stopped, its tokens are used up' : 'critical and high only, its tokens run short'}`;
  return event.type === 'claim-form' || event.type === 'note' ? board.news : null;
}
