/** What is told of hooks: what lies there, what became of it, and what was looked at when git started one. */
import type { Run } from '../words/run.ts';
import type { HookKeeper, HookName } from './hook.ts';

export interface HookState {
  readonly name: HookName;
  readonly path: string;
  /**
   * `current`: ours, as it would be written now. `older`: ours, of another version, place or setting. `edited`: ours, and somebody has
   * written in it. `foreign`: somebody else's. `shared`: the folder is of more repositories than this one.
   */
  readonly state: 'none' | 'current' | 'older' | 'edited' | 'foreign' | 'shared';
  /** What keeps it, where that is known; null: nobody knows, or it is ours. */
  readonly keeper: HookKeeper | null;
  /** Does git run it? Not where the file may not be executed. */
  readonly isRun: boolean;
}

export interface ChangedHook extends HookState {
  /** What became of it; `state` is as it was before. */
  readonly done: 'installed' | 'renewed' | 'as-it-was' | 'kept' | 'removed' | 'none';
  /** Where nothing was written: what somebody adds by hand to have the same. */
  readonly lines: readonly string[];
}

/** One thing that was looked at, or was not and why. */
export interface HookStep {
  /** `what is staged`, `main to origin/main` */
  readonly about: string;
  /** Null: there was nothing to review, which `said` tells. */
  readonly run: Run | null;
  /** Sentences for whoever commits or pushes. */
  readonly said: readonly string[];
  /** False: what was to be reviewed could not be. It is no pass. */
  readonly isReadable: boolean;
  /** True: what `said` tells fails it, although no run holds it. */
  readonly isFail?: boolean;
}
