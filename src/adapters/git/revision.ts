/** Turns what a person typed into commits: HEAD and the ranges are understood here, the rest by git in the shadow directory. */
import { join } from 'node:path';
import { didYouMean, ifUserError, inputError, usageError, UserError } from '../../core/errors.ts';
import { nearest } from '../../core/schema-problem.ts';
import { firstLine, runGit } from './git-process.ts';
import { readPlainText } from '../system/given-file.ts';
import type { Shadow } from './git-folder.ts';
import { forgedObject, missingHint, showName, type OpenedGit } from './object-reader.ts';

export interface Endpoints {
  /** Full commit id, or the empty tree for a root commit. */
  readonly base: string;
  readonly head: string;
  /** Set where `base` is the merge base of `head` and this commit. */
  readonly parting?: Parting;
}

interface Parting {
  /** Full id of the commit that `head` is compared with. */
  from: string;
  /** What the caller calls it, and `head`. */
  names: readonly [string, string];
  /** Merge bases there are; the first one is taken, as git does. */
  bases: number;
}

/** `A..B` and `A...B` from the merge base, with `isExact` from A itself; one commit against its first parent. */
export async function resolveEndpoints(
  git: OpenedGit,
  { revision, isExact = false }: { readonly revision: string; readonly isExact?: boolean },
): Promise<Endpoints> {
  const dots = /\.{2,3}/.exec(revision);
  if (!dots) {
    const head = await resolveCommit(git, revision);
    return { base: await firstParent(git, head), head };
  }
  const names = [
    revision.slice(0, dots.index) || 'HEAD',
    revision.slice(dots.index + dots[0].length) || 'HEAD',
  ] as const;
  const head = await resolveCommit(git, names[1]);
  // Before the first commit of a history there is the empty tree, as git itself takes it.
  const { emptyTree } = git.shadow.format;
  if (names[0] === emptyTree) return { base: emptyTree, head };
  const from = await resolveCommit(git, names[0]);
  return isExact ? { base: from, head } : partingOf(git, { from, head, names });
}

/** What one commit adds since it left another. Throws `UserError` where they have nothing in common. */
export async function partingOf(
  git: OpenedGit,
  { from, head, names }: Pick<Parting, 'from' | 'names'> & Pick<Endpoints, 'head'>,
): Promise<Endpoints> {
  const [base = from, ...others] = await mergeBases(git, from, head);
  return { base, head, parting: { from, names, bases: 1 + others.length } };
}

/**
 * Full id of the commit. Throws `UserError`: `usage` for what is no revision at all, `input` for an unknown one.
 */
export async function resolveCommit(git: OpenedGit, revision: string) {
  const { shadow } = git;
  if (revision === '') throw usageError('The revision is empty.');
  if (revision.startsWith('-'))
    throw usageError(`"${showName(revision)}" is no revision: it starts with a dash.`);
  if (revision.includes('\0')) throw unknownRevision(showName(revision), null);
  if (revision.includes('@{')) {
    throw inputError(
      `"${showName(revision)}" needs the configuration or the log of the repository, which are not read.`,
      'Name a branch, a tag or a commit, such as origin/main.',
    );
  }
  // Git's word for what one commit changes, which one commit means here anyway.
  const anchored = replaceHead(shadow, revision.replace(/\^!$/, ''));
  const id = await findCommit(git, anchored);
  if (id !== null) return id;
  throw await explainUnknown(shadow, revision, anchored);
}

/**
 * Null when there is none. An id or the name of a reference, and so many first parents behind it, are looked up by the process that
 * reads the commit next anyway; the rest by git.
 */
export async function findCommit(git: OpenedGit, expression: string) {
  const { shadow } = git;
  const [, stem = '', steps = ''] = /^(.*?)((?:\^|~\d{0,2})*)$/s.exec(expression) ?? [];
  const whole = new RegExp(`^[0-9a-f]{${shadow.format.zero.length}}$`);
  // An id is never taken for the name of a reference.
  let commit = whole.test(stem) ? stem : (idNamed(shadow.references, stem) ?? '');
  if (!whole.test(commit)) return verify(shadow, `${expression}^{commit}`);
  const object = await git.objects.read(commit, maxCommitBytes);
  if (object?.type === 'tag') return verify(shadow, `${expression}^{commit}`);
  for (const step of steps.match(/[~^]\d*/g) ?? [])
    for (let left = Number(step.slice(1) || 1); left > 0; left -= 1)
      commit = (await parentsOf(git, commit))?.[0] ?? '';
  return (await parentsOf(git, commit)) && commit;
}

/** By their ids, in order; null where the repository has no such commit. */
async function parentsOf({ objects }: OpenedGit, commit: string) {
  const object = commit === '' ? null : await objects.read(commit, maxCommitBytes);
  const header = object?.bytes?.toString('latin1').split('\n\n', 1)[0] ?? '';
  return object?.type === 'commit'
    ? [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, id = '']) => id)
    : null;
}

/** What HEAD or a reference of this name points to, which of several git would take; null where there is none. */
export function idNamed({ head, named }: Shadow['references'], name: string) {
  if (name === 'HEAD') return head;
  const id = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/']
    .map(folder => named.get(`${folder}${name}`))
    .find(each => each !== undefined);
  return id ?? null;
}

/** Full id of any object a revision names, found out once; null when there is none. */
export async function verify({ program, verified }: Shadow, expression: string) {
  const known = verified.get(expression);
  if (known !== undefined) return known;
  const { code, stdout } = await runGit(program, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    expression,
  ]);
  if (code !== 0) return null;
  const id = stdout.toString('utf8').trim();
  verified.set(expression, id);
  return id;
}

const maxCommitBytes = 16 * 1024 * 1024;

async function firstParent(git: OpenedGit, commit: string) {
  const { format } = git.shadow;
  const [parent] = (await parentsOf(git, commit)) ?? [];
  if (parent === undefined) return format.emptyTree;
  if (await parentsOf(git, parent)) return parent;
  throw inputError(
    `The parent ${short(parent)} of commit ${short(commit)} is not in this clone.`,
    missingHint(format),
  );
}

/**
 * Full names of the default branch (`from`) and of the one that is checked out. Null on no branch, without a default branch, and where it
 * adds nothing to that one.
 */
export async function findBranchRange(git: OpenedGit) {
  const { shadow } = git;
  const { head, named } = shadow.references;
  const branch = `refs/heads/${await readBranch(shadow)}`;
  const from = defaultBranches.find(name => named.has(name));
  const tip = from === undefined ? undefined : named.get(from);
  if (from === undefined || tip === undefined || head === null || !named.has(branch)) return null;
  const shared = mergeBase(git, tip, head);
  // Where history is cut off, what the branch adds is not known, and the last commit may be less.
  const base = await (shadow.format.shallow ? shared : shared.catch(ifUserError(head)));
  return base === head ? null : { from, branch };
}

const defaultBranches = ['refs/remotes/origin/HEAD', 'refs/heads/main', 'refs/heads/master'];

/** Current branch; eight digits of the commit when none is checked out; `unknown` when there is no commit either. */
export async function readBranch({ source, references }: Shadow) {
  const head = await readPlainText(join(source.own, 'HEAD'), 65_536);
  return (
    /^ref: refs\/heads\/(.+?)\s*$/.exec(head ?? '')?.[1] ??
    references.head?.slice(0, 8) ??
    'unknown'
  );
}

/** Throws `UserError` where there is none; of several the one that git chooses. */
export async function mergeBase(git: OpenedGit, left: string, right: string) {
  return (await mergeBases(git, left, right))[0] ?? left;
}

/** Never empty; the one that git chooses goes first. */
async function mergeBases(git: OpenedGit, left: string, right: string) {
  const { program, format, source } = git.shadow;
  // What one commit or one push brings needs no look at all of history.
  if (left === right || (await parentsOf(git, right))?.includes(left)) return [left];
  const words = ['merge-base', '--all', '--end-of-options', left, right];
  let output = await runGit(program, words);
  // Where history is cut off git must be told where, to find what lies this side of it.
  if (output.code !== 0 && format.shallow)
    output = await runGit(program, ['--shallow-file', join(source.common, 'shallow'), ...words]);
  const { code, stdout, stderr } = output;
  if (code === 0) return stdout.toString('utf8').trim().split('\n');
  if (code === 1 && !format.shallow)
    throw inputError(
      `${short(left)} and ${short(right)} have no common ancestor.`,
      '--exact compares the two trees as they are.',
    );
  const missing = /[0-9a-f]{40,64}/.exec(stderr)?.[0];
  const inWorkflow = format.shallow ? ' In a workflow: `fetch-depth: 0`.' : '';
  throw inputError(
    `The merge base of ${short(left)} and ${short(right)} cannot be found: ` +
      `${missing === undefined ? firstLine(stderr) || 'history is missing' : `commit ${short(missing)} is not in this clone`}.`,
    `${missingHint(format)}${inWorkflow}`,
  );
}

/** The shadow directory has no HEAD of its own. */
function replaceHead({ references }: Shadow, revision: string) {
  const match = /^(?:HEAD|@)(?=$|[~^])/.exec(revision);
  if (!match) return revision;
  if (references.head === null)
    throw inputError(
      'HEAD has no commit yet.',
      'Commit something first, or review what is there with --worktree.',
    );
  return references.head + revision.slice(match[0].length);
}

async function explainUnknown(shadow: Shadow, revision: string, anchored: string) {
  const shown = showName(revision);
  const { format, program, references } = shadow;
  const stem = anchored.replace(/(?:[~^]\d*)+$/, '');
  const isBeyond = stem !== anchored && (await verify(shadow, stem)) !== null;
  if (isBeyond && format.shallow)
    return inputError(
      `"${shown}" is not in this clone: its history is shallow.`,
      missingHint(format),
    );
  const { stderr } = await runGit(program, [
    'rev-parse',
    '--verify',
    '--end-of-options',
    `${anchored}^{commit}`,
  ]);
  if (/ is ambiguous/.test(stderr))
    return inputError(`"${shown}" is ambiguous: several objects start so.`, 'Give more digits.');
  const forged = /(?:hash mismatch|loose object|corrupt\w*)\D*?([0-9a-f]{40,64})/.exec(stderr)?.[1];
  if (forged !== undefined) return forgedObject(forged);
  if ((await verify(shadow, anchored)) !== null && !/^[0-9a-f]{40,64}$/.test(anchored))
    return inputError(`"${shown}" is not a commit.`);
  if (isBeyond) return inputError(`"${shown}" is no commit: the history does not reach so far.`);
  const names = [...references.named.keys()]
    .slice(0, 20_000)
    .map(name => name.replace(/^refs\/(?:heads|tags|remotes)\//, ''));
  const suggestions = nearest(stem, [...new Set(['HEAD', ...names])]);
  const hint = didYouMean(suggestions) ?? (format.shallow ? missingBranchHint : null);
  return unknownRevision(shown, hint);
}

function unknownRevision(shown: string, hint: string | null) {
  return new UserError(`Unknown revision "${shown}".`, {
    kind: 'input',
    code: 'unknown-revision',
    hint,
  });
}

/** A shallow clone holds one branch, and goes on fetching that one alone. */
const missingBranchHint =
  "`git fetch --unshallow origin '+refs/heads/*:refs/remotes/origin/*'` brings every branch with its history.";

export function short(id: string) {
  return id.slice(0, 7);
}
