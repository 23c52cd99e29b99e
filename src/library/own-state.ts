/**
 * The state of a project: runs, memory, decisions, caches. It decides (runs are gone on with and answered from), so it lies outside of
 * what is reviewed, in a folder that only this user can read and write.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { guardDisk } from '../adapters/store/own-disk.ts';
import { findAnsweredRun, findRun, listRuns, withFutureLast } from '../adapters/store/runs.ts';
import type { StateFolder } from '../adapters/store/storage.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { refuseInside, userStateFolder, whyShared } from '../adapters/system/state-folder.ts';
import { inputError, usageError } from '../core/errors.ts';
import type { Disk } from '../core/ports/disk.ts';
import { type Call, clockOf, repositoryRootOf, storageOf, withRepository } from './call.ts';

export interface OwnState extends StateFolder {
  /** Ids of the runs, newest first; those that have not begun yet by the clock of the caller come last. */
  listRuns(): Promise<readonly string[]>;
  /** As `findRun` of the store. */
  findRun(wanted: string): Promise<string>;
  /** The same for the run whose answer is meant: `latest` is the one that answered last. */
  findAnsweredRun(wanted: string): Promise<string>;
}

const opened = new WeakMap<Call, Map<string | null, Promise<OwnState>>>();

/**
 * `repositoryRoot`: null outside of a repository. Nothing is made yet: a look at an empty state leaves nothing. Throws `UserError` (kind
 * `usage`) for a folder that lies in the repository, belongs to somebody else or can be read by others.
 */
export function openState(repositoryRoot: string | null, call: Call): Promise<OwnState> {
  const known = opened.get(call) ?? new Map<string | null, Promise<OwnState>>();
  opened.set(call, known);
  const state = known.get(repositoryRoot) ?? open(repositoryRoot, call);
  known.set(repositoryRoot, state);
  return state;
}

/** For callers that have opened no repository yet. */
export async function stateOf(call: Call): Promise<OwnState> {
  return openState(await repositoryRootOf(call), call);
}

async function open(repositoryRoot: string | null, call: Call): Promise<OwnState> {
  const project = repositoryRoot ?? call.cwd;
  const real = await realpath(project).catch(() => project);
  const root =
    call.state === undefined
      ? path.join(userStateFolder(call.environment), sha256(real).slice(0, 32))
      : path.resolve(call.cwd, call.state);
  if (repositoryRoot !== null) await refuseInside(root, real);
  const storage = storageOf(call);
  const folder: StateFolder = {
    ...storage,
    root,
    project,
    disk: guardDisk(storage, root),
    tracked:
      repositoryRoot === null
        ? undefined
        : () => withRepository({ ...call, cwd: repositoryRoot }, each => each.tracked()),
  };
  if (call.state === undefined) await refuseShared(path.dirname(root), folder, 0o022);
  await refuseOpen(folder);
  const own = async () => withFutureLast(await listRuns(folder), clockOf(call).now());
  return {
    ...folder,
    listRuns: own,
    findRun: async wanted => findOwn(folder, wanted, await own()),
    findAnsweredRun: async wanted =>
      wanted === 'latest'
        ? findAnsweredRun(folder, wanted, await own())
        : findOwn(folder, wanted, await own()),
  };
}

/** What was imported is named where it was meant, and refused. */
async function findOwn(folder: StateFolder, wanted: string, own: readonly string[]) {
  try {
    return await findRun(folder, wanted, own);
  } catch (error) {
    const imported = wanted === 'latest' ? [] : await listRuns(folder, 'imported');
    const [meant, other] = imported.filter(id => wanted !== '' && id.startsWith(wanted));
    if (meant === undefined || other !== undefined) throw error;
    throw inputError(
      `Run ${meant} was imported: it is shown, and used for nothing else.`,
      `See "jury show ${meant}".`,
    );
  }
}

/** The nearest thing there is on the way to a folder, unless it is a folder or a link to one. */
async function findInTheWay(root: string, disk: Disk) {
  for (let at = path.dirname(root); ; at = path.dirname(at)) {
    const found = await disk.status(at);
    if (found?.kind === 'link') {
      const target = await realpath(at).catch(() => null);
      return target !== null && (await disk.status(target))?.kind === 'folder' ? null : at;
    }
    if (found) return found.kind === 'folder' ? null : at;
    if (at === path.dirname(at)) return null;
  }
}

async function refuseOpen({ root, disk, processes }: StateFolder) {
  const elsewhere = 'Name another folder with JURY_STATE.';
  const found = await disk.status(root).catch((cause: unknown) => {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw cause;
    throw usageError(
      `The state folder ${root} lies where this user may not look.`,
      elsewhere,
      cause,
    );
  });
  if (!found) {
    const inTheWay = await findInTheWay(root, disk);
    if (inTheWay === null) return;
    throw usageError(
      `There can be no state folder ${root}: ${inTheWay} is no folder.`,
      'Move that out of the way, or name another folder with JURY_STATE.',
    );
  }
  if (found.kind !== 'folder')
    throw usageError(`The state folder ${root} is a link or a file.`, elsewhere);
  await refuseShared(root, { disk, processes });
}

/** Whoever can write a folder can put another one in the place of what lies in it. */
async function refuseShared(
  folder: string,
  { disk, processes }: Pick<StateFolder, 'disk' | 'processes'>,
  others?: number,
) {
  const real = await realpath(folder).catch(() => folder);
  const found = await disk.status(real).catch(() => null);
  const shared = found && whyShared(found, processes.user, others);
  if (shared)
    throw usageError(
      `The state folder ${folder} ${shared.what}.`,
      shared.kind === 'foreign'
        ? 'Name another folder with JURY_STATE.'
        : 'Take that from them with "chmod 700", or name another folder with JURY_STATE.',
    );
}
