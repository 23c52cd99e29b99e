/** Turns the index and the working tree into trees of the engine's own, so that they compare like any two commits. */
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Unsent } from '../../core/change/untracked.ts';
import { UserError } from '../../core/errors.ts';
import { gitFolderAt, readReferences } from './git-folder.ts';
import { runGit } from './git-process.ts';
import {
  addEntries,
  copyIndex,
  type IndexEntry,
  listIndex,
  newIndexPath,
  writeExcludes,
  writeIndexOf,
  writeIndexTree,
} from './index-copy.ts';
import { showName } from './revision.ts';
import type { Shadow } from './shadow.ts';
import { splitZero } from './text-diff.ts';
import { listUntracked, unreadable, utf8, type Wanted } from './untracked.ts';

interface WorkingTree {
  readonly tree: string;
  readonly unsent: readonly Unsent[];
  readonly warnings: string[];
}

/** Last commit, or the empty tree before the first one. */
export function headOrEmpty({ references, format }: Shadow): string {
  return references.head ?? format.emptyTree;
}

/** What the next commit would hold; `index` as of `copyIndex`. */
export async function writeStagedTree(shadow: Shadow, index?: string): Promise<string> {
  requireRoot(shadow);
  return writeIndexTree(shadow, (await copyIndex(shadow, index)) ?? newIndexPath(shadow));
}

/** What is on disk of the files in the index and, as far as they are wanted, of the untracked ones; ignored files never. */
export async function writeWorktreeTree(shadow: Shadow, wanted: Wanted): Promise<WorkingTree> {
  const workTree = requireRoot(shadow);
  const { indexFile, entries } = await seedIndex(shadow);
  await refuseGiants(
    workTree,
    entries.map(({ name }) => name),
    tracked,
  );
  const added = await runGit(shadow.program, ['add', '-u'], { indexFile, workTree });
  if (added.code !== 0) throw unreadable(added.stderr);
  const { sent, unsent } = await listUntracked(shadow, { indexFile, workTree }, wanted);
  const known = new Set(entries.map(entry => entry.name));
  const warnings = await addUntracked(shadow, { indexFile, workTree, sent, known });
  const others = [
    ...(await readSubmodules(shadow, entries)),
    ...(await findSparse(workTree, entries)),
  ];
  if (others.length > 0) await addEntries(shadow, indexFile, others);
  return { tree: await writeIndexTree(shadow, indexFile), unsent, warnings };
}

/** Tracked and untracked files of the working tree, relative to its top, with slashes; ignored ones are not among them. */
export async function listWorktree(shadow: Shadow): Promise<string[]> {
  const workTree = requireRoot(shadow);
  const { indexFile } = await seedIndex(shadow);
  await writeExcludes(shadow);
  const { code, stdout, stderr } = await runGit(
    shadow.program,
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    { indexFile, workTree },
  );
  if (code !== 0) throw unreadable(stderr);
  return splitZero(stdout)
    .map(name => name.toString('utf8'))
    .filter(name => !name.endsWith('/'));
}

function requireRoot({ source }: Shadow): string {
  if (source.root === null)
    throw new UserError('A bare repository has no index and no working tree.', {
      kind: 'input',
      hint: 'Name a range of commits.',
    });
  return source.root;
}

/**
 * A fresh index with the names of the repository's own and without its stat data, which could claim that a file is
 * unchanged. Submodules stay out: git would look into them, and run what their configuration says.
 */
async function seedIndex(
  shadow: Shadow,
): Promise<{ readonly indexFile: string; readonly entries: readonly IndexEntry[] }> {
  const copy = (await copyIndex(shadow)) ?? (await writeIndexOf(shadow, headOrEmpty(shadow)));
  const entries = await listIndex(shadow, copy);
  await refusePipes(requireRoot(shadow), entries);
  const indexFile = newIndexPath(shadow);
  await addEntries(
    shadow,
    indexFile,
    entries.filter(entry => entry.mode !== '160000'),
  );
  return { indexFile, entries };
}

/** Git opens these files in every folder it visits, and would wait for ever at a pipe. */
export async function refusePipes(workTree: string, entries: readonly IndexEntry[]): Promise<void> {
  const folders = new Set(['', ...entries.map(({ name }) => dirname(utf8(name)))]);
  for (const folder of folders) {
    for (const name of ['.gitignore', '.gitattributes']) {
      const path = join(folder, name);
      const entry = await lstat(join(workTree, path)).catch(() => null);
      if (entry !== null && !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink())
        throw new UserError(`${showName(path)} is no regular file, and git would wait for it.`, {
          kind: 'input',
          hint: 'Remove it.',
        });
    }
  }
}

interface Adding {
  readonly indexFile: string;
  readonly workTree: string;
  readonly sent: readonly string[];
  readonly known: ReadonlySet<string>;
}

async function addUntracked(
  shadow: Shadow,
  { indexFile, workTree, sent, known }: Adding,
): Promise<string[]> {
  // Git lists a repository inside the working tree as one name with a slash behind it.
  const nested = sent.filter(name => name.endsWith('/') && !known.has(name.slice(0, -1)));
  await refuseGiants(workTree, sent, untracked);
  const files = sent.filter(name => !name.endsWith('/')).map(name => `${name}\0`);
  const input = Buffer.from(files.join(''), 'latin1');
  const words = ['update-index', '--add', '-z', '--stdin'];
  const { code, stderr } =
    files.length === 0
      ? nothingSaid
      : await runGit(shadow.program, words, { indexFile, workTree, input });
  if (code !== 0) throw unreadable(stderr);
  return nested.map(
    name => `${showName(utf8(name))} is a repository of its own and is not part of the change.`,
  );
}

const nothingSaid = { code: 0, stderr: '' };

interface Giants {
  readonly what: string;
  readonly most: number;
  readonly mostOfOne: number;
  readonly mend: string;
}

const gibibyte = 1024 * 1024 * 1024;
/** Git reads each of them whole, to know whether it is what it was. */
const tracked: Giants = {
  what: 'The tracked files',
  most: 4 * gibibyte,
  mostOfOne: gibibyte,
  mend: 'Review what is staged with --staged, a range of commits, or single files with --files.',
};
const untracked: Giants = {
  what: 'The untracked files',
  most: gibibyte,
  mostOfOne: gibibyte,
  mend: 'Let .gitignore name what is no part of the project.',
};
const lookedAtOnce = 256;

/** Git would copy them whole into the folder of the engine: what is there need not even take room on the disk it lies on. */
async function refuseGiants(
  workTree: string,
  names: readonly string[],
  { what, most, mostOfOne, mend }: Giants,
): Promise<void> {
  let left = most;
  for (let at = 0; at < names.length; at += lookedAtOnce) {
    const paths = names.slice(at, at + lookedAtOnce).map(name => utf8(name));
    const sizes = await Promise.all(
      paths.map(async path => {
        const entry = await lstat(join(workTree, path)).catch(() => null);
        return entry?.isFile() === true ? entry.size : 0;
      }),
    );
    for (const [index, size] of sizes.entries()) {
      left -= size;
      if (left < 0 || size > mostOfOne)
        throw new UserError(
          `${what} are too large to be read: ${left < 0 ? 'with ' : ''}${showName(paths[index] ?? '')} ` +
            `${left < 0 ? 'they have' : 'alone has'} more than ${(left < 0 ? most : mostOfOne) / gibibyte} GiB.`,
          { kind: 'input', hint: mend },
        );
    }
  }
}

/** The commit each submodule stands on, read as plain files; the recorded one where it is not checked out. */
export async function readSubmodules(
  { source, format }: Shadow,
  entries: readonly IndexEntry[],
): Promise<IndexEntry[]> {
  const submodules: IndexEntry[] = [];
  for (const entry of entries.filter(entry => entry.mode === '160000')) {
    const folder = await gitFolderAt(join(source.root ?? '', utf8(entry.name)));
    const head =
      folder === null
        ? null
        : (await readReferences(folder, format.zero.length).catch(() => null))?.head;
    submodules.push({ ...entry, id: head ?? entry.id });
  }
  return submodules;
}

/** A file that a sparse checkout leaves out is not deleted. */
async function findSparse(workTree: string, entries: readonly IndexEntry[]): Promise<IndexEntry[]> {
  const missing: IndexEntry[] = [];
  for (const entry of entries.filter(entry => entry.sparse && entry.mode !== '160000')) {
    const path = join(workTree, utf8(entry.name));
    if ((await lstat(path).catch(() => null)) === null) missing.push(entry);
  }
  return missing;
}
