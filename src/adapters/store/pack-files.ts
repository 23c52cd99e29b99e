/** Packs and their side files in the folder of a run: written whole, never over an older one except to refresh it. */
import { join } from 'node:path';
import { usageError } from '../../core/errors.ts';
import { runIdPattern } from '../../core/run-files/plan-file.ts';
import { createAtomically, explained, makeFolders, writeAtomically } from './atomic-write.ts';
import { removeCopies } from './copies.ts';
import { namesIn } from './file-names.ts';
import { runsFolder } from './run-folder.ts';
import type { StateFolder } from './storage.ts';

export const runNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Folders that only hold packs somebody looked at. */
const passingPrefix = 'ctx-';

/** The first free number of an agent's packs, and its file taken. Path relative to the run folder. */
export async function addPack(state: StateFolder, run: string, agent: string, text: string) {
  return inFolder(state, run, async folder => {
    for (let number = 1; ; number += 1) {
      const path = `context/${agent}${number === 1 ? '' : `.${number}`}.lcp.json`;
      if (await createAtomically(state, join(folder, path), text)) return path;
    }
  });
}

/** Replaces a file of `context/`. */
export async function replaceContextFile(
  state: StateFolder,
  run: string,
  path: string,
  text: string,
) {
  return inFolder(state, run, folder => writeAtomically(state, join(folder, path), text));
}

export function sidePath(pack: string) {
  return pack.replace(/\.lcp\.json$/, '.meta.json');
}

interface Ageing {
  /** Of folders that only hold packs somebody looked at. */
  readonly idleMs: number;
  /** Of folders that a caller named, which hold packs and are no runs. */
  readonly retentionDays: number;
  readonly now: Date;
}

/**
 * Removes folders of packs that nobody has used for long, with their copies: an abandoned look at a pack leaves nothing. Runs age
 * by themselves.
 */
export async function removePassing(state: StateFolder, { idleMs, retentionDays, now }: Ageing) {
  const gone: string[] = [];
  for (const name of await namesIn(state.disk, runsFolder(state))) {
    if (!runNamePattern.test(name) || runIdPattern.test(name)) continue;
    const folder = join(runsFolder(state), name);
    const most = name.startsWith(passingPrefix) ? idleMs : retentionDays * dayMs;
    const used = (await state.disk.status(join(folder, 'context')))?.modifiedMs ?? null;
    // What holds no packs is somebody else's.
    if (used === null || now.getTime() - used <= most) continue;
    await state.disk.remove(folder);
    gone.push(name);
  }
  await removeCopies(
    state,
    gone.map(run => ({ run, report: null })),
  );
}

const dayMs = 86_400_000;

/** Name of a new folder of that kind. `suffix`: to tell two of one millisecond apart. */
export function passingName(now: Date, suffix: string) {
  return `${passingPrefix}${now.getTime()}-${suffix}`;
}

async function inFolder<Result>(
  state: StateFolder,
  run: string,
  work: (folder: string) => Promise<Result>,
) {
  if (!runNamePattern.test(run))
    throw usageError(
      `${JSON.stringify(run.slice(0, 120))} is not the id of a run.`,
      'Set JURY_RUN_ID to letters, digits, ".", "_" and "-".',
    );
  const folder = join(runsFolder(state), run);
  return explained({ what: 'The pack', path: join(folder, 'context') }, async () => {
    await makeFolders(state.disk, state.root, ['runs', run, 'context']);
    return work(folder);
  });
}
