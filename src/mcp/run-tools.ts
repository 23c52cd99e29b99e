/** The tools that hold runs: `start` one, `wait` for one, `stop` one. */
import { once } from 'node:events';
import { z } from 'zod';
import { inputError } from '../core/errors.ts';
import { briefOf, briefOfKept } from './answer.ts';
import {
  type Job,
  RootName,
  RunName,
  type ToolCall,
  defineTool,
  jobNamed,
  juryAt,
  rootNamed,
} from './tool.ts';
import { startable, StartRequest } from './processes.ts';
import { Amount } from '../core/words/fields.ts';

/** Clients give a request sixty seconds, and most do not say so. */
const mostSeconds = 45;
const Seconds = Amount.min(0).max(mostSeconds).default(mostSeconds);

/** Starts a process and waits a little: short ones are answered at once, long ones by their id. */
export const start = defineTool({
  name: 'start',
  description:
    'Put something before a panel of independent reviewers. Answers with the brief result, or with a ' +
    'run id to wait for; the run goes on either way.',
  readOnly: false,
  input: StartRequest.extend({
    seconds: Seconds.describe('Longest wait'),
    root: RootName,
  }),
  async answer({ seconds, root: rootName, ...request }, call) {
    const root = rootNamed(call.roots, rootName);
    const begin = await startable.get(request.process)?.start(request, root);
    if (begin === undefined) throw new Error(`Nothing is called ${request.process}.`);
    const job = call.queue.start({
      root: root.name,
      key: JSON.stringify(request),
      work: part => begin({ cwd: root.folder, environment: call.environment, ...part }),
    });
    return waitFor(job, seconds, call);
  },
});

/** The brief result of a run, under way or long ended. */
export const wait = defineTool({
  name: 'wait',
  description:
    'Brief result of a run (at most 15 lines), or that it is still running. Works for runs of earlier days too.',
  readOnly: true,
  input: z.strictObject({
    run: RunName,
    seconds: Seconds.describe('Longest wait; 0 polls'),
    root: RootName,
  }),
  async answer({ run: wanted, seconds, root }, call) {
    const job = jobNamed(call, root, wanted);
    if (job !== null) return waitFor(job, seconds, call);
    const jury = juryAt(call, root);
    const vote = await jury.readVote(wanted);
    return vote === null ? briefOf(await jury.report(wanted)) : briefOfKept(vote);
  },
});

/** A reviewer that is told to end has three seconds, and the run is written after it. */
const graceSeconds = 20;

/** Ends a run of this server with its state saved. */
export const stop = defineTool({
  name: 'stop',
  description: 'End a running run. What was said is kept; the outcome is INCOMPLETE.',
  readOnly: false,
  input: z.strictObject({ run: RunName, root: RootName }),
  async answer({ run: wanted, root }, call) {
    const job = jobNamed(call, root, wanted);
    if (job === null) throw inputError('run: there is no such run under way here.');
    job.stop();
    return waitFor(job, graceSeconds, call);
  },
});

/** A caller that polls still wants an id; a large change takes some seconds before the run has one. */
const mostSecondsWithoutId = 50;
const remindMs = 5_000;

/** The brief result when the run ends in time, else that it goes on and what to call. Throws what the run threw. */
async function waitFor(
  job: Job,
  seconds: number,
  { signal, onProgress }: Pick<ToolCall, 'signal' | 'onProgress'>,
) {
  const began = performance.now();
  const left = () =>
    began + 1_000 * (job.runId === null ? mostSecondsWithoutId : seconds) - performance.now();
  const show = () => onProgress(describe(job));
  const reminder = setInterval(show, remindMs);
  job.changes.addEventListener('change', show);
  try {
    show();
    while (job.end === null && left() > 0 && !signal.aborted) {
      const out = AbortSignal.timeout(Math.max(0, Math.ceil(left())));
      // Whoever waited long enough, or is gone, is told how things stand.
      await once(job.changes, 'change', { signal: AbortSignal.any([signal, out]) }).catch(() => {});
    }
  } finally {
    clearInterval(reminder);
    job.changes.removeEventListener('change', show);
  }
  if (job.end === null) return underWay(job);
  if ('error' in job.end) throw job.end.error;
  return job.end.answer;
}

function underWay(job: Job) {
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

function describe({ runId, reviewers, startedAtMs }: Job) {
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  return runId === null
    ? `preparing, ${seconds} s`
    : `${runId}: ${reviewers.ended} of ${reviewers.total} reviewers ended, ${seconds} s`;
}
