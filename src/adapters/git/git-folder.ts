/** Finds the git directory that belongs to a folder by reading plain files; git itself is not asked and nothing is followed upwards but folders. */
import { constants } from 'node:fs';
import { lstat, open, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { readSection } from './git-process.ts';

export interface GitFolder {
  /** Top of the working tree; null for a bare repository. */
  readonly root: string | null;
  /** Holds HEAD and the index: the own folder of a linked worktree, else the same as `common`. */
  readonly own: string;
  /** Holds objects, refs and configuration. */
  readonly common: string;
}

/**
 * Null outside git. A bare repository is taken only when `start` is its own top: one that lies among the tracked files
 * of another repository must not take its place.
 */
export async function findGitFolder(start: string): Promise<GitFolder | null> {
  const top = await realpath(start).catch(() => null);
  if (top === null) return null;
  for (let folder = top; ; folder = dirname(folder)) {
    const found = await gitFolderAt(folder);
    // Behind a damaged pointer git would stop too, rather than take the repository above.
    if (found !== null || (await isFile(join(folder, '.git')))) return found;
    if (folder === top) {
      const bare = await openGitFolder(folder, null);
      if (bare !== null) return bare;
    }
    if (dirname(folder) === folder) return null;
  }
}

/** The one whose working tree starts at exactly this folder. */
export async function gitFolderAt(folder: string): Promise<GitFolder | null> {
  const entry = await stat(join(folder, '.git')).catch(() => null);
  if (entry?.isFile() === true) return openGitFile(folder);
  return entry?.isDirectory() === true ? openGitFolder(join(folder, '.git'), folder) : null;
}

/** `.git` as a file, as linked worktrees and submodules have it. */
async function openGitFile(root: string): Promise<GitFolder | null> {
  const text = await readPlainText(join(root, '.git'), 65_536);
  const target = text === null ? null : /^gitdir: ([^\n]+)\n*$/.exec(text)?.[1];
  return target === null || target === undefined
    ? null
    : openGitFolder(resolve(root, target.trimEnd()), root);
}

async function openGitFolder(own: string, root: string | null): Promise<GitFolder | null> {
  if ((await readPlainText(join(own, 'HEAD'), 65_536)) === null) return null;
  const pointer = await readPlainText(join(own, 'commondir'), 65_536);
  const common = pointer === null ? own : resolve(own, pointer.trimEnd());
  const objects = await stat(join(common, 'objects')).catch(() => null);
  const refs = await stat(join(common, 'refs')).catch(() => null);
  return objects?.isDirectory() === true && refs?.isDirectory() === true
    ? { root, own, common }
    : null;
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    entry => entry.isFile(),
    () => false,
  );
}

// What a repository's own files say about how it is stored; the kinds that cannot be read safely are refused by name.

export interface RepositoryFormat {
  readonly algorithm: 'sha1' | 'sha256';
  /** Object id of nothing, as git prints it. */
  readonly zero: string;
  readonly emptyTree: string;
  /** History is cut off: some parents are not here. */
  readonly shallow: boolean;
  /** Objects may be left with the server (partial clone). */
  readonly partial: boolean;
}

const formats = {
  sha1: {
    algorithm: 'sha1',
    zero: '0'.repeat(40),
    emptyTree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  },
  sha256: {
    algorithm: 'sha256',
    zero: '0'.repeat(64),
    emptyTree: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
  },
} as const;

/** Throws for reftable storage, grafts, and object folders or alternates that are not plain. */
export async function readFormat({ common }: GitFolder): Promise<RepositoryFormat> {
  const config = (await readPlainText(join(common, 'config'), 1_048_576)) ?? '';
  const extensions = readSection(config, 'extensions');
  if (
    extensions.get('refstorage')?.toLowerCase() === 'reftable' ||
    (await exists(join(common, 'reftable')))
  ) {
    throw new UserError(
      'The repository keeps its references as a reftable, which cannot be read yet.',
      { kind: 'input', hint: 'Use "git refs migrate --ref-format=files" in a copy.' },
    );
  }
  if ((await stat(join(common, 'info', 'grafts')).catch(() => null)) !== null) {
    throw new UserError(
      'The repository rewrites its history with grafts (info/grafts), which is not read.',
      {
        kind: 'input',
        hint: 'Use "git replace --convert-graft-file" and review the real commits.',
      },
    );
  }
  const alternates = await lstat(join(common, 'objects', 'info', 'alternates')).catch(() => null);
  if (alternates !== null && !alternates.isFile()) {
    throw new UserError('objects/info/alternates of the repository is no regular file.', {
      kind: 'input',
    });
  }
  const algorithm = extensions.get('objectformat')?.toLowerCase() === 'sha256' ? 'sha256' : 'sha1';
  const shallow = ((await readPlainText(join(common, 'shallow'), 67_108_864)) ?? '').trim() !== '';
  return {
    ...formats[algorithm],
    shallow,
    partial: extensions.has('partialclone') || config.includes('promisor'),
  };
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

// Reads files of a folder nobody trusts: regular files only, no links followed, never blocked by a pipe, never more than asked.

/** Null when the path is missing, no regular file (link, pipe, folder, device), unreadable or longer than `maxBytes`. */
export async function readPlainFile(path: string, maxBytes: number): Promise<Buffer | null> {
  // Without O_NONBLOCK a planted FIFO would hold the open for ever; without O_NOFOLLOW a link would lead outside.
  const handle = await open(
    path,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch(() => null);
  if (handle === null) return null;
  try {
    const status = await handle.stat();
    if (!status.isFile() || status.size > maxBytes) return null;
    const bytes = await handle.readFile();
    return bytes.length > maxBytes ? null : bytes;
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}

export async function readPlainText(path: string, maxBytes: number): Promise<string | null> {
  return (await readPlainFile(path, maxBytes))?.toString('utf8') ?? null;
}
