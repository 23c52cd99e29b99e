/**
 * The state of a project: runs, memory, decisions, caches. It decides (runs are gone on with and answered from), so it lies outside of
 * what is reviewed, in a folder that only this user can read and write.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../adapters/store/atomic-write.ts';
import { findAnsweredRun, findRun, listRuns } from '../adapters/store/runs.ts';
import type { StateFolder } from '../adapters/store/storage.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { userStateFolder } from '../adapters/system/state-folder.ts';
import { UserError } from '../core/errors.ts';
import type { Processes } from '../core/ports.ts';
import { storageOf, type Call } from './call.ts';
import { repositoryRootOf } from './root.ts';

export interface OwnState extends StateFolder {
  /** Ids of the runs, newest first. */
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
  const folder: StateFolder = { root, project, ...storageOf(call) };
  await refuseOpen(folder);
  return {
    ...folder,
    listRuns: () => listRuns(folder),
    findRun: wanted => findRun(folder, wanted),
    findAnsweredRun: async wanted => findAnsweredRun(folder, wanted, await listRuns(folder)),
  };
}

/** Whoever writes the repository would write what decides about it. */
async function refuseInside(root: string, repository: string): Promise<void> {
  const real = await realOf(root);
  if (real !== repository && !real.startsWith(repository + path.sep)) return;
  throw new UserError(`The state folder ${root} lies inside the repository under review.`, {
    kind: 'usage',
    hint: 'Name a folder outside of it with JURY_STATE.',
  });
}

/** Of the part of the way that is there. */
async function realOf(file: string): Promise<string> {
  const parent = path.dirname(file);
  try {
    return await realpath(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || parent === file) return file;
    return path.join(await realOf(parent), path.basename(file));
  }
}

async function refuseOpen({ root, disk, processes }: StateFolder): Promise<void> {
  const found = await disk.status(root);
  if (found === null) return;
  const why = whyOpen(found, processes);
  if (why !== null)
    throw new UserError(`The state folder ${root} ${why.what}.`, { kind: 'usage', hint: why.mend });
}

function whyOpen(
  {
    kind,
    owner,
    mode,
  }: { readonly kind: string; readonly owner: number | null; readonly mode: number },
  { user }: Processes,
): { readonly what: string; readonly mend: string } | null {
  const elsewhere = 'Name another folder with JURY_STATE.';
  if (kind !== 'folder') return { what: 'is a link or a file', mend: elsewhere };
  if (owner === null || user === null) return null;
  if (owner !== user) return { what: 'belongs to another user', mend: elsewhere };
  return (mode & 0o077) === 0
    ? null
    : {
        what: `can be read or written by others (mode ${mode.toString(8)})`,
        mend: 'Take that from them with "chmod 700", or name another folder with JURY_STATE.',
      };
}
