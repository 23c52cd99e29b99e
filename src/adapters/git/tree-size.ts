/**
 * How many files a tree or a change names, counted before git is asked to list them: a few folders that hold one another name more
 * than there is memory for. Equal folders are read once, with how often they occur; whatever is read is hashed again on the way.
 */
import { inputError, type UserError } from '../../core/errors.ts';
import { askGit } from './git-process.ts';
import { splitZero, utf8 } from './names.ts';
import { missingObject, type OpenedGit } from './object-reader.ts';
import { resolveCommit, showName } from './revision.ts';

/** More is not listed: to hold the names alone would take hundreds of megabytes. */
export const mostFiles = 500_000;
/** More is not compared: a reviewer's share of it takes minutes to make, and nobody reads it. */
const mostChangedFiles = 20_000;
/** Git follows no deeper itself. */
const deepest = 2_048;
const maxTreeBytes = 64 * 1024 * 1024;
const readAtOnce = 32;

/** Throws `UserError` for a commit or tree of more than 500,000 files, and for a missing or forged folder of it. */
async function measureTree(git: OpenedGit, root: string): Promise<void> {
  const tree = await treeOf(git, root);
  await measure(git, [tree, null], {
    most: mostFiles,
    what: `The tree of ${root.slice(0, 12)}`,
    mend: 'Take that folder out of the repository, or ask about single files.',
  });
}

/** In how many files two commits or trees differ. Throws `UserError` where in more than 20,000, and as above. */
export async function measureChange(git: OpenedGit, base: string, head: string): Promise<number> {
  const [old, now] = [await treeOf(git, base), await treeOf(git, head)];
  return measure(git, [old, now], {
    most: mostChangedFiles,
    what: 'The change',
    mend: 'Review it in smaller ranges, or name the files to review with --files.',
  });
}

interface Bounds {
  readonly most: number;
  readonly what: string;
  readonly mend: string;
}

/** A folder on both sides, by id; null where it is not. */
type Sides = readonly [string | null, string | null];

interface Folder {
  readonly sides: Sides;
  /** Name at the top that it lies under. */
  readonly top: string;
  times: number;
}

async function measure(git: OpenedGit, sides: Sides, bounds: Bounds): Promise<number> {
  let level = new Map<string, Folder>([['', { sides, top: '', times: 1 }]]);
  let files = 0;
  for (let depth = 0; level.size > 0; depth++) {
    const below = new Map<string, Folder>();
    let folders = 0;
    const all = [...level.values()];
    for (let at = 0; at < all.length; at += readAtOnce) {
      const some = all.slice(at, at + readAtOnce);
      const read = await Promise.all(
        some.map(folder => Promise.all(folder.sides.map(id => readSide(git, id)))),
      );
      for (const [index, folder] of some.entries()) {
        const [old = none, now = none] = read[index] ?? [];
        for (const { name, ids, count } of differences(old, now)) {
          files += count * folder.times;
          if (ids === null) continue;
          folders += folder.times;
          const top = folder.top === '' ? name : folder.top;
          const key = `${ids.join(' ')} ${top}`;
          const known = below.get(key);
          if (known === undefined) below.set(key, { sides: ids, top, times: folder.times });
          else known.times += folder.times;
        }
        // A folder without a file is no folder of git's; one that lies about that costs as much as a file.
        if (files + folders > bounds.most || depth > deepest)
          throw tooMany(bounds, depth, folder.top === '' ? heaviest(below) : folder.top);
      }
    }
    level = below;
  }
  return files;
}

function heaviest(folders: ReadonlyMap<string, Folder>): string {
  return [...folders.values()].reduce((most, one) => (one.times > most.times ? one : most), {
    top: '',
    times: 0,
  }).top;
}

function tooMany({ most, what, mend }: Bounds, depth: number, top: string): UserError {
  const where = top === '' ? '' : `, and most of it lies below ${showName(utf8(top))}`;
  const size =
    depth > deepest ? `is nested more than ${deepest} deep` : `names more than ${most} files`;
  return inputError(`${what} ${size}${where}.`, mend);
}

interface Entry {
  readonly mode: string;
  readonly id: string;
}

type Entries = ReadonlyMap<string, Entry>;

const none: Entries = new Map();

interface Difference {
  readonly name: string;
  /** Of a folder below. */
  readonly ids: Sides | null;
  /** Files that differ. */
  readonly count: number;
}

function* differences(old: Entries, now: Entries): Generator<Difference> {
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [one, other] = [old.get(name), now.get(name)];
    if (one?.id === other?.id && one?.mode === other?.mode) continue;
    const isFolder = name.endsWith('/');
    yield {
      name: isFolder ? name.slice(0, -1) : name,
      ids: isFolder ? [one?.id ?? null, other?.id ?? null] : null,
      count: isFolder ? 0 : 1,
    };
  }
}

function readSide(git: OpenedGit, id: string | null): Promise<Entries> {
  return id === null ? Promise.resolve(none) : readFolder(git, id);
}

/** What one folder holds, as `parseTree` tells it. Throws `UserError` where it is missing, forged or larger than any that git wrote. */
export async function readFolder(
  { shadow: { format }, objects }: OpenedGit,
  id: string,
): Promise<Entries> {
  const object = await objects.read(id, maxTreeBytes);
  if (object === null) throw missingObject(format, id, 'which the change needs');
  if (object.bytes === null)
    throw inputError(
      `The folder ${id} of the repository is too large to be read: more than ${maxTreeBytes / 1_048_576} MiB of names.`,
    );
  return object.type === 'tree' ? parseTree(object.bytes, format.zero.length / 2, id) : none;
}

/**
 * Records `mode name\0id`, the id as bytes. Names are latin1, so that any stays itself; those of folders end in a slash, which is how
 * git sorts them. What is in another order git would pair up otherwise than we do.
 */
function parseTree(bytes: Buffer, idBytes: number, id: string): Entries {
  const entries = new Map<string, Entry>();
  let last = '';
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space === -1 || end === -1) break;
    const next = end + 1 + idBytes;
    const mode = bytes.toString('latin1', at, space);
    const name = bytes.toString('latin1', space + 1, end) + (/^0?40000$/.test(mode) ? '/' : '');
    if (name <= last) throw unordered(id);
    entries.set(name, { mode, id: bytes.toString('hex', end + 1, next) });
    [last, at] = [name, next];
  }
  return entries;
}

function unordered(id: string): UserError {
  return inputError(
    `git-object: the folder ${id} of the repository is not in git's own order.`,
    'Run "git fsck" in the repository to see what is wrong.',
  );
}

/** Of what is staged or lies in the working tree, which has no commit, the id is that of the tree. Throws as `resolveCommit`. */
export async function resolveTree(git: OpenedGit, revision: string): Promise<string> {
  const isId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(revision);
  if (isId && (await git.objects.read(revision, 0))?.type === 'tree') return revision;
  return treeOf(git, await resolveCommit(git, revision));
}

/** Of a commit its tree. */
export async function treeOf(
  { shadow: { format }, objects }: OpenedGit,
  id: string,
): Promise<string> {
  const object = await objects.read(id, maxTreeBytes);
  if (object === null) throw missingObject(format, id, 'which the change needs');
  if (object.type !== 'commit') return id;
  return /^tree ([0-9a-f]+)\n/.exec(object.bytes?.toString('latin1') ?? '')?.[1] ?? id;
}

/** One file of a tree. */
interface ListedFile extends Entry {
  /** Bytes as latin1. */
  readonly name: string;
  /** Zero where the repository lacks the contents. */
  readonly size: number;
}

/** Every file of a commit or tree by full id, which is measured first. */
export async function listTree(git: OpenedGit, tree: string): Promise<ListedFile[]> {
  await measureTree(git, tree);
  const listed = await askGit(
    git.shadow.program,
    ['ls-tree', '-r', '-l', '-z', '--full-tree', '--end-of-options', tree],
    `The files of ${tree.slice(0, 12)} cannot be listed`,
    { maxBytes: 512 * 1024 * 1024 },
  );
  return splitZero(listed).map(record => {
    const match = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-|BAD)\t(.*)$/s.exec(record.toString('latin1'));
    if (match === null) throw new Error('git ls-tree printed an unknown record.');
    const [, mode = '', id = '', size = '', name = ''] = match;
    return { mode, id, name, size: /^\d/.test(size) ? Number(size) : 0 };
  });
}
