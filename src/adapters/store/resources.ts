/** Reads what a `resources://` name stands for: text files of a run, and the knowledge base of a project. */
import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { type ReportScope, reportFileName } from '../../core/change/set-aside.ts';
import { UserError, inputError, sentenceOf, usageError } from '../../core/errors.ts';
import type { Disk } from '../../core/ports/runner.ts';
import type { RunStore } from '../../core/ports/steps.ts';
import { parseResourceUri, runResourceUri } from '../../core/run-files/run-page.ts';
import { runIdPattern } from '../../core/run-files/run-record.ts';
import {
  createAtomically,
  explainDiskFailure,
  explained,
  isTaken,
  isTemporary,
  makeFolders,
  pardon,
  readPlainBytes,
  writeAtomically,
} from './atomic-write.ts';
import { journalName } from './journal.ts';
import { entriesIn, namesIn, runsFolder } from './run-folder.ts';
import type { Note, StateFolder } from './storage.ts';

/** More than this is not served: nobody reads it, and it would fill a caller's context. */
const sizeLimit = 4 * 1024 * 1024;

/** The pages a project ships in `resources/kb/`, as a state of it has them that nobody under review has written. */
export interface Knowledge {
  names(): Promise<readonly string[]>;
  /** Null when there is no such page. */
  read(file: string): Promise<Uint8Array | null>;
}

/**
 * Null when the name is not legal, the file is not there, is no plain text file, lies behind a link or is over 4 MiB. Pages of the
 * knowledge base are those that the project ships, then those in the state of the project.
 */
export async function readResource(state: StateFolder, uri: string, knowledge?: Knowledge) {
  const resource = parseResourceUri(uri);
  if (!resource) return null;
  if (resource.kind === 'run')
    return readText(state, ['runs', resource.run, ...resource.path.split('/')]);
  const shipped = await knowledge?.read(resource.file);
  return shipped && shipped.length <= sizeLimit
    ? textOf(shipped)
    : readText(state, ['kb', resource.file]);
}

/** Names of all pages, those that the project ships first. */
export async function listKnowledge(state: StateFolder, knowledge: Knowledge) {
  const own = await entriesIn(state.disk, join(state.root, 'kb'));
  return [...new Set([...(await knowledge.names()), ...own.map(({ name }) => name)])];
}

/** Names of everything that can be read of one run, in order. */
export async function listRunResources(state: StateFolder, run: string) {
  const folder = join(runsFolder(state), run);
  return (await filesBelow(state.disk, folder, ''))
    .filter(path => parseResourceUri(runResourceUri(run, path)) !== null)
    .toSorted()
    .map(path => runResourceUri(run, path));
}

/** The journal of finished steps holds whole answers. */
function isServed(name: string) {
  return name !== journalName && !/\.(?:lock|sqlite)$/.test(name);
}

async function readText(
  { disk, root }: Pick<StateFolder, 'disk' | 'root'>,
  names: readonly string[],
) {
  if (!isServed(names.at(-1) ?? '')) return null;
  // No part of the way may be a link: the name promises that the file lies in this folder.
  for (let count = 1; count < names.length; count += 1) {
    if ((await disk.status(join(root, ...names.slice(0, count))))?.kind !== 'folder') return null;
  }
  const bytes = await readPlainBytes(disk, join(root, ...names), sizeLimit);
  return bytes && textOf(bytes);
}

function textOf(bytes: Uint8Array) {
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : null;
}

/** Relative, with slashes. */
async function filesBelow(disk: Disk, folder: string, prefix: string) {
  const files: string[] = [];
  for (const { name, kind } of await entriesIn(disk, folder)) {
    if (kind === 'folder')
      files.push(...(await filesBelow(disk, join(folder, name), `${prefix}${name}/`)));
    if (kind === 'file' && isServed(name) && !isTemporary(name)) files.push(`${prefix}${name}`);
  }
  return files;
}

// Packs and their side files in the folder of a run: written whole, never over an older one except to refresh it.

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
  idleMs: number;
  /** Of folders that a caller named, which hold packs and are no runs. */
  retentionDays: number;
  now: Date;
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

// Copies of what people, and agents that may not read outside of their workspace, want to see of a run: `.jury/runs/<id>/` in the
// project. They are written and removed, and never read back.

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
  onNote: Note,
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

/**
 * Removes the copies of these runs, and of no other: what else lies there came from somebody else. Nothing behind a link is touched,
 * and nothing that the project tracks: where that cannot be told, everything stays.
 */
export async function removeCopies(
  state: StateFolder,
  runs: readonly { run: string; report: string | null }[],
) {
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
export async function canKeepReports(state: StateFolder, onNote: Note) {
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
