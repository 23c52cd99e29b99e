/** The disk of this machine. */
import { type Dirent, type Stats, accessSync, constants, statSync } from 'node:fs';
import { link, lstat, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { usageError } from '../../core/errors.ts';
import type { Disk, FileStatus } from '../../core/ports/runner.ts';

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

/** The variables that a program was started with. */
export type Environment = Readonly<Record<string, string | undefined>>;

// Where this user's own state lies: outside of every project, so that nothing a repository brings decides.

/**
 * Absolute path of the folder, which need not exist. `JURY_STATE` decides; without it what is usual on this system: `XDG_STATE_HOME`
 * or `~/.local/state`, `~/Library/Application Support`, `%LOCALAPPDATA%`, each with a folder `jury`. Throws `UserError` (kind `usage`)
 * for a `JURY_STATE` that is relative.
 */
export function userStateFolder(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
) {
  const { JURY_STATE: own, XDG_STATE_HOME: usual, LOCALAPPDATA: local } = environment;
  if (own !== undefined && own !== '') {
    if (path.isAbsolute(own)) return path.normalize(own);
    throw usageError(
      `JURY_STATE names no absolute path: ${own}.`,
      'Give the whole path of a folder outside of every repository.',
    );
  }
  const home = (environment.HOME ?? '') || homedir();
  // By its own convention, a relative XDG_STATE_HOME is no answer.
  if (usual !== undefined && path.isAbsolute(usual)) return path.join(usual, 'jury');
  if (platform === 'win32') return path.join(local ?? path.join(home, 'AppData', 'Local'), 'jury');
  return platform === 'darwin'
    ? path.join(home, 'Library', 'Application Support', 'jury')
    : path.join(home, '.local', 'state', 'jury');
}

/**
 * Whoever writes the project would write what decides about it. Throws `UserError` (kind `usage`) for a folder in `project`,
 * links resolved.
 */
export async function refuseInside(folder: string, project: string) {
  if (!isInside(await realOf(project), await realOf(folder))) return;
  throw usageError(
    `The state folder ${folder} lies inside the repository under review.`,
    'Name a folder outside of it with JURY_STATE.',
  );
}

/**
 * Why something of the state is not this user's alone, to stand behind its name; null where it is, and where the system knows no owners.
 * `user`: who Jury runs as; `others`: what nobody else may be allowed.
 */
export function whyShared(
  { owner, mode }: Pick<FileStatus, 'owner' | 'mode'>,
  user: number | null,
  others = 0o077,
): { readonly kind: 'foreign' | 'open'; readonly what: string } | null {
  if (owner === null || user === null) return null;
  if (owner !== user) return { kind: 'foreign', what: 'belongs to another user' };
  return (mode & others) === 0
    ? null
    : {
        kind: 'open',
        what: `can be read or written by others (mode ${(mode & 0o777).toString(8)})`,
      };
}

// Paths as they are once the links on the way are resolved, and which of them lie in others.

/** The same folder is inside as well. */
export function isInside(folder: string, file: string) {
  const way = path.relative(folder, file);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

/** With the links on the way to it resolved, also where its end is not there yet. */
export async function realOf(file: string): Promise<string> {
  const real = await realpath(file).catch(() => null);
  const above = path.dirname(file);
  if (real !== null || above === file) return real ?? file;
  return path.join(await realOf(above), path.basename(file));
}
