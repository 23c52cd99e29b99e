/** Runs that are removed by hand. */
import {
  importedBefore,
  listRuns,
  removeAllRuns,
  removeOldRuns,
  runsBefore,
} from '../adapters/store/runs.ts';
import type { Cleaned } from '../core/printed/checks.ts';
import { CleanRequest } from '../core/request.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { type Call, clockOf } from './call.ts';
import { stateOf } from './own-state.ts';

/** What was removed. A run that a process works on stays. */
/** `announce` is told the ids before any is removed. */
export async function cleanRuns(
  input: CleanRequest,
  call: Call,
  announce: (ids: readonly string[]) => void,
): Promise<Cleaned> {
  const { olderThan, dryRun } = parseRequest(CleanRequest, input);
  const state = await stateOf(call);
  const now = clockOf(call).now();
  const [own, imported] = [await listRuns(state), await listRuns(state, 'imported')];
  const all = [...own, ...imported];
  const meant =
    olderThan === undefined
      ? all
      : [...runsBefore(own, olderThan, now), ...(await importedBefore(state, olderThan, now))];
  announce(meant);
  const removed = dryRun
    ? meant
    : await (olderThan === undefined ? removeAllRuns(state) : removeOldRuns(state, olderThan, now));
  const gone = new Set(removed);
  return { root: state.root, removed, kept: all.filter(id => !gone.has(id)), dryRun };
}
