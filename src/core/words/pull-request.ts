/** What Jury knows of a pull request, and how its repository is named. All of it comes from outside and is read by these schemas. */
import { z } from 'zod';
import { Flag, NullableText, Text, Whole } from './fields.ts';

/** Git's own id of a commit, by SHA-1 or SHA-256. */
export const CommitId = Text.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'must be a full commit id');

/** `owner/name` as GitHub allows it; no part of it can climb out of an address. */
export const RepositoryName = Text.max(140).regex(
  /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/,
  'must be OWNER/NAME',
);

/** Where commits go on; a text of anybody. */
export const BranchName = Text.min(1).max(255);

export const PullNumber = Whole.positive().max(2_147_483_647);

/** As the API of GitHub tells it: the keys that are read, and no words of its author. */
export const ToldPull = z.object({
  number: PullNumber,
  state: z.enum(['open', 'closed']),
  head: z.object({
    sha: CommitId,
    /** Null where the fork is gone. */
    repo: z.object({ full_name: RepositoryName }).nullable(),
  }),
  base: z.object({ sha: CommitId, ref: BranchName, repo: z.object({ full_name: RepositoryName }) }),
});
export type ToldPull = z.infer<typeof ToldPull>;

/** From where a pull request left its base to its head. Commits that are not here are fetched, into no repository of anybody. */
export const PullRequest = z.object({
  source: z.literal('pull'),
  /** Of the repository that it asks to be merged into. */
  repository: RepositoryName,
  number: PullNumber,
  /** Where its commits are fetched from. */
  url: Text,
  /** The tip of the base branch. */
  base: CommitId,
  head: CommitId,
  /** Absolute path of a file that holds the commits (`jury github pack`), which are not fetched then; null: they are. */
  pack: NullableText,
  /** Set where a machine reviews what anybody may have written: it is shown to no program. */
  isStranger: Flag,
});
export type PullRequest = z.infer<typeof PullRequest>;

export interface PullFacts {
  /** `owner/name` of the base. */
  readonly repository: string;
  readonly number: number;
  /** The branch that it asks to be merged into. Untrusted text. */
  readonly branch: string;
  /** Full ids. */
  readonly base: string;
  readonly head: string;
  readonly isOpen: boolean;
  readonly isFork: boolean;
  /** `owner/name` of the head; null where that repository is gone. */
  readonly from: string | null;
}

/** As a person would name it. */
export function titleOfPull({ number, repository }: Pick<PullFacts, 'number' | 'repository'>) {
  return `pull request ${number} of ${repository}`;
}

export function factsOfPull({ number, state, head, base }: ToldPull): PullFacts {
  const repository = base.repo.full_name;
  return {
    repository,
    number,
    branch: base.ref,
    base: base.sha,
    head: head.sha,
    isOpen: state === 'open',
    // GitHub names a repository in the letters of its owner, whatever the address says.
    from: head.repo?.full_name ?? null,
    isFork: head.repo?.full_name.toLowerCase() !== repository.toLowerCase(),
  };
}

/** The address of a remote as git takes it; null where it names no repository on a server. Nothing in it is obeyed but the names. */
export function readRemote(address: string) {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^@/\s]*@)?([A-Za-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?\/(\S+)$/.exec(
      address,
    ) ??
    /^(?:[\w.-]+@)([A-Za-z0-9.-]+):(?!\/)(\S+)$/.exec(address) ??
    [];
  if (host === undefined || path === undefined) return null;
  const repository = RepositoryName.safeParse(path.replace(/\/$/, '').replace(/\.git$/, ''));
  return repository.success ? { host: host.toLowerCase(), repository: repository.data } : null;
}
