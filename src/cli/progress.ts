/**
 * Shows a run while it goes on, on the stream it is given and nowhere else: on a terminal one live line that is gone afterwards,
 * elsewhere one plain line per change.
 */
import type { Clock } from '../core/ports/clock.ts';
import type { OnEvent, RunEvent } from '../core/words/events.ts';
import { displayOf, type Review } from '../core/words/review.ts';
import { count, duration, shortCount } from '../render/figures.ts';
import { cut, oneLine, wrapWords } from '../render/terminal-text.ts';
import { type Environment, forLog } from './terminal.ts';

interface ProgressSettings {
  /** Standard error: standard output belongs to the report. */
  readonly stream: NodeJS.WritableStream & { readonly columns?: number };
  readonly isTerminal: boolean;
  /** Columns, for a stream that does not know its own. */
  readonly width: number;
  readonly environment: Environment;
  readonly clock?: Pick<Clock, 'monotonicMs'>;
}

interface Progress {
  readonly onEvent: OnEvent;
  /** Takes the live line away. Events after it are ignored; a second call does nothing. */
  stop(): void;
}

const systemClock = { monotonicMs: () => performance.now() };
const redrawMs = 100;
const reminderMs = 30_000;
/** Empties the line that the cursor stands on. */
const clearLine = '\u001B[2K\u001B[G';

export function createProgress(settings: ProgressSettings): Progress {
  const { stream, isTerminal, width, environment, clock = systemClock } = settings;
  const board: Board = new Map();
  const startedAt = clock.monotonicMs();
  let isStopped = false;
  let timer: NodeJS.Timeout | null = null;
  const print = (line: string) => void stream.write(`${forLog(line, environment)}\n`);
  const draw = () => {
    const line = `${spanOf(clock.monotonicMs() - startedAt)} ${sumOf(board)}`;
    // One column stays free: a line that fills the last one makes some terminals wrap.
    stream.write(`${clearLine}${cut(line, (stream.columns ?? width) - 1)}`);
  };
  return {
    onEvent(event) {
      if (isStopped) return;
      const line = tell(event, board);
      if (!isTerminal) {
        if (line !== null) print(line);
        timer ??= setInterval(() => print(sumOf(board)), reminderMs).unref();
      } else if (board.size > 0) timer ??= setInterval(draw, redrawMs).unref();
      // Before there is a live line a note stays on the screen: what it tells of came before the run.
      else if (line !== null) print(wrapWords(line, stream.columns ?? width));
    },
    stop() {
      if (timer !== null) clearInterval(timer);
      if (timer !== null && isTerminal && !isStopped) stream.write(clearLine);
      isStopped = true;
    },
  };
}

/** By reviewer; null until its review has ended. */
type Board = Map<string, Review | null>;

/** The plain line of an event; null for those that change no state. */
function tell(event: RunEvent, board: Board): string | null {
  const say = (words: string): string =>
    `${'reviewer' in event ? oneLine(event.reviewer, 100) : ''}: ${words}`;
  switch (event.type) {
    case 'run-start':
      for (const { id } of event.reviewers) board.set(id, null);
      return `Run ${oneLine(event.run, 40)}: ${oneLine(event.title, 200)}\n${sumOf(board)}`;
    case 'review-start':
      return say(`asking${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}`);
    case 'review-retry':
      return say(`retrying in ${Math.ceil(event.waitMs / 1000)}s (${event.cause})`);
    case 'review-end': {
      const { review } = event;
      board.set(review.reviewer, review);
      return `${tallyOf(board)} ${oneLine(review.reviewer, 100)} ${resultOf(review, event.remembered)}${whyOf(review)}`;
    }
    case 'mode':
      if (event.mode === 'full') return null;
      return say(
        event.mode === 'force_return'
          ? 'stopped, its tokens are used up'
          : 'critical and high only, its tokens run short',
      );
    case 'claim-form':
      return count(event.claims, 'claim');
    case 'note':
      return oneLine(event.message);
    case 'review-progress':
    case 'warning':
    case 'exhausted':
    case 'run-end':
    default:
      return null;
  }
}

/** `[2/5 agents complete]`: only whole reviews count. */
function tallyOf(board: Board): string {
  const complete = [...board.values()].filter(review => review?.status === 'complete');
  return `[${complete.length}/${board.size} agents complete]`;
}

/** With who is still to be heard, and how many will not be: `1 failed, waiting for beta, gamma`. */
function sumOf(board: Board): string {
  const failed = [...board.values()].filter(review => review?.status === 'failed').length;
  const waiting = [...board].flatMap(([id, review]) => (review === null ? [oneLine(id, 40)] : []));
  const rest = waiting.length > 8 ? ` and ${waiting.length - 8} more` : '';
  const parts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(waiting.length > 0 ? [`waiting for ${waiting.slice(0, 8).join(', ')}${rest}`] : []),
  ];
  return `${tallyOf(board)} ${parts.join(', ')}`.trimEnd();
}

/** `✓ 4 findings, 8.8k tokens, 14.2s`; one that failed has found nothing to count. */
function resultOf(review: Review, isRemembered: boolean): string {
  const tokens = review.usage.inputTokens + review.usage.outputTokens;
  const facts = [
    ...(review.status === 'failed' ? [] : [count(review.findings.length, 'finding')]),
    ...(tokens > 0 ? [`${shortCount(tokens)} tokens`] : []),
    duration(review.durationMs),
    ...(isRemembered ? ['remembered'] : []),
  ];
  return `${oneLine(displayOf(review), 120)} ${facts.join(', ')}`;
}

/** What a person can do about one that failed is seldom in its status. */
function whyOf({ status, failure }: Review): string {
  const message = status === 'failed' ? oneLine(failure?.message ?? '', 300) : '';
  return message === '' ? '' : `: ${message}`;
}

/** Whole seconds: a figure that changes ten times a second is noise. */
function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds}s` : duration(seconds * 1000);
}
