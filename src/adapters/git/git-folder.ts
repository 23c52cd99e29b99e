/** Finds the git directory that belongs to a folder by reading plain files; git itself is not asked and nothing is followed upwards but folders. */
import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readPlainText } from './plain-file.ts';

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
  return target === null || target === undefined ? null : openGitFolder(resolve(root, target.trimEnd()), root);
}

async function openGitFolder(own: string, root: string | null): Promise<GitFolder | null> {
  if ((await readPlainText(join(own, 'HEAD'), 65_536)) === null) return null;
  const pointer = await readPlainText(join(own, 'commondir'), 65_536);
  const common = pointer === null ? own : resolve(own, pointer.trimEnd());
  const objects = await stat(join(common, 'objects')).catch(() => null);
  const refs = await stat(join(common, 'refs')).catch(() => null);
  return objects?.isDirectory() === true && refs?.isDirectory() === true ? { root, own, common } : null;
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(entry => entry.isFile(), () => false);
}
