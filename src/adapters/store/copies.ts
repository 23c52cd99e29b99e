/**
 * Copies of what people, and agents that may not read outside of their workspace, want to see of a run: `.jury/runs/<id>/` in the
 * project. They are written and removed, and never read back.
 */
import { join } from 'node:path';
import type { RunStore } from '../../core/ports/steps.ts';
import { inputError, sentenceOf, UserError } from '../../core/errors.ts';
import {
  explainDiskFailure,
  explained,
  isTaken,
  makeFolders,
  pardon,
  writeAtomically,
} from './atomic-write.ts';
import type { StateFolder } from './storage.ts';
import { reportFileName, type ReportScope } from '../../core/change/set-aside.ts';
import { namesIn } from './run-folder.ts';

const copied = /^(?:report\.(?:md|json)|journal\.md|(?:reviews|verdicts|context|handoff)\/.+)$/;

export interface Copies {
  /** Absolute folder of the copies; null where none are wanted, or one could not be written. */
  readonly folder: string | null;
  /** Never rejects: a copy that cannot be written is none, and neither is any after it. */
  copy(path: string, text: string): Promise<void>;
}

/** Makes room for the copies of a run, out of the sight of git. Where there is none, or no more, `onNote` says why: once. */
export async function openCopies(
  state: StateFolder,
  run: string,
  isWanted: boolean,
  onNote: (message: string) => void,
): Promise<Copies> {
  let folder = isWanted ? copiesFolder(state, run) : null;
  const attempt = async (work: () => Promise<unknown>) => {
    if (folder === null) return;
    try {
      await work();
    } catch (error) {
      // Several files are written at a time.
      if (folder !== null)
        onNote(
          `No copies of this run are kept in the project: ${whyUnwritten(error, 'A copy', folder)}`,
        );
      folder = null;
    }
  };
  await attempt(() => makeProjectFolders(state, ['runs', run]));
  return {
    get folder() {
      return folder;
    },
    copy: (path, text) => attempt(() => copyFile(state, run, path, text)),
  };
}

/** As `store`, with a copy of each such file. */
export function withCopies(store: RunStore, copies: Copies): RunStore {
  return {
    ...store,
    get copies() {
      return copies.folder;
    },
    async write(path, text) {
      await store.write(path, text);
      await copies.copy(path, text);
    },
  };
}

function whyUnwritten(error: unknown, what: string, path: string) {
  const known = explainDiskFailure(error, { what, path });
  return known instanceof UserError ? sentenceOf(known) : `${String(error)}.`;
}

async function copyFile(state: StateFolder, run: string, path: string, text: string) {
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
  } catch (error) {
    await state.disk.remove(temporary).catch(() => undefined);
    throw error;
  }
}

/** Replaces a copy, where there is one: who wants none has none. One that cannot be written stays as it is. */
export async function refreshCopy(state: StateFolder, run: string, path: string, text: string) {
  if (await isThere(state, `.jury/runs/${run}/${path}`))
    await copyFile(state, run, path, text).catch(() => undefined);
}

interface CopiedRun {
  readonly run: string;
  /** Path of its report by scope, relative to the project; null where it has none. */
  readonly report: string | null;
}

/**
 * Removes the copies of these runs, and of no other: what else lies there came from somebody else. Nothing behind a link is touched,
 * and nothing that the project tracks: where that cannot be told, everything stays.
 */
export async function removeCopies(state: StateFolder, runs: readonly CopiedRun[]) {
  const paths = runs.flatMap(({ run, report }) => [
    `.jury/runs/${run}`,
    ...(report !== null && reportPattern.test(report) ? [report] : []),
  ]);
  const there: string[] = [];
  for (const path of paths) if (await isThere(state, path)) there.push(path);
  if (there.length === 0) return;
  const tracked = state.tracked ? await state.tracked().catch(() => null) : [];
  if (!tracked) return;
  for (const path of there) await removeUntracked(state, path, tracked).catch(() => undefined);
}

/** With folders, and no links, on the way to it. */
async function isThere({ disk, project }: StateFolder, path: string) {
  const names = path.split('/');
  for (let count = 1; count < names.length; count += 1) {
    const folder = await disk.status(join(project, ...names.slice(0, count))).catch(() => null);
    if (folder?.kind !== 'folder') return false;
  }
  return (await disk.status(join(project, ...names)).catch(() => null)) !== null;
}

async function removeUntracked(state: StateFolder, path: string, tracked: readonly string[]) {
  if (tracked.includes(path)) return;
  const file = join(state.project, ...path.split('/'));
  if (!tracked.some(each => each.startsWith(`${path}/`))) return state.disk.remove(file);
  for (const { name } of await state.disk.list(file))
    await removeUntracked(state, `${path}/${name}`, tracked);
}

/** Null where none are kept of this run. */
export async function findCopies(state: StateFolder, run: string) {
  const folder = copiesFolder(state, run);
  const report = await state.disk.status(join(folder, 'report.md')).catch(() => null);
  return report?.kind === 'file' ? folder : null;
}

function copiesFolder({ project }: StateFolder, run: string) {
  return join(project, '.jury', 'runs', run);
}

// Copies of the reports of reviews by scope, in `.jury/reviews/` of the project: none replaces an earlier one.

const folderName = '.jury/reviews';

/** What `takeReportName` may return. */
const reportPattern = /^\.jury\/reviews\/[^/\\\0]{1,200}\.md$/;

/**
 * Can reports be kept in the project? Where something is in the way, `onNote` says so: a report that is no copy is printed all
 * the same.
 */
export async function canKeepReports(state: StateFolder, onNote: (message: string) => void) {
  try {
    await makeProjectFolders(state, ['reviews']);
    return true;
  } catch (error) {
    const why = whyUnwritten(error, 'A report', join(state.project, folderName));
    onNote(`No reports are kept in the project: ${why}`);
    return false;
  }
}

/** Takes a free name for the scope and returns it, relative to the project. */
export async function takeReportName(state: StateFolder, scope: ReportScope, now: Date) {
  const folder = join(state.project, folderName);
  return explained({ what: 'A report', path: folder }, async () => {
    await makeProjectFolders(state, ['reviews']);
    const taken = new Set(await namesIn(state.disk, folder));
    for (;;) {
      const name = reportFileName(scope, taken, now);
      if (await take(state, join(folder, name))) return `${folderName}/${name}`;
      taken.add(name);
    }
  });
}

/** Replaces what a name of `takeReportName` holds. */
export async function writeReport(state: StateFolder, name: string, text: string) {
  if (!reportPattern.test(name))
    throw inputError(
      'The journal of this run names no report of a review.',
      'Start the review again.',
    );
  const path = join(state.project, name);
  await explained({ what: 'A report', path }, async () => {
    await makeProjectFolders(state, ['reviews']);
    await writeAtomically(state, path, text);
  });
}

/** Two runs may end at the same moment. */
async function take({ disk }: StateFolder, path: string) {
  const file = await disk.open(path, 'create').catch(pardon(isTaken, null));
  await file?.close();
  return file !== null;
}

// Jury's own folder in a project: it keeps itself out of version control, so that no file of the project is written.

/** Makes folders below `.jury/`. */
export async function makeProjectFolders(state: StateFolder, names: readonly string[]) {
  await makeFolders(state.disk, state.project, ['.jury', ...names]);
  const ignoring = join(state.project, '.jury', '.gitignore');
  if (!(await state.disk.status(ignoring))) await writeAtomically(state, ignoring, '*\n', 0o644);
}
