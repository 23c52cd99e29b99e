/** A run as the library hands it back, and the events on the way to it. */
import type { RunEvent } from '../core/words/events.ts';
import type { Run } from '../core/words/run.ts';

/** What is asked for most stands on top; `record` is the whole, the object that `--format json` prints. */
export interface RunResult extends Run {
  readonly outcome: Run['record']['outcome'];
  readonly reasons: Run['record']['reasons'];
  readonly claims: Run['record']['claims'];
}

/** An event of the run, or, once and last, what came of it. */
export type StreamEvent = RunEvent | { readonly type: 'result'; readonly run: RunResult };

export function resultOf(run: Run): RunResult {
  const { outcome, reasons, claims } = run.record;
  return { ...run, outcome, reasons, claims };
}

/**
 * Starts with the first `next()`. Events wait until they are taken: the run is never held up by a slow reader. Leaving the loop
 * early cancels the run, which keeps what it has. Rejects where `run` would.
 */
export async function* streamRun(
  run: (options: {
    readonly signal: AbortSignal;
    readonly onEvent: (event: RunEvent) => void;
  }) => Promise<RunResult>,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamEvent, void, undefined> {
  const left = new AbortController();
  const waiting: RunEvent[] = [];
  const sleeper: { wake(): void } = { wake: noOne };
  const running = run({
    signal: signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]),
    onEvent: event => {
      waiting.push(event);
      sleeper.wake();
    },
  });
  const over = settle(running);
  let isOver = false;
  try {
    while (!isOver) {
      // Whatever comes before the end was pushed before it.
      isOver =
        waiting.length === 0 &&
        (await Promise.race([
          over,
          new Promise<false>(resolve => (sleeper.wake = () => resolve(false))),
        ]));
      yield* waiting.splice(0);
    }
    yield { type: 'result', run: await running };
  } finally {
    left.abort();
    await over;
  }
}

/** True when it is over, however it ends. */
async function settle(running: Promise<unknown>): Promise<true> {
  await running.catch(noOne);
  return true;
}

function noOne(): void {}
