/** Which change is meant where a caller names none: what is not committed, else what the branch adds, else the last commit. */
import { sayUnsent } from '../core/change/untracked.ts';
import { ifUserError, UserError } from '../core/errors.ts';
import type { ChangeRequest, Repository } from '../core/ports/repository.ts';
import { nameFew } from '../core/verdict/onward.ts';
import type { Change, UsualChange } from '../core/words/change.ts';
import { limitedTo } from './change-meant.ts';
import type { ReadSubject, SubjectSource } from './read-subject.ts';

type UsualRequest = Extract<ChangeRequest, { readonly usual?: UsualChange }>;

interface Meant {
  readonly paths: readonly string[];
  /** Are files that git does not track part of what is not committed? */
  readonly untracked: boolean;
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
  const isInCi = isAutomated(call.environment);
  const { mayDiffer, unsent } = isInCi
    ? { mayDiffer: false, unsent: [] }
    : await repository.lookForWork(untracked);
  const work = mayDiffer ? await readWork(repository, untracked) : null;
  if (work !== null) return read(work.request, { is: 'uncommitted', notes: [] }, work.change);
  const notes = isInCi ? await leftInCi(repository) : sayUnsent(unsent);
  const range = await repository.branchRange();
  return range === null
    ? read({ source: 'revision', revision: 'HEAD' }, { is: 'last-commit', notes })
    : read(
        { source: 'revision', revision: `${range.from}..${range.branch}` },
        { is: 'branch', notes },
      );
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

function isAutomated(environment: Readonly<Record<string, string | undefined>>): boolean {
  return marksOfCi.some(name => !['', '0', 'false'].includes(environment[name] ?? ''));
}

/** Null where files and index hold what the last commit holds. */
async function readWork(
  repository: Pick<Repository, 'change'>,
  untracked: boolean,
): Promise<{ readonly request: UsualRequest; readonly change: Change } | null> {
  for (const request of [{ source: 'worktree', untracked }, { source: 'staged' }] as const) {
    const change = await repository.change(request).catch(ifUserError(null, 'unchanged'));
    if (change !== null) return { request, change };
  }
  return null;
}

async function leftInCi(repository: SubjectSource['repository']): Promise<string[]> {
  try {
    const { mayDiffer } = await repository.lookForWork(false);
    const work = mayDiffer ? await readWork(repository, false) : null;
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
