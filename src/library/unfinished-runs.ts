/** Runs that never came to their end: under way, or killed. */
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { isLocked } from '../adapters/store/run-lock.ts';
import type { Plan } from '../core/words/plan.ts';
import type { RunStore } from '../core/ports.ts';
import { readPlan } from './earlier-run.ts';
import type { OwnState } from './own-state.ts';
import { readMotions } from './vote/motions-run.ts';

export interface UnfinishedRun {
  readonly schema: 'jury.unfinished-run/1';
  readonly run: string;
  /** `review`, `ask`, …; null, as the title: it was killed before it had a plan. */
  readonly command: string | null;
  readonly title: string | null;
  readonly startedAt: string;
  /** `running` while a process works on it. */
  readonly state: 'running' | 'unfinished';
  readonly reviewers: number;
  /** Command that goes on with it; null while it is running, and when nobody was asked yet. */
  readonly resume: string | null;
}

/** Newest first. Votes on motions are listed by themselves. */
export async function listUnfinished(state: OwnState): Promise<UnfinishedRun[]> {
  const listed = await Promise.all(
    (await state.listRuns()).map(async id => describe(state, await openRunFolder(state, id))),
  );
  return listed.filter(run => run !== null);
}

/** Null for a run that ended, and for a vote. */
async function describe(state: OwnState, store: RunStore): Promise<UnfinishedRun | null> {
  if ((await store.read('report.json')) !== null) return null;
  const plan = await readPlan(store);
  if (plan === null && (await readMotions(state, store.runId)) !== null) return null;
  const isRunning = await isLocked(state, store.folder);
  return {
    schema: 'jury.unfinished-run/1',
    run: store.runId,
    command: plan?.command ?? null,
    title: plan === null ? null : titleOf(plan),
    startedAt: plan?.startedAt ?? timeIn(store.runId),
    state: isRunning ? 'running' : 'unfinished',
    reviewers: plan?.seats.length ?? 0,
    resume: isRunning || plan === null ? null : `jury resume ${store.runId}`,
  };
}

/** As far as the plan knows it: the change itself is not read again. */
function titleOf({ subject }: Plan): string {
  if (subject.kind !== 'change') return subject.title;
  const { request } = subject;
  if (request.source === 'revision') return request.revision;
  if (request.source === 'files') return request.patterns.join(' ');
  return 'title' in request ? request.title : request.source;
}

function timeIn(run: string): string {
  return run.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6.000Z');
}
