import type {
  Change,
  ChangedFile,
  Hunk,
  PullFacts,
  PullRequest,
  UsualChange,
} from '../words/change.ts';
import type {
  Binding,
  Counter,
  Definition,
  Import,
  IndexStatistics,
  IndexedFile,
  Reference,
  SearchHit,
  SkippedFile,
} from '../words/code-index.ts';

/** What to read of a repository. Exactly one way of naming it. */
export type ChangeRequest =
  | ({
      readonly source: 'range';
      readonly base: string;
      readonly head: string;
      readonly title: string;
    } & Limited)
  /** `A..B` and `A...B`: what B adds since it left A, with `isExact` the difference of both; one commit against its first parent. */
  | ({
      readonly source: 'revision';
      readonly revision: string;
      readonly isExact?: boolean;
    } & Limited)
  | ({
      readonly source: 'staged';
      /** Absolute path of the index that is meant; absent: that of the working tree. */
      readonly index?: string;
    } & Limited)
  /** `untracked`: with the files that git does not track, but for those that are not sent unasked. `unstaged`: against the index. */
  | ({
      readonly source: 'worktree';
      readonly untracked: boolean;
      readonly unstaged?: boolean;
    } & Limited)
  | ({
      readonly source: 'patch';
      readonly text: string;
      readonly title: string;
      /** Absolute path of where it stands; absent: it was read to its end, and nobody can look again. */
      readonly file?: string;
    } & Limited)
  | (PullRequest & Limited)
  | { readonly source: 'files'; readonly patterns: readonly string[] };

interface Limited {
  /** Files, folders and patterns as git understands them, from where the caller stands; absent: the whole change. */
  readonly paths?: readonly string[];
  /** Set where the caller named no change and this one is usual. */
  readonly usual?: UsualChange;
}

/**
 * Read-only view of a change and its trees through a git directory the engine owns. Runs no code of the repository, writes nothing
 * into it. Speaks to no server but for a pull request. Throws `UserError` for what the person can put right: no repository, unknown
 * revision (with suggestions), nothing to review.
 */
export interface Repository {
  /** Top folder of the working tree; null for a bare repository or outside git. */
  readonly root: string | null;
  change(request: ChangeRequest): Promise<Change>;
  /** Text of one side of a changed file; null when it is binary, a submodule, missing or too large. */
  read(file: ChangedFile, side: 'old' | 'new'): Promise<string | null>;
  /** Text of a path at the base of the change; null when it is not there. For configuration that must not come from the change. */
  readAt(revision: string, path: string): Promise<string | null>;
  /** Every file of a commit or tree, by full id. */
  tree?(id: string): Promise<Pick<Tree, 'files'>>;
  /** Current branch; eight digits of the commit when none is checked out; `unknown` outside git. */
  branch?(): Promise<string>;
  close(): Promise<void>;
}

/** All files of one state of a repository. Paths are relative to its top, with slashes. */
export interface Tree {
  /** Git's name for exactly this list of paths and contents. */
  readonly id: string;
  /** Current branch; eight digits of the commit when no branch is checked out; `unknown` when there is no commit either. */
  readonly branch: string;
  readonly files: readonly TreeFile[];
}

export interface TreeFile {
  readonly path: string;
  /** As git writes it: `100644`, `100755`, `120000` for a link, `160000` for a submodule. */
  readonly mode: string;
  /** Name of the content. */
  readonly id: string;
  /** Bytes; 0 for a submodule. */
  readonly size: number;
}

/**
 * What stands where in one tree of a repository. Contents are kept by their hashes and shared between trees: what did not
 * change is not read again. Nothing of the repository is executed.
 */
export interface CodeIndex {
  statistics(): IndexStatistics;
  files(): readonly IndexedFile[];
  skipped(): readonly SkippedFile[];
  /** Where a name is defined, by path and line. */
  definitionsOf(name: string): readonly Definition[];
  /** Everything a file defines, outer before inner. */
  definitionsIn(path: string): readonly Definition[];
  /** Where a name is used, its definitions left out; calls come first, then by path and line. */
  referencesTo(name: string): readonly Reference[];
  /** The names a file uses, by line, its own definitions left out. */
  usesIn(path: string): readonly Reference[];
  /** What a file declares inside of its functions; empty where no grammar tells it. */
  bindingsIn(path: string): readonly Binding[];
  importsOf(path: string): readonly Import[];
  /** Files that an import would lead to if this file had it. */
  leadsTo(path: string, specifier: string): readonly string[];
  /** The imports of other files that lead to this one. */
  importersOf(path: string): readonly Import[];
  /** Best first. Words are found in any of the ways identifiers are written. */
  search(query: string, limit: number): readonly SearchHit[];
  /** The same as if these files were not there. */
  hiding(isHidden: (path: string) => boolean): CodeIndex;
  close(): void;
}

// A host of code with pull requests, as far as one of them is read and written. GitHub is the one there is.

export interface PullFile {
  readonly path: string;
  /** Set for renames only. */
  readonly oldPath: string | null;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied';
  /** Where comments may stand: empty for what the host shows no lines of (binary, too large). */
  readonly hunks: readonly Hunk[];
}

export type Conclusion = 'success' | 'failure' | 'action_required';

export interface Annotation {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly level: 'notice' | 'warning' | 'failure';
  readonly title: string;
  readonly message: string;
}

interface CheckDraft {
  readonly name: string;
  readonly head: string;
  readonly key: string;
  readonly conclusion: Conclusion;
  readonly title: string;
  readonly summary: string;
  /** At most fifty. */
  readonly annotations: readonly Annotation[];
}

/** Text of a person, untrusted. `isOwn`: written by the very account that asks. */
export interface HostComment {
  /** `issues`: of the pull request as a whole, `pulls`: at a line of it. */
  readonly kind: 'issues' | 'pulls';
  readonly id: number;
  readonly body: string;
  readonly isOwn: boolean;
  /** Login of a person; null where the account is gone, or is that of a program. */
  readonly author: string | null;
  /** ISO time. */
  readonly at: string;
}

export interface Thread {
  /** Opaque. */
  readonly id: string;
  readonly isResolved: boolean;
  /** The first one is what the thread is about. */
  readonly comments: readonly HostComment[];
}

/** At a place in the diff of the head against the base. */
export interface InlineComment {
  readonly path: string;
  readonly side: 'old' | 'new';
  /** 1-based; equal for one line. Both lie in one hunk. */
  readonly line: number;
  readonly endLine: number;
  readonly body: string;
}

export type HostCause =
  | 'auth'
  | 'forbidden'
  | 'rate-limited'
  | 'missing'
  | 'refused'
  | 'unreadable'
  | 'provider'
  | 'unreachable';

/**
 * What a host would not do. `auth`: the token is no good. `forbidden`: it has not the right. `rate-limited`: and waiting any longer is
 * not allowed. `missing`: there is no such thing, or the token may not see it. `refused`: what was sent is against the rules of the
 * host. `unreadable`: the answer is none that is known. `provider`: a fault of the host. `unreachable`: no answer, or half of one.
 */
export class CodeHostError extends Error {
  override readonly name = 'CodeHostError';
  readonly code: HostCause;
  /** True where the host may have done what must not be done twice: whoever tries again looks first. */
  readonly mayBeDone: boolean;

  /** `message`: one sentence; it holds no token, and the words of the host in it are made visible. */
  constructor(code: HostCause, message: string, mayBeDone = false) {
    super(message);
    this.code = code;
    this.mayBeDone = mayBeDone;
  }
}

/**
 * One pull request of one repository. Every method rejects with `CodeHostError`, and with the reason of its signal; reading and what may be
 * done twice is tried again by the adapter, what would leave a second one behind is not. Lists are whole, however many pages they have.
 * Texts are sent as they are: they are made safe by whoever renders them.
 */
export interface CodeHost {
  readPull(): Promise<PullFacts>;
  /** Does a branch hold a commit? False where one of the two is not there. */
  holds(branch: string, commit: string): Promise<boolean>;
  listFiles(): Promise<readonly PullFile[]>;
  /** Texts of a commit by path; what is no text, too large or not there is absent. */
  readTexts(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  readConversation(): Promise<{
    readonly comments: readonly HostComment[];
    readonly threads: readonly Thread[];
  }>;
  /** May this account write to the repository? False for whoever is unknown. */
  mayWrite(login: string): Promise<boolean>;

  /** Keys of the checks of that name at a commit, the latest first; empty for one without. */
  checkKeys(head: string, name: string): Promise<readonly string[]>;
  createCheck(draft: CheckDraft): Promise<void>;
  createComment(body: string): Promise<void>;
  updateComment(comment: HostComment, body: string): Promise<void>;
  /** One that is gone already is no failure. */
  deleteComment(comment: HostComment): Promise<void>;
  /** All of them or, with code `refused`, none: one place outside of the diff is enough. */
  createInline(head: string, comments: readonly InlineComment[]): Promise<void>;
  setResolved(thread: string, isResolved: boolean): Promise<void>;
  uploadSarif(head: string, sarif: string): Promise<void>;

  /** Requests so far, those that were tried again included. */
  calls(): number;
}

/** Finds credentials in text. Offsets are UTF-16, half open, sorted and disjoint. */
export interface SecretScanner {
  scan(text: string, path: string): Promise<readonly SecretSpan[]>;
}

export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** Short kind: `aws`, `github`, `private-key`. */
  readonly kind: string;
  readonly message: string;
}

/** Counts tokens on this machine. Linear in the text, whatever it holds. */
export interface TokenCounter extends Counter {
  count(text: string): number;
}
