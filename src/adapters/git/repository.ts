/** The `Repository` port over git: opens what lies at a folder and reads changes from it without running anything of it. */
import { mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sayUnsent } from '../../core/change/untracked.ts';
import { UserError } from '../../core/errors.ts';
import { type PullRequest, titleOfPull } from '../../core/words/pull-request.ts';
import type { Commit } from '../../core/context/packing/rungs.ts';
import type { Tree } from '../../core/ports/code-index.ts';
import type { ChangeRequest, Repository } from '../../core/ports/repository.ts';
import type { PastChange } from '../../core/context/packing/co-change.ts';
import { shellQuote } from '../../core/text.ts';
import type { Change } from '../../core/words/change.ts';
import { listAuthors, ownAddress } from './authors.ts';
import { choosePaths } from './chosen-paths.ts';
import { compareTrees } from './compare-trees.ts';
import { packPull, resolvePull } from './fetch-commits.ts';
import {
  findGitFolder,
  type GitFolder,
  readFormat,
  readPlainText,
  readReferences,
} from './git-folder.ts';
import { type GitOutput, type GitPerson, readSection, runGit } from './git-process.ts';
import { listTracked } from './index-copy.ts';
import { listFiles, readListedFiles } from './list-files.ts';
import { noticeFiles } from './notices.ts';
import { listPastChanges } from './past-changes.ts';
import { readPatch } from './patch-change.ts';
import { readEntryAt, readFileAt, readSide, type TreeEntry } from './read-text.ts';
import {
  type BranchRange,
  commitsSince,
  type Endpoints,
  findBranchRange,
  mergeBase,
  readBranch,
  resolveCommit,
  resolveEndpoints,
  short,
  showName,
  findCommit,
  idNamed,
} from './revision.ts';
import { lookForWork, type UncommittedWork } from './uncommitted.ts';
import { createSession, type Session } from './session.ts';
import type { OpenedGit } from './object-reader.ts';
import { listLinks, type Link } from './tree-links.ts';
import { measureChange, treeOf } from './tree-size.ts';
import { headOrEmpty, writeStagedTree, writeWorktreeTree } from './working-trees.ts';

export interface OpenOptions {
  /** Absolute path of git; default: looked up in a fixed list of folders. */
  readonly gitPath?: string;
  /** Parent of the engine's own git directory; default: the system's. Must lie outside the repository. */
  readonly temporaryFolder?: string;
  /** Longer files are `too-large`; default: 2 MiB. */
  readonly maxFileBytes?: number;
  /** Milliseconds for one git command; default: two minutes. A planted pipe would block it for ever. */
  readonly timeoutMs?: number;
  /** What lets commits of a pull request be fetched that not everybody may read; default: nothing. */
  readonly token?: () => string | null;
}

export interface GitRepository extends Repository {
  /** Full id of the commit a revision names. Throws `UserError` as `change` does. */
  resolve(revision: string): Promise<string>;
  /** Does the request still name the two trees that the change was read from? False where it names none. */
  isStill(request: ChangeRequest, change: Pick<Change, 'base' | 'head'>): Promise<boolean>;
  /** Where the branch that is checked out left the default one; null on no branch, and where it adds nothing. */
  branchRange(): Promise<BranchRange | null>;
  /** Whether there is anything to review beside the commits. Cheap: says "perhaps" without reading the files. */
  lookForWork(withUntracked: boolean): Promise<UncommittedWork>;
  /** Id of the tree without files, the base of what has no history. */
  emptyTree(): Promise<string>;
  /** The latest commit that two commits, by full id, have in common. Throws `UserError` where there is none. */
  mergeBase(one: string, other: string): Promise<string>;
  /**
   * Full ids of the commits behind one commit and not behind another, merges left out, latest first and at most so many; `base` null: of
   * all that are behind it. Throws `UserError` where the history cannot be read.
   */
  commitsSince(base: string | null, head: string, most: number): Promise<readonly string[]>;
  /** What a path names at a revision; null when nothing. Links are not followed. */
  entryAt(revision: string, path: string): Promise<TreeEntry | null>;
  /** Addresses of those who wrote its commits, none where it has no commits yet; null where that is not known. */
  authorsOf(change: Change): Promise<readonly string[] | null>;
  /** The address that commits of a person would carry; null where git knows none. */
  addressOf(person: GitPerson): Promise<string | null>;
  /** A new folder, private and outside of every repository, that is gone when this is closed. */
  makeFolder(): Promise<string>;
  /** True when two revisions hold the same files. */
  sameTree(one: string, other: string): Promise<boolean>;
  /** All files of a commit; of the working tree, with what is neither tracked nor ignored, when `revision` is null. */
  tree(revision: string | null): Promise<Tree>;
  /** Every symbolic link of a commit or tree, by full id; not followed. Throws `UserError` where a folder of it cannot be read. */
  links(revision: string): Promise<readonly Link[]>;
  /** The address that the configuration of the repository gives a remote; null where it names none. Nothing is obeyed of it. */
  remoteAddress(name: string): Promise<string | null>;
  /** A pack of all objects that lie behind the head of a pull request and not behind its base. Throws `UserError`. */
  packPull(pull: PullRequest): Promise<Buffer>;
  /** Every path of git's index: what is tracked, whether it is there or not. */
  tracked(): Promise<readonly string[]>;
  /** The last commits before `revision` that touched any of these lines, latest first; none for a tree that is no commit. */
  lastCommits(
    revision: string | null,
    ranges: readonly TouchedLines[],
    most: number,
  ): Promise<readonly Commit[]>;
  /**
   * What changed together with any of these paths before a commit (null: the current one), that commit included; latest first,
   * only so far back.
   */
  pastChanges(before: string | null, paths: readonly string[]): Promise<readonly PastChange[]>;
  /** A content of such a tree; null when it is missing, no file or longer than `maxBytes`. */
  content(id: string, maxBytes: number): Promise<Buffer | null>;
}

const defaults = { maxFileBytes: 2 * 1024 * 1024, timeoutMs: 120_000 };

/** Never fails over what lies at `cwd`: outside git, patches and files can still be read, and the rest is refused when asked for. */
export async function openRepository(
  cwd: string,
  options: OpenOptions = {},
): Promise<GitRepository> {
  const here = resolve(cwd);
  const folder = await findGitFolder(here);
  const session = createSession(here, folder, { ...defaults, ...options });
  const { token = () => null } = options;
  const commits = new Map<string, Promise<string | null>>();
  return {
    root: folder?.root ?? null,
    change: request => readChange(session, request, token),
    remoteAddress: name => readRemoteAddress(folder, name),
    packPull: async pull => packPull(await session.open(), pull, token()),
    read: (file, side) => readSide(session, file, side),
    readAt: (revision, path) => readFileAt(session, revision, path),
    entryAt: (revision, path) => readEntryAt(session, revision, path),
    authorsOf: async change => listAuthors(await session.open(), change),
    addressOf: async person => ownAddress(await session.open(), person),
    makeFolder: async () => mkdtemp(join((await session.open()).shadow.program.folder, 'files-')),
    async resolve(revision) {
      return resolveCommit(await session.open(), revision);
    },
    async isStill(request, { base, head }) {
      if (request.source === 'patch' || request.source === 'files') return false;
      if (request.source === 'revision' && folder !== null) {
        const { zero } = await readFormat(folder);
        const references = await readReferences(folder, zero.length);
        // A commit keeps its parents, so git is asked nothing.
        if (idNamed(references, request.revision) === head) return true;
      }
      const now = await readTrees(session, request, token);
      return now.base === base && now.head === head;
    },
    branchRange: async () => findBranchRange((await session.open()).shadow),
    lookForWork: async withUntracked => lookForWork(await session.open(), withUntracked),
    emptyTree: async () => (await session.open()).shadow.format.emptyTree,
    mergeBase: async (one, other) => mergeBase((await session.open()).shadow, one, other),
    commitsSince: async (...asked) => commitsSince((await session.open()).shadow, ...asked),
    async sameTree(one, other) {
      const git = await session.open();
      const [left, right] = await Promise.all(
        [one, other].map(async revision => treeOf(git, await resolveCommit(git, revision))),
      );
      return left === right;
    },
    branch: async () => (folder === null ? 'unknown' : readBranch((await session.open()).shadow)),
    tree: async revision => listFiles(await session.open(), revision),
    links: async revision => listLinks(await session.open(), revision),
    tracked: async () => listTracked((await session.open()).shadow),
    async lastCommits(revision, ranges, most) {
      const git = await session.open();
      const asked =
        revision === null
          ? Promise.resolve(git.shadow.references.head ?? null)
          : (commits.get(revision) ?? findCommit(git, revision));
      // What is staged, or lies in the working tree, has no commit: without this, each pack of a large change would start git to
      // be told so.
      if (revision !== null) commits.set(revision, asked);
      return listLastCommits(git, await asked, ranges, most);
    },
    pastChanges: async (before, paths) => listPastChanges(await session.open(), before, paths),
    async content(id, maxBytes) {
      const object = await (await session.open()).objects.read(id, maxBytes);
      return object?.type === 'blob' ? object.bytes : null;
    },
    close: () => session.close(),
  };
}

async function readRemoteAddress(folder: GitFolder | null, name: string): Promise<string | null> {
  if (folder === null) return null;
  const text = (await readPlainText(join(folder.common, 'config'), 1_048_576)) ?? '';
  return readSection(text, `remote "${name}"`).get('url') ?? null;
}

// Reads a change in each of the ways a request can name one.

/** Throws `UserError` when the request names nothing, or nothing that changed. */
async function readChange(
  session: Session,
  request: ChangeRequest,
  token: () => string | null,
): Promise<Change> {
  const read = await readSource(session, request, token);
  if (read.files.length === 0) throw nothing(read.empty, read.instead);
  const { empty: _, warnings, ...change } = read;
  const limits = 'paths' in request ? await limitsOf(session, request.paths ?? [], read) : null;
  const noticed =
    limits === null
      ? change.files
      : change.files.filter(({ path }) => limits.chosen.includes(path));
  return {
    kind: 'change',
    ...change,
    ...limits,
    warnings: [...warnings, ...noticeFiles(noticed)],
  };
}

/** Null where the whole change is meant. Throws `UserError` where nothing of it is. */
async function limitsOf(
  session: Session,
  paths: readonly string[],
  read: Read,
): Promise<(Pick<Change, 'title'> & { readonly chosen: string[] }) | null> {
  if (paths.length === 0) return null;
  const shown = paths.map(shellQuote).join(' ');
  const chosen = await choosePaths(session, paths, read);
  if (chosen.length === 0) throw nothing(`${read.title} changes no file at ${showName(shown)}`);
  return { title: `${read.title} -- ${shown}`, chosen };
}

type Read = Omit<Change, 'kind'> & {
  /** Ends the sentence `Nothing to review: …` when there are no files. */
  readonly empty: string;
  /** What would be there to review; null where nobody can say. */
  readonly instead?: string;
};

async function readSource(
  session: Session,
  request: ChangeRequest,
  token: () => string | null,
): Promise<Read> {
  const { source } = request;
  if (source === 'patch')
    return {
      ...noTrees,
      source,
      title: request.title,
      ...(await readPatch(session, request.text)),
      empty: `${request.title} holds no change`,
    };
  if (source === 'files')
    return {
      ...noTrees,
      source,
      title: request.patterns.join(' '),
      ...(await readListedFiles(session, request.patterns)),
      empty: 'no file was named',
    };
  const { parting, ...named } = await readTrees(session, request, token);
  const { base, head } = named;
  const git = await session.open();
  const { files, warnings } = await compareTrees(
    { ...git, maxFileBytes: session.maxFileBytes },
    base,
    head,
  );
  return {
    ...named,
    ...(parting !== undefined && (await tellParting(git, named, parting, files.length))),
    files,
    warnings: [...named.warnings, ...warnings],
  };
}

const noTrees = { base: null, head: null };

type TreesRequest = Exclude<ChangeRequest, { readonly source: 'patch' | 'files' }>;

type NamedTrees = Omit<Read, 'files' | 'base' | 'head'> & Endpoints;

/** The two commits or trees that a request is about, before any of their files is read. */
async function readTrees(
  session: Session,
  request: TreesRequest,
  token: () => string | null,
): Promise<NamedTrees> {
  const git = await session.open();
  const { shadow } = git;
  if (request.source === 'staged')
    return {
      source: 'staged',
      base: headOrEmpty(shadow),
      head: await writeStagedTree(shadow, request.index),
      title: '--staged',
      warnings: [],
      empty: 'nothing is staged',
      instead: 'To stage something: git add',
    };
  if (request.source === 'worktree') {
    const { tree, unsent } = await writeWorktreeTree(git, request.untracked ? 'sendable' : 'none');
    const notes = sayUnsent(unsent);
    return {
      source: 'worktree',
      base: headOrEmpty(shadow),
      head: tree,
      title: '--worktree',
      ...(notes.length > 0 && { usual: { is: 'uncommitted', notes } }),
      warnings: [],
      empty: 'the working tree has no changes',
    };
  }
  if (request.source === 'pull')
    return ofHistory(git, titleOfPull(request), await resolvePull(git, request, token()));
  const named =
    request.source === 'revision'
      ? request
      : { revision: `${request.base}..${request.head}`, isExact: true };
  const title = request.source === 'revision' ? request.revision : request.title;
  return ofHistory(git, title, await resolveEndpoints(git, named));
}

function ofHistory(git: OpenedGit, title: string, ends: Endpoints): NamedTrees {
  const { base, head, parting: { from, names } = { from: base, names: [] } } = ends;
  const [of = '', own = ''] = names;
  if (from === head) throw nothing(`base and head are the same commit (${short(head)})`);
  if (base === head) throw nothing(`${showName(own)} has nothing that ${showName(of)} lacks`);
  return {
    source: 'range',
    title,
    warnings: noticeHistory(git),
    empty: `${title} changes no file`,
    ...ends,
  };
}

/** Where the other side has moved on, what it did since is no part of the change, which its title tells. */
async function tellParting(
  git: OpenedGit,
  { title, base }: Pick<NamedTrees, 'title' | 'base'>,
  { from, names: [of], bases }: NonNullable<Endpoints['parting']>,
  files: number,
): Promise<Partial<Pick<Change, 'title' | 'usual'>>> {
  if (from === base) return {};
  const moved = await measureChange(git, base, from).catch((error: unknown) => {
    if (error instanceof UserError) return null;
    throw error;
  });
  return {
    title:
      `${title} since merge base ${base.slice(0, 8)}${bases > 1 ? `, one of ${bases}` : ''} ` +
      `(${countFiles(files)}; ${showName(of)} moved on by ${moved === null ? 'too many to count' : countFiles(moved)})`,
    usual: { is: 'merge-base', notes: [] },
  };
}

function countFiles(count: number): string {
  return `${count} ${count === 1 ? 'file' : 'files'}`;
}

function noticeHistory({ shadow: { format, references } }: OpenedGit): string[] {
  return [
    ...(format.shallow ? ['The clone is shallow: older history is not here.'] : []),
    ...(references.replaced
      ? ['The repository replaces objects (refs/replace); the original ones were read.']
      : []),
  ];
}

function nothing(why: string, hint: string | null = null): UserError {
  return new UserError(`Nothing to review: ${why}.`, { kind: 'input', code: 'unchanged', hint });
}

// Who touched some lines last, from the history of the repository.

interface TouchedLines {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Following lines through a long history takes its time: only so many places are followed. */
const mostPlaces = 3;

/** Empty when the history cannot be followed: it is a hint, nothing depends on it. The commit itself is left out. */
async function listLastCommits(
  { shadow }: OpenedGit,
  commit: string | null,
  ranges: readonly TouchedLines[],
  most: number,
): Promise<readonly Commit[]> {
  if (commit === null) return [];
  const found = new Map<string, Commit>();
  for (const { path, start, end } of ranges.slice(0, mostPlaces)) {
    // A path with a colon or a line break cannot be written in this option.
    if (/[:\n]/.test(path)) continue;
    const output: GitOutput | null = await runGit({ ...shadow.program, timeoutMs: 5_000 }, [
      'log',
      `--max-count=${most + 1}`,
      '-s',
      '--no-color',
      '--date=short',
      '--format=%x01%H%x00%cd%x00%s%x00%b%x02',
      `-L${start},${end}:${path}`,
      commit,
    ]).catch(() => null);
    if (output?.code !== 0) continue;
    for (const past of parse(output.stdout.toString('utf8')))
      if (past.id !== commit) found.set(past.id, past);
  }
  return [...found.values()]
    .toSorted((one, other) => (one.date < other.date ? 1 : Number(one.date > other.date) * -1))
    .slice(0, most);
}

function parse(text: string): Commit[] {
  // oxlint-disable-next-line no-control-regex -- what git puts around records here cannot stand in a message
  return [...text.matchAll(/\u0001([0-9a-f]+)\0([^\0]*)\0([^\0]*)\0([^\u0002]*)\u0002/g)].map(
    ([, id = '', date = '', title = '', body = '']) => ({
      id,
      date,
      title: title.slice(0, 120),
      sentence: (
        /^.*?[.!?](?=\s|$)/s.exec(body.trim().replace(/\s+/g, ' ').slice(0, 300))?.[0] ?? ''
      ).slice(0, 120),
    }),
  );
}
