/**
 * Writes a file so that a reader, a crash or a power loss sees the old bytes or the new ones, never a mixture: temporary
 * name, all bytes, fsync, rename, fsync of the folder.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../core/errors.ts';

const temporaryPattern = /^\.tmp-(\d+)-[0-9a-f]{12}$/;

/** Replaces `path`. The folder must exist. On any error the old file stays and no temporary file is left. */
export async function writeAtomically(
  path: string,
  text: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
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

async function withTemporary<Result>(
  path: string,
  content: Content,
  place: (temporary: string) => Promise<Result>,
): Promise<Result> {
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
  throw new UserError(`${folder} is a link or a file where Jury keeps a folder.`, {
    kind: 'input',
    hint: 'Remove it, then try again.',
  });
}

// Appends lines to a file one after another, each durable before the promise resolves, and mends a tail torn by a crash.

/**
 * One appender for a file and process; lines land in the order of the calls. `prepare` yields the path and is asked before
 * the first line. A torn last line, left by a crash, is then copied to `quarantine/` beside the file and cut; a line that
 * cannot be written whole is cut again.
 */
export function createAppender(prepare: () => Promise<string>): (line: string) => Promise<void> {
  let path: string | null = null;
  let last = Promise.resolve();
  const append = async (line: string): Promise<void> => {
    if (path === null) {
      const prepared = await prepare();
      await mendTail(prepared);
      path = prepared;
    }
    await appendLine(path, line);
  };
  return line => {
    if (line.includes('\n')) throw new Error('A line to append must not hold a line break.');
    const next = last.then(() => append(line));
    // The queue goes on after a failure; who appended that line has been told.
    last = next.catch(() => undefined);
    return next;
  };
}

async function appendLine(path: string, line: string): Promise<void> {
  const handle = await open(path, 'a', 0o600);
  try {
    const { size } = await handle.stat();
    try {
      await handle.writeFile(`${line}\n`);
      await handle.datasync();
    } catch (error) {
      await handle.truncate(size).catch(() => undefined);
      throw error;
    }
    if (size === 0) await syncFolder(dirname(path));
  } finally {
    await handle.close();
  }
}

async function mendTail(path: string): Promise<void> {
  const handle = await open(path, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    if (size === 0 || (await byteAt(handle, size - 1)) === 0x0a) return;
    const bytes = await handle.readFile();
    const end = bytes.lastIndexOf(0x0a) + 1;
    await makeFolders(dirname(path), ['quarantine']);
    await writeAtomically(
      join(dirname(path), 'quarantine', `${basename(path)}-${end}`),
      bytes.subarray(end),
    );
    await handle.truncate(end);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function byteAt(handle: FileHandle, position: number): Promise<number | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, position);
  return bytesRead === 1 ? buffer[0] : undefined;
}

// Says in one sentence what the disk refused, where, and how a person can mend it. Anything else stays the fault it is.

interface Refusal {
  readonly what: string;
  readonly mend: string;
}

const refusals: Readonly<Record<string, Refusal>> = {
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
 * A `UserError` of kind `input` for a refusal of the disk, the error itself for everything else. A failed fsync with an
 * input/output error is a fault too: the kernel may have dropped the pages, so nothing written before can be vouched for.
 */
export function explainDiskFailure(
  error: unknown,
  place: { readonly path: string; readonly again: string },
): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  const refusal = refusals[code ?? ''];
  if (refusal === undefined) return error;
  if (code === 'EIO' && (syscall === 'fsync' || syscall === 'fdatasync')) {
    return new Error(
      `The disk could not confirm a write (${place.path}); what was written last may be lost.`,
      { cause: error },
    );
  }
  return new UserError(`The run folder cannot be written: ${refusal.what} (${place.path}).`, {
    kind: 'input',
    hint: `${refusal.mend}, then ${place.again}.`,
    cause: error,
  });
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

// Does a process exist? Only asked of pids of our own machine and namespace.

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}
