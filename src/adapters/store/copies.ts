/**
 * Copies of what people, and agents that may not read outside of their workspace, want to see of a run: `.jury/runs/<id>/` in the
 * project. They are written and removed, and never read back.
 */
import { join } from 'node:path';
import type { RunStore } from '../../core/ports.ts';
import { makeFolders } from './atomic-write.ts';
import type { StateFolder } from './storage.ts';

const copied = /^(?:report\.(?:md|json)|journal\.md|(?:reviews|verdicts|context|handoff)\/.+)$/;

/** As `store`, with a copy of each such file. Where none can be written, none is, and `onNote` says why. */
export async function withCopies(
  state: StateFolder,
  store: RunStore,
  onNote: (message: string) => void,
): Promise<RunStore> {
  const folder = copiesFolder(state, store.runId);
  try {
    await makeFolders(state.disk, state.project, ['.jury', 'runs', store.runId]);
  } catch (error) {
    onNote(
      `No copies of the run are kept in the project: ${error instanceof Error ? error.message : String(error)}`,
    );
    return store;
  }
  return {
    ...store,
    copies: folder,
    async write(path, text) {
      await store.write(path, text);
      await copyFile(state, store.runId, path, text);
    },
  };
}

/** A copy that cannot be written is none: the file itself is kept. */
export async function copyFile(
  state: StateFolder,
  run: string,
  path: string,
  text: string,
): Promise<void> {
  if (!copied.test(path)) return;
  const names = ['.jury', 'runs', run, ...path.split('/')];
  const target = join(state.project, ...names);
  const temporary = `${target}.tmp-${state.processes.pid}`;
  try {
    await makeFolders(state.disk, state.project, names.slice(0, -1));
    await state.disk.remove(temporary);
    const file = await state.disk.open(temporary, 'create');
    try {
      await file.write(Buffer.from(text));
    } finally {
      await file.close();
    }
    await state.disk.rename(temporary, target);
  } catch {
    await state.disk.remove(temporary).catch(() => undefined);
  }
}

/** Removes the copies of these runs, and of no other: what else lies there came from somebody else. Nothing behind a link is touched. */
export async function removeCopies(state: StateFolder, runs: readonly string[]): Promise<void> {
  const folders = ['.jury', 'runs'].map((_, index, names) =>
    join(state.project, ...names.slice(0, index + 1)),
  );
  for (const folder of folders)
    if ((await state.disk.status(folder).catch(() => null))?.kind !== 'folder') return;
  for (const run of runs) await state.disk.remove(copiesFolder(state, run)).catch(() => undefined);
}

/** Did version 0.1 keep its runs and decisions in the project? Only looked at by name: they may be anybody's. */
export async function hasOlderState({ disk, project }: StateFolder): Promise<boolean> {
  const names = ['last-answer.json', 'memory.sqlite'];
  const found = await Promise.all(
    names.map(name => disk.status(join(project, '.jury', name)).catch(() => null)),
  );
  return found.some(status => status !== null);
}

/** Null where none are kept of this run. */
export async function findCopies(state: StateFolder, run: string): Promise<string | null> {
  const folder = copiesFolder(state, run);
  const report = await state.disk.status(join(folder, 'report.md')).catch(() => null);
  return report?.kind === 'file' ? folder : null;
}

function copiesFolder({ project }: StateFolder, run: string): string {
  return join(project, '.jury', 'runs', run);
}
