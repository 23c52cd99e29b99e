/** Lists every file of a commit or of the working tree, without reading one. */
import { isUtf8 } from 'node:buffer';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { notebookLines } from '../../core/languages/embedded-code.ts';
import { inputError, usageError } from '../../core/errors.ts';
import type { Tree } from '../../core/ports/repository.ts';
import type { Change, ChangedFile } from '../../core/words/change.ts';
import { readPlainFile } from '../system/given-file.ts';
import { firstLine, runGit } from './git-process.ts';
import {
  type OpenedGit,
  type Session,
  decodeName,
  hashObject,
  noticeLink,
  showName,
  splitZero,
} from './object-reader.ts';
import { addedHunks, zero } from './patch.ts';
import { readBranch } from './revision.ts';
import { listTree, resolveTree } from './trees.ts';
import { listWorktree, writeWorktreeTree } from './working-trees.ts';

/** `revision` null: the working tree, untracked files included and ignored ones not. Throws `UserError` as a change does. */
export async function listFiles(git: OpenedGit, revision: string | null): Promise<Tree> {
  const id =
    revision === null
      ? (await writeWorktreeTree(git, 'all')).tree
      : await resolveTree(git, revision);
  const files = await listTree(git, id);
  return {
    id,
    branch: revision === null || revision === 'HEAD' ? await readBranch(git.shadow) : revision,
    files: files.map(({ name, mode, id, size }) => ({
      path: decodeName(name),
      mode,
      id,
      size,
    })),
  };
}

// Reads whole files by path, folder or glob, in a working tree or outside git, and shows them as added.

const maxEntries = 200_000;
const maxTotalBytes = 256 * 1024 * 1024;

/** Patterns are relative to where the caller stands. Throws `UserError` for one that names nothing, or something outside. */
export async function readListedFiles(session: Session, patterns: readonly string[]) {
  const here = await realpath(session.here);
  const top = session.folder?.root ?? here;
  const listing = createListing(session, top);
  const chosen = new Set<string>();
  for (const pattern of patterns)
    for (const path of await expand(pattern, { here, top, listing })) chosen.add(path);

  const files: ChangedFile[] = [];
  const warnings: string[] = [];
  let total = 0;
  for (const path of [...chosen].toSorted()) {
    const { file, bytes, warning } = await readListed(session, top, path);
    total += bytes;
    if (total > maxTotalBytes)
      throw inputError(
        `The files are too large to review together: more than ${maxTotalBytes / 1_048_576} MiB.`,
      );
    if (file) files.push(file);
    if (warning !== null) warnings.push(warning);
  }
  return { files, warnings };
}

interface Places {
  here: string;
  top: string;
  listing: () => Promise<readonly string[]>;
}

/** Paths relative to the top, with slashes. */
async function expand(pattern: string, { here, top, listing }: Places) {
  const shown = showName(pattern);
  const path = fromTop(pattern, here, top);
  const entry = await lstat(join(top, path)).catch(() => null);
  if (entry?.isFile() || entry?.isSymbolicLink()) return [path];
  if (entry && !entry.isDirectory()) throw inputError(`${shown} is not a regular file.`);
  const found = entry
    ? (await listing()).filter(name => path === '' || name.startsWith(`${path}/`))
    : await matchGlob(pattern, here, top, await listing());
  if (!found) throw inputError(`There is no file ${shown}.`);
  if (found.length === 0) throw inputError(`No file matches ${shown}.`);
  return found;
}

/** Null when the pattern is no glob. */
async function matchGlob(pattern: string, here: string, top: string, names: readonly string[]) {
  const { default: picomatch } = await import('picomatch');
  if (!picomatch.scan(pattern).isGlob) return null;
  const matches = picomatch(pattern);
  return names.filter(name => matches(toSlashes(relative(here, join(top, name)))));
}

/** Made once, and only when a folder or a glob asks for it. */
function createListing(session: Session, top: string) {
  let listed: Promise<readonly string[]> | null = null;
  return () => (listed ??= session.folder ? session.open().then(listWorktree) : walk(top));
}

/** Outside git nothing says what is generated; the two folders that never hold a person's own text are left out. */
async function walk(top: string) {
  const found: string[] = [];
  const pending = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(join(top, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) found.push(path);
      else if (entry.name !== '.git' && entry.name !== 'node_modules') pending.push(path);
    }
    if (found.length + pending.length > maxEntries)
      throw inputError(
        `${showName(top)} holds more than ${maxEntries} files.`,
        'Name a smaller folder.',
      );
  }
  return found;
}

interface ReadFile {
  file: ChangedFile | null;
  bytes: number;
  warning: string | null;
}

async function readListed({ maxFileBytes }: Session, top: string, path: string): Promise<ReadFile> {
  const absolute = join(top, path);
  const skip = (why: string): ReadFile => ({
    file: null,
    bytes: 0,
    warning: `${showName(path)} ${why} and is not shown.`,
  });
  const entry = await lstat(absolute).catch(() => null);
  if (!entry) return skip('is not on disk');
  const folder = await realpath(dirname(absolute));
  if (folder !== top && !folder.startsWith(top + sep))
    return skip('lies behind a link that leads outside');
  if (entry.isSymbolicLink()) {
    const target = await readlink(absolute);
    return {
      file: describe(path, '120000', 'symlink', Buffer.from(target)),
      bytes: 0,
      warning: noticeLink(path, target),
    };
  }
  if (!entry.isFile()) return skip('is not a regular file');
  const mode = (entry.mode & 0o100) === 0 ? '100644' : '100755';
  if (entry.size > maxFileBytes)
    return { file: describe(path, mode, 'too-large', null), bytes: 0, warning: null };
  const bytes = await readPlainFile(absolute, maxFileBytes);
  if (!bytes) throw inputError(`${showName(path)} cannot be read.`);
  return {
    file: describe(path, mode, bytes.includes(0) ? 'binary' : 'text', bytes),
    bytes: bytes.length,
    warning: null,
  };
}

/** The id is the one git would give; zeros for a file that was not read. */
function describe(
  path: string,
  newMode: string,
  content: ChangedFile['content'],
  bytes: Buffer | null,
): ChangedFile {
  const text =
    (content === 'text' || content === 'symlink') && bytes ? bytes.toString('utf8') : null;
  const hunks = text === null ? [] : addedHunks(text);
  const notebook = content === 'text' && text !== null && notebookLines(path, null, text);
  return {
    path,
    oldPath: null,
    status: 'added',
    oldMode: '000000',
    newMode,
    oldId: zero,
    newId: bytes ? hashObject('sha1', 'blob', bytes) : zero,
    content,
    additions: hunks[0]?.newLines ?? 0,
    deletions: 0,
    hunks,
    ...(bytes && !isUtf8(bytes) && { damaged: true }),
    ...(notebook && { notebook }),
  };
}

/** Throws `UserError` for a path outside. */
function fromTop(path: string, here: string, top: string) {
  const place = toSlashes(relative(top, resolve(here, path)));
  if (/^(?:\.\.)?\/|^\.\.$/.test(place))
    throw inputError(`${showName(path)} is outside of ${showName(top)}.`);
  return place;
}

function toSlashes(path: string) {
  return path.split(sep).join('/');
}

// Which files of a change some paths mean: files, folders and patterns as git understands them, from where the caller stands.

/** Paths of the files that are meant, in the order of the change; a renamed file by either name. Throws `UserError` for a path outside. */
export async function choosePaths(
  session: Session,
  paths: readonly string[],
  { base, head, files }: Pick<Change, 'base' | 'head' | 'files'>,
) {
  const here = await realpath(session.here);
  const places = paths.map(path => placeOf(path, here, session.folder?.root ?? here));
  const isMeant =
    base === null || head === null
      ? await matchPlaces(places)
      : await matchByGit(session, places, { base, head });
  return files
    .filter(({ path, oldPath }) => isMeant(path) || (oldPath !== null && isMeant(oldPath)))
    .map(({ path }) => path);
}

/** One word for git, whatever the path holds. */
interface PathPlace {
  /** Relative to the top; empty: everything. */
  place: string;
  /** What git calls magic: `exclude`, `icase`, … */
  magic: readonly string[];
}

/** `:(exclude)x`, `:!x` and `:/x` are git's own words for paths. */
function placeOf(path: string, here: string, top: string): PathPlace {
  const [, long, short = '', rest = ''] =
    /^:(?:\(([^)]*)\)|([!^/]*):?)(.*)$/s.exec(path) ?? ([null, undefined, '', path] as const);
  const words = [
    ...(long ?? '').split(',').filter(word => word !== ''),
    ...(/[!^]/.test(short) ? ['exclude'] : []),
  ];
  const isFromTop = words.includes('top') || short.includes('/');
  return {
    place: fromTop(rest, isFromTop ? top : here, top),
    magic: words.filter(word => word !== 'top'),
  };
}

type IsMeant = (path: string) => boolean;

async function matchByGit(
  session: Session,
  places: readonly PathPlace[],
  { base, head }: { base: string; head: string },
): Promise<IsMeant> {
  const { shadow } = await session.open();
  const words = [
    ...'diff-tree -r -z --name-only --no-renames --end-of-options'.split(' '),
    base,
    head,
    '--',
    ...places.map(({ place, magic }) => `:(${['top', ...magic].join(',')})${place}`),
  ];
  const { code, stdout, stderr } = await runGit(shadow.program, words, { patterns: true });
  if (code !== 0) throw usageError(`The paths cannot be read: ${firstLine(stderr)}.`);
  const names = new Set(splitZero(stdout).map(decodeName));
  return path => names.has(path);
}

/** Of a patch there are no trees that git could look into. */
async function matchPlaces(places: readonly PathPlace[]): Promise<IsMeant> {
  const { default: picomatch } = await import('picomatch');
  const matchers = places.map(({ place, magic }) => {
    const folder = place === '' ? '' : `${place}/`;
    const isGlob = picomatch(place === '' ? '**' : place, { dot: true, bash: true });
    return {
      isExcluded: magic.includes('exclude'),
      matches: (path: string) => path === place || path.startsWith(folder) || isGlob(path),
    };
  });
  const wanted = matchers.filter(({ isExcluded }) => !isExcluded);
  const unwanted = matchers.filter(({ isExcluded }) => isExcluded);
  return path =>
    (wanted.length === 0 || wanted.some(({ matches }) => matches(path))) &&
    !unwanted.some(({ matches }) => matches(path));
}
