/** Runs, votes and verdicts read back, for whoever knows only their names. */
import path from 'node:path';
import { runsFolder } from '../adapters/store/run-folder.ts';
import { systemStorage } from '../adapters/store/storage.ts';
import {
  readVerdicts as readVerdictFolder,
  type VerdictFolder,
} from '../adapters/store/verdict-reader.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import type { Call } from './call.ts';
import { ownStateOf, type OwnState } from './own-state.ts';
import type { Named } from './read-named.ts';
import type { UnfinishedRun } from './unfinished-runs.ts';
import type { ListedMotions } from './vote/motions-run.ts';

export interface ListedVote {
  readonly schema: 'jury.motions-run/1';
  readonly run: string;
  readonly title: string;
  readonly startedAt: string;
  /** Null, as the two below: it never ended and can be resumed. */
  readonly completedAt: string | null;
  /** Absolute folder of the results. */
  readonly artifacts: string | null;
  readonly counts: Readonly<Record<string, number>> | null;
}

/** What is kept of a project, each latest first. */
export interface ListedRuns {
  readonly ended: readonly RunRecord[];
  /** Under way, or killed. */
  readonly unfinished: readonly UnfinishedRun[];
  /** Of real reviewers. */
  readonly votes: readonly ListedVote[];
}

/** A folder, relative to the caller's; or a run by id, unique prefix or `latest`. */
export type VerdictsRequest = { readonly dir: string } | { readonly run: string };

export async function readRun(wanted: string, call: Call): Promise<Run> {
  const { readEndedRun } = await import('./earlier-run.ts');
  return readEndedRun(await ownStateOf(call), wanted);
}

export async function showNamed(wanted: string, id: string | null, call: Call): Promise<Named> {
  const { readNamed } = await import('./read-named.ts');
  return readNamed(await ownStateOf(call), wanted, id);
}

export async function listRuns(call: Call): Promise<ListedRuns> {
  const [{ readRecords }, { listUnfinished }] = await Promise.all([
    import('./earlier-run.ts'),
    import('./unfinished-runs.ts'),
  ]);
  const state = await ownStateOf(call);
  const [ended, unfinished, votes] = await Promise.all([
    readRecords(state),
    listUnfinished(state),
    listVotes(state),
  ]);
  return { ended, unfinished, votes };
}

export async function findVote(wanted: string, call: Call): Promise<ListedMotions | null> {
  const [{ findMotions }, { findResumableRun }] = await Promise.all([
    import('./vote/motions-run.ts'),
    import('./resumable-run.ts'),
  ]);
  const state = await ownStateOf(call);
  return findMotions(state, await findResumableRun(state, wanted));
}

export async function readVerdicts(where: VerdictsRequest, call: Call): Promise<VerdictFolder> {
  if ('dir' in where)
    return readVerdictFolder(systemStorage.disk, path.resolve(call.cwd, where.dir));
  const state = await ownStateOf(call);
  return readVerdictFolder(
    state.disk,
    path.join(runsFolder(state), await state.findAnsweredRun(where.run), 'verdicts'),
  );
}

async function listVotes(state: OwnState): Promise<ListedVote[]> {
  const { listMotions } = await import('./vote/motions-run.ts');
  const listed = await listMotions(state);
  return listed.map(({ plan: { run, title, startedAt }, ended }) => ({
    schema: 'jury.motions-run/1',
    run,
    title,
    startedAt,
    completedAt: ended?.completedAt ?? null,
    artifacts: ended?.artifacts ?? null,
    counts: ended?.counts ?? null,
  }));
}
