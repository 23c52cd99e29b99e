/**
 * Finds the git directory that belongs to a folder, and its references, by reading plain files; git itself is not asked
 * and nothing is followed upwards but folders.
 */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { inputError, usageError } from '../../core/errors.ts';
import { isInside, kindOf } from '../system/disk.ts';
import { readPlainText } from '../system/given-file.ts';
import { makeTemporaryFolder } from '../system/temporary-folder.ts';
import { type GitProgram, findGit, firstLine, readSection, runGit } from './git-process.ts';

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
    if (found || (await kindAt(join(folder, '.git'))) === 'file') return found;
    if (folder === top) {
      const bare = await openGitFolder(folder, null);
      if (bare) return bare;
    }
    if (dirname(folder) === folder) return null;
  }
}

/** The one whose working tree starts at exactly this folder. */
export async function gitFolderAt(folder: string): Promise<GitFolder | null> {
  const place = join(folder, '.git');
  const kind = await kindAt(place);
  if (kind !== 'file') return kind === 'folder' ? openGitFolder(place, folder) : null;
  // As linked worktrees and submodules have it.
  const target = /^gitdir: ([^\n]+)\n*$/.exec((await readPlainText(place, 65_536)) ?? '')?.[1];
  return target === undefined ? null : openGitFolder(resolve(folder, target.trimEnd()), folder);
}

async function openGitFolder(own: string, root: string | null): Promise<GitFolder | null> {
  if ((await readPlainText(join(own, 'HEAD'), 65_536)) === null) return null;
  const pointer = (await readPlainText(join(own, 'commondir'), 65_536)) ?? '';
  const common = resolve(own, pointer.trimEnd());
  const kinds = await Promise.all(['objects', 'refs'].map(name => kindAt(join(common, name))));
  return kinds.every(kind => kind === 'folder') ? { root, own, common } : null;
}

/** Links followed; null where nothing is there. */
async function kindAt(path: string) {
  const entry = await stat(path).catch(() => null);
  return entry && kindOf(entry);
}

/** Tops of all working trees of a repository, or the folder of one that has none. */
export async function listWorkTrees({ common }: GitFolder) {
  const names = await readdir(join(common, 'worktrees')).catch(() => []);
  const pointers = await Promise.all(
    names.map(name => readPlainText(join(common, 'worktrees', name, 'gitdir'), 65_536)),
  );
  return [
    basename(common) === '.git' ? dirname(common) : common,
    ...pointers.flatMap(pointer => (pointer === null ? [] : [dirname(pointer.trimEnd())])),
  ];
}

// What a repository's own files say about how it is stored; the kinds that cannot be read safely are refused by name.

interface RepositoryFormat {
  algorithm: 'sha1' | 'sha256';
  /** Object id of nothing, as git prints it. */
  zero: string;
  emptyTree: string;
  /** History is cut off: some parents are not here. */
  shallow: boolean;
  /** Objects may be left with the server (partial clone). */
  partial: boolean;
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
    (await kindAt(join(common, 'reftable'))) !== null
  ) {
    throw inputError(
      'The repository keeps its references as a reftable, which cannot be read yet.',
      'Use "git refs migrate --ref-format=files" in a copy.',
    );
  }
  if ((await kindAt(join(common, 'info', 'grafts'))) !== null) {
    throw inputError(
      'The repository rewrites its history with grafts (info/grafts), which is not read.',
      'Use "git replace --convert-graft-file" and review the real commits.',
    );
  }
  const alternates = await lstat(join(common, 'objects', 'info', 'alternates')).catch(() => null);
  if (alternates && !alternates.isFile()) {
    throw inputError('objects/info/alternates of the repository is no regular file.');
  }
  const algorithm = extensions.get('objectformat')?.toLowerCase() === 'sha256' ? 'sha256' : 'sha1';
  const shallow = ((await readPlainText(join(common, 'shallow'), 67_108_864)) ?? '').trim() !== '';
  return {
    ...formats[algorithm],
    shallow,
    partial: extensions.has('partialclone') || config.includes('promisor'),
  };
}

/** Reads HEAD and the references of a repository as plain files; what does not look like a reference is left out. */
interface References {
  /** Commit HEAD stands on; null before the first commit. */
  head: string | null;
  /** Full name (`refs/heads/main`) to object id; symbolic ones already followed. */
  named: ReadonlyMap<string, string>;
  /** `ORIG_HEAD`, `FETCH_HEAD` and the like. */
  passing: ReadonlyMap<string, string>;
  /** True when `refs/replace/` holds something: it is never used. */
  replaced: boolean;
}

/** An id, or the name of another reference. */
const content = /^(?:[0-9a-f]{40}|[0-9a-f]{64}|ref: refs\/\S+)\s*$/;
const passingNames = 'ORIG_HEAD FETCH_HEAD MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD'.split(' ');
const maxReferences = 500_000;
const maxReferenceBytes = 4_096;
const maxPackedBytes = 128 * 1024 * 1024;

/** `idLength` is 40 or 64; ids of the other length are left out. */
export async function readReferences(
  { own, common }: GitFolder,
  idLength: number,
): Promise<References> {
  const targets = new Map<string, string>();
  const add = (name: string, target: string) => {
    if (!isReferenceName(name)) return;
    if (targets.size >= maxReferences)
      throw inputError(`The repository has more than ${maxReferences} references.`);
    targets.set(name, target);
  };
  const packed = (await readPlainText(join(common, 'packed-refs'), maxPackedBytes)) ?? '';
  for (const [, id = '', name = ''] of packed.matchAll(
    /^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/\S+)$/gm,
  ))
    add(name, id);
  for (const base of new Set([common, own]))
    for await (const [name, target] of looseReferences(base)) add(name, target);

  /** Git follows five links at most. */
  const follow = (start: string) => {
    let target: string | undefined = start;
    for (let hops = 0; target?.startsWith('ref: ') && hops < 5; hops++)
      target = targets.get(target.slice('ref: '.length));
    return target?.length === idLength && !target.startsWith('ref: ') ? target : null;
  };
  const named = new Map<string, string>();
  for (const [name, target] of targets) {
    const id = name.startsWith('refs/replace/') ? null : follow(target);
    if (id !== null) named.set(name, id);
  }
  const head = await readTarget(join(own, 'HEAD'));
  if (head === null)
    throw inputError(
      'HEAD of the repository cannot be read.',
      'Run "git status" there to see what is wrong.',
    );
  const passing = new Map<string, string>();
  for (const name of passingNames) {
    const id = /^[0-9a-f]+/.exec((await readPlainText(join(own, name), 1_048_576)) ?? '')?.[0];
    if (id?.length === idLength) passing.set(name, id);
  }
  const replaced = [...targets.keys()].some(name => name.startsWith('refs/replace/'));
  return { head: follow(head), named, passing, replaced };
}

async function readTarget(file: string) {
  const text = await readPlainText(file, maxReferenceBytes);
  return text !== null && content.test(text) ? text.trimEnd() : null;
}

async function* looseReferences(base: string): AsyncGenerator<readonly [string, string]> {
  const pending = ['refs'];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await readdir(join(base, folder), { withFileTypes: true }).catch(() => []);
    const namesOf = (some: typeof entries) => some.map(({ name }) => `${folder}/${name}`);
    pending.push(...namesOf(entries.filter(entry => entry.isDirectory())));
    const files = namesOf(entries.filter(entry => entry.isFile()));
    for (let at = 0; at < files.length; at += 64) {
      const some = files.slice(at, at + 64);
      const targets = await Promise.all(some.map(file => readTarget(join(base, file))));
      for (const [index, file] of some.entries()) {
        const target = targets[index] ?? null;
        if (target !== null) yield [file, target];
      }
    }
  }
}

/** The rules of `git check-ref-format`; git refuses a whole list of references over one bad name. */
function isReferenceName(name: string) {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const isBad = /[\u0000-\u0020\u007f~^:?*[\\\ufffd]|\.\.|@\{|\.$/.test(name);
  return !isBad && name.split('/').every(part => part !== '' && !/^\.|\.lock$/.test(part));
}

// Makes a repository with a history, for demonstrations.

interface MadeCommit {
  message: string;
  /** All files of the commit by path, with slashes. */
  files: ReadonlyMap<string, Buffer>;
}

/**
 * In a new folder, the last commit checked out. Author and time are fixed, so that the same commits have the same ids everywhere; neither
 * configuration, templates nor hooks of the machine have a part in it. Throws `UserError` where there is no git that is new enough.
 */
export async function makeRepository(folder: string, commits: readonly MadeCommit[]) {
  await mkdir(folder, { recursive: true });
  const program = { path: await findGit(folder), folder, timeoutMs: 60_000 };
  const run = async (words: readonly string[], input?: Buffer) => {
    const { code, stderr } = await runGit(program, words, {
      isBare: true,
      ...(input && { input }),
    });
    if (code !== 0) throw new Error(`git ${words[0] ?? ''}: ${firstLine(stderr)}`);
  };
  await run(['init', '--quiet', '--template=', '--initial-branch=main']);
  await run(['fast-import', '--quiet'], Buffer.concat(commits.flatMap(streamOf)));
  await run(['read-tree', '--reset', '-u', 'HEAD']);
}

/** Seconds between two commits, the first of which was made at the beginning of 2026. */
const pause = 3600;
const begun = 1_767_225_600;

function streamOf({ message, files }: MadeCommit, index: number) {
  const committer = `Jury <jury@localhost> ${begun + index * pause} +0000`;
  return [
    Buffer.from(`commit refs/heads/main\nauthor ${committer}\ncommitter ${committer}\n`),
    ...dataOf(Buffer.from(message)),
    Buffer.from('deleteall\n'),
    ...[...files].flatMap(([path, bytes]) => [
      Buffer.from(`M 100644 inline ${JSON.stringify(path)}\n`),
      ...dataOf(bytes),
    ]),
  ];
}

function dataOf(bytes: Buffer) {
  return [Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')];
}

// The engine's own git directory: borrows the objects of the repository, holds a copy of its references and nothing of its
// configuration. Every git command runs on it, so that nothing the repository says can start a program.

export interface Shadow {
  readonly program: GitProgram;
  readonly format: RepositoryFormat;
  readonly references: References;
  /** What expressions came to: references and objects stay what they are for as long as this is open. */
  readonly verified: Map<string, string>;
  readonly source: GitFolder;
  /** Removes the folder. */
  close(): Promise<void>;
}

interface ShadowOptions {
  gitPath?: string;
  temporaryFolder?: string;
  timeoutMs: number;
}

/** Throws `UserError` for a repository that cannot be read this way and for a missing or old git. */
export async function createShadow(source: GitFolder, options: ShadowOptions): Promise<Shadow> {
  const format = await readFormat(source);
  const references = await readReferences(source, format.zero.length);
  const folder = await createFolder(source, options.temporaryFolder ?? tmpdir());
  // Git says its version while the folder is filled.
  const filling = fill(folder.path, source, format, references);
  try {
    const [path] = await Promise.all([findGit(folder.path, options.gitPath), filling]);
    return {
      program: { path, folder: folder.path, timeoutMs: options.timeoutMs },
      format,
      references,
      verified: new Map(),
      source,
      close: () => folder.remove(),
    };
  } catch (error) {
    // What is still being written would make the folder anew.
    await filling.catch(() => {});
    await folder.remove();
    throw error;
  }
}

/** Private, and outside the repository: nothing is ever written there. */
async function createFolder({ root, own }: GitFolder, temporaryFolder: string) {
  const parent = await realpath(temporaryFolder).catch(cause => {
    throw usageError(`The temporary folder ${temporaryFolder} cannot be used.`, null, cause);
  });
  if (isInside(root ?? own, parent)) {
    throw usageError(
      'The temporary folder lies inside the repository under review.',
      'Set TMPDIR to a folder outside.',
    );
  }
  return makeTemporaryFolder(parent, 'git').catch((cause: NodeJS.ErrnoException) => {
    throw inputError(
      `No folder can be made in the temporary folder ${parent}: ${cause.code}.`,
      'Make it writable, or set TMPDIR to one that is.',
      cause,
    );
  });
}

/** What `git init --bare` would make, without starting it. */
async function fill(
  folder: string,
  source: GitFolder,
  format: RepositoryFormat,
  references: References,
) {
  const shadow = join(folder, 'shadow');
  await mkdir(join(shadow, 'objects', 'info'), { recursive: true, mode: 0o700 });
  await mkdir(join(shadow, 'objects', 'pack'));
  await mkdir(join(shadow, 'refs', 'heads'), { recursive: true });
  await mkdir(join(shadow, 'info'));
  await writeFile(join(shadow, 'info', 'attributes'), attributes);
  await writeFile(join(shadow, 'config'), configurationOf(format));
  const objects = await realpath(join(source.common, 'objects'));
  await writeFile(join(shadow, 'objects', 'info', 'alternates'), `${quoteLine(objects)}\n`);
  // A HEAD that exists would let some versions read attributes from its tree; nobody can guess this name.
  await writeFile(
    join(shadow, 'HEAD'),
    `ref: refs/heads/unborn-${randomBytes(16).toString('hex')}\n`,
  );
  await writeFile(
    join(shadow, 'packed-refs'),
    [...references.named].map(([name, id]) => `${id} ${name}\n`).join(''),
  );
  for (const [name, id] of references.passing) await writeFile(join(shadow, name), `${id}\n`);
}

/**
 * These stand above the attributes of the working tree, which would have git read other text than lies on the disk: what an encoding
 * makes of the bytes, and nothing of what stands in `$Id: … $`.
 */
const attributes = '* !working-tree-encoding !ident\n';

function configurationOf({ algorithm }: RepositoryFormat) {
  const isSha256 = algorithm === 'sha256';
  return (
    `[core]\n\trepositoryformatversion = ${isSha256 ? 1 : 0}\n\tfilemode = true\n\tbare = ` +
    `true\n${isSha256 ? '[extensions]\n\tobjectformat = sha256\n' : ''}`
  );
}

/** The list of alternates is read by lines; git undoes C quoting. */
function quoteLine(path: string) {
  return path.includes('\n')
    ? `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
    : path;
}
