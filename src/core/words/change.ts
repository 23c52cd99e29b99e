/** The subject of a review when it is a git change: files with their hunks, read once, named by git alone. */
import { z } from 'zod';
import { Document } from './document.ts';
import { Count, Flag, NullableText, Text, Texts, Whole } from './fields.ts';

const FileStatus = z.enum([
  'added',
  'modified',
  'deleted',
  'renamed',
  'copied',
  'type-changed',
  'mode-changed',
]);
export type FileStatus = z.infer<typeof FileStatus>;

const Hunk = z.object({
  oldStart: Count,
  oldLines: Count,
  newStart: Count,
  newLines: Count,
  /** What git prints behind the second `@@`; empty when nothing. */
  heading: Text,
  /** Each with its leading `+`, `-` or space; `\ No newline at end of file` stands as git prints it. */
  lines: Texts,
});
export type Hunk = z.infer<typeof Hunk>;

/** Kinds of what no text can show. */
export const UnshownKind = z.enum([
  'binary',
  'encoding',
  'pointer',
  'link-out',
  'submodule',
  'repository',
  'notebook-output',
]);
export type UnshownKind = z.infer<typeof UnshownKind>;

/** First and last of each run, 1-based. */
const NumberedLines = z.array(z.tuple([Whole, Whole]));
export type NumberedLines = z.infer<typeof NumberedLines>;

const NotebookSide = z.object({
  /** That lie wholly inside of what a person wrote into a cell. */
  cells: NumberedLines,
  /** That hold what a program put there, an output or an attachment; the first and the last of a run may hold more. */
  outputs: NumberedLines,
});

/** What the lines of a notebook are, on both sides. */
const NotebookLines = z.object({ old: NotebookSide, new: NotebookSide });
export type NotebookLines = z.infer<typeof NotebookLines>;

const ChangedFile = z.object({
  /** Path on the new side, or on the old side of a deletion. Slashes, no leading `./`; any characters git allows. */
  path: Text,
  /** Set for renames and copies only. */
  oldPath: NullableText,
  status: FileStatus,
  /** Octal as git prints it (`100644`, `120000`, `160000`); `000000` where the side has no file. */
  oldMode: Text,
  newMode: Text,
  /** Object ids, all zeros where the side has no file. */
  oldId: Text,
  newId: Text,
  /** `text` is shown as hunks, and so is a `symlink`: its text is its target. The others have no hunks and are described in words. */
  content: z.enum(['text', 'binary', 'submodule', 'symlink', 'too-large']),
  additions: Count,
  deletions: Count,
  hunks: z.array(Hunk),
  /** What there is now holds bytes that are no UTF-8: U+FFFD stands for them. */
  damaged: z.literal(true).exactOptional(),
  /** Of a notebook that parses. */
  notebook: NotebookLines.exactOptional(),
  /** The rule of the configuration by which what cannot be shown of it may pass unread. */
  accepted: Text.exactOptional(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** The change that is meant where a caller names none, or a range whose other side has moved on. */
export const UsualChange = z.object({
  is: z.enum(['uncommitted', 'branch', 'last-commit', 'merge-base']),
  /** What lies there besides and is no part of it. One sentence each. */
  notes: Texts,
});
export type UsualChange = z.infer<typeof UsualChange>;

export const Change = z.object({
  kind: z.literal('change'),
  source: z.enum(['range', 'staged', 'worktree', 'patch', 'files']),
  /** Full ids; null for a patch. `head` is a tree id for staged and worktree. `base` of a root commit is the empty tree. */
  base: NullableText,
  head: NullableText,
  /** How a person would name it: `HEAD~1..HEAD`, `--staged`, `fix.patch`. */
  title: Text,
  files: z.array(ChangedFile),
  /** Paths of the files that are meant, where the caller named some; the others are read to know what the change touches. */
  chosen: Texts.exactOptional(),
  /** Set where the name of the change does not say all. */
  usual: UsualChange.exactOptional(),
  /** What the reader of the change noticed: shallow history, attributes that hide content, odd names. One sentence each. */
  warnings: Texts,
});
export type Change = z.infer<typeof Change>;

/** What is asked where nothing is there to be read but the question and its background. */
const Question = z.object({
  kind: z.literal('question'),
  title: Text,
  prompt: Text,
  context: NullableText,
  /** Commits or trees, by full id, in which the places of the answers are looked up; `base` null: only as it is now. */
  about: z.object({ base: NullableText, head: Text }).exactOptional(),
});
export type Question = z.infer<typeof Question>;

export const Subject = z.discriminatedUnion('kind', [Change, Document, Question]);
export type Subject = z.infer<typeof Subject>;

// What Jury knows of a pull request, and how its repository is named. All of it comes from outside and is read by these schemas.

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
type ToldPull = z.infer<typeof ToldPull>;

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
