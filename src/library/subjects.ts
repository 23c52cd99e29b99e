/** What a request puts before the panel: one reader for each kind of subject that a row of the process table may name. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../adapters/system/disk.ts';
import { readDocument } from '../adapters/document/read-document.ts';
import type { GitRepository } from '../adapters/git/repository.ts';
import {
  decodeText,
  readGivenFile,
  readRegularBytes,
  whyUnreadable,
} from '../adapters/system/given-file.ts';
import { sha256 } from '../core/hash.ts';
import { excludeFrom } from '../core/change/unshown.ts';
import { sayUnsent } from '../core/change/set-aside.ts';
import { ifUserError, inputError, usageError, UserError } from '../core/errors.ts';
import type { ChangeRequest, Repository } from '../core/ports/repository.ts';
import { type Process, type Settings, subjectKeyOf } from '../core/process.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import type { Change, Subject, UsualChange } from '../core/words/change.ts';
import type { Plan } from '../core/words/plan.ts';
import { identityOf } from '../engine/make-plan.ts';
import { type Call, withRepository } from './call.ts';
import {
  changeMeantBy,
  findPull,
  limitedTo,
  mayBePath,
  type PlannedSubject,
  type ReadSubject,
  type SubjectSource,
  titleOf,
} from './read-subject.ts';
import { nameFew } from '../core/verdict/coverage.ts';

const readers: Record<
  Process['subject'],
  (settings: Settings, source: SubjectSource) => Promise<ReadSubject>
> = {
  change: readChange,
  document: readDocumentNamed,
  question: readQuestion,
  commits: readCommits,
  collected: async (settings, source) =>
    (await import('./import-runs.ts')).readCollected(settings, source),
};

/** Throws `UserError` for a request that names no subject, or more than one, and for what cannot be read. */
export function readSubject(settings: Settings, source: SubjectSource) {
  return readers[source.process.subject](settings, source);
}

/**
 * The subject of a plan, with the files that are not reviewed: read the same way when a run begins, when it goes on and when
 * its folder is judged. Throws `UserError` for what cannot be read.
 */
async function readPlanned(
  { subject, prompt, context }: PlannedSubject,
  repository: Repository,
): Promise<Subject> {
  if (subject.kind === 'question')
    return { kind: 'question', title: subject.title, prompt: prompt ?? '', context };
  if (subject.kind === 'document') return readDocument(subject.path, subject.title);
  const change = await repository.change(subject.request);
  const usual = 'usual' in subject.request ? subject.request.usual : undefined;
  return usual ? named(change, usual) : change;
}

async function withSubject(
  subject: PlannedSubject['subject'],
  repository: GitRepository,
  { prompt, context }: Omit<PlannedSubject, 'subject'> = { prompt: null, context: null },
) {
  const planned = { subject, prompt, context };
  return { planned, subject: await readPlanned(planned, repository) };
}

/** Since it was read. What is known by its ids, or stands in the plan itself, cannot change. */
export async function hasChanged(plan: Plan, was: Subject, call: Call) {
  const { subject } = plan;
  const request = subject.kind === 'change' ? subject.request : null;
  if (subject.kind === 'question' || /^(?:range|pull)$/.test(request?.source ?? '')) return false;
  if (request?.source === 'patch') {
    const { file, text } = request;
    return (
      file !== undefined && (await readRegularBytes(file).then(decodeText, () => null)) !== text
    );
  }
  return withRepository({ ...call, cwd: plan.cwd }, async repository => {
    const isStill =
      request !== null &&
      was.kind === 'change' &&
      (await repository.isStill(request, was).catch(ifUserError(false)));
    if (isStill) return false;
    // Null where it is there no more.
    const whole = await readPlanned(plan, repository).catch(ifUserError(null));
    return !whole || hashOf(excludeFrom(whole, plan).subject) !== plan.subjectHash;
  });
}

/** As plans keep it. */
function hashOf(subject: Subject) {
  return sha256(JSON.stringify(identityOf(subject)));
}

/** A change: which one a request means, and the change itself. */
async function readChange(settings: Settings, source: SubjectSource) {
  const request = await toChangeRequest(settings, source);
  const { paths = [], untracked = true } = settings;
  const { repository } = source;
  if (!request) return tellStaged(await readUsual({ paths, untracked }, source), repository);
  try {
    return await tellStaged(await withSubject({ kind: 'change', request }, repository), repository);
  } catch (error) {
    const files =
      error instanceof UserError && error.code === 'unknown-revision'
        ? pathMeant(request, error, source.call)
        : null;
    if (!files) throw error;
    return withSubject({ kind: 'change', request: files }, repository);
  }
}

/** A word that names no revision may name a path; null where it cannot. Throws `UserError` when there is no such path either. */
function pathMeant(request: ChangeRequest, error: UserError, { cwd }: Call): ChangeRequest | null {
  if (request.source !== 'revision' || request.revision.includes('..')) return null;
  const { revision, paths } = request;
  if (paths) return null;
  if (existsSync(path.resolve(cwd, revision))) return { source: 'files', patterns: [revision] };
  throw inputError(`Error: scope not found: ${makeVisible(revision)}`, error.hint, error);
}

/** Null: the one that is usual. */
async function toChangeRequest(
  settings: Settings,
  { process, call, repository }: SubjectSource,
): Promise<ChangeRequest | null> {
  const {
    base,
    head,
    staged,
    worktree,
    untracked = true,
    exact = false,
    patch,
    pr,
    pull,
    files,
    separated = false,
    usual = false,
  } = settings;
  const { range, paths } = await wordsOf(settings, call);
  const ways = waysNamed({ ...settings, range });
  if (base === undefined && head !== undefined) throw usageError('--head goes with --base.');
  const isUncommitted =
    worktree === true ||
    range === 'unstaged' ||
    (ways.length === 0 && process.usualChange === 'working tree');
  if (!untracked && !isUncommitted && ways.length > 0)
    throw usageError('--no-untracked goes with the working tree, not with a range.');
  const revision = base === undefined ? range : `${base}..${head ?? 'HEAD'}`;
  if (exact && revision?.includes('..') !== true)
    throw usageError('--exact goes with A..B, or with --base.');
  const limits = limitedTo(paths);
  if (staged || range === 'staged') return { source: 'staged', ...indexOf(call), ...limits };
  if (isUncommitted) {
    const unstaged = range === 'unstaged' && { unstaged: true };
    return { source: 'worktree', untracked, ...unstaged, ...limits };
  }
  if (files) return { source: 'files', patterns: [...files, ...paths] };
  if (patch !== undefined) {
    const file = path.resolve(call.cwd, patch);
    return {
      source: 'patch',
      text: await readNamed(patch, '--patch', call),
      title: patch === '-' ? 'standard input' : patch,
      ...(patch !== '-' && !/^\/(?:dev\/(?:fd|stdin)|proc\/)/.test(file) && { file }),
      ...limits,
    };
  }
  if (pull) return { ...pull, ...limits };
  const [, address, number = pr] =
    /^(?:(?:PR )?#|(https?:\/\/.+)\/pull\/)(\d{1,9})\b/i.exec(range ?? '') ?? [];
  if (number !== undefined) {
    const found = await findPull(Number(number), repository, call);
    if (address && `${address}.git`.toLowerCase() !== found.url.toLowerCase())
      throw usageError(`${makeVisible(address)} is not ${found.repository}, where --pr looks.`);
    return { ...found, ...limits };
  }
  if (revision === undefined && (usual || paths.length === 0)) return null;
  const request = await changeMeantBy(
    { range: revision ?? null, paths, separated: separated || base !== undefined },
    { repository, cwd: call.cwd, command: `jury ${process.name}` },
  );
  return exact && request.source === 'revision' ? { ...request, isExact: true } : request;
}

/** Inside a hook git says by a variable which index becomes the commit: with `commit -a`, or of named files, it is none of the usual. */
export function indexOf({ cwd, environment }: Call): { readonly index?: string } {
  const named = environment.GIT_INDEX_FILE ?? '';
  return named === '' ? {} : { index: path.resolve(cwd, named) };
}

/** Where something else names the change, every word is a path that it is limited to, also the one in the place of a range. */
async function wordsOf(settings: Settings, { cwd }: Call) {
  const { range, paths = [], separated = false } = settings;
  if (range === undefined || separated) return { range, paths };
  const isNamed = waysNamed({ ...settings, range: undefined }).length > 0;
  return isNamed && (await mayBePath(range, cwd))
    ? { range: undefined, paths: [range, ...paths] }
    : { range, paths };
}

/** Throws `UserError` where there is more than one. */
export function waysNamed({ range, base, head, staged, worktree, patch, pr, files }: Settings) {
  const all: readonly (readonly [string, unknown])[] = [
    [`"${range ?? ''}"`, range],
    ['--base', base ?? head],
    ['--staged', staged],
    ['--worktree', worktree],
    ['--patch', patch],
    ['--pr', pr],
    ['--files', files],
  ];
  const given = all.filter(([, value]) => value !== undefined && value !== false);
  const ways = given.map(([name]) => name);
  if (ways.length > 1)
    throw usageError(`${ways.join(' and ')} name two subjects; give one of them.`);
  return ways;
}

/** A design, plan or specification: a file, or the Markdown files of a folder. */
async function readDocumentNamed(
  { path: named = '' }: Settings,
  { repository, call }: SubjectSource,
) {
  const file = path.resolve(call.cwd, named);
  await refuseWayOut(file, named, repository.root);
  // Agents name by the whole path what a person names from where it stands, and the places are for people.
  const isWhole = path.isAbsolute(named) && isInside(call.cwd, file);
  const title = isWhole ? path.relative(call.cwd, file) || '.' : named;
  return withSubject({ kind: 'document', path: file, title }, repository);
}

/**
 * What goes to the panel is what its name says: where the author of a repository puts a link under that name, a private file of
 * whoever asks would be sent. Throws `UserError`.
 */
async function refuseWayOut(file: string, title: string, root: string | null) {
  if (root === null || !isInside(root, file)) return;
  const real = await realpath(file).catch(() => null);
  if (real === null || isInside(await realpath(root), real)) return;
  throw inputError(
    `${makeVisible(title)} is a link that leads out of the repository.`,
    `Name the file itself if it is meant: ${makeVisible(real)}`,
  );
}

/** A question with its background; both may come from files or from standard input. */
async function readQuestion(settings: Settings, { process, repository, call }: SubjectSource) {
  const { key, value: what } = subjectKeyOf(process);
  const [, given] = Object.entries<unknown>(settings).find(([name]) => name === key) ?? [];
  const prompt =
    given === '-' ? await readNamed('-', what, call) : typeof given === 'string' ? given : '';
  const { context = null, contextFile } = settings;
  if (contextFile !== undefined && contextFile !== '-')
    await refuseWayOut(path.resolve(call.cwd, contextFile), contextFile, repository.root);
  const background =
    contextFile === undefined ? context : await readNamed(contextFile, '--context-file', call);
  if (prompt.trim() === '')
    throw usageError(`${what}: ${process.entry?.subject.noun ?? 'the question'} is empty.`);
  const subject = { kind: 'question', title: titleOf(prompt) } as const;
  return withSubject(subject, repository, { prompt, context: background });
}

/** What `multi-consensus` reviews: what lies between two commits, which may be nothing, or else its question. */
async function readCommits(
  { commits = null, prompt = null, context = null }: Settings,
  { repository }: SubjectSource,
): Promise<ReadSubject> {
  if (!commits) {
    const subject = { kind: 'question', title: titleOf(prompt ?? '') } as const;
    return withSubject(subject, repository, { prompt, context });
  }
  const { base, head, isUnchanged } = commits;
  const range = { source: 'range', base, head, title: `${base}..${head}` } as const;
  const planned: PlannedSubject = { subject: { kind: 'change', request: range }, prompt, context };
  const nothing: Change = { kind: 'change', ...range, files: [], warnings: [] };
  return { planned, subject: isUnchanged ? nothing : await readPlanned(planned, repository) };
}

export type ComparedCommits =
  | { readonly status: 'missing'; readonly side: 'base' | 'head' }
  | {
      readonly status: 'same' | 'unchanged' | 'changed';
      readonly base: string;
      readonly head: string;
    };

/** `same`: one commit under two names. `unchanged`: two commits with the same files. */
export async function compareCommits(
  base: string,
  head: string,
  call: Call,
): Promise<ComparedCommits> {
  return withRepository(call, async repository => {
    const [left, right] = [
      await repository.resolve(base).catch(ifUserError(null)),
      await repository.resolve(head).catch(ifUserError(null)),
    ];
    if (left === null || right === null)
      return { status: 'missing', side: left === null ? 'base' : 'head' };
    if (left === right) return { status: 'same', base: left, head: right };
    return {
      status: (await repository.sameTree(left, right)) ? 'unchanged' : 'changed',
      base: left,
      head: right,
    };
  });
}

/**
 * Reads a file that the caller named, or standard input. `what` names the flag in the message. Throws `UserError` (exit 2)
 * when it cannot be read, and the reason of the call's signal when that aborts.
 */
export async function readNamed(
  name: string,
  what: string,
  call: Call,
  toText: (bytes: Buffer) => string = decodeText,
) {
  if (name === '-' && !call.readInput)
    throw usageError(`${what}: there is no standard input to read here.`);
  const shown = name === '-' ? 'standard input' : path.resolve(call.cwd, name);
  const { readInput, signal } = call;
  try {
    if (!readInput) return toText(await readRegularBytes(shown));
    // Only a caller that hands its standard input over hands its other open pipes over as well.
    return name === '-' || standardInputs.has(shown)
      ? await readInput()
      : await readGivenFile(shown, signal, toText);
  } catch (error) {
    signal?.throwIfAborted();
    throw inputError(`${what}: ${shown} cannot be read: ${whyUnreadable(error)}.`, null, error);
  }
}

const standardInputs = new Set(['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

/** The subject as the plan names it, if it is still the same. */
export async function readAgain(plan: Plan, repository: GitRepository): Promise<ReadSubject> {
  const whole = await readPlanned(plan, repository);
  const { subject } = excludeFrom(whole, plan);
  if (hashOf(subject) === plan.subjectHash) return { planned: plan, subject: whole };
  throw inputError(
    `The ${subject.kind} has moved since run ${plan.run} began.`,
    'Start a new review; the old run stays readable with "jury show".',
  );
}

interface Meant {
  paths: readonly string[];
  /** Are files that git does not track part of what is not committed? */
  untracked: boolean;
}

/**
 * In CI nothing that is not committed is taken: a lock file that an installation touched must not be reviewed in place of a commit, and
 * pass for it. What is left out is said. `paths`: of that change only these.
 */
async function readUsual(
  { paths, untracked }: Meant,
  { repository, call }: SubjectSource,
): Promise<ReadSubject> {
  const limits = limitedTo(paths);
  const read = async (
    given: Extract<ChangeRequest, { usual?: UsualChange }>,
    usual: UsualChange,
    known: Change | null = null,
  ): Promise<ReadSubject> => {
    const request = { ...given, ...limits, usual };
    // What was read to know whether it is there is the change, unless that is limited.
    const change = paths.length === 0 && known ? known : await repository.change(request);
    const subject = { kind: 'change', request } as const;
    return { planned: { subject, prompt: null, context: null }, subject: named(change, usual) };
  };
  const isInCi = marksOfCi.some(name => !['', '0', 'false'].includes(call.environment[name] ?? ''));
  const { mayDiffer, unsent } = isInCi
    ? { mayDiffer: false, unsent: [] }
    : await repository.lookForWork(untracked);
  const work = mayDiffer ? await readWork(repository, untracked) : null;
  if (work) return read(work.request, { is: 'uncommitted', notes: [] }, work.change);
  const notes = isInCi ? await leftInCi(repository) : sayUnsent(unsent);
  const range = await repository.branchRange();
  return range
    ? read(
        { source: 'revision', revision: `${range.from}..${range.branch}` },
        { is: 'branch', notes },
      )
    : read({ source: 'revision', revision: 'HEAD' }, { is: 'last-commit', notes });
}

/** Under the name that a person knows it by. */
function named(change: Change, { is, notes }: UsualChange): Change {
  const names = {
    'last-commit': `last commit ${change.head?.slice(0, 8) ?? ''}`,
    uncommitted: `${change.source === 'staged' ? 'staged' : 'uncommitted'} changes`,
    branch: 'this branch, ',
    'merge-base': '',
  };
  return {
    ...change,
    usual: { is, notes: [...(change.usual?.notes ?? []), ...notes] },
    title: change.title
      .replace(/^(?:(?:HEAD|--staged|--worktree)(?= |$)|(?=refs\/))/, names[is])
      .replace(/(^|, |\.\.|; )refs\/(?:heads|remotes)\//g, '$1'),
  };
}

/** What services that build and test set, each under a name of its own where it sets no `CI`. */
const marksOfCi = 'CI GITHUB_ACTIONS GITLAB_CI TF_BUILD JENKINS_URL TEAMCITY_VERSION'.split(' ');

/** Null where files and index hold what the last commit holds. */
async function readWork(repository: Repository, untracked: boolean) {
  for (const request of [{ source: 'worktree', untracked }, { source: 'staged' }] as const) {
    const change = await repository.change(request).catch(ifUserError(null, 'unchanged'));
    if (change) return { request, change };
  }
  return null;
}

/** What a commit would take and no file on the disk holds is named. */
async function tellStaged(read: ReadSubject, repository: Repository): Promise<ReadSubject> {
  const { subject, planned } = read;
  const request = planned.subject.kind === 'change' ? planned.subject.request : null;
  if (subject.kind !== 'change' || request?.source !== 'worktree' || request.unstaged) return read;
  const limits = limitedTo(request.paths ?? []);
  const staged = await repository.change({ source: 'staged', ...limits }).catch(ifUserError(null));
  const onDisk = new Map(subject.files.map(({ path: name, newId }) => [name, newId]));
  const apart = staged?.files.filter(({ path: name, newId }) => onDisk.get(name) !== newId) ?? [];
  if (apart.length === 0) return read;
  const note =
    `Staged otherwise than it lies on the disk, so not reviewed: ${nameFew(apart.map(({ path: name }) => name))}. ` +
    '--staged reviews that.';
  const { is = 'uncommitted', notes = [] } = subject.usual ?? {};
  return { ...read, subject: { ...subject, usual: { is, notes: [...notes, note] } } };
}

async function leftInCi(repository: SubjectSource['repository']) {
  try {
    const { mayDiffer } = await repository.lookForWork(false);
    const work = mayDiffer ? await readWork(repository, false) : null;
    return work
      ? [
          `Not committed, so not reviewed in CI: ${nameFew(work.change.files.map(({ path: name }) => name))}. ` +
            'jury review --worktree reviews that.',
        ]
      : [];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [`What is not committed was not looked at: ${error.message}`];
  }
}
