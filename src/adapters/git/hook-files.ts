/**
 * The hooks of a repository as files: where git looks for them with the configuration of whoever asks, what lies there, and how one is
 * written.
 */
import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { messageOf, usageError } from '../../core/errors.ts';
import { isInside, realOf } from '../system/disk.ts';
import { readPlainText } from '../system/given-file.ts';
import { findGitFolder, type GitFolder } from './git-folder.ts';
import { findGit, firstLine, type GitPerson, runGit } from './git-process.ts';
import { showName } from './object-reader.ts';

export interface HooksFolder {
  /** Absolute. It need not be there. */
  readonly folder: string;
  /**
   * `own`: in the git directory of this repository. `project`: among the files of its working tree, which others get too. `elsewhere`:
   * of more repositories than this one.
   */
  readonly place: 'own' | 'project' | 'elsewhere';
}

export interface HookFile {
  readonly path: string;
  readonly isThere: boolean;
  /** Null for what is no readable file. */
  readonly text: string | null;
  readonly isExecutable: boolean;
}

/** Asks git, so that `core.hooksPath` counts wherever it is set. Throws `UserError` outside of a repository. */
export async function findHooksFolder(
  { cwd, environment }: GitPerson,
  temporaryFolder: string,
): Promise<HooksFolder> {
  const git = await findGitFolder(cwd);
  if (!git)
    throw usageError(
      `${showName(cwd)} is not inside a git repository.`,
      'Go into one, or begin one here: git init',
    );
  const at = git.root ?? git.own;
  const path = await findGit(temporaryFolder);
  const program = { path, folder: temporaryFolder, timeoutMs: 20_000 };
  const { code, stdout, stderr } = await runGit(program, ['rev-parse', '--git-path', 'hooks'], {
    as: { cwd: at, environment },
  });
  const said = stdout.toString('utf8').replace(/\r?\n$/, '');
  if (code !== 0 || said === '')
    throw usageError(
      `git does not say where its hooks are: ${showName(firstLine(stderr))}.`,
      'Run "git rev-parse --git-path hooks" there to see what is wrong.',
    );
  const folder = resolve(at, said);
  return { folder, place: await placeOf(folder, git) };
}

async function placeOf(folder: string, git: GitFolder) {
  const real = await realOf(folder);
  for (const own of [git.own, git.common]) if (isInside(await realOf(own), real)) return 'own';
  return git.root !== null && isInside(await realOf(git.root), real) ? 'project' : 'elsewhere';
}

const mostBytes = 1_048_576;

export async function readHook({ folder }: HooksFolder, name: string): Promise<HookFile> {
  const path = join(folder, name);
  const found = await lstat(path).catch(() => null);
  if (!found) return { path, isThere: false, text: null, isExecutable: false };
  return {
    path,
    isThere: true,
    // Of what is no plain file it reads nothing.
    text: await readPlainText(path, mostBytes),
    isExecutable: (found.mode & 0o100) !== 0,
  };
}

/** At once: git starts the old one or the new one. `replaces` false: throws `UserError` when there is one by now. */
export async function writeHook(
  { path }: HookFile,
  text: string,
  { replaces }: { readonly replaces: boolean },
) {
  const temporary = `${path}.jury-${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(replaces ? temporary : path, text, { flag: 'wx', mode: 0o755 });
    // What is masked off at creation is needed: git passes over a hook that cannot be run.
    await chmod(replaces ? temporary : path, 0o755);
    if (replaces) await rename(temporary, path);
  } catch (error) {
    if (replaces) await rm(temporary, { force: true });
    throw unwritable(path, error);
  }
}

export async function removeHook({ path }: HookFile) {
  await rm(path, { force: true }).catch((error: unknown) => {
    throw unwritable(path, error);
  });
}

function unwritable(path: string, error: unknown) {
  return usageError(
    `The hook ${showName(path)} cannot be written: ${messageOf(error)}.`,
    'See who may write in its folder.',
    error,
  );
}
