import type { Change, ChangedFile, UsualChange } from '../words/change.ts';
import type { PullRequest } from '../words/pull-request.ts';
import type { Tree } from './code-index.ts';

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
  /** `untracked`: with the files that git does not track, but for those that are not sent unasked. */
  | ({ readonly source: 'worktree'; readonly untracked: boolean } & Limited)
  | ({ readonly source: 'patch'; readonly text: string; readonly title: string } & Limited)
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
