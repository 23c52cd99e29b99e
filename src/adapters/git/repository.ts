/** The `Repository` port over git: opens what lies at a folder and reads changes from it without running anything of it. */
import { mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Repository, Tree } from '../../core/ports.ts';
import { findGitFolder } from './git-folder.ts';
import { readChange } from './read-change.ts';
import { readEntryAt, readFileAt, readSide, type TreeEntry } from './read-text.ts';
import { listLastCommits, type PastCommit, type TouchedLines } from './last-commits.ts';
import { listFiles, readBranch } from './list-files.ts';
import { mergeBase, resolveCommit, verify } from './revision.ts';
import { createSession } from './session.ts';

export interface OpenOptions {
  /** Absolute path of git; default: looked up in a fixed list of folders. */
  readonly gitPath?: string;
  /** Parent of the engine's own git directory; default: the system's. Must lie outside the repository. */
  readonly temporaryFolder?: string;
  /** Longer files are `too-large`; default: 2 MiB. */
  readonly maxFileBytes?: number;
  /** Milliseconds for one git command; default: two minutes. A planted pipe would block it for ever. */
  readonly timeoutMs?: number;
}

export interface GitRepository extends Repository {
  /** Full id of the commit a revision names. Throws `UserError` as `change` does. */
  resolve(revision: string): Promise<string>;
  /** The latest commit that two commits, by full id, have in common. Throws `UserError` where there is none. */
  mergeBase(one: string, other: string): Promise<string>;
  /** What a path names at a revision; null when nothing. Links are not followed. */
  entryAt(revision: string, path: string): Promise<TreeEntry | null>;
  /** A new folder, private and outside of every repository, that is gone when this is closed. */
  makeFolder(): Promise<string>;
  /** True when two revisions hold the same files. */
  sameTree(one: string, other: string): Promise<boolean>;
  /** All files of a commit; of the working tree, with what is neither tracked nor ignored, when `revision` is null. */
  tree(revision: string | null): Promise<Tree>;
  /** The last commits before `revision` that touched any of these lines, latest first; none for a tree that is no commit. */
  lastCommits(
    revision: string | null,
    ranges: readonly TouchedLines[],
    most: number,
  ): Promise<readonly PastCommit[]>;
  /** A content of such a tree; null when it is missing, no file or longer than `maxBytes`. */
  content(id: string, maxBytes: number): Promise<Buffer | null>;
}

const defaults = { maxFileBytes: 2 * 1024 * 1024, timeoutMs: 120_000 };

/** Never fails over what lies at `cwd`: outside git, patches and files can still be read, and the rest is refused when asked for. */
export async function openRepository(
  cwd: string,
  options: OpenOptions = {},
): Promise<GitRepository> {
  const here = resolve(cwd);
  const folder = await findGitFolder(here);
  const session = createSession(here, folder, { ...defaults, ...options });
  return {
    root: folder?.root ?? null,
    change: request => readChange(session, request),
    read: (file, side) => readSide(session, file, side),
    readAt: (revision, path) => readFileAt(session, revision, path),
    entryAt: (revision, path) => readEntryAt(session, revision, path),
    makeFolder: async () => mkdtemp(join((await session.open()).shadow.program.folder, 'files-')),
    async resolve(revision) {
      return resolveCommit((await session.open()).shadow, revision);
    },
    mergeBase: async (one, other) => mergeBase((await session.open()).shadow, one, other),
    async sameTree(one, other) {
      const { shadow } = await session.open();
      const [left, right] = await Promise.all(
        [one, other].map(async revision =>
          verify(shadow, `${await resolveCommit(shadow, revision)}^{tree}`),
        ),
      );
      return left !== null && left === right;
    },
    branch: async () => (folder === null ? 'unknown' : readBranch((await session.open()).shadow)),
    tree: async revision => listFiles(await session.open(), revision),
    lastCommits: async (revision, ranges, most) =>
      listLastCommits(await session.open(), revision, ranges, most),
    async content(id, maxBytes) {
      const object = await (await session.open()).objects.read(id, maxBytes);
      return object?.type === 'blob' ? object.bytes : null;
    },
    close: () => session.close(),
  };
}
