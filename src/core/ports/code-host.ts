/** A host of code with pull requests, as far as one of them is read and written. GitHub is the one there is. */
import type { Hunk } from '../words/change.ts';
import type { PullFacts } from '../words/pull-request.ts';

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

export interface CheckDraft {
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

export interface Conversation {
  readonly comments: readonly HostComment[];
  readonly threads: readonly Thread[];
}

/** A place in the diff of the head against the base. */
export interface DiffPlace {
  readonly path: string;
  readonly side: 'old' | 'new';
  /** 1-based; equal for one line. Both lie in one hunk. */
  readonly line: number;
  readonly endLine: number;
}

export interface InlineComment extends DiffPlace {
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
  listFiles(): Promise<readonly PullFile[]>;
  /** Texts of a commit by path; what is no text, too large or not there is absent. */
  readTexts(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  readConversation(): Promise<Conversation>;
  /** May this account write to the repository? False for whoever is unknown. */
  mayWrite(login: string): Promise<boolean>;

  /** Key of the latest check of that name at a commit; null: there is none. */
  latestCheck(head: string, name: string): Promise<string | null>;
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
