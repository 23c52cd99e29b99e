/**
 * The runs this server has under way. A run belongs to the server and not to the request that began it: it goes on when that
 * request ends, is taken back or times out, and whoever asks next finds it here.
 */
import type { Call, RunEvent } from '../index.ts';
import { inputError } from '../core/errors.ts';
import type { Answer } from './answer.ts';

/** A panel costs money and memory; more at once is a caller that has lost count. */
const mostAtOnce = 8;
/** Ended runs that are remembered with how they ended; those that left a folder can be read for ever. */
const mostRemembered = 100;

/** `runId` is null for what left no run. */
export interface Done {
  readonly runId: string | null;
  readonly answer: Answer;
}

type JobEnd = Done | { readonly error: unknown };

export interface Job {
  readonly root: string;
  /** Equal for requests that ask for the same. */
  readonly key: string;
  readonly startedAtMs: number;
  /** Null until the run has its folder. */
  runId: string | null;
  /** Null while it goes on. */
  end: JobEnd | null;
  reviewers: { total: number; ended: number };
  /** Never rejects. */
  readonly ended: Promise<JobEnd>;
  readonly changes: EventTarget;
  stop(): void;
}

interface JobRequest {
  readonly root: string;
  readonly key: string;
  readonly work: (call: Pick<Call, 'signal' | 'onEvent'>) => Promise<Done>;
}

export interface JobQueue {
  /** Joins the run under way that asks for the same. Throws `UserError` when eight are under way. */
  start(request: JobRequest): Job;
  /** A run of this server by id, the beginning of only one, or `latest` while one is under way. */
  find(root: string, wanted: string): Job | null;
  /** Ends every run with its state saved. */
  close(): Promise<void>;
}

export function createJobQueue(): JobQueue {
  let jobs: Job[] = [];
  return {
    start(request) {
      const underWay = jobs.filter(({ end }) => end === null);
      const same = underWay.find(({ root, key }) => root === request.root && key === request.key);
      if (same !== undefined) return same;
      if (underWay.length >= mostAtOnce)
        throw inputError(
          `${mostAtOnce} runs are under way, which is the most at once.`,
          'Wait for one or stop one.',
        );
      const job = begin(request);
      jobs = [
        ...jobs.filter(({ end }) => end === null),
        ...jobs.filter(({ end }) => end !== null).slice(-mostRemembered),
        job,
      ];
      return job;
    },
    find: (root, wanted) =>
      findJob(
        jobs.filter(job => job.root === root),
        wanted,
      ),
    async close() {
      for (const job of jobs) job.stop();
      await Promise.all(jobs.map(({ ended }) => ended));
    },
  };
}

function findJob(jobs: readonly Job[], wanted: string) {
  if (wanted === 'latest') return jobs.findLast(({ end }) => end === null) ?? null;
  const found = jobs.filter(
    ({ runId }) => runId !== null && wanted !== '' && runId.startsWith(wanted),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

function begin({ root, key, work }: JobRequest) {
  const controller = new AbortController();
  const changes = new EventTarget();
  const notice = () => void changes.dispatchEvent(new Event('change'));
  const onEvent = (event: RunEvent) => {
    if (event.type === 'run-start') {
      job.runId = event.run;
      job.reviewers = { total: event.reviewers.length, ended: 0 };
    }
    if (event.type === 'review-end')
      job.reviewers = { ...job.reviewers, ended: job.reviewers.ended + 1 };
    if (event.type !== 'review-progress') notice();
  };
  const ended = Promise.resolve()
    .then(() => work({ signal: controller.signal, onEvent }))
    .catch((error: unknown) => ({ error }))
    .then(end => {
      if ('answer' in end) job.runId = end.runId ?? job.runId;
      job.end = end;
      notice();
      return end;
    });
  const job: Job = {
    root,
    key,
    ended,
    changes,
    startedAtMs: performance.now(),
    runId: null,
    end: null,
    reviewers: { total: 0, ended: 0 },
    stop: () => controller.abort(new Error('stopped by the caller')),
  };
  return job;
}
