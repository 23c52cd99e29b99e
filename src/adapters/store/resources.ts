/** Reads what a `resources://` name stands for: text files of a run, and the knowledge base of a project. */
import { constants, type Dirent } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  parseResourceUri,
  runResourceUri,
  type Resource,
} from '../../core/run-files/resource-uri.ts';
import { codeOf, isTemporary } from './atomic-write.ts';
import { runsFolder } from './run-folder.ts';

/** More than this is not served: nobody reads it, and it would fill a caller's context. */
const sizeLimit = 4 * 1024 * 1024;

/** The project's own knowledge first, then what the repository ships. */
const knowledgeFolders = [
  ['.jury', 'kb'],
  ['resources', 'kb'],
] as const;

/** Null when the name is not legal, the file is not there, is no plain text file, lies behind a link or is over 4 MiB. */
export async function readResource(root: string, uri: string): Promise<string | null> {
  const resource = parseResourceUri(uri);
  if (resource === null) return null;
  for (const names of placesOf(resource)) {
    const text = await readPlainText(root, names);
    if (text !== null) return text;
  }
  return null;
}

/** Names of everything that can be read of one run, in order. */
export async function listRunResources(root: string, run: string): Promise<readonly string[]> {
  const folder = join(runsFolder(root), run);
  const entries = await entriesOf(folder);
  return entries
    .filter(entry => entry.isFile() && isServed(entry.name) && !isTemporary(entry.name))
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split('\\')
        .join('/'),
    )
    .filter(path => parseResourceUri(runResourceUri(run, path)) !== null)
    .toSorted()
    .map(path => runResourceUri(run, path));
}

function placesOf(resource: Resource): readonly (readonly string[])[] {
  if (resource.kind === 'run')
    return [['.jury', 'runs', resource.run, ...resource.path.split('/')]];
  return knowledgeFolders.map(folder => [...folder, resource.file]);
}

/** The journal of finished steps is a database, and its answers are long. */
function isServed(name: string): boolean {
  return !/\.sqlite(?:-wal|-shm)?$/.test(name) && !name.endsWith('.lock');
}

async function readPlainText(root: string, names: readonly string[]): Promise<string | null> {
  if (!isServed(names.at(-1) ?? '')) return null;
  try {
    // No part of the way may be a link: the name promises that the file lies in this folder.
    for (let count = 1; count < names.length; count += 1) {
      if (!(await lstat(join(root, ...names.slice(0, count)))).isDirectory()) return null;
    }
    const handle = await open(
      join(root, ...names),
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    try {
      const { size, isFile } = await handle
        .stat()
        .then(stats => ({ size: stats.size, isFile: stats.isFile() }));
      return isFile && size <= sizeLimit ? textOf(await handle.readFile()) : null;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO'].includes(codeOf(error) ?? ''))
      return null;
    throw error;
  }
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readEntries(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

function readEntries(folder: string): Promise<Dirent[]> {
  return readdir(folder, { recursive: true, withFileTypes: true });
}
