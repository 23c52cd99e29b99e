/** The disk of this machine. */
import { accessSync, constants, type Dirent, type Stats, statSync } from 'node:fs';
import { link, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import type { Disk, FileStatus } from '../../core/ports/machine.ts';

// Renames as often as Windows refuses for the moment.

/** Together a second and a half. */
const pausesMs = [10, 20, 50, 100, 200, 400, 700];

/**
 * Windows refuses to replace a file that anybody has open, a virus scanner or an indexer too, which soon has it no more. Elsewhere the
 * same codes mean that it cannot be done, and no second try is made.
 */
export async function renamePatiently(
  from: string,
  to: string,
  {
    move = rename,
    platform = process.platform,
  }: {
    readonly move?: (from: string, to: string) => Promise<void>;
    readonly platform?: NodeJS.Platform;
  } = {},
) {
  for (const pauseMs of platform === 'win32' ? pausesMs : []) {
    try {
      return await move(from, to);
    } catch (error) {
      if (!passing.has(String((error as NodeJS.ErrnoException).code))) throw error;
      await new Promise(resolve => setTimeout(resolve, pauseMs));
    }
  }
  return move(from, to);
}

const passing: ReadonlySet<string> = new Set(['EACCES', 'EBUSY', 'EPERM']);

const flags = {
  read: constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
  append: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT,
  create: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
} as const;

export const systemDisk: Disk = {
  async open(path, access, mode = 0o600) {
    const handle = await open(path, flags[access], mode);
    return {
      status: async () => statusOf(await handle.stat()),
      read: () => readAll(handle),
      write: bytes => handle.writeFile(bytes),
      truncate: bytes => handle.truncate(bytes),
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  },
  status: async path => {
    try {
      return statusOf(await lstat(path));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  },
  list: async folder =>
    (await readdir(folder, { withFileTypes: true })).map(entry => ({
      name: entry.name,
      kind: kindOf(entry),
    })),
  makeFolder: path => mkdir(path, { mode: 0o700 }),
  rename: (from, to) => renamePatiently(from, to),
  link,
  remove: path => rm(path, { recursive: true, force: true }),
  async syncFolder(folder) {
    // Windows cannot do this; there a rename is as durable as the system makes it.
    if (process.platform === 'win32') return;
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  localPath: path => path,
};

/** From the beginning, wherever an earlier read has left the file. */
async function readAll(handle: Awaited<ReturnType<typeof open>>): Promise<Uint8Array> {
  const { size } = await handle.stat();
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await handle.read(bytes, 0, size, 0);
  return bytes.subarray(0, bytesRead);
}

function statusOf(stats: Stats): FileStatus {
  return {
    kind: kindOf(stats),
    id: stats.ino,
    size: stats.size,
    mode: stats.mode & 0o7777,
    owner: process.getuid ? stats.uid : null,
    modifiedMs: stats.mtimeMs,
    bornMs: stats.birthtimeMs,
  };
}

export function kindOf(entry: Dirent | Stats) {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** A file that may be started; links are followed. */
export function isExecutable(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** What is not there. */
export function isMissing(error: unknown) {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
