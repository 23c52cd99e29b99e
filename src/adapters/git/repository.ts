/** The `Repository` port over git: opens what lies at a folder and reads changes from it without running anything of it. */
import { mkdtemp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sayUnsent } from '../../core/change/set-aside.ts';
import { ifUserError, UserError } from '../../core/errors.ts';
import { remember } from '../../core/groups.ts';
import {
  type Change,
  type ChangedFile,
  type PullRequest,
  titleOfPull,
} from '../../core/words/change.ts';
import type { Commit } from '../../core/context/packing/rungs.ts';
import type { ChangeRequest } from '../../core/ports/repository.ts';
import { shellQuote } from '../../core/text.ts';
import { choosePaths, listFiles, readListedFiles } from './list-files.ts';
import { compareTrees } from './compare-trees.ts';
import {
  commitsSince,
  listAuthors,
  listLastCommits,
  listPastChanges,
  ownAddress,
  packPull,
  resolvePull,
} from './history.ts';
import { readPlainText } from '../system/given-file.ts';
import { findGitFolder, readFormat, readReferences } from './git-folder.ts';
import { readSection } from './git-process.ts';
import { readPatch } from './patch.ts';
import {
  listLinks,
  measureChange,
  readEntryAt,
  readFileAt,
  readSide,
  resolveTree,
} from './trees.ts';
import {
  type Endpoints,
  findBranchRange,
  mergeBase,
  readBranch,
  resolveCommit,
  resolveEndpoints,
  short,
  findCommit,
  idNamed,
} from './revision.ts';
import { type OpenedGit, type Session, createSession, showName } from './object-reader.ts';
import {
  headOrEmpty,
  listTracked,
  lookForWork,
  writeStagedTree,
  writeWorktreeTree,
} from './working-trees.ts';
import { hidesText } from '../../core/safety/visible-text.ts';

interface OpenOptions {
  /** Absolute path of git; default: looked up in a fixed list of folders. */
  gitPath?: string;
  /** Parent of the engine's own git directory; default: the system's. Must lie outside the repository. */
  temporaryFolder?: string;
  /** Longer files are `too-large`; default: 2 MiB. */
  maxFileBytes?: number;
  /** Milliseconds for one git command; default: two minutes. A planted pipe would block it for ever. */
  timeoutMs?: number;
  /** What lets commits of a pull request be fetched that not everybody may read; default: nothing. */
  token?: () => string | null;
}

const defaults = { maxFileBytes: 2 * 1024 * 1024, timeoutMs: 120_000, token: () => null };

export type GitRepository = Awaited<ReturnType<typeof openRepository>>;

/**
 * Never fails over what lies at `cwd`: outside git, patches and files can still be read, and the rest is refused when asked for. What
 * takes a revision throws `UserError` as `change` does.
 */
export async function openRepository(cwd: string, options: OpenOptions = {}) {
  const here = resolve(cwd);
  const folder = await findGitFolder(here);
  const session = createSession(here, folder, { ...defaults, ...options });
  const { open, token } = session;
  /** Of the git directory, which is made when something first asks. */
  const asking =
    <Given extends readonly unknown[], Answer>(
      ask: (git: OpenedGit, ...given: Given) => Answer | Promise<Answer>,
    ) =>
    async (...given: Given) =>
      ask(await open(), ...given);
  return {
    root: folder?.root ?? null,
    change: (request: ChangeRequest) => readChange(session, request),
    /** The address that the configuration of the repository gives `origin`; null where it names none. Nothing is obeyed of it. */
    async originAddress() {
      const file = folder && join(folder.common, 'config');
      const text = file === null ? null : await readPlainText(file, 1_048_576);
      return readSection(text ?? '', 'remote "origin"').get('url') ?? null;
    },
    /** A pack of all objects that lie behind the head of a pull request and not behind its base. Throws `UserError`. */
    packPull: async (pull: PullRequest) => packPull(await open(), pull, token()),
    read: (file: ChangedFile, side: 'old' | 'new') => readSide(session, file, side),
    readAt: (revision: string, path: string) => readFileAt(session, revision, path),
    /** What a path names at a revision; null when nothing. Links are not followed. */
    entryAt: (revision: string, path: string) => readEntryAt(session, revision, path),
    /** Addresses of those who wrote its commits, none where it has no commits yet; null where that is not known. */
    authorsOf: asking(listAuthors),
    /** The address that commits of a person would carry; null where git knows none. */
    addressOf: asking(ownAddress),
    /** A new folder, private and outside of every repository, that is gone when this is closed. */
    makeFolder: async () => mkdtemp(join((await open()).shadow.program.folder, 'files-')),
    /** Full id of the commit a revision names. */
    resolve: asking(resolveCommit),
    isStill: (request: ChangeRequest, trees: Pick<Change, 'base' | 'head'>) =>
      isStill(session, request, trees),
    /** Where the branch that is checked out left the default one; null on no branch, and where it adds nothing. */
    branchRange: asking(findBranchRange),
    /** Whether there is anything to review beside the commits. Cheap: says "perhaps" without reading the files. */
    lookForWork: asking(lookForWork),
    /** Id of the tree without files, the base of what has no history. */
    emptyTree: async () => (await open()).shadow.format.emptyTree,
    /** The latest commit that two commits, by full id, have in common. Throws `UserError` where there is none. */
    mergeBase: asking(mergeBase),
    /**
     * Full ids of the commits behind one commit and not behind another, merges left out, latest first and at most so many; `base` null:
     * of all that are behind it.
     */
    commitsSince: asking(commitsSince),
    /** True when two revisions hold the same files. */
    async sameTree(one: string, other: string) {
      const git = await open();
      return (await resolveTree(git, one)) === (await resolveTree(git, other));
    },
    branch: async () => (folder ? readBranch((await open()).shadow) : 'unknown'),
    /** All files of a commit; of the working tree, with what is neither tracked nor ignored, when `revision` is null. */
    tree: asking(listFiles),
    /** Every symbolic link of a commit or tree, by full id; not followed. Throws `UserError` where a folder of it cannot be read. */
    links: asking(listLinks),
    /** Every path of git's index: what is tracked, whether it is there or not. */
    tracked: asking(listTracked),
    lastCommits: readLastCommits(open),
    /**
     * What changed together with any of these paths before a commit (null: the current one), that commit included; latest first,
     * only so far back.
     */
    pastChanges: asking(listPastChanges),
    /** A content of such a tree; null when it is missing, no file or longer than `maxBytes`. */
    async content(id: string, maxBytes: number): Promise<Buffer | null> {
      const object = await (await open()).objects.read(id, maxBytes);
      return object?.type === 'blob' ? object.bytes : null;
    },
    close: session.close,
  };
}

/** The last commits before `revision` that touched any of these lines, latest first; none for a tree that is no commit. */
function readLastCommits(open: Session['open']) {
  // What is staged, or lies in the working tree, has no commit: without this, each pack of a large change would ask git again.
  const commitOf = remember(async (named: string) =>
    named === '' ? null : findCommit(await open(), named),
  );
  return async (
    revision: string | null,
    ranges: Parameters<typeof listLastCommits>[2],
    most: number,
  ): Promise<readonly Commit[]> => {
    const git = await open();
    const commit = await commitOf(revision ?? git.shadow.references.head ?? '');
    return commit === null ? [] : listLastCommits(git, commit, ranges, most);
  };
}

/** Does the request still name the two trees that the change was read from? False where it names none. */
async function isStill(
  session: Session,
  request: ChangeRequest,
  { base, head }: Pick<Change, 'base' | 'head'>,
) {
  if (request.source === 'patch' || request.source === 'files') return false;
  const { folder } = session;
  if (request.source === 'revision' && folder) {
    const { zero } = await readFormat(folder);
    // A commit keeps its parents, so git is asked nothing.
    if (idNamed(await readReferences(folder, zero.length), request.revision) === head) return true;
  }
  const now = await readTrees(session, request);
  return now.base === base && now.head === head;
}

// Reads a change in each of the ways a request can name one.

/** Throws `UserError` when the request names nothing, or nothing that changed. */
async function readChange(session: Session, request: ChangeRequest): Promise<Change> {
  const read = await readSource(session, request);
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
): Promise<(Pick<Change, 'title'> & { chosen: string[] }) | null> {
  if (paths.length === 0) return null;
  const shown = paths.map(shellQuote).join(' ');
  const chosen = await choosePaths(session, paths, read);
  if (chosen.length === 0)
    throw nothing(`${read.title} changes no file at ${showName(shown)}`, read.instead);
  return { title: `${read.title} -- ${shown}`, chosen };
}

type Read = Omit<Change, 'kind'> & {
  /** Ends the sentence `Nothing to review: …` when there are no files. */
  empty: string;
  /** What would be there to review; null where nobody can say. */
  instead?: string;
};

async function readSource(session: Session, request: ChangeRequest): Promise<Read> {
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
  const { parting, ...named } = await readTrees(session, request);
  const git = await session.open();
  const { files, warnings } = await compareTrees(
    { ...git, maxFileBytes: session.maxFileBytes },
    named.base,
    named.head,
  );
  return {
    ...named,
    ...(parting && (await tellParting(git, named, parting, files.length))),
    files,
    warnings: [...named.warnings, ...warnings],
  };
}

const noTrees = { base: null, head: null };

type NamedTrees = Omit<Read, 'files' | 'base' | 'head'> & Endpoints;

/** The two commits or trees that a request is about, before any of their files is read. */
async function readTrees(
  session: Session,
  request: Exclude<ChangeRequest, { source: 'patch' | 'files' }>,
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
      base: request.unstaged ? await writeStagedTree(shadow) : headOrEmpty(shadow),
      head: tree,
      title: request.unstaged ? 'unstaged' : '--worktree',
      ...(notes[0] && { usual: { is: 'uncommitted', notes }, instead: notes[0] }),
      warnings: [],
      empty: 'the working tree has no changes',
    };
  }
  if (request.source === 'pull')
    return ofHistory(git, titleOfPull(request), await resolvePull(git, request, session.token()));
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
  const moved = await measureChange(git, base, from).catch(ifUserError(null));
  return {
    title:
      `${title} since merge base ${base.slice(0, 8)}${bases > 1 ? `, one of ${bases}` : ''} ` +
      `(${countFiles(files)}; ${showName(of)} moved on by ${moved === null ? 'too many to count' : countFiles(moved)})`,
    usual: { is: 'merge-base', notes: [] },
  };
}

function countFiles(count: number) {
  return `${count} ${count === 1 ? 'file' : 'files'}`;
}

function noticeHistory({ shadow: { format, references } }: OpenedGit) {
  return [
    ...(format.shallow ? ['The clone is shallow: older history is not here.'] : []),
    ...(references.replaced
      ? ['The repository replaces objects (refs/replace); the original ones were read.']
      : []),
  ];
}

function nothing(why: string, hint: string | null = null) {
  return new UserError(`Nothing to review: ${why}.`, { kind: 'input', code: 'unchanged', hint });
}

// What a reader of a change should know beside its lines: names that deceive, what is not shown.

/** One sentence each; at most 20, then their number. */
function noticeFiles(files: readonly ChangedFile[]) {
  const sentences = files.flatMap(file => noticeName(file) ?? []);
  const more = sentences.length - mostNoticed;
  return more > 0
    ? [
        ...sentences.slice(0, mostNoticed),
        `${more} more ${more === 1 ? 'file' : 'files'} have odd names.`,
      ]
    : sentences;
}

const mostNoticed = 20;

function noticeName({ path, oldPath }: ChangedFile) {
  for (const name of oldPath === null ? [path] : [path, oldPath]) {
    const why = oddity(name);
    if (why !== null) return `The file name ${showName(name)} ${why}.`;
  }
  return null;
}

function oddity(name: string) {
  if (hidesText(name) || /[\t\n]/.test(name)) return 'holds control or invisible characters';
  if (name.startsWith('-')) return 'starts with a dash';
  if (
    name.startsWith('/') ||
    name.split('/').some(part => part === '..' || part === '.' || part === '')
  )
    return 'leads outside of the repository';
  if (name.includes('\\')) return 'holds a backslash, or bytes that are no UTF-8';
  return /(?:^|\/) | (?:\/|$)/.test(name) ? 'starts or ends with a blank' : null;
}
