/** Which change is meant where a caller names none: what is not committed, else the last commit. */
import path from 'node:path';
import { isIgnoreLine } from '../adapters/store/ignore-file.ts';
import { readRegularBytes } from '../adapters/system/given-file.ts';
import { UserError } from '../core/errors.ts';
import type { ChangeRequest, Repository } from '../core/ports/repository.ts';
import { nameFew } from '../core/verdict/onward.ts';
import type { Change, UsualChange } from '../core/words/change.ts';
import { limitedTo } from './change-meant.ts';
import type { ReadSubject, SubjectSource } from './read-subject.ts';

type UsualRequest = Extract<ChangeRequest, { readonly usual?: UsualChange }>;

/**
 * In CI it is the last commit in any case: a lock file that an installation touched must not be reviewed in its place, and pass for
 * it. What is left out is said. `paths`: of that change only these.
 */
export async function readUsual(
  paths: readonly string[],
  source: SubjectSource,
): Promise<ReadSubject> {
  const { repository, call } = source;
  const limits = limitedTo(paths);
  const read = async (
    given: UsualRequest,
    usual: UsualChange,
    known: Change | null = null,
  ): Promise<ReadSubject> => {
    const request = { ...given, ...limits, usual };
    // What was read to know whether it is there is the change, unless that is limited.
    const change = paths.length === 0 && known !== null ? known : await repository.change(request);
    const subject = { kind: 'change', request } as const;
    return { planned: { subject, prompt: null, context: null }, subject: named(change, usual) };
  };
  const lastCommit = { source: 'revision', revision: 'HEAD' } as const;
  if (isAutomated(call.environment))
    return read(lastCommit, { is: 'last-commit', notes: await leftInCi(repository) });
  const { mayDiffer, untracked } = await repository.lookForWork();
  const work = mayDiffer ? await readWork(repository) : null;
  const notes = sayUntracked(await withoutOwn(untracked, repository.root));
  return work === null
    ? read(lastCommit, { is: 'last-commit', notes })
    : read(work.request, { is: 'uncommitted', notes }, work.change);
}

/** Under the name that a person knows it by. */
export function named(change: Change, usual: UsualChange): Change {
  const name =
    usual.is === 'last-commit'
      ? `last commit ${change.head?.slice(0, 8) ?? ''}`
      : `${change.source === 'staged' ? 'staged' : 'uncommitted'} changes`;
  return {
    ...change,
    usual,
    title: change.title.replace(/^(?:HEAD|--staged|--worktree)(?= |$)/, name),
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

function isAutomated(environment: Readonly<Record<string, string | undefined>>): boolean {
  return marksOfCi.some(name => !['', '0', 'false'].includes(environment[name] ?? ''));
}

/** Null where files and index hold what the last commit holds, but for the line that keeps copies of runs out of it. */
async function readWork(
  repository: Pick<Repository, 'change'>,
): Promise<{ readonly request: UsualRequest; readonly change: Change } | null> {
  for (const request of [{ source: 'worktree', untracked: false }, { source: 'staged' }] as const) {
    const change = await repository.change(request).catch((error: unknown) => {
      if (error instanceof UserError && error.code === 'unchanged') return null;
      throw error;
    });
    if (change !== null && !isOwn(change)) return { request, change };
  }
  return null;
}

function isOwn({ files: [only, ...others] }: Change): boolean {
  return (
    only !== undefined &&
    others.length === 0 &&
    only.path === '.gitignore' &&
    only.hunks
      .flatMap(({ lines }) => lines)
      .every(line => line.startsWith(' ') || (line.startsWith('+') && isIgnoreLine(line.slice(1))))
  );
}

/** Where Jury made the file for its line, it is nobody's work. */
async function withoutOwn(
  untracked: readonly string[],
  root: string | null,
): Promise<readonly string[]> {
  if (root === null || !untracked.includes('.gitignore')) return untracked;
  const bytes = await readRegularBytes(path.join(root, '.gitignore')).catch(() => null);
  return bytes !== null && isIgnoreLine(bytes.toString('utf8'))
    ? untracked.filter(name => name !== '.gitignore')
    : untracked;
}

function sayUntracked(names: readonly string[]): string[] {
  return names.length === 0
    ? []
    : [`Untracked, so not reviewed: ${nameFew(names)}. jury review --untracked reviews them too.`];
}

async function leftInCi(repository: SubjectSource['repository']): Promise<string[]> {
  try {
    const work = (await repository.lookForWork()).mayDiffer ? await readWork(repository) : null;
    return work === null
      ? []
      : [
          `Not committed, so not reviewed in CI: ${nameFew(work.change.files.map(({ path: name }) => name))}. ` +
            'jury review --worktree reviews that.',
        ];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [`What is not committed was not looked at: ${error.message}`];
  }
}
