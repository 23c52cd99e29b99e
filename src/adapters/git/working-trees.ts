/** Turns the index and the working tree into trees of the engine's own, so that they compare like any two commits. */
import { randomBytes } from 'node:crypto';
import { type Stats, fstatSync } from 'node:fs';
import { lstat, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Unsent, mostBytes, whyUnsent } from '../../core/change/set-aside.ts';
import { inputError } from '../../core/errors.ts';
import { readPlainFile, readPlainText } from '../system/given-file.ts';
import { type Shadow, gitFolderAt, readReferences } from './git-folder.ts';
import { askGit, firstLine, readSection, runGit } from './git-process.ts';
import { listTree, mostFiles } from './trees.ts';
import { type OpenedGit, decodeName, showName, splitZero } from './object-reader.ts';

// Lists the files that git neither tracks nor ignores, and looks at each to know whether it is sent.

/** `all` is for what stays on this machine: nothing of it is sent to anybody. */
type Wanted = 'all' | 'sendable' | 'none';

const comparedAtOnce = 64;

/**
 * Names relative to the top, with slashes, bytes as latin1; those of other repositories with a slash behind them. Throws `UserError`
 * for a working tree that cannot be read.
 */
async function listUntracked(shadow: Shadow, where: { indexFile: string; workTree: string }) {
  // The shadow directory has no configuration, so the lists are copied to where git looks without
  // being told.
  const lists = [
    await readPersonal(homedir()),
    await readPlainText(join(shadow.source.common, 'info', 'exclude'), mostListBytes),
  ];
  const folder = join(shadow.program.folder, 'shadow', 'info');
  await mkdir(folder, { recursive: true });
  // The later line wins, and the repository's list is nearer than the person's.
  await writeFile(join(folder, 'exclude'), lists.map(list => `${list ?? ''}\n`).join(''));
  const listed = await askGit(
    shadow.program,
    // What Jury keeps in the project is nobody's work, also before it keeps itself out of sight.
    'ls-files --others --exclude-standard --exclude=/.jury/ -z'.split(' '),
    unreadable,
    { ...where, hint: mend },
  );
  return splitZero(listed);
}

/** Looks at each file. What is sent: names relative to the top, with slashes, bytes as latin1. */
async function chooseUntracked(workTree: string, names: readonly string[], wanted: Wanted) {
  if (wanted === 'all') return { sent: names.filter(name => !name.endsWith('/')), unsent: [] };
  const sent: string[] = [];
  const unsent: Unsent[] = [];
  for (let at = 0; at < names.length; at += comparedAtOnce) {
    const some = names.slice(at, at + comparedAtOnce);
    const reasons =
      wanted === 'none' ? [] : await Promise.all(some.map(name => whyNot(workTree, name)));
    for (const [index, name] of some.entries()) {
      const why = reasons[index] ?? null;
      if (wanted === 'sendable' && why === null) sent.push(name);
      else unsent.push({ path: decodeName(name), why });
    }
  }
  return { sent, unsent };
}

/** What is no plain file has no contents to look at: git takes the target of a link, and no more of a folder than its name. */
async function whyNot(workTree: string, name: string) {
  const path = decodeName(name);
  if (path.endsWith('/')) return 'a repository of its own';
  const entry = await lookAtName(workTree, name);
  if (!entry?.isFile()) return whyUnsent(path, { bytes: null, isText: true });
  if (isOwnOutput(entry)) return 'what this run prints into';
  const bytes = entry.size;
  const text = bytes > mostBytes ? null : await readPlainFile(join(workTree, path), mostBytes);
  return whyUnsent(path, { bytes, isText: !text?.includes(0) });
}

/** As where a person has the output of this very run written to a file. */
function isOwnOutput({ dev, ino }: Stats) {
  return [1, 2].some(descriptor => {
    try {
      const own = fstatSync(descriptor);
      return own.dev === dev && own.ino === ino;
    } catch {
      return false;
    }
  });
}

const unreadable = 'The working tree cannot be read';
const mend = 'Name what is to be reviewed, such as HEAD for the last commit.';

/** Last commit, or the empty tree before the first one. */
export function headOrEmpty({ references, format }: Shadow) {
  return references.head ?? format.emptyTree;
}

/** What the next commit would hold; `index` as of `copyIndex`. */
export async function writeStagedTree(shadow: Shadow, index?: string) {
  requireRoot(shadow);
  return writeIndexTree(shadow, (await copyIndex(shadow, index)) ?? newIndexPath(shadow));
}

/** What is on disk of the files in the index and, as far as they are wanted, of the untracked ones; ignored files never. */
export async function writeWorktreeTree(git: OpenedGit, wanted: Wanted) {
  const { shadow } = git;
  const workTree = requireRoot(shadow);
  const { entries, names } = looks.get(shadow) ?? (await lookAt(git));
  looks.delete(shadow);
  const indexFile = await seedIndex(shadow, entries);
  await refuseGiants(
    workTree,
    entries.map(({ name }) => name),
    tracked,
  );
  await askGit(shadow.program, ['add', '-u'], unreadable, { indexFile, workTree, hint: mend });
  const { sent, unsent } = await chooseUntracked(workTree, names, wanted);
  await addUntracked(shadow, indexFile, workTree, sent);
  await addEntries(shadow, indexFile, [
    ...(await readSubmodules(shadow, entries)),
    ...(await findSparse(workTree, entries)),
  ]);
  return { tree: await writeIndexTree(shadow, indexFile), unsent };
}

/** Tracked and untracked files of the working tree, relative to its top, with slashes; ignored ones are not among them. */
export async function listWorktree(git: OpenedGit) {
  const { entries, names } = await lookAt(git);
  const tracked = entries.filter(({ mode }) => mode !== '160000').map(({ name }) => name);
  return [...tracked, ...names.filter(name => !name.endsWith('/'))].map(decodeName);
}

/** What git lists of a working tree. */
interface Look {
  /** Path of a copy; null where the repository has no index. */
  index: string | null;
  /** Of the index, or of the last commit where there is none. */
  entries: readonly IndexEntry[];
  /** As of `listUntracked`. */
  names: readonly string[];
}

/** Of these the next tree that is written is the one that was looked at: git does not list it again. */
const looks = new WeakMap<Shadow, Look>();

/** Throws `UserError` for what cannot be read, and for a pipe that git would wait at. */
async function lookAt(git: OpenedGit): Promise<Look> {
  const { shadow } = git;
  const workTree = requireRoot(shadow);
  const index = await copyIndex(shadow);
  const entries =
    index === null
      ? (await listTree(git, headOrEmpty(shadow))).map(file => ({ ...file, sparse: false }))
      : await listIndex(shadow, index);
  await refusePipes(workTree, entries);
  const indexFile = index ?? (await seedIndex(shadow, entries));
  const listed = await listUntracked(shadow, { indexFile, workTree });
  // An index that was seeded knows no submodules.
  const tracked = new Set(entries.map(({ name }) => `${name}/`));
  return { index, entries, names: listed.filter(name => !tracked.has(name)) };
}

function requireRoot({ source }: Shadow) {
  if (source.root === null)
    throw inputError(
      'A bare repository has no index and no working tree.',
      'Name a range of commits.',
    );
  return source.root;
}

/**
 * A fresh index with the names of the repository's own and without its stat data, which could claim that a file is
 * unchanged. Submodules stay out: git would look into them, and run what their configuration says.
 */
async function seedIndex(shadow: Shadow, entries: readonly IndexEntry[]) {
  const indexFile = newIndexPath(shadow);
  await addEntries(
    shadow,
    indexFile,
    entries.filter(entry => entry.mode !== '160000'),
  );
  return indexFile;
}

/** Git opens these files in every folder it visits, and would wait for ever at a pipe. */
async function refusePipes(workTree: string, entries: readonly IndexEntry[]) {
  const folders = new Set(['', ...entries.map(({ name }) => dirname(decodeName(name)))]);
  for (const folder of folders) {
    for (const name of ['.gitignore', '.gitattributes']) {
      const path = join(folder, name);
      const entry = await lstat(join(workTree, path)).catch(() => null);
      if (entry && !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink())
        throw inputError(
          `${showName(path)} is no regular file, and git would wait for it.`,
          'Remove it.',
        );
    }
  }
}

async function addUntracked(
  shadow: Shadow,
  indexFile: string,
  workTree: string,
  sent: readonly string[],
) {
  if (sent.length === 0) return;
  await refuseGiants(workTree, sent, untracked);
  const input = Buffer.from(sent.map(name => `${name}\0`).join(''), 'latin1');
  const words = ['update-index', '--add', '-z', '--stdin'];
  await askGit(shadow.program, words, unreadable, { indexFile, workTree, input, hint: mend });
}

interface Giants {
  what: string;
  most: number;
  mend: string;
}

const gibibyte = 1024 * 1024 * 1024;
const mostOfOne = gibibyte;
/** Git reads each of them whole, to know whether it is what it was. */
const tracked: Giants = {
  what: 'The tracked files',
  most: 4 * gibibyte,
  mend: 'Review what is staged with --staged, a range of commits, or single files with --files.',
};
const untracked: Giants = {
  what: 'The untracked files',
  most: gibibyte,
  mend: 'Let .gitignore name what is no part of the project.',
};
const lookedAtOnce = 256;

/** Git would copy them whole into the folder of the engine: what is there need not even take room on the disk it lies on. */
async function refuseGiants(
  workTree: string,
  names: readonly string[],
  { what, most, mend }: Giants,
) {
  let left = most;
  for (let at = 0; at < names.length; at += lookedAtOnce) {
    const some = names.slice(at, at + lookedAtOnce);
    const sizes = await Promise.all(
      some.map(async name => {
        const entry = await lookAtName(workTree, name);
        return entry?.isFile() ? entry.size : 0;
      }),
    );
    for (const [index, size] of sizes.entries()) {
      left -= size;
      if (left < 0 || size > mostOfOne)
        throw inputError(
          `${what} are too large to be read: ${left < 0 ? 'with ' : ''}${showName(decodeName(some[index]))} ` +
            `${left < 0 ? 'they have' : 'alone has'} more than ${(left < 0 ? most : mostOfOne) / gibibyte} GiB.`,
          mend,
        );
    }
  }
}

/** The commit each submodule stands on, read as plain files; the recorded one where it is not checked out. */
async function readSubmodules({ source, format }: Shadow, entries: readonly IndexEntry[]) {
  const submodules: IndexEntry[] = [];
  for (const entry of entries.filter(entry => entry.mode === '160000')) {
    const folder = await gitFolderAt(join(source.root ?? '', decodeName(entry.name)));
    const head =
      folder && (await readReferences(folder, format.zero.length).catch(() => null))?.head;
    submodules.push({ ...entry, id: head ?? entry.id });
  }
  return submodules;
}

/** A file that a sparse checkout leaves out is not deleted. */
async function findSparse(workTree: string, entries: readonly IndexEntry[]) {
  const missing: IndexEntry[] = [];
  for (const entry of entries.filter(entry => entry.sparse && entry.mode !== '160000')) {
    if (!(await lookAtName(workTree, entry.name))) missing.push(entry);
  }
  return missing;
}

/** By its bytes: a name need be no UTF-8. Null where nothing is there. */
function lookAtName(workTree: string, name: string) {
  const path = Buffer.concat([Buffer.from(`${workTree}/`), Buffer.from(name, 'latin1')]);
  return lstat(path).catch(() => null);
}

// Whether a person has work that is in no commit, found as `git status` finds it: by what the index says of the files.

/**
 * `mayDiffer` false: index and working tree hold what the last commit holds; true: perhaps not, which reading them tells. `unsent`:
 * files that git does not track and that are no part of the work. Nothing in a bare repository, and where nothing was ever checked out.
 * Throws `UserError` for what cannot be read.
 */
export async function lookForWork(git: OpenedGit, withUntracked: boolean) {
  const { shadow } = git;
  const workTree = shadow.source.root;
  if (workTree === null) return { mayDiffer: false, unsent: [] };
  const look = await lookAt(git);
  looks.set(shadow, look);
  const { index, entries, names } = look;
  if (index === null && shadow.references.head !== null) return { mayDiffer: false, unsent: [] };
  const indexFile = index ?? newIndexPath(shadow);
  const submodules = entries.filter(({ mode }) => mode === '160000');
  const moved = await readSubmodules(shadow, submodules);
  const wanted = withUntracked ? 'sendable' : 'none';
  const { sent, unsent } = await chooseUntracked(workTree, names, wanted);
  const mayDiffer =
    sent.length > 0 ||
    moved.some(({ id }, index) => id !== submodules[index]?.id) ||
    // What is not staged is likelier. Git must not look into submodules, and run what their configuration says.
    (await differs(shadow, ['diff-files', '--quiet', '--ignore-submodules=all'], {
      indexFile,
      workTree,
    })) ||
    (await differs(shadow, ['diff-index', '--cached', '--quiet', headOrEmpty(shadow)], {
      indexFile,
    }));
  return { mayDiffer, unsent };
}

async function differs(
  { program }: Shadow,
  words: readonly string[],
  where: { indexFile: string; workTree?: string },
) {
  const { code, stderr } = await runGit(program, words, where);
  if (code > 1) throw inputError(`${unreadable}: ${firstLine(stderr)}.`, mend);
  return code === 1;
}

// Works on copies of the repository's index; the original is read as a plain file and never locked or refreshed.

interface IndexEntry {
  mode: string;
  id: string;
  /** Bytes as latin-1, so that any name survives being written back. */
  name: string;
  /** Not checked out on purpose (sparse checkout). */
  sparse: boolean;
}

const maxIndexBytes = 1024 * 1024 * 1024;

/** Path for a new index in the engine's folder. */
function newIndexPath({ program }: Shadow) {
  return join(program.folder, `index-${randomBytes(6).toString('hex')}`);
}

/**
 * Path of a copy; null when the repository has no index. `named`: another index, absolute, as git makes one for a commit of some of the
 * files. Throws `UserError` when that is not there: it is gone with its commit.
 */
async function copyIndex(shadow: Shadow, named?: string) {
  const { own } = shadow.source;
  const path = named ?? join(own, 'index');
  // Git reads what was changed no earlier than its index was written, so the copy must look no younger.
  const written = await lstat(path).catch(() => null);
  const bytes = await readPlainFile(path, maxIndexBytes);
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
  if (written) await utimes(copy, written.mtime, written.mtime);
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
async function listIndex(shadow: Shadow, indexFile: string) {
  const listed = await askGit(shadow.program, ['ls-files', '-t', '-s', '-z'], unreadableIndex, {
    indexFile,
  });
  const entries = new Map<string, IndexEntry>();
  for (const record of splitZero(listed)) {
    const match = /^(\S) (\d{6}) ([0-9a-f]+) \d\t(.*)$/s.exec(record);
    if (!match) throw new Error('git ls-files printed an unknown record.');
    const [, tag, mode = '', id = '', name = ''] = match;
    entries.set(name, { mode, id, name, sparse: tag === 'S' });
  }
  return [...entries.values()];
}

/** Paths, with slashes. */
export async function listTracked({ shadow }: OpenedGit) {
  const copy = await copyIndex(shadow);
  const entries = copy === null ? [] : await listIndex(shadow, copy);
  return entries.map(({ name }) => decodeName(name));
}

/** Adds entries to an index, which is created when missing and there are some. */
async function addEntries(shadow: Shadow, indexFile: string, entries: readonly IndexEntry[]) {
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

const unreadableIndex = 'The index of the repository cannot be read';

/** Id of the tree an index stands for. */
async function writeIndexTree(shadow: Shadow, indexFile: string) {
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
  throw inputError(`${unreadableIndex}: ${firstLine(stderr)}.`);
}

// Which untracked files git ignores beyond `.gitignore`: the repository's own list and the person's. Ignored files are never read.

const mostListBytes = 1_048_576;

async function readPersonal(home: string) {
  for (const file of [join(home, '.gitconfig'), join(home, '.config', 'git', 'config')]) {
    const named = readSection((await readPlainText(file, mostListBytes)) ?? '', 'core').get(
      'excludesfile',
    );
    if (named !== undefined)
      return readPlainText(resolve(home, named.replace(/^~\//, `${home}/`)), mostListBytes);
  }
  return readPlainText(join(home, '.config', 'git', 'ignore'), mostListBytes);
}
