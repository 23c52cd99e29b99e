/**
 * One state of the files below a folder: on disk, in a commit, or as they decide while a change is under review. Links are
 * followed and named.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { GitRepository } from '../adapters/git/repository.ts';
import { readRegularBytes } from '../adapters/system/given-file.ts';
import { usageError } from '../core/errors.ts';
import { mostFileBytes, placeIn, type TrustedBase } from './trusted-base.ts';
import { type Entry, isInside, type WalkEnd, walkPath } from './walk-path.ts';

export type Content =
  | { readonly kind: 'absent' }
  /** It is a link, or lies behind one, that leads out of the folder. */
  | { readonly kind: 'outside'; readonly path: string }
  | { readonly kind: 'file'; readonly bytes: Buffer }
  /** `files`: paths of what lies below, relative to it, sorted. */
  | { readonly kind: 'folder'; readonly files: readonly string[] };

export interface FileView {
  /** Absolute. */
  readonly root: string;
  /** Path below the root, with slashes; null for what lies elsewhere. */
  placeOf(file: string): Promise<string | null>;
  /** `place`: below the root. Throws `UserError` for a file too large to be read. */
  contentOf(place: string): Promise<Content>;
  /** Names of what may lie in a folder. */
  namesIn(place: string): Promise<readonly string[]>;
}

/** What is not read: git keeps its own books, and no program loads from them. */
const unread = '.git';

export function viewDisk(root: string): FileView {
  return {
    root,
    placeOf: file => placeIn(root, file),
    contentOf: place => contentOnDisk(root, place),
    namesIn: place => readdir(path.join(root, place)).catch(() => []),
  };
}

/** The bytes that decide: those of the base where the change under review touches a file, those on disk otherwise. */
export function viewDeciding(root: string, ground: TrustedBase): FileView {
  const disk = viewDisk(root);
  const touchedBelow = async (place: string): Promise<string[]> => {
    const own = await ground.placeOf(path.join(root, place));
    if (own === null) return [];
    const start = own === '' ? '' : `${own}/`;
    return ground.touched
      .filter(name => name.startsWith(start))
      .map(name => name.slice(start.length));
  };
  return {
    ...disk,
    async contentOf(place) {
      const file = path.join(root, place);
      const trusted = await ground.trustedFileOf(file);
      if (trusted.from === 'base') return contentAtBase(trusted.file, ground);
      const found = await disk.contentOf(place);
      if (found.kind !== 'folder') return found;
      return { ...found, files: unique([...found.files, ...(await touchedBelow(place))]) };
    },
    namesIn: async place =>
      unique([
        ...(await disk.namesIn(place)),
        ...(await touchedBelow(place)).map(name => name.split('/')[0] ?? ''),
      ]),
  };
}

/** `root`: the top of the repository. */
export async function viewRevision(
  root: string,
  repository: GitRepository,
  revision: string,
): Promise<FileView> {
  const { files } = await repository.tree(revision);
  const known = new Map(files.map(file => [file.path, file]));
  const folders = new Set(
    files.flatMap(({ path: name }) =>
      name.split('/').map((_, count, names) => names.slice(0, count).join('/')),
    ),
  );
  const look = async (name: string): Promise<Entry> => {
    const found = known.get(name);
    if (folders.has(name)) return { kind: 'folder' };
    if (found === undefined || found.mode === '160000') return { kind: 'absent' };
    if (found.mode !== '120000') return { kind: 'file', id: found.id, isProgram: false };
    const target = await repository.content(found.id, 65_536);
    return { kind: 'link', target: target?.toString('utf8') ?? '' };
  };
  const below = (place: string): string[] =>
    files
      .filter(({ path: name }) => place === '' || name.startsWith(`${place}/`))
      .map(({ path: name }) => (place === '' ? name : name.slice(place.length + 1)));
  return {
    root,
    placeOf: file => placeIn(root, file),
    async contentOf(place) {
      const { end } = await walkPath(root, place, look);
      if (end.kind === 'absent' || end.kind === 'outside') return end;
      if (end.kind === 'folder') return { kind: 'folder', files: unique(below(end.path)) };
      return { kind: 'file', bytes: sized(await repository.content(end.id, mostFileBytes), place) };
    },
    namesIn: place => Promise.resolve(unique(below(place).map(name => name.split('/')[0] ?? ''))),
  };
}

async function contentOnDisk(root: string, place: string): Promise<Content> {
  const real = await realpath(path.join(root, place)).catch(() => null);
  if (real === null) return { kind: 'absent' };
  if (!isInside(root, real)) return { kind: 'outside', path: real };
  const found = await stat(real).catch(() => null);
  if (found?.isDirectory() === true)
    return { kind: 'folder', files: unique(await filesOnDisk(real)) };
  if (found?.isFile() !== true) return { kind: 'absent' };
  return {
    kind: 'file',
    bytes: sized(found.size > mostFileBytes ? null : await readRegularBytes(real), place),
  };
}

/** Links are named and not followed: whoever reads what is listed follows them. */
async function filesOnDisk(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries
      .filter(({ name }) => name !== unread)
      .map(async entry =>
        entry.isDirectory()
          ? (await filesOnDisk(path.join(folder, entry.name))).map(name => `${entry.name}/${name}`)
          : [entry.name],
      ),
  );
  return found.flat();
}

async function contentAtBase(
  file: WalkEnd | { readonly kind: 'unknown' },
  ground: TrustedBase,
): Promise<Content> {
  if (file.kind === 'unknown') return { kind: 'absent' };
  if (file.kind === 'absent' || file.kind === 'outside') return file;
  if (file.kind === 'file')
    return { kind: 'file', bytes: sized(await ground.bytesOf(file.id), file.path) };
  const files = (await ground.filesBelow(file.path)).map(({ path: name }) =>
    name.slice(file.path.length + 1),
  );
  return { kind: 'folder', files: unique(files) };
}

function sized(bytes: Buffer | null, place: string): Buffer {
  if (bytes !== null) return bytes;
  throw usageError(`${place} cannot be read: it is longer than ${mostFileBytes >> 20} MiB.`);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].filter(name => name !== '').toSorted();
}
