/** Reads what a `resources://` name stands for: text files of a run, and the knowledge base of a project. */
import { join } from 'node:path';
import { parseResourceUri, runResourceUri } from '../../core/run-files/resource-uri.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { isTemporary, readPlainBytes } from './atomic-write.ts';
import { entriesIn } from './file-names.ts';
import { journalName } from './journal.ts';
import { runsFolder } from './run-folder.ts';
import type { StateFolder } from './storage.ts';

/** More than this is not served: nobody reads it, and it would fill a caller's context. */
const sizeLimit = 4 * 1024 * 1024;

/** The pages a project ships in `resources/kb/`, as a state of it has them that nobody under review has written. */
export interface Knowledge {
  names(): Promise<readonly string[]>;
  /** Null when there is no such page. */
  read(file: string): Promise<Uint8Array | null>;
}

const noKnowledge: Knowledge = {
  names: () => Promise.resolve([]),
  read: () => Promise.resolve(null),
};

/**
 * Null when the name is not legal, the file is not there, is no plain text file, lies behind a link or is over 4 MiB. Pages of the
 * knowledge base are those that the project ships, then those in the state of the project.
 */
export async function readResource(
  state: StateFolder,
  uri: string,
  knowledge: Knowledge = noKnowledge,
) {
  const resource = parseResourceUri(uri);
  if (!resource) return null;
  if (resource.kind === 'run')
    return readText(state, ['runs', resource.run, ...resource.path.split('/')]);
  const shipped = await knowledge.read(resource.file);
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
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
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
