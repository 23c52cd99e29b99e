/** Reads what a `resources://` name stands for: text files of a run, and the knowledge base of a project. */
import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { usageError } from '../../core/errors.ts';
import type { Disk } from '../../core/ports/machine.ts';
import { runIdPattern } from '../../core/run-files/run-record.ts';
import { parseResourceUri, runResourceUri } from '../../core/run-files/run-page.ts';
import {
  createAtomically,
  explained,
  isTemporary,
  makeFolders,
  readPlainBytes,
  writeAtomically,
} from './atomic-write.ts';
import { removeCopies } from './copies.ts';
import { entriesIn, namesIn, runsFolder } from './run-folder.ts';
import { journalName } from './journal.ts';
import type { StateFolder } from './storage.ts';

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
