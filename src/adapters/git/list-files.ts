/** Lists every file of a commit or of the working tree, without reading one. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { notebookLines } from '../../core/change/notebook.ts';
import type { ChangedFile } from '../../core/words/change.ts';
import { UserError } from '../../core/errors.ts';
import type { Tree, TreeFile } from '../../core/ports/code-index.ts';
import { runGit } from './git-process.ts';
import { noticeLink } from './notices.ts';
import { readPlainFile } from './git-folder.ts';
import { decodeName, splitZero } from './text-diff.ts';
import { readBranch, showName } from './revision.ts';
import type { OpenedGit } from './object-reader.ts';
import type { Session } from './session.ts';
import { firstLine, type Shadow } from './shadow.ts';
import { addedHunks } from './read-text.ts';
import { measureTree, resolveTree } from './tree-size.ts';
import { listWorktree, writeWorktreeTree } from './working-trees.ts';

/** `revision` null: the working tree, untracked files included and ignored ones not. Throws `UserError` as a change does. */
export async function listFiles(git: OpenedGit, revision: string | null): Promise<Tree> {
  const { shadow } = git;
  if (revision === null) {
    const { tree } = await writeWorktreeTree(git, 'all');
    return {
      id: tree,
      branch: await readBranch(shadow),
      files: await listEntries(shadow, tree),
    };
  }
  const tree = await resolveTree(git, revision);
  await measureTree(git, tree);
  return {
    id: tree,
    branch: revision === 'HEAD' ? await readBranch(shadow) : revision,
    files: await listEntries(shadow, tree),
  };
}

/** Of a tree that has been measured. */
async function listEntries({ program }: Shadow, tree: string): Promise<TreeFile[]> {
  const { code, stdout, stderr } = await runGit(
    program,
    ['ls-tree', '-r', '-l', '-z', '--full-tree', '--end-of-options', tree],
    { maxBytes: 512 * 1024 * 1024 },
  );
  if (code !== 0)
    throw new UserError(`The files of ${showName(tree)} cannot be listed: ${firstLine(stderr)}.`, {
      kind: 'input',
    });
  const files: TreeFile[] = [];
  for (const record of splitZero(stdout).map(decodeName)) {
    const match = /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-|BAD)\t(.*)$/s.exec(record);
    // A clone may lack contents: git then calls their size bad, and whoever reads them finds nothing.
    if (match === null) throw new Error('git ls-tree printed an unknown record.');
    const [, mode = '', , id = '', size, path = ''] = match;
    files.push({ path, mode, id, size: /^\d/.test(size ?? '') ? Number(size) : 0 });
  }
  return files;
}

// Reads whole files by path, folder or glob, in a working tree or outside git, and shows them as added.

interface ListedFiles {
  readonly files: ChangedFile[];
  readonly warnings: string[];
}

const maxEntries = 200_000;
const maxTotalBytes = 256 * 1024 * 1024;

/** Patterns are relative to where the caller stands. Throws `UserError` for one that names nothing, or something outside. */
export async function readListedFiles(
  session: Session,
  patterns: readonly string[],
): Promise<ListedFiles> {
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
      throw new UserError(
        `The files are too large to review together: more than ${maxTotalBytes / 1_048_576} MiB.`,
        { kind: 'input' },
      );
    if (file !== null) files.push(file);
    if (warning !== null) warnings.push(warning);
  }
  return { files, warnings };
}

interface Places {
  readonly here: string;
  readonly top: string;
  readonly listing: () => Promise<readonly string[]>;
}

/** Paths relative to the top, with slashes. */
async function expand(pattern: string, { here, top, listing }: Places): Promise<string[]> {
  const shown = showName(pattern);
  const path = toSlashes(relative(top, resolve(here, pattern)));
  if (path === '..' || path.startsWith('../'))
    throw new UserError(`${shown} is outside of ${showName(top)}.`, { kind: 'input' });
  const entry = await lstat(join(top, path)).catch(() => null);
  if (entry?.isFile() === true || entry?.isSymbolicLink() === true) return [path];
  if (entry !== null && !entry.isDirectory())
    throw new UserError(`${shown} is not a regular file.`, { kind: 'input' });
  const found =
    entry === null
      ? await matchGlob(pattern, here, top, await listing())
      : (await listing()).filter(name => path === '' || name.startsWith(`${path}/`));
  if (found === null) throw new UserError(`There is no file ${shown}.`, { kind: 'input' });
  if (found.length === 0) throw new UserError(`No file matches ${shown}.`, { kind: 'input' });
  return found;
}

/** Null when the pattern is no glob. */
async function matchGlob(
  pattern: string,
  here: string,
  top: string,
  names: readonly string[],
): Promise<string[] | null> {
  const { default: picomatch } = await import('picomatch');
  if (!picomatch.scan(pattern).isGlob) return null;
  const matches = picomatch(pattern);
  return names.filter(name => matches(toSlashes(relative(here, join(top, name)))));
}

/** Made once, and only when a folder or a glob asks for it. */
function createListing(session: Session, top: string): () => Promise<readonly string[]> {
  let listed: Promise<readonly string[]> | null = null;
  return () => (listed ??= session.folder === null ? walk(top) : session.open().then(listWorktree));
}

/** Outside git nothing says what is generated; the two folders that never hold a person's own text are left out. */
async function walk(top: string): Promise<string[]> {
  const found: string[] = [];
  const pending = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readdir(join(top, folder), { withFileTypes: true }).catch(() => [])) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) found.push(path);
      else if (entry.name !== '.git' && entry.name !== 'node_modules') pending.push(path);
    }
    if (found.length + pending.length > maxEntries)
      throw new UserError(`${showName(top)} holds more than ${maxEntries} files.`, {
        kind: 'input',
        hint: 'Name a smaller folder.',
      });
  }
  return found;
}

interface ReadFile {
  readonly file: ChangedFile | null;
  readonly bytes: number;
  readonly warning: string | null;
}

async function readListed({ maxFileBytes }: Session, top: string, path: string): Promise<ReadFile> {
  const absolute = join(top, path);
  const skip = (why: string): ReadFile => ({
    file: null,
    bytes: 0,
    warning: `${showName(path)} ${why} and is not shown.`,
  });
  const entry = await lstat(absolute).catch(() => null);
  if (entry === null) return skip('is not on disk');
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
  if (bytes === null) throw new UserError(`${showName(path)} cannot be read.`, { kind: 'input' });
  const warning =
    isUtf8(bytes) || bytes.includes(0)
      ? null
      : `${showName(path)} is not valid UTF-8: bytes that are not are shown as U+FFFD.`;
  return {
    file: describe(path, mode, bytes.includes(0) ? 'binary' : 'text', bytes),
    bytes: bytes.length,
    warning,
  };
}

/** The id is the one git would give; zeros for a file that was not read. */
function describe(
  path: string,
  newMode: string,
  content: ChangedFile['content'],
  bytes: Buffer | null,
): ChangedFile {
  const zero = '0'.repeat(40);
  const newId =
    bytes === null
      ? zero
      : createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  const hunks =
    (content === 'text' || content === 'symlink') && bytes !== null
      ? addedHunks(bytes.toString('utf8'))
      : [];
  const additions = hunks[0]?.newLines ?? 0;
  const notebook = content === 'text' && bytes && notebookLines(path, null, bytes.toString('utf8'));
  return {
    path,
    oldPath: null,
    status: 'added',
    oldMode: '000000',
    newMode,
    oldId: zero,
    newId,
    content,
    additions,
    deletions: 0,
    hunks,
    ...(notebook && { notebook }),
  };
}

function toSlashes(path: string): string {
  return path.split(sep).join('/');
}
