/** Works on copies of the repository's index; the original is read as a plain file and never locked or refreshed. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { inputError } from '../../core/errors.ts';
import { askGit, firstLine, readSection, runGit } from './git-process.ts';
import { readPlainFile, readPlainText } from '../system/given-file.ts';
import { splitZero, utf8 } from './names.ts';
import { showName } from './revision.ts';
import type { Shadow } from './shadow.ts';
import { mostFiles } from './trees.ts';

export interface IndexEntry {
  readonly mode: string;
  readonly id: string;
  /** Bytes as latin-1, so that any name survives being written back. */
  readonly name: string;
  /** Not checked out on purpose (sparse checkout). */
  readonly sparse: boolean;
}

const maxIndexBytes = 1024 * 1024 * 1024;

/** Path for a new index in the engine's folder. */
export function newIndexPath({ program }: Shadow) {
  return join(program.folder, `index-${randomBytes(6).toString('hex')}`);
}

/**
 * Path of a copy; null when the repository has no index. `named`: another index, absolute, as git makes one for a commit of some of the
 * files. Throws `UserError` when that is not there: it is gone with its commit.
 */
export async function copyIndex(shadow: Shadow, named?: string) {
  const { own } = shadow.source;
  const bytes = await readPlainFile(named ?? join(own, 'index'), maxIndexBytes);
  if (!bytes && named !== undefined)
    throw inputError(
      `The index ${showName(named)} that a commit was made with is not there.`,
      'It is gone when its commit ends; name the commit itself.',
    );
  if (!bytes) return null;
  refuseCrowd(bytes);
  // A split index keeps most of itself in a second file, which git looks for in its own folder.
  for (const name of (await readdir(own)).filter(name => /^sharedindex\.[0-9a-f]+$/.test(name))) {
    const part = await readPlainFile(join(own, name), maxIndexBytes);
    if (part) refuseCrowd(part);
    if (part) await writeFile(join(shadow.program.folder, 'shadow', name), part);
  }
  const copy = newIndexPath(shadow);
  await writeFile(copy, bytes);
  return copy;
}

/** The number of entries stands in the first bytes, behind the name of the format and its version. */
function refuseCrowd(index: Buffer) {
  const entries = index.length < 12 ? 0 : index.readUInt32BE(8);
  if (entries > mostFiles)
    throw inputError(
      `The index of the repository names ${entries} files, and no more than ${mostFiles} are read.`,
      'Name a range of commits, or single files with --files.',
    );
}

/** One entry per name; of an unmerged one the last stage. */
export async function listIndex(shadow: Shadow, indexFile: string): Promise<IndexEntry[]> {
  const listed = await askGit(shadow.program, ['ls-files', '-t', '-s', '-z'], unreadable, {
    indexFile,
  });
  const entries = new Map<string, IndexEntry>();
  for (const record of splitZero(listed)) {
    const match = /^(\S) (\d{6}) ([0-9a-f]+) \d\t(.*)$/s.exec(record.toString('latin1'));
    if (!match) throw new Error('git ls-files printed an unknown record.');
    const [, tag, mode = '', id = '', name = ''] = match;
    entries.set(name, { mode, id, name, sparse: tag === 'S' });
  }
  return [...entries.values()];
}

/** Paths, with slashes. */
export async function listTracked(shadow: Shadow) {
  const copy = await copyIndex(shadow);
  const entries = copy === null ? [] : await listIndex(shadow, copy);
  return entries.map(({ name }) => utf8(name));
}

/** Adds entries to an index, which is created when missing and there are some. */
export async function addEntries(
  shadow: Shadow,
  indexFile: string,
  entries: readonly IndexEntry[],
) {
  if (entries.length === 0) return;
  const input = Buffer.from(
    entries.map(({ mode, id, name }) => `${mode} ${id}\t${name}\0`).join(''),
    'latin1',
  );
  await askGit(
    shadow.program,
    ['update-index', '-z', '--index-info'],
    'The index of the repository holds an entry that git refuses',
    { indexFile, input },
  );
}

const unreadable = 'The index of the repository cannot be read';

/** Id of the tree an index stands for. */
export async function writeIndexTree(shadow: Shadow, indexFile: string) {
  // The index also carries ready-made tree ids; they are what a forger would write, so the entries are asked instead.
  const { code, stdout, stderr } = await runGit(
    shadow.program,
    ['write-tree', '--ignore-cache-tree'],
    { indexFile },
  );
  if (code === 0) return stdout.toString('utf8').trim();
  const unmerged = await runGit(shadow.program, ['ls-files', '-u', '-z'], { indexFile });
  if (unmerged.stdout.length > 0)
    throw inputError(
      'The index has unmerged files.',
      'Finish or abort the merge first, or review with --worktree.',
    );
  throw inputError(`${unreadable}: ${firstLine(stderr)}.`);
}

// Which untracked files git ignores beyond `.gitignore`: the repository's own list and the person's. Ignored files are never read.

const maxBytes = 1_048_576;

/** The shadow directory has no configuration, so the lists are copied to where git looks without being told. */
export async function writeExcludes({ program, source }: Shadow) {
  const lists = [
    await readPersonal(homedir()),
    await readPlainText(join(source.common, 'info', 'exclude'), maxBytes),
  ];
  const folder = join(program.folder, 'shadow', 'info');
  await mkdir(folder, { recursive: true });
  // The later line wins, and the repository's list is nearer than the person's.
  await writeFile(join(folder, 'exclude'), lists.map(list => `${list ?? ''}\n`).join(''));
}

async function readPersonal(home: string) {
  for (const file of [join(home, '.gitconfig'), join(home, '.config', 'git', 'config')]) {
    const named = readSection((await readPlainText(file, maxBytes)) ?? '', 'core').get(
      'excludesfile',
    );
    if (named !== undefined)
      return readPlainText(resolve(home, named.replace(/^~\//, `${home}/`)), maxBytes);
  }
  return readPlainText(join(home, '.config', 'git', 'ignore'), maxBytes);
}
