/** The run folder `.jury/runs/<id>/`: every file of a run, private to the user, each write whole or not at all. */
import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { RunStore } from '../../core/ports.ts';
import {
  codeOf,
  createAppender,
  explainDiskFailure,
  isTemporary,
  makeFolders,
  writeAtomically,
} from './atomic-write.ts';
import { createCaseGuard, namesOf } from './file-names.ts';

/** UTC time and six hex digits: sorts by age. */
export const runIdPattern = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** Folder that holds the runs under `root`: the top of the repository, or the working folder where there is none. */
export function runsFolder(root: string): string {
  return join(root, '.jury', 'runs');
}

/** Creates the folder of a new run. Throws `UserError` (kind `input`) when the disk refuses, or the run exists already. */
export async function createRunFolder(root: string, runId: string): Promise<RunStore> {
  checkRunId(runId);
  const place = { path: join(runsFolder(root), runId), again: 'try again' };
  await explained(place, async () => {
    const isNew = await makeFolders(root, ['.jury', 'runs', runId]);
    if (!isNew)
      throw new UserError(`Run ${runId} exists already.`, {
        kind: 'input',
        hint: `To go on with it, run "jury resume ${runId}".`,
      });
  });
  return createStore(place.path, runId);
}

/** Opens the folder of an earlier run by its whole id; `findRun` turns what a person typed into one. */
export async function openRunFolder(root: string, runId: string): Promise<RunStore> {
  checkRunId(runId);
  const folder = join(runsFolder(root), runId);
  if (!(await isFolder(folder)))
    throw new UserError(`There is no run ${runId}.`, {
      kind: 'input',
      hint: 'List the runs with "jury runs".',
    });
  return createStore(folder, runId);
}

function checkRunId(runId: string): void {
  if (!runIdPattern.test(runId))
    throw new UserError(`${JSON.stringify(runId)} is not the id of a run.`, {
      kind: 'input',
      hint: 'List the runs with "jury runs".',
    });
}

/** Every path is checked by name before the disk is touched. Throws `UserError` when the disk refuses. */
function createStore(folder: string, runId: string): RunStore {
  const place = { path: folder, again: `run "jury resume ${runId}"` };
  const guardCase = createCaseGuard(folder);
  const appenders = new Map<string, (line: string) => Promise<void>>();
  const prepare = async (path: string): Promise<string> => {
    const names = namesOf(path);
    await guardCase(path);
    await makeFolders(folder, names.slice(0, -1));
    return join(folder, ...names);
  };
  return {
    runId,
    folder,
    write: (path, text) => explained(place, async () => writeAtomically(await prepare(path), text)),
    append: (path, line) => {
      const append = appenders.get(path) ?? createAppender(() => prepare(path));
      appenders.set(path, append);
      return explained(place, () => append(line));
    },
    read: path => explained(place, () => readText(join(folder, ...namesOf(path)))),
    list: path =>
      explained(place, () =>
        listFiles(path === '' || path === '.' ? folder : join(folder, ...namesOf(path))),
      ),
  };
}

async function explained<Result>(
  place: { readonly path: string; readonly again: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explainDiskFailure(error, place);
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    const handle = await open(
      path,
      constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
    );
    try {
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter(entry => entry.isFile() && !isTemporary(entry.name))
      .map(entry => entry.name)
      .sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}
