/** What every reader of a subject is given and gives back. */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { GitRepository } from '../adapters/git/repository.ts';
import { ifUserError, usageError, UserError } from '../core/errors.ts';
import type { ChangeRequest, Repository } from '../core/ports/repository.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { sayUnsent } from '../core/change/untracked.ts';
import { nameFew } from '../core/verdict/onward.ts';
import type { Change, Subject, UsualChange } from '../core/words/change.ts';
import type { Runner } from '../core/ports/runner.ts';
import type { Process } from '../core/process.ts';
import type { ReviewerConfig } from '../core/words/config.ts';
import type { Persona } from '../core/words/persona.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Call } from './call.ts';

/** All that it takes to read a subject. */
export type PlannedSubject = Pick<Plan, 'subject' | 'prompt' | 'context'>;

/** Where a subject is read from. */
export interface SubjectSource {
  readonly process: Process;
  readonly repository: GitRepository;
  readonly call: Call;
}

export interface ReadSubject {
  readonly planned: PlannedSubject;
  /** With the files that are not reviewed. */
  readonly subject: Subject;
  /** A panel that has spoken already, in place of the configured one. */
  readonly spoken?: SpokenPanel;
}

interface SpokenPanel {
  reviewers: readonly ReviewerConfig[];
  /** Of each of them. */
  persona: Persona;
  /** Gives back what they said. */
  runner: Runner;
  /** What the caller should know of how they were found. One sentence each. */
  notes: readonly string[];
}

/** Its first line, cut. */
export function titleOf(prompt: string): string {
  return prompt.trim().split('\n')[0]?.slice(0, longestTitle) ?? '';
}

const longestTitle = 100;

/** Words of a caller that may be a revision, paths, or a revision and the paths it is limited to. */
interface Words {
  /** Null: none, the last commit is meant. */
  range: string | null;
  paths: readonly string[];
  /** `range` is a revision and `paths` are paths, as behind `--`: nothing is guessed, and paths need not be there any more. */
  separated: boolean;
}

interface Place {
  repository: GitRepository;
  /** Absolute folder the caller stands in. */
  cwd: string;
  /** How the command begins, for hints. */
  command: string;
}

/** Throws `UserError` where a word may be either, and where one is neither. */
export async function changeMeantBy(
  { range, paths, separated }: Words,
  place: Place,
): Promise<ChangeRequest> {
  if (range === null)
    return paths.length === 0
      ? { source: 'revision', revision: 'HEAD' }
      : { source: 'files', patterns: paths };
  if (separated) return { source: 'revision', revision: range, ...limitedTo(paths) };
  const isRevision = await namesRevision(range, place);
  if (isRevision && !range.includes('..') && (await exists(range, place.cwd)))
    throw ambiguous(range, paths, place);
  if (paths.length === 0) return { source: 'revision', revision: range };
  if (!isRevision) return { source: 'files', patterns: [range, ...paths] };
  for (const [index, word] of paths.entries()) await checkPath(word, { index, range, place });
  return { source: 'revision', revision: range, ...limitedTo(paths) };
}

/** For a request that is limited to some paths. */
export function limitedTo(paths: readonly string[]): { readonly paths?: readonly string[] } {
  return paths.length === 0 ? {} : { paths };
}

/** Could the word be a path: one that is there, or a pattern? */
export async function mayBePath(word: string, cwd: string): Promise<boolean> {
  return isPattern(word) || (await exists(word, cwd));
}

/** As git takes them without `--`: what follows the revision is there, and the first of them is no revision besides. */
async function checkPath(
  word: string,
  { index, range, place }: { index: number; range: string; place: Place },
) {
  const isFound = await mayBePath(word, place.cwd);
  const isRevision = index === 0 && !isPattern(word) && (await namesRevision(word, place));
  if (isFound && !isRevision) return;
  const shown = makeVisible(word);
  if (isRevision && !isFound)
    throw usageError(
      `"${makeVisible(range)}" and "${shown}" are two revisions.`,
      `To compare them: ${place.command} ${range}..${word}`,
    );
  throw new UserError(
    isRevision
      ? `"${shown}" is a revision and a path.`
      : `"${shown}" is neither a revision nor a path that is there.`,
    {
      kind: isRevision ? 'usage' : 'input',
      hint: `Put -- before paths: ${place.command} ${range} -- ${word}`,
    },
  );
}

function ambiguous(word: string, paths: readonly string[], { command }: Place) {
  const rest = paths.map(other => ` ${other}`).join('');
  return usageError(
    `"${makeVisible(word)}" is a revision and a path.`,
    `Say which with --: ${command} ${word} --${rest} for the revision, ${command} -- ${word}${rest} for the path.`,
  );
}

async function namesRevision(word: string, { repository }: Place) {
  if (word.includes('..'))
    return !word.includes('/../') && !word.startsWith('../') && word !== '..';
  return (await repository.resolve(word).catch(ifUserError(null))) !== null;
}

async function exists(word: string, cwd: string) {
  return (await lstat(path.resolve(cwd, word)).catch(() => null)) !== null;
}

/** A glob, or what git calls magic. */
function isPattern(word: string) {
  return word.startsWith(':') || /[*?[]/.test(word);
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
export async function readUsual(
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
export function named(change: Change, { is, notes }: UsualChange): Change {
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
const marksOfCi = [
  'CI',
  'GITHUB_ACTIONS',
  'GITLAB_CI',
  'TF_BUILD',
  'JENKINS_URL',
  'TEAMCITY_VERSION',
];

/** Null where files and index hold what the last commit holds. */
async function readWork(repository: Repository, untracked: boolean) {
  for (const request of [{ source: 'worktree', untracked }, { source: 'staged' }] as const) {
    const change = await repository.change(request).catch(ifUserError(null, 'unchanged'));
    if (change) return { request, change };
  }
  return null;
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
