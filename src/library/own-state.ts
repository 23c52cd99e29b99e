/**
 * What lies in `.jury` decides: runs are gone on with and answered from, and decisions of people are kept there. A repository may
 * bring a `.jury` that somebody wrote for its reader, so nothing in it is believed that is not this user's own.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { listTracked, type TrackedIn } from '../adapters/git/working-trees.ts';
import { runsFolder } from '../adapters/store/run-folder.ts';
import { findAnsweredRun, findRun, listRuns } from '../adapters/store/runs.ts';
import { UserError } from '../core/errors.ts';
import { doOverlap } from '../core/safety/path-overlap.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import type { StateFolder } from '../adapters/store/storage.ts';
import { stateFolder, temporaryFolderOf, type Call } from './call.ts';
import { rootOf } from './root.ts';

export interface OwnState extends StateFolder {
  /** Asks git beforehand what it tracks, beside other work. */
  lookAhead(): void;
  /** Why what lies there is not the user's own, as the end of a sentence; null: it is, or nothing lies there. `file`: absolute, below `.jury`. */
  whyForeign(file: string): Promise<string | null>;
  /** Names a run that is not the user's own in a note. */
  isOwnRun(id: string): Promise<boolean>;
  /** Ids of the user's own runs, newest first. */
  listRuns(): Promise<readonly string[]>;
  /** As `findRun`, among the user's own. Throws `UserError` for a run that is not. */
  findRun(wanted: string): Promise<string>;
  /** The same for the run whose answer is meant: `latest` is the own one that answered last. */
  findAnsweredRun(wanted: string): Promise<string>;
}

const looked = new WeakMap<Call, Map<string, OwnState>>();

/** Git is asked once for each call of the library, and only when something in `.jury` is about to be believed. */
export function ownStateIn(root: string, call: Call): OwnState {
  const known = looked.get(call) ?? new Map<string, OwnState>();
  looked.set(call, known);
  const state = known.get(root) ?? lookAt(root, call);
  known.set(root, state);
  return state;
}

/** For callers that stand in a folder and have opened nothing yet. */
export async function ownStateOf(call: Call): Promise<OwnState> {
  return ownStateIn(await rootOf(call), call);
}

/** As the end of a sentence; null: the database of this name in `.jury` is the user's own, or there is none. */
export async function whyForeignDatabase(state: OwnState, name: string): Promise<string | null> {
  // What lies beside a database is played back into it.
  for (const suffix of ['', '-journal', '-wal', '-shm']) {
    const why = await state.whyForeign(path.join(state.root, '.jury', `${name}${suffix}`));
    if (why !== null) return makeVisible(`.jury/${name}${suffix} is none of this user's: ${why}`);
  }
  return null;
}

function lookAt(root: string, call: Call): OwnState {
  const folder = stateFolder(root, call);
  const { disk } = folder;
  let tracked: Promise<readonly TrackedIn[]> | undefined;
  const runs = new Map<string, Promise<string | null>>();
  const whyForeign = async (file: string): Promise<string | null> => {
    const names = path.relative(root, file).split(path.sep);
    if ((await disk.status(file).catch(() => null)) === null) return null;
    const fault = (await faultOnTheWay(folder, names)) ?? (await faultBelow(folder, file));
    if (fault !== null) return fault;
    tracked ??= listTracked(root, temporaryFolderOf(call));
    return whyTracked(await tracked.catch(ifUnreadable), names.join('/'));
  };
  const lookAtRun = async (id: string): Promise<string | null> => {
    const why = await whyForeign(path.join(runsFolder(folder), id));
    if (why !== null)
      call.onEvent?.({ type: 'note', message: `${notOwn(id, why)}; it is not used.` });
    return why;
  };
  // A run holds hundreds of files: they are walked once, however often a call asks.
  const whyForeignRun = (id: string): Promise<string | null> => {
    const known = runs.get(id) ?? lookAtRun(id);
    runs.set(id, known);
    return known;
  };
  const sortRuns = async (): Promise<Sorted> => {
    const own: string[] = [];
    const foreign = new Map<string, string>();
    for (const id of await listRuns(folder)) {
      const why = await whyForeignRun(id);
      if (why === null) own.push(id);
      else foreign.set(id, why);
    }
    return { own, foreign };
  };
  const find = async (wanted: string, findAmong: typeof findAnsweredRun): Promise<string> => {
    const { own, foreign } = await sortRuns();
    refuseForeign(wanted, own, foreign);
    return findAmong(folder, wanted, own);
  };
  return {
    ...folder,
    lookAhead() {
      disk
        .list(path.join(root, '.jury'))
        .then(() => (tracked ??= listTracked(root, temporaryFolderOf(call))))
        // Whoever needs the list asks again, and gets the error.
        .catch(() => {});
    },
    whyForeign,
    isOwnRun: async id => (await whyForeignRun(id)) === null,
    listRuns: async () => (await sortRuns()).own,
    findRun: wanted => find(wanted, findRun),
    findAnsweredRun: wanted => find(wanted, findAnsweredRun),
  };
}

/** A plan names folders and files: those of another project are none of its business. Throws `UserError`. */
export async function refuseOutside(
  file: string,
  { run }: { readonly run: string },
  root: string,
): Promise<void> {
  const [real, top] = await Promise.all(
    [file, root].map(async each => realpath(each).catch(() => each)),
  );
  if (real === undefined || top === undefined || real === top || real.startsWith(top + path.sep))
    return;
  throw new UserError(`Run ${run} cannot go on: ${file} lies outside of this project.`, {
    kind: 'input',
    hint: 'Start it again; the old run stays readable with "jury show".',
  });
}

interface Sorted {
  readonly own: readonly string[];
  /** Why each is not, by id. */
  readonly foreign: ReadonlyMap<string, string>;
}

function notOwn(id: string, why: string): string {
  return makeVisible(`Run ${id} is none of this user's: ${why}`);
}

function refuseForeign(
  wanted: string,
  own: readonly string[],
  foreign: ReadonlyMap<string, string>,
): void {
  const isMeant = (id: string): boolean =>
    wanted !== '' && id.toLowerCase().startsWith(wanted.toLowerCase());
  const refused = [...foreign].find(
    ([id]) => isMeant(id) || (wanted === 'latest' && own.length === 0),
  );
  if (refused === undefined || own.some(isMeant)) return;
  throw new UserError(`${notOwn(...refused)}.`, {
    kind: 'input',
    hint: 'Nothing in it is believed; start a new review.',
  });
}

async function faultOnTheWay(state: StateFolder, names: readonly string[]): Promise<string | null> {
  for (let count = 1; count <= names.length; count += 1) {
    const fault = await faultOf(state, path.join(state.root, ...names.slice(0, count)));
    if (fault !== null) return fault;
  }
  return null;
}

async function faultBelow(state: StateFolder, folder: string): Promise<string | null> {
  for (const { name, kind } of await state.disk.list(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const fault =
      (await faultOf(state, file)) ?? (kind === 'folder' && (await faultBelow(state, file)));
    if (typeof fault === 'string') return fault;
  }
  return null;
}

/** Null for what is gone in the meantime. */
async function faultOf({ disk, processes }: StateFolder, file: string): Promise<string | null> {
  const entry = await disk.status(file).catch(() => null);
  if (entry === null) return null;
  if (entry.kind === 'link') return `${path.basename(file)} is a link`;
  return entry.owner !== null && processes.user !== null && entry.owner !== processes.user
    ? `${path.basename(file)} belongs to another user`
    : null;
}

function ifUnreadable(error: unknown): string {
  if (error instanceof UserError)
    return `git cannot say whether it came with the repository (${error.message.replace(/\.$/, '')})`;
  throw error;
}

function whyTracked(tracked: readonly TrackedIn[] | string, name: string): string | null {
  if (typeof tracked === 'string') return tracked;
  const isTracked = tracked.some(({ folder, names }) =>
    names.some(each => doOverlap(each, folder === '' ? name : `${folder}/${name}`)),
  );
  return isTracked ? 'it is tracked by git and came with the repository' : null;
}
