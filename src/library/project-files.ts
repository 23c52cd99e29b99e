/** Everything a project knows about claims, as the commands beside a run see it: the last answer, the memory, the baseline. */
import { parseBaseline, readBaselineText } from '../adapters/memory/baseline-file.ts';
import type { MemoryFile } from '../adapters/memory/memory-file.ts';
import type { Disposition, ProjectMemory } from '../core/memory/known-claim.ts';
import type { Run } from '../core/words/run.ts';
import type { Call } from './call.ts';
import { readLatestRun } from './earlier-run.ts';
import { openOwnMemory } from './open-memory.ts';
import { ownStateIn, type OwnState } from './own-state.ts';
import { repositoryRootOf, stateRootIn } from './root.ts';

export interface ProjectFiles {
  /** Folder that holds `.jury`. */
  readonly root: string;
  readonly state: OwnState;
  /** Top of the repository; null outside of one. */
  readonly repositoryRoot: string | null;
  readonly file: MemoryFile;
  /** With the decisions of the baseline behind those of this machine. */
  readonly memory: ProjectMemory;
  readonly baseline: readonly Disposition[];
  /** The run that answered last; null when none ended. */
  readonly latest: Run | null;
}

export async function openProject(call: Call): Promise<ProjectFiles> {
  const repositoryRoot = await repositoryRootOf(call);
  const root = stateRootIn(repositoryRoot, call);
  const state = ownStateIn(root, call);
  const file = await openOwnMemory(state, call);
  const text = repositoryRoot === null ? null : await readBaselineText(repositoryRoot);
  const baseline = text === null ? [] : await parseBaseline(text);
  const { claims, dispositions } = await file.read();
  return {
    root,
    state,
    repositoryRoot,
    file,
    baseline,
    memory: { claims, dispositions: [...dispositions, ...baseline] },
    latest: await readLatestRun(state),
  };
}
