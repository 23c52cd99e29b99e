/** The run folder, `runs/<id>/` in the state of a project: every file of a run, private to the user, each write whole or not at all. */
import { join } from 'node:path';
import { inputError } from '../../core/errors.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { RunStore } from '../../core/ports/run-store.ts';
import { runIdPattern } from '../../core/run-files/plan-file.ts';
import {
  createAppender,
  explained,
  isMissing,
  isTemporary,
  makeFolders,
  pardon,
  withFile,
  writeAtomically,
} from './atomic-write.ts';
import { createCaseGuard, entriesIn, namesOf } from './file-names.ts';
import type { StateFolder } from './storage.ts';

/** Where runs lie: this machine's own, and those that were brought from elsewhere, which nothing is decided by. */
export type RunsKind = 'runs' | 'imported';

/** Folder that holds the runs. */
export function runsFolder({ root }: Pick<StateFolder, 'root'>, kind: RunsKind = 'runs') {
  return join(root, kind);
}

/** Creates the folder of a new run. Throws `UserError` (kind `input`) when the disk refuses, or the run exists already. */
export async function createRunFolder(
  state: StateFolder,
  runId: string,
  kind: RunsKind = 'runs',
): Promise<RunStore> {
  checkRunId(runId);
  const path = join(runsFolder(state, kind), runId);
  await explained({ path }, async () => {
    const isNew = await makeFolders(state.disk, state.root, [kind, runId]);
    if (!isNew)
      throw inputError(
        `Run ${runId} exists already.`,
        `To go on with it, run "jury resume ${runId}".`,
      );
  });
  return createStore(state, path, runId);
}

/** Opens the folder of an earlier run by its whole id; `findRun` turns what a person typed into one. */
export async function openRunFolder(
  state: StateFolder,
  runId: string,
  kind: RunsKind = 'runs',
): Promise<RunStore> {
  checkRunId(runId);
  const folder = join(runsFolder(state, kind), runId);
  if ((await state.disk.status(folder))?.kind !== 'folder')
    throw inputError(`There is no run ${runId}.`, 'List the runs with "jury runs".');
  return createStore(state, folder, runId);
}

function checkRunId(runId: string) {
  if (!runIdPattern.test(runId))
    throw inputError(
      `${JSON.stringify(runId)} is not the id of a run.`,
      'List the runs with "jury runs".',
    );
}

/** Every path is checked by name before the disk is touched. Throws `UserError` when the disk refuses. */
function createStore(state: StateFolder, folder: string, runId: string): RunStore {
  const place = { path: folder, again: `run "jury resume ${runId}"` };
  const guardCase = createCaseGuard(state.disk, folder);
  const appenders = new Map<string, (line: string) => Promise<void>>();
  const prepare = async (path: string) => {
    const names = namesOf(path);
    await guardCase(path);
    await makeFolders(state.disk, folder, names.slice(0, -1));
    return join(folder, ...names);
  };
  return {
    runId,
    folder,
    copies: null,
    write: (path, text) =>
      explained(place, async () => writeAtomically(state, await prepare(path), text)),
    append: (path, line) => {
      const append = appenders.get(path) ?? createAppender(state, () => prepare(path));
      appenders.set(path, append);
      return explained(place, () => append(line));
    },
    read: path => explained(place, () => readText(state, join(folder, ...namesOf(path)))),
    list: path =>
      explained(place, () =>
        listFiles(
          state.disk,
          path === '' || path === '.' ? folder : join(folder, ...namesOf(path)),
        ),
      ),
  };
}

/** Null for what is not there; a link is a fault. */
async function readText({ disk }: StateFolder, path: string) {
  const file = await disk.open(path, 'read').catch(pardon(isMissing, null));
  if (!file) return null;
  const bytes = await withFile(file, opened => opened.read());
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

async function listFiles(disk: Disk, folder: string) {
  return (await entriesIn(disk, folder))
    .filter(({ name, kind }) => kind === 'file' && !isTemporary(name))
    .map(({ name }) => name)
    .sort();
}
