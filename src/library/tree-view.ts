/**
 * The files below one folder in one of their states: on disk, in a commit, or as they decide while a change is under review. One walk
 * follows the links of all of them, name by name, and says where a path leads.
 */
import type { Link } from '../adapters/git/trees.ts';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { GitRepository } from '../adapters/git/repository.ts';
import { isInside } from '../adapters/system/disk.ts';
import { readRegularBytes } from '../adapters/system/given-file.ts';
import { usageError } from '../core/errors.ts';

const mostFileBytes = 64 * 1024 * 1024;

/** What names more is not looked through: no more of a folder is listed. */
export const mostNamedFiles = 1_000;

interface FileEntry {
  kind: 'file';
  isProgram: boolean;
  /** Throws `UserError` for one of more than `most` bytes; default: 64 MiB. */
  read(most?: number): Promise<Buffer>;
}

type Entry = { kind: 'absent' | 'folder' } | { kind: 'link'; target: string } | FileEntry;

/** What a path leads to. `path`: relative to the top, with slashes; absolute of what lies outside. */
export type Found =
  | { readonly kind: 'absent' }
  | { readonly kind: 'outside'; readonly path: string }
  | ({ readonly path: string } & FileEntry)
  | {
      readonly kind: 'folder';
      readonly path: string;
      /** Paths of what lies below, relative to it. Links are named and not followed. */
      files(): Promise<readonly string[]>;
    };

interface Walk {
  /** Every link on the way and the end of it, relative to the top. */
  trail: readonly string[];
  end: Found;
}

/** Places are relative to `root`, with slashes. */
export interface TreeView {
  /** Absolute. */
  readonly root: string;
  /** Null for what lies elsewhere. */
  placeOf(file: string): Promise<string | null>;
  /** `touched`: what the change under review touches of it, where its state at the base decides for that reason. */
  find(place: string): Promise<Found & { readonly touched?: readonly string[] }>;
  /** Names of what may lie in a folder. */
  namesIn(place: string): Promise<readonly string[]>;
}

/** A view of one state, with the way to each end. */
interface StateView extends TreeView {
  walk(place: string): Promise<Walk>;
}

interface TreeState {
  look(place: string): Promise<Entry>;
  namesIn(place: string): Promise<readonly string[]>;
  filesBelow(place: string): Promise<readonly string[]>;
}

/** `root`: absolute real path of the top. */
export function viewDisk(root: string): StateView {
  const fileAt = (place: string) => path.join(root, place);
  const filesBelow = async (place: string) => {
    const found: string[] = [];
    const folders = [''];
    for (const folder of folders) {
      if (found.length > mostNamedFiles) break;
      const entries = await readdir(fileAt(path.join(place, folder)), {
        withFileTypes: true,
      }).catch(() => []);
      for (const entry of entries) {
        // Git keeps its own books, and no program loads from them.
        if (entry.name === '.git') continue;
        (entry.isDirectory() ? folders : found).push(path.posix.join(folder, entry.name));
      }
    }
    return found;
  };
  return viewOf(root, {
    async look(place) {
      const file = fileAt(place);
      const found = await lstat(file).catch(() => null);
      if (found?.isSymbolicLink()) return { kind: 'link', target: await readlink(file) };
      if (found?.isFile() !== true) return { kind: found?.isDirectory() ? 'folder' : 'absent' };
      return {
        kind: 'file',
        isProgram: (found.mode & 0o100) !== 0,
        read: async (most = mostFileBytes) =>
          sized(found.size > most ? null : await readRegularBytes(file), place),
      };
    },
    namesIn: place => readdir(fileAt(place)).catch(() => []),
    filesBelow,
  });
}

/** A commit or tree by full id, as the files below `root` were then. */
export function viewRevision(root: string, repository: GitRepository, revision: string): StateView {
  let listed: ReturnType<GitRepository['tree']> | undefined;
  const filesBelow = async (place: string) => {
    const { files } = await (listed ??= repository.tree(revision));
    const start = place === '' ? '' : `${place}/`;
    return files
      .filter(file => file.path.startsWith(start))
      .map(file => file.path.slice(start.length));
  };
  return viewOf(root, {
    async look(place) {
      const found = await repository.entryAt(revision, place);
      if (!found || found.mode === '160000') return { kind: 'absent' };
      if (found.mode === '040000') return { kind: 'folder' };
      const { id, mode } = found;
      if (mode === '120000')
        return {
          kind: 'link',
          target: (await repository.content(id, 65_536))?.toString('utf8') ?? '',
        };
      return {
        kind: 'file',
        isProgram: mode === '100755',
        read: async (most = mostFileBytes) => sized(await repository.content(id, most), place),
      };
    },
    namesIn: async place => firstNames(await filesBelow(place)),
    filesBelow,
  });
}

/** Of paths below a folder: what lies in it. */
export function firstNames(places: readonly string[]) {
  return [...new Set(places.map(place => place.split('/', 1)[0] ?? ''))];
}

function sized(bytes: Buffer | null, place: string) {
  if (bytes) return bytes;
  throw usageError(`${place} cannot be read: it is longer than ${mostFileBytes >> 20} MiB.`);
}

function viewOf(root: string, { look, namesIn, filesBelow }: TreeState): StateView {
  const walk = (place: string): Promise<Walk> => walkPath(root, place, { look, filesBelow });
  return {
    root,
    placeOf: file => placeIn(root, file),
    find: async place => (await walk(place)).end,
    namesIn,
    walk,
  };
}

/** As many as Linux follows. */
const mostLinks = 40;

async function walkPath(
  root: string,
  place: string,
  { look, filesBelow }: Omit<TreeState, 'namesIn'>,
): Promise<Walk> {
  const trail = [];
  let at: string[] = [];
  let pending = place.split('/');
  let links = 0;
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === '' || name === '.') continue;
    if (name === '..' && at.length > 0) {
      at = at.slice(0, -1);
      continue;
    }
    const here = [...at, name].join('/');
    const entry: Entry =
      name === '..' ? { kind: 'link', target: path.dirname(root) } : await look(here);
    if (entry.kind === 'folder') {
      at = [...at, name];
      continue;
    }
    trail.push(entry.kind === 'link' ? here : [here, ...pending].join('/'));
    if (entry.kind === 'file' && pending.length === 0)
      return { trail, end: { ...entry, path: here } };
    if (entry.kind !== 'link' || ++links > mostLinks) return { trail, end: { kind: 'absent' } };
    const [target, rest] = [entry.target, pending];
    if (!path.isAbsolute(target)) {
      pending = [...target.split('/'), ...rest];
      continue;
    }
    const file = path.join(target, ...rest);
    // Wherever links lead out there.
    const real = isInside(root, file) ? file : await realpath(file).catch(() => file);
    if (!isInside(root, real)) return { trail, end: { kind: 'outside', path: file } };
    [at, pending] = [[], toPlace(root, real).split('/')];
  }
  const end = at.join('/');
  return {
    trail: [...trail, end],
    end: { kind: 'folder', path: end, files: () => filesBelow(end) },
  };
}

/**
 * Path of a file relative to the top of a repository, with slashes; null when it lies elsewhere. The folder that leads to the
 * repository may be named through links; what lies in it is named as it is.
 */
export async function placeIn(root: string | null, file: string) {
  if (root === null) return null;
  if (isInside(root, file)) return toPlace(root, file);
  for (let at = file; ; at = path.dirname(at)) {
    const real = await realpath(at).catch(() => null);
    if (real !== null && isInside(root, real))
      return toPlace(root, path.join(real, path.relative(at, file)));
    if (at === path.dirname(at)) return null;
  }
}

function toPlace(root: string, file: string) {
  return path.relative(root, file).split(path.sep).join('/');
}

/** A link that goes through a place, or ends there. */
interface Leading {
  link: string;
  isEnd: boolean;
}

const mostNames = 1_000;

/**
 * The other names that links give to each of some paths: those that lead to it or to a folder above it, through one another too, and
 * through it where it is a link itself. `links` are those of one state of the repository. `'many'`: more than can be followed.
 */
export async function namesThrough(
  root: string,
  links: readonly Link[],
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly string[] | 'many'>> {
  const targets = new Map(links.map(link => [link.path, link.target]));
  const leading = new Map<string, Leading[]>();
  const add = (place: string, one: Leading) => {
    const known = leading.get(place) ?? [];
    leading.set(place, known);
    known.push(one);
  };
  for (const { path: link } of links) {
    const { trail, end } = await walkPath(root, link, {
      look: async place => {
        const target = targets.get(place);
        return target === undefined ? { kind: 'folder' } : { kind: 'link', target };
      },
      filesBelow: async () => [],
    });
    for (const place of trail.slice(1, -1)) add(place, { link, isEnd: false });
    if (end.kind === 'folder') add(end.path, { link, isEnd: true });
  }
  return new Map(paths.map(place => [place, namesOf(place, leading)]));
}

function namesOf(place: string, leading: ReadonlyMap<string, readonly Leading[]>) {
  const names = [];
  const pending = [{ name: place, through: [] as readonly string[] }];
  for (let at = pending.pop(); at; at = pending.pop()) {
    const { name, through } = at;
    const parts = name.split('/');
    for (let length = parts.length; length >= 0; length -= 1) {
      const rest = parts.slice(length);
      for (const { link, isEnd } of leading.get(parts.slice(0, length).join('/')) ?? []) {
        // What goes through a link a second time has no part in its name that it had not before.
        if (through.includes(link) || (!isEnd && rest.length > 0)) continue;
        const longer = [link, ...rest].join('/');
        names.push(longer);
        pending.push({ name: longer, through: [...through, link] });
        if (names.length > mostNames) return 'many';
      }
    }
  }
  return names;
}
