/**
 * Trees, read folder by folder; whatever is read is hashed again on the way. How many files a tree or a change names is counted before
 * git is asked to list them: a few folders that hold one another name more than there is memory for.
 */
import { inputError } from '../../core/errors.ts';
import { reverseHunks } from '../../core/change/patch.ts';
import type { ChangedFile } from '../../core/words/change.ts';
import { askGit } from './git-process.ts';
import {
  type OpenedGit,
  type Session,
  missingObject,
  decodeName,
  showName,
  splitZero,
} from './object-reader.ts';
import { applyHunks } from './patch.ts';
import { resolveCommit } from './revision.ts';

/** More is not listed: to hold the names alone would take hundreds of megabytes. */
export const mostFiles = 500_000;
/** More is not compared: a reviewer's share of it takes minutes to make, and nobody reads it. */
const mostChangedFiles = 20_000;
/** Git follows no deeper itself. */
const deepest = 2_048;
const maxTreeBytes = 64 * 1024 * 1024;

/** In how many files two commits or trees differ. Throws `UserError` where in more than 20,000, and as `weigh`. */
export async function measureChange(git: OpenedGit, base: string, head: string) {
  const weight = await weigh(git, [await treeOf(git, base), await treeOf(git, head)]);
  if (weight.files + weight.folders > mostChangedFiles)
    throw tooMuch(
      `The change names more than ${mostChangedFiles} files`,
      weight,
      'Review it in smaller ranges, or name the files to review with --files.',
    );
  return weight.files;
}

/** A folder on both sides, by id; null where it is not. */
type Sides = readonly [string | null, string | null];

/** What differs below a folder, each as often as it is named. */
interface Weight {
  files: number;
  /** A folder without a file is no folder of git's; one that lies about that costs as much as a file. */
  folders: number;
  /** On the new side. */
  links: number;
  height: number;
  /** Name of the folder in it that most lies below; empty where there is none. */
  heaviest: string;
}

const weightless: Weight = { files: 0, folders: 0, links: 0, height: 0, heaviest: '' };

/** The commits of one repository mostly hold the same folders. */
const weighed = new WeakMap<OpenedGit['objects'], Map<string, Promise<Weight>>>();

/** Equal folders are read once. Throws `UserError` for a missing or forged one, and for more or deeper ones than can be followed. */
async function weigh(git: OpenedGit, sides: Sides): Promise<Weight> {
  const known = weighed.get(git.objects) ?? new Map<string, Promise<Weight>>();
  weighed.set(git.objects, known);
  const most = known.size + mostFiles;
  const read = async (pair: Sides, depth: number): Promise<Weight> => {
    if (known.size > most) throw tooMuch(`The tree holds more than ${mostFiles} folders`);
    if (depth > deepest) throw tooDeep();
    const [old, now] = await Promise.all(
      pair.map(async id => (id === null ? none : readFolder(git, id))),
    );
    const parts = await Promise.all(
      differences(old ?? none, now ?? none).map(async one => partOf(one, depth)),
    );
    const sum = (key: 'files' | 'folders' | 'links') =>
      parts.reduce((total, part) => total + part[key], 0);
    return {
      files: sum('files'),
      folders: sum('folders'),
      links: sum('links'),
      height: 1 + parts.reduce((most, { height }) => Math.max(most, height), 0),
      heaviest: parts.reduce(
        (one, other) => (other.folders > 0 && other.files > one.files ? other : one),
        weightless,
      ).heaviest,
    };
  };
  const visit = (pair: Sides, depth: number): Promise<Weight> => {
    const key = pair.join(' ');
    const before = known.get(key);
    if (before) return before;
    const weight = read(pair, depth);
    known.set(key, weight);
    // What is missing may be fetched.
    weight.catch(() => known.delete(key));
    return weight;
  };
  const partOf = async (
    { name, old, now }: ReturnType<typeof differences>[number],
    depth: number,
  ): Promise<Weight> => {
    const links = now?.mode === '120000' ? 1 : 0;
    if (!name.endsWith('/')) return { ...weightless, files: 1, links };
    const below = await visit([old?.id ?? null, now?.id ?? null], depth + 1);
    return { ...below, folders: below.folders + 1, heaviest: name.slice(0, -1) };
  };
  const whole = await visit(sides, 0);
  if (whole.height > deepest) throw tooDeep();
  return whole;
}

function tooDeep() {
  return tooMuch(`The tree is nested more than ${deepest} deep`);
}

function tooMuch(
  what: string,
  { heaviest }: Weight = weightless,
  mend = 'Take that folder out of the repository, or ask about single files.',
) {
  const where =
    heaviest === '' ? '' : `, and most of it lies below ${showName(decodeName(heaviest))}`;
  return inputError(`${what}${where}.`, mend);
}

/** One name of a tree. */
export interface Entry {
  /** As git writes it: `100644`, `120000` for a link, `160000` for a submodule; of a folder `40000`, by some with a zero before. */
  readonly mode: string;
  readonly id: string;
}

type Entries = ReadonlyMap<string, Entry>;

const none: Entries = new Map();

function differences(old: Entries, now: Entries) {
  return [...new Set([...old.keys(), ...now.keys()])]
    .map(name => ({ name, old: old.get(name), now: now.get(name) }))
    .filter(({ old: one, now: other }) => one?.id !== other?.id || one?.mode !== other?.mode);
}

/** What one folder holds, as `parseTree` tells it. Throws `UserError` where it is missing, forged or larger than any that git wrote. */
async function readFolder(git: OpenedGit, id: string) {
  const object = await readNeeded(git, id);
  if (!object.bytes)
    throw inputError(
      `The folder ${id} of the repository is too large to be read: more than ${maxTreeBytes / 1_048_576} MiB of names.`,
    );
  return object.type === 'tree'
    ? parseTree(object.bytes, git.shadow.format.zero.length / 2, id)
    : none;
}

async function readNeeded({ shadow: { format }, objects }: OpenedGit, id: string) {
  const object = await objects.read(id, maxTreeBytes);
  if (!object) throw missingObject(format, id, 'which the change needs');
  return object;
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
    if (name <= last)
      throw inputError(
        `git-object: the folder ${id} of the repository is not in git's own order.`,
        'Run "git fsck" in the repository to see what is wrong.',
      );
    entries.set(name, { mode, id: bytes.toString('hex', end + 1, next) });
    [last, at] = [name, next];
  }
  return entries;
}

/** Of what is staged or lies in the working tree, which has no commit, the id is that of the tree. Throws as `resolveCommit`. */
export async function resolveTree(git: OpenedGit, revision: string) {
  const isId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(revision);
  if (isId && (await git.objects.read(revision, 0))?.type === 'tree') return revision;
  return treeOf(git, await resolveCommit(git, revision));
}

/** Of a commit its tree. */
async function treeOf(git: OpenedGit, id: string) {
  const object = await readNeeded(git, id);
  if (object.type !== 'commit') return id;
  return /^tree ([0-9a-f]+)\n/.exec(object.bytes?.toString('latin1') ?? '')?.[1] ?? id;
}

/**
 * Every file of a commit or tree by full id: `name` in bytes as latin1, `size` zero where the repository lacks the contents. Throws
 * `UserError` for more than 500,000, and as `weigh`.
 */
export async function listTree(git: OpenedGit, tree: string) {
  const weight = await weigh(git, [null, await treeOf(git, tree)]);
  if (weight.files + weight.folders > mostFiles)
    throw tooMuch(`The tree of ${tree.slice(0, 12)} names more than ${mostFiles} files`, weight);
  const listed = await askGit(
    git.shadow.program,
    [...'ls-tree -r -l -z --full-tree --end-of-options'.split(' '), tree],
    `The files of ${tree.slice(0, 12)} cannot be listed`,
    { maxBytes: 512 * 1024 * 1024 },
  );
  return splitZero(listed).map(record => {
    const match = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-|BAD)\t(.*)$/s.exec(record);
    if (!match) throw new Error('git ls-tree printed an unknown record.');
    const [, mode = '', id = '', size = '', name = ''] = match;
    return { mode, id, name, size: /^\d/.test(size) ? Number(size) : 0 };
  });
}

export interface Link {
  /** From the top of the repository. */
  readonly path: string;
  readonly target: string;
}

const mostLinks = 20_000;
const mostTargetBytes = 65_536;

/**
 * Every symbolic link of a commit or tree by full id: only folders with one below them are followed, however many files the others
 * name. Throws `UserError` for more than 20,000, and as `weigh`.
 */
export async function listLinks(git: OpenedGit, revision: string): Promise<readonly Link[]> {
  const below = async (id: string, prefix: string): Promise<readonly Link[]> => {
    const { links } = await weigh(git, [null, id]);
    if (links === 0) return [];
    if (links > mostLinks) throw tooMuch(`The tree holds more than ${mostLinks} links`);
    const found = [...(await readFolder(git, id))].map(async ([own, { mode, id: inner }]) => {
      const name = prefix + own;
      if (name.endsWith('/')) return below(inner, name);
      if (mode !== '120000') return [];
      const target = (await git.objects.read(inner, mostTargetBytes))?.bytes?.toString('utf8');
      return [{ path: decodeName(name), target: target ?? '' }];
    });
    return (await Promise.all(found)).flat();
  };
  return below(await treeOf(git, revision), '');
}

// Text of one side of a changed file, or of a path at a revision.

/**
 * Null when the side is missing, binary, a submodule or too large. A link's text is its target. What the repository does
 * not have is put together from the hunks where they are enough: a whole file, or a patch on a file that is here.
 */
export async function readSide(session: Session, file: ChangedFile, side: 'old' | 'new') {
  const mode = side === 'old' ? file.oldMode : file.newMode;
  if (mode === '000000' || mode === '160000') return null;
  const stored = await readBlob(session, side === 'old' ? file.oldId : file.newId);
  if (stored !== null || file.content !== 'text') return stored;
  if (file.oldMode === '000000') return applyHunks('', file.hunks);
  if (file.newMode === '000000') return applyHunks('', reverseHunks(file.hunks));
  const old = side === 'new' ? await readBlob(session, file.oldId) : null;
  return old === null ? null : applyHunks(old, file.hunks);
}

/** Null when there is no such regular file, or it is no text. Links are not followed. */
export async function readFileAt(session: Session, revision: string, path: string) {
  const entry = await readEntryAt(session, revision, path);
  return entry?.mode.startsWith('100') ? readBlob(session, entry.id) : null;
}

/** What a path names at a revision; null when nothing. Links are not followed. The mode of a folder is `040000`. */
export async function readEntryAt(session: Session, revision: string, path: string) {
  if (path === '' || path.includes('\0')) return null;
  const git = await session.open();
  let entry: Entry = { mode: folderMode, id: await resolveTree(git, revision) };
  for (const name of Buffer.from(path).toString('latin1').split('/')) {
    if (entry.mode !== folderMode) return null;
    const entries = await readFolder(git, entry.id);
    const found = entries.get(name) ?? entries.get(`${name}/`);
    if (!found) return null;
    entry = { mode: found.mode.padStart(folderMode.length, '0'), id: found.id };
  }
  return entry;
}

const folderMode = '040000';

async function readBlob(session: Session, id: string): Promise<string | null> {
  if (!session.folder || /^0+$/.test(id)) return null;
  const object = await (await session.open()).objects.read(id, session.maxFileBytes);
  if (object?.type !== 'blob' || !object.bytes || object.bytes.includes(0)) return null;
  return object.bytes.toString('utf8');
}
