/** Removes runs, by hand. One that a process works on stays. */
import { listRuns, removeAllRuns, removeOldRuns, runsBefore } from '../adapters/store/runs.ts';
import { CleanRequest } from '../core/process-request.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { clockOf, stateFolder, type Call } from './call.ts';
import { rootOf } from './root.ts';

export interface Cleaned {
  /** Folder that holds `.jury`. */
  readonly root: string;
  /** Ids of the runs that were removed, or would be; newest first. */
  readonly removed: readonly string[];
  /** Ids of the runs that stay: too young, or in use. */
  readonly kept: readonly string[];
  readonly dryRun: boolean;
}

/** `announce` is told the ids before any is removed. */
export async function cleanRuns(
  input: CleanRequest,
  call: Call,
  announce: (ids: readonly string[]) => void,
): Promise<Cleaned> {
  const { olderThan, dryRun } = parseRequest(CleanRequest, input);
  const state = stateFolder(await rootOf(call), call);
  const now = clockOf(call).now();
  const all = await listRuns(state);
  const meant = olderThan === undefined ? all : runsBefore(all, olderThan, now);
  announce(meant);
  const removed = dryRun
    ? meant
    : await (olderThan === undefined ? removeAllRuns(state) : removeOldRuns(state, olderThan, now));
  const gone = new Set(removed);
  return { root: state.root, removed, kept: all.filter(id => !gone.has(id)), dryRun };
}
