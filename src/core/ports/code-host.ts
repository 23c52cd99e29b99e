/** A host of code with pull requests, as far as one of them is read and written. GitHub is the one there is. */
import type { Hunk } from '../words/change.ts';

export interface PullRequest {
  readonly state: 'open' | 'closed';
  /** The branch that it asks to be merged into. */
  readonly branch: string;
  /** Full commit ids. */
  readonly head: string;
  readonly base: string;
}

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

interface CheckRun {
  readonly id: number;
  /** The name by which whoever made it knows it again. */
  readonly key: string;
  readonly isCompleted: boolean;
  /** How many annotations it has by now. */
  readonly annotations: number;
}

export interface CheckDraft {
  readonly name: string;
  readonly head: string;
  readonly key: string;
  readonly conclusion: Conclusion;
  readonly title: string;
  readonly summary: string;
}

/** Text of a person, untrusted. `isOwn`: written by the very account that asks. */
export interface HostComment {
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

const hostCauses = [
  'auth',
  'forbidden',
  'rate-limited',
  'missing',
  'refused',
  'unreadable',
  'provider',
  'unreachable',
] as const;
export type HostCause = (typeof hostCauses)[number];

/**
 * What a host would not do. `auth`: the token is no good. `forbidden`: it has not the right. `rate-limited`: and waiting any longer is
 * not allowed. `missing`: there is no such thing, or the token may not see it. `refused`: what was sent is against the rules of the
 * host. `unreadable`: the answer is none that is known. `provider`: a fault of the host. `unreachable`: no answer, or half of one.
 */
export class CodeHostError extends Error {
  override readonly name = 'CodeHostError';
  readonly code: HostCause;
  /** True where the host may have done it all the same: whoever tries again looks first. */
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
  readPull(): Promise<PullRequest>;
  listFiles(): Promise<readonly PullFile[]>;
  /** Texts of a commit by path; what is no text, too large or not there is absent. */
  readTexts(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  readConversation(): Promise<Conversation>;
  /** May this account write to the repository? False for whoever is unknown. */
  mayWrite(login: string): Promise<boolean>;

  /** Those of that name at a commit, oldest first. */
  listChecks(head: string, name: string): Promise<readonly CheckRun[]>;
  /** Yields the id. `annotations`: at most `mostAnnotations`. */
  createCheck(draft: CheckDraft, annotations: readonly Annotation[]): Promise<number>;
  /** Adds annotations; the rest stands in place of what stood there. */
  updateCheck(id: number, draft: CheckDraft, annotations: readonly Annotation[]): Promise<void>;
  readonly mostAnnotations: number;

  /** Yields the id. */
  createComment(body: string): Promise<number>;
  updateComment(id: number, body: string): Promise<void>;
  /** One that is gone already is no failure. */
  deleteComment(id: number): Promise<void>;

  /** All of them or, with code `refused`, none: one place outside of the diff is enough. */
  createInline(head: string, comments: readonly InlineComment[]): Promise<void>;
  updateInline(id: number, body: string): Promise<void>;
  deleteInline(id: number): Promise<void>;
  setResolved(thread: string, isResolved: boolean): Promise<void>;

  uploadSarif(head: string, sarif: string): Promise<void>;

  /** Requests so far, those that were tried again included. */
  calls(): number;
}
