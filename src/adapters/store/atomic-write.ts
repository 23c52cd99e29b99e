/**
 * Writes a file so that a reader, a crash or a power loss sees the old bytes or the new ones, never a mixture: temporary
 * name, all bytes, fsync, rename, fsync of the folder.
 */
import { basename, dirname, join } from 'node:path';

import { inputError, UserError } from '../../core/errors.ts';
import { remember } from '../../core/groups.ts';
import type { Disk, OpenFile } from '../../core/ports/runner.ts';
import { isMissing, whyShared } from '../system/disk.ts';
import type { Storage } from './storage.ts';

const temporaryPattern = /^\.tmp-(\d+)-[0-9a-f]{12}$/;

/** Replaces `path`. The folder must exist. On any error the old file stays and no temporary file is left. */
export async function writeAtomically(
  storage: Storage,
  path: string,
  text: string | Uint8Array,
  mode = 0o600,
) {
  await withTemporary(storage, path, { text, mode }, temporary =>
    storage.disk.rename(temporary, path),
  );
}

/** Creates `path` with all its bytes or not at all. False when something of that name exists already. */
export async function createAtomically(storage: Storage, path: string, text: string) {
  return withTemporary(storage, path, { text }, async temporary => {
    const isNew = await linkAnew(storage.disk, temporary, path);
    await storage.disk.remove(temporary);
    return isNew;
  });
}

/** Moves a file without overwriting: `rename` would replace the target silently. False when the target exists. */
export async function renameAnew(disk: Disk, from: string, to: string) {
  if (!(await linkAnew(disk, from, to))) return false;
  await disk.remove(from);
  await disk.syncFolder(dirname(to));
  return true;
}

/**
 * Creates the folders between `base` and `base/path`, private to the user, and `base` where it is missing. True when the last one is
 * new. Throws `UserError` where a link or a file is in the way: a repository under review may hold a link of this name.
 */
export async function makeFolders(disk: Disk, base: string, path: readonly string[]) {
  await syncFound(disk, base);
  let isNew = false;
  let folder = base;
  for (const name of path) {
    folder = join(folder, name);
    isNew = await makeFolder(disk, folder);
    if (!isNew) await syncFound(disk, folder);
  }
  return isNew;
}

/** Folders whose names this process knows to be durable. */
const knownOn = remember(() => new Set<string>(), new WeakMap<Disk, Set<string>>());

/** Whoever made a folder may have been killed before its name was durable: what is put into it now would be lost with it. */
async function syncFound(disk: Disk, folder: string) {
  if (knownOn(disk).has(folder)) return;
  try {
    await disk.syncFolder(dirname(folder));
    knownOn(disk).add(folder);
  } catch (error) {
    // One that cannot be looked into is not of our making; one that is missing is made next.
    if (!isClosed(error) && !isMissing(error)) throw error;
  }
}

/**
 * Makes the names in a folder durable before what they hold is told to anybody: whoever wrote them may have been killed just before it
 * did so, or the disk may have refused. Does nothing where nothing can be written. Throws `UserError`.
 */
export async function confirmNames(disk: Disk, folder: string) {
  try {
    await disk.syncFolder(folder);
  } catch (error) {
    if (!isClosed(error)) throw explainDiskFailure(error, { path: folder, again: 'try again' });
  }
}

/** Is it what a disk answers with where nothing may be written? */
export function isClosed(error: unknown) {
  return ['EACCES', 'EPERM', 'EINVAL', 'EROFS'].includes(codeOf(error) ?? '');
}

/**
 * Removes what processes that are gone left half-written. One of another machine or container may look gone: call it under the
 * run lock.
 */
export async function removeTemporaries(storage: Storage, folder: string) {
  for (const { name, kind } of await storage.disk.list(folder)) {
    const path = join(folder, name);
    if (kind === 'folder') await removeTemporaries(storage, path);
    if (kind === 'file' && isLeft(name, storage)) await storage.disk.remove(path);
  }
}

export function isTemporary(name: string) {
  return temporaryPattern.test(name);
}

/** The text of a plain file of at most so many bytes; null where there is none. Links are not followed. */
export async function readPlainText(disk: Disk, path: string, mostBytes: number) {
  const bytes = await readPlainBytes(disk, path, mostBytes);
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

export async function readPlainBytes(disk: Disk, path: string, mostBytes: number) {
  const opened = await disk.open(path, 'read').catch(pardon(isNoPlainFile, null));
  return (
    opened &&
    withFile(opened, async file => {
      const { kind, size } = await file.status();
      return kind === 'file' && size <= mostBytes ? file.read() : null;
    })
  );
}

/**
 * What a plain file holds that anybody may have made, or why it is not read: ends a sentence that begins with its name. `user`: whose
 * it must be; null: anybody's.
 */
export async function readOrWhy(
  disk: Disk,
  path: string,
  mostBytes: number,
  user: number | null = null,
) {
  try {
    // Looked at before it is opened: opening a device may already do something.
    const named = await disk.status(path);
    if (named?.kind !== 'file') return named ? 'is no plain file' : 'is missing';
    return await withFile(await disk.open(path, 'read'), async file => {
      const found = await file.status();
      if (found.kind !== 'file') return 'is no plain file';
      if (whyShared(found, user)?.kind === 'foreign') return 'belongs to another user';
      return found.size > mostBytes ? `is larger than ${mostBytes >> 20} MiB` : await file.read();
    });
  } catch (error) {
    if (isNoPlainFile(error)) return 'is no plain file';
    if (error instanceof UserError || codeOf(error) === undefined) throw error;
    return `cannot be read (${codeOf(error)})`;
  }
}

export async function withFile<Result>(file: OpenFile, work: (file: OpenFile) => Promise<Result>) {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

function isLeft(name: string, { processes }: Storage) {
  const pid = temporaryPattern.exec(name)?.[1];
  return pid !== undefined && !processes.isAlive(Number(pid));
}

async function withTemporary<Result>(
  storage: Storage,
  path: string,
  { text, mode = 0o600 }: { text: string | Uint8Array; mode?: number },
  place: (temporary: string) => Promise<Result>,
) {
  const { temporary, file } = await openTemporary(storage, dirname(path), mode);
  try {
    await withFile(file, () => writeAll(file, text));
    const result = await place(temporary);
    await storage.disk.syncFolder(dirname(path));
    return result;
  } catch (error) {
    await storage.disk.remove(temporary);
    throw error;
  }
}

let temporaries = 0;

/** A process of the same id, in another container or before a restart, may have left a file of the name. */
async function openTemporary({ disk, processes }: Storage, folder: string, mode: number) {
  for (;;) {
    temporaries += 1;
    const number = temporaries.toString(16).padStart(12, '0');
    const temporary = join(folder, `.tmp-${processes.pid}-${number}`);
    try {
      return { temporary, file: await disk.open(temporary, 'create', mode) };
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

async function writeAll(file: OpenFile, text: string | Uint8Array) {
  await file.write(typeof text === 'string' ? Buffer.from(text) : text);
  await file.sync();
}

async function linkAnew(disk: Disk, from: string, to: string) {
  return disk.link(from, to).then(() => true, pardon(isTaken, false));
}

async function makeFolder(disk: Disk, folder: string, hasParent = false) {
  try {
    await disk.makeFolder(folder);
    await disk.syncFolder(dirname(folder));
    knownOn(disk).add(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      // A file system of the kernel's own says so, whatever is above.
      if (hasParent || dirname(folder) === folder)
        throw new UserError(`No folder can be made at ${folder}.`, {
          kind: 'machine',
          cause: error,
        });
      await makeFolder(disk, dirname(folder));
      return makeFolder(disk, folder, true);
    }
    if (codeOf(error) === 'ENOTDIR') throw inTheWay(dirname(folder));
    if (!isTaken(error)) throw error;
  }
  if ((await disk.status(folder))?.kind === 'folder') return false;
  throw inTheWay(folder);
}

function inTheWay(path: string) {
  return inputError(
    `${path} is a link or a file where Jury keeps a folder.`,
    'Remove it, then try again.',
  );
}

/**
 * All of the text or nothing of it, durable on return. `expected`: the size the file must have; any other means that somebody else
 * writes to it, and nothing is written: false.
 */
export async function appendDurably(
  disk: Disk,
  path: string,
  text: string,
  expected: number | null = null,
) {
  return withFile(await disk.open(path, 'append'), async file => {
    const { size } = await file.status();
    if (expected !== null && size !== expected) return false;
    try {
      await writeAll(file, text);
    } catch (error) {
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
    if (size === 0) await disk.syncFolder(dirname(path));
    return true;
  });
}

/**
 * The whole lines of a file, which is made where there is none, durable on return: whoever wrote them may have been killed before it
 * could confirm them, and what is read is gone on with. `aside`: the copy of a torn last line that was cut.
 */
export async function readMended(storage: Storage, path: string) {
  return withFile(await storage.disk.open(path, 'append'), async file => {
    const bytes = await file.read();
    const end = bytes.lastIndexOf(0x0a) + 1;
    const isWhole = end === bytes.length;
    const aside = isWhole ? null : await quarantine(storage, path, bytes.subarray(end));
    if (!isWhole) await file.truncate(end);
    if (bytes.length > 0) {
      await file.sync();
      await storage.disk.syncFolder(dirname(path));
    }
    return { bytes: bytes.subarray(0, end), aside };
  });
}

/** Keeps what was damaged in `quarantine/` beside the file. Returns the path of the copy. */
export async function quarantine(storage: Storage, path: string, bytes: Uint8Array) {
  const folder = join(dirname(path), 'quarantine');
  await makeFolders(storage.disk, dirname(path), ['quarantine']);
  const earlier = await storage.disk.list(folder);
  const copy = join(folder, `${earlier.length + 1}-${basename(path)}`);
  await writeAtomically(storage, copy, bytes);
  return copy;
}

// Says in one sentence what the disk refused, where, and how a person can mend it. Anything else stays the fault it is.

const refusals: Record<string, { what: string; mend: string }> = {
  ENOSPC: { what: 'no space left on device', mend: 'Free some space' },
  EDQUOT: { what: 'the disk quota is used up', mend: 'Free some space or raise the quota' },
  EIO: { what: 'the device reports an input/output error', mend: 'Check the device' },
  EROFS: { what: 'the file system is read-only', mend: 'Make it writable' },
  EMFILE: { what: 'too many open files', mend: 'Raise the limit of open files (ulimit -n)' },
  ENFILE: { what: 'too many open files in the system', mend: 'Close other programs' },
  EFBIG: {
    what: 'the file would be larger than the limit',
    mend: 'Raise the limit of the file size',
  },
  EACCES: { what: 'permission denied', mend: 'Make it writable' },
  EPERM: { what: 'operation not permitted', mend: 'Make it writable' },
};

/**
 * A `UserError` of kind `machine` for a refusal of the disk, the error itself for everything else. A failed fsync with an
 * input/output error is a fault too: the kernel may have dropped the pages, so nothing written before can be vouched for.
 * `what`: the thing, at the beginning of the sentence.
 */
export function explainDiskFailure(
  error: unknown,
  {
    path,
    again = 'try again',
    what = 'The run folder',
  }: { readonly path: string; readonly again?: string; readonly what?: string },
) {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const refusal = refusals[code ?? ''];
  if (!refusal) return error;
  if (code === 'EIO' && (syscall === 'fsync' || syscall === 'fdatasync')) {
    return new Error(
      `The disk could not confirm a write (${path}); what was written last may be lost.`,
      { cause: error },
    );
  }
  return new UserError(`${what} cannot be written: ${refusal.what} (${path}).`, {
    kind: 'machine',
    hint: `${refusal.mend}, then ${again}.`,
    cause: error,
  });
}

/** What the work gives. Throws what the disk refuses as of `explainDiskFailure`. */
export async function explained<Result>(
  place: Parameters<typeof explainDiskFailure>[1],
  work: () => Promise<Result>,
) {
  try {
    return await work();
  } catch (error) {
    throw explainDiskFailure(error, place);
  }
}

export function codeOf(error: unknown) {
  return (error as NodeJS.ErrnoException).code;
}

/** What comes in place of an error that is meant. */
export function pardon<Value>(isMeant: (error: unknown) => boolean, value: Value) {
  return (error: unknown) => {
    if (isMeant(error)) return value;
    throw error;
  };
}

export function isTaken(error: unknown) {
  return codeOf(error) === 'EEXIST';
}

/** Errors of opening a name that is no plain file, or not there. */
function isNoPlainFile(error: unknown) {
  return 'ENOENT ENOTDIR ELOOP EISDIR ENXIO'.split(' ').includes(codeOf(error) ?? '');
}
