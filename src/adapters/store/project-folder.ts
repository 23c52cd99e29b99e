/** Jury's own folder in a project: it keeps itself out of version control, so that no file of the project is written. */
import { join } from 'node:path';
import { makeFolders, writeAtomically } from './atomic-write.ts';
import type { StateFolder } from './storage.ts';

/** Makes folders below `.jury/`. */
export async function makeProjectFolders(
  state: StateFolder,
  names: readonly string[],
): Promise<void> {
  await makeFolders(state.disk, state.project, ['.jury', ...names]);
  const ignoring = join(state.project, '.jury', '.gitignore');
  if ((await state.disk.status(ignoring)) === null)
    await writeAtomically(state, ignoring, '*\n', 0o644);
}
