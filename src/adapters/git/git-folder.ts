/**
 * Finds the git directory that belongs to a folder, and its references, by reading plain files; git itself is not asked
 * and nothing is followed upwards but folders.
 */
import { constants } from 'node:fs';
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
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

/** Tops of all working trees of a repository, or the folder of one that has none. */
export async function listWorkTrees({ common }: GitFolder): Promise<string[]> {
  const names = await readdir(join(common, 'worktrees')).catch(() => []);
  const pointers = await Promise.all(
    names.map(name => readPlainText(join(common, 'worktrees', name, 'gitdir'), 65_536)),
  );
  return [
    basename(common) === '.git' ? dirname(common) : common,
    ...pointers.flatMap(pointer => (pointer === null ? [] : [dirname(pointer.trimEnd())])),
  ];
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

/** Reads HEAD and the references of a repository as plain files; what does not look like a reference is left out. */
export interface References {
  /** Commit HEAD stands on; null before the first commit. */
  readonly head: string | null;
  /** Full name (`refs/heads/main`) to object id; symbolic ones already followed. */
  readonly named: ReadonlyMap<string, string>;
  /** `ORIG_HEAD`, `FETCH_HEAD` and the like. */
  readonly passing: ReadonlyMap<string, string>;
  /** True when `refs/replace/` holds something: it is never used. */
  readonly replaced: boolean;
}

const content = /^(?:([0-9a-f]{40}|[0-9a-f]{64})|ref: (refs\/\S+))\s*$/;
const passingNames = [
  'ORIG_HEAD',
  'FETCH_HEAD',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
] as const;
const maxReferences = 500_000;
const maxReferenceBytes = 4_096;
const maxPackedBytes = 128 * 1024 * 1024;

type Target = { readonly id: string } | { readonly reference: string };

/** `idLength` is 40 or 64; ids of the other length are left out. */
export async function readReferences(folder: GitFolder, idLength: number): Promise<References> {
  const targets = new Map<string, Target>();
  await readPacked(folder.common, targets);
  await readLoose(folder.common, targets);
  if (folder.own !== folder.common) await readLoose(folder.own, targets);

  const named = new Map<string, string>();
  for (const [name, target] of targets) {
    const id = follow(target, targets);
    if (id?.length === idLength && !name.startsWith('refs/replace/')) named.set(name, id);
  }
  const head = await readHead(folder, targets);
  const replaced = [...targets.keys()].some(name => name.startsWith('refs/replace/'));
  return {
    head: head?.length === idLength ? head : null,
    named,
    passing: await readPassing(folder.own, idLength),
    replaced,
  };
}

async function readHead(
  folder: GitFolder,
  targets: ReadonlyMap<string, Target>,
): Promise<string | null> {
  const target = parseTarget(await readPlainText(join(folder.own, 'HEAD'), maxReferenceBytes));
  if (target === null)
    throw new UserError('HEAD of the repository cannot be read.', {
      kind: 'input',
      hint: 'Run "git status" there to see what is wrong.',
    });
  return follow(target, targets);
}

/** Git follows five links at most. */
function follow(start: Target, targets: ReadonlyMap<string, Target>): string | null {
  let target: Target | undefined = start;
  for (let hops = 0; target !== undefined && hops <= 5; hops++) {
    if ('id' in target) return target.id;
    target = targets.get(target.reference);
  }
  return null;
}

function parseTarget(text: string | null): Target | null {
  const match = text === null ? null : content.exec(text);
  if (match === null) return null;
  if (match[1] !== undefined) return { id: match[1] };
  return match[2] === undefined ? null : { reference: match[2] };
}

async function readPacked(common: string, targets: Map<string, Target>): Promise<void> {
  const text = await readPlainText(join(common, 'packed-refs'), maxPackedBytes);
  for (const line of (text ?? '').split('\n')) {
    const match = /^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/\S+)$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined)
      add(targets, match[2], { id: match[1] });
  }
}

async function readLoose(base: string, targets: Map<string, Target>): Promise<void> {
  const pending = ['refs'];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const entries = await readdir(join(base, name), { withFileTypes: true }).catch(() => []);
    const files = entries.filter(entry => entry.isFile()).map(entry => `${name}/${entry.name}`);
    pending.push(
      ...entries.filter(entry => entry.isDirectory()).map(entry => `${name}/${entry.name}`),
    );
    for (let at = 0; at < files.length; at += 64) {
      const texts = await Promise.all(
        files.slice(at, at + 64).map(async file => ({
          file,
          target: parseTarget(await readPlainText(join(base, file), maxReferenceBytes)),
        })),
      );
      for (const { file, target } of texts) if (target !== null) add(targets, file, target);
    }
  }
}

async function readPassing(own: string, idLength: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of passingNames) {
    const id = /^[0-9a-f]+/.exec((await readPlainText(join(own, name), 1_048_576)) ?? '')?.[0];
    if (id?.length === idLength) found.set(name, id);
  }
  return found;
}

function add(targets: Map<string, Target>, name: string, target: Target): void {
  if (!isReferenceName(name)) return;
  if (targets.size >= maxReferences)
    throw new UserError(`The repository has more than ${maxReferences} references.`, {
      kind: 'input',
    });
  targets.set(name, target);
}

/** The rules of `git check-ref-format`; git refuses a whole list of references over one bad name. */
function isReferenceName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f~^:?*[\\\ufffd]|\.\.|@\{|\/\/|\.$|\/$/.test(name)) return false;
  return name
    .split('/')
    .every(part => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
