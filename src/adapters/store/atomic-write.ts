/**
 * Writes a file so that a reader, a crash or a power loss sees the old bytes or the new ones, never a mixture: temporary
 * name, all bytes, fsync, rename, fsync of the folder.
 */
import { randomBytes } from 'node:crypto';
import { link, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { codeOf } from './disk-failure.ts';
import { isAlive } from './process-alive.ts';

const temporaryPattern = /^\.tmp-(\d+)-[0-9a-f]{12}$/;

/** Replaces `path`. The folder must exist. On any error the old file stays and no temporary file is left. */
export async function writeAtomically(path: string, text: string | Uint8Array, mode = 0o600): Promise<void> {
  await withTemporary(path, { text, mode }, temporary => rename(temporary, path));
}

/** Creates `path` with all its bytes or not at all. False when something of that name exists already. */
export async function createAtomically(path: string, text: string): Promise<boolean> {
  return withTemporary(path, { text, mode: 0o600 }, async temporary => {
    const isNew = await linkAnew(temporary, path);
    await rm(temporary, { force: true });
    return isNew;
  });
}

/** Moves a file without overwriting: `rename` would replace the target silently. False when the target exists. */
export async function renameAnew(from: string, to: string): Promise<boolean> {
  if (!(await linkAnew(from, to))) return false;
  await rm(from);
  await syncFolder(dirname(to));
  return true;
}

/** Makes the names in a folder durable. Windows cannot do this; there the rename is as durable as the system makes it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates the folders between `base` and `base/path`, private to the user. True when the last one is new. Throws
 * `UserError` where a link or a file is in the way: a repository under review may hold a link of this name.
 */
export async function makeFolders(base: string, path: readonly string[]): Promise<boolean> {
  let isNew = false;
  let folder = base;
  for (const name of path) {
    const parent = folder;
    folder = join(parent, name);
    isNew = await makeFolder(folder);
    if (isNew) await syncFolder(parent);
  }
  return isNew;
}

/** Removes what processes that are gone left half-written. One of another machine or container may look gone: call it under the run lock. */
export async function removeTemporaries(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const left = entries.filter(entry => entry.isFile() && isLeft(entry.name));
  await Promise.all(left.map(entry => rm(join(entry.parentPath, entry.name), { force: true })));
}

export function isTemporary(name: string): boolean {
  return temporaryPattern.test(name);
}

interface Content {
  readonly text: string | Uint8Array;
  readonly mode: number;
}

function isLeft(name: string): boolean {
  const pid = temporaryPattern.exec(name)?.[1];
  return pid !== undefined && !isAlive(Number(pid));
}

async function withTemporary<Result>(path: string, content: Content, place: (temporary: string) => Promise<Result>): Promise<Result> {
  const temporary = join(dirname(path), `.tmp-${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    await writeAll(temporary, content);
    const result = await place(temporary);
    await syncFolder(dirname(path));
    return result;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeAll(path: string, { text, mode }: Content): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function linkAnew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  if ((await lstat(folder)).isDirectory()) return false;
  throw new UserError(`${folder} is a link or a file where Jury keeps a folder.`, { kind: 'input', hint: 'Remove it, then try again.' });
}
