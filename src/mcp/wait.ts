/** Waits for a run as long as a caller may: clients give a request sixty seconds, and most do not say so. */
import type { Answer } from './answer.ts';
import type { Job } from './job-queue.ts';
import type { ToolCall } from './tool.ts';

export const mostSeconds = 45;
/** A caller that polls still wants an id; a large change takes some seconds before the run has one. */
const mostSecondsWithoutId = 50;
const remindMs = 5_000;

/** The brief result when the run ends in time, else that it goes on and what to call. Throws what the run threw. */
export async function waitFor(
  job: Job,
  seconds: number,
  { signal, onProgress }: Pick<ToolCall, 'signal' | 'onProgress'>,
): Promise<Answer> {
  const began = performance.now();
  const left = (): number =>
    began + 1_000 * (job.runId === null ? mostSecondsWithoutId : seconds) - performance.now();
  const show = (): void => onProgress(describe(job));
  const reminder = setInterval(show, remindMs);
  job.changes.addEventListener('change', show);
  try {
    show();
    while (job.end === null && left() > 0 && !signal.aborted) await nextChange(job, left(), signal);
  } finally {
    clearInterval(reminder);
    job.changes.removeEventListener('change', show);
  }
  return job.end === null ? underWay(job) : ended(job.end);
}

function ended(end: NonNullable<Job['end']>): Answer {
  if ('answer' in end) return end.answer;
  throw end.error;
}

function underWay(job: Job): Answer {
  const next =
    job.runId === null
      ? 'The run is still being prepared: call start again with the same arguments.'
      : 'Still running: call wait with this run.';
  return {
    facts: {
      run: job.runId,
      status: 'running',
      reviewers_ended: `${job.reviewers.ended} of ${job.reviewers.total}`,
      next,
    },
  };
}

function describe({ runId, reviewers, startedAtMs }: Job): string {
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  return runId === null
    ? `preparing, ${seconds} s`
    : `${runId}: ${reviewers.ended} of ${reviewers.total} reviewers ended, ${seconds} s`;
}

async function nextChange({ changes }: Job, ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>(resolve => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      changes.removeEventListener('change', done);
      signal.removeEventListener('abort', done);
      resolve();
    }
    changes.addEventListener('change', done);
    signal.addEventListener('abort', done);
  });
}
