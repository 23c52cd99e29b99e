/** Which runs can be gone on with, and which of them a person means. */
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { isLocked } from '../adapters/store/run-lock.ts';
import type { Plan } from '../core/words/plan.ts';
import type { RunRecord } from '../core/words/run.ts';
import { readPlan, readRecord } from './earlier-run.ts';
import type { OwnState } from './own-state.ts';
import { readMotions } from './vote/motions-run.ts';

/** It ended undecided, or was failed before a reviewer whose tokens ran out had read every file. */
export function isResumable({
  outcome,
  reviewers,
}: Pick<RunRecord, 'outcome' | 'reviewers'>): boolean {
  return (
    outcome === 'INCOMPLETE' ||
    (outcome === 'FAIL' &&
      reviewers.some(({ status, cause }) => status === 'partial' && cause === 'budget'))
  );
}

/** As `findRun`, but `latest` is the run begun last that can be gone on with; where there is none, the one that answered last. */
export async function findResumableRun(own: OwnState, wanted: string): Promise<string> {
  if (wanted !== 'latest') return own.findRun(wanted);
  const decided = new Set<string>();
  let inUse: string | undefined;
  for (const id of await own.listRuns()) {
    const state = await stateOf(own, id);
    if (state.isOpen && !decided.has(state.configurationHash ?? '')) {
      if (!(await isLocked(own, state.folder))) return id;
      inUse ??= id;
    }
    // A later run of the same plan has the answer that an earlier one would come to.
    if (!state.isOpen && state.configurationHash !== null) decided.add(state.configurationHash);
  }
  return inUse ?? own.findAnsweredRun(wanted);
}

interface State {
  readonly folder: string;
  readonly isOpen: boolean;
  readonly configurationHash: Plan['configurationHash'];
}

async function stateOf(own: OwnState, id: string): Promise<State> {
  const store = await openRunFolder(own, id);
  const plan = await readPlan(store);
  if (plan === null)
    return {
      folder: store.folder,
      isOpen: (await readMotions(own, id))?.ended === null,
      configurationHash: null,
    };
  const record = await readRecord(store);
  return {
    folder: store.folder,
    isOpen: record === null || isResumable(record),
    configurationHash: plan.configurationHash,
  };
}
