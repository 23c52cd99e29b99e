/** Keeps what happened in `events.jsonl`, one line an event; progress is shown and not kept. */
import type { OnEvent, RunEvent } from '../core/words/events.ts';
import type { Clock, RunStore } from '../core/ports.ts';

export interface EventLog {
  readonly onEvent: OnEvent;
  /** Resolves when every line is on disk; rejects when one could not be written. */
  settled(): Promise<void>;
}

export function createEventLog(store: RunStore, clock: Clock): EventLog {
  let written = Promise.resolve();
  return {
    onEvent: event => {
      const line = toLine(event);
      if (line === null) return;
      const text = JSON.stringify({ at: clock.now().toISOString(), ...line });
      written = written.then(() => store.append('events.jsonl', text));
      // A failure is reported once, by `settled`; until then it must not count as unhandled.
      written.catch(() => {});
    },
    settled: () => written,
  };
}

/** A review is kept whole elsewhere: here stands only how it ended. */
function toLine(event: RunEvent): Record<string, unknown> | null {
  if (event.type === 'review-progress') return null;
  if (event.type !== 'review-end') return { ...event };
  const { review, remembered } = event;
  return {
    type: event.type,
    reviewer: review.reviewer,
    status: review.status,
    cause: review.failure?.cause ?? null,
    findings: review.findings.length,
    attempts: review.attempts,
    durationMs: review.durationMs,
    remembered,
  };
}
