/** How many branches there may be and how large each: the defaults, all of which a configuration may change. */

export interface BranchLimits {
  /** Deepest level; the first is 0. */
  readonly maxDepth: number;
  readonly concurrentPerRun: number;
  readonly concurrentPerProcess: number;
  /** Tokens; more is capped. */
  readonly maxBudget: number;
  /** More is capped. */
  readonly maxTimeoutSeconds: number;
  /** Of one caller, so that a loop of creating and returning ends. */
  readonly createsPerMinute: number;
}

export const defaultBranchLimits: BranchLimits = {
  maxDepth: 2, concurrentPerRun: 10, concurrentPerProcess: 100, maxBudget: 49_152, maxTimeoutSeconds: 600, createsPerMinute: 60,
};

/** What a branch gets that asks for nothing. */
export const defaultBranchBudget = 8_192;
export const defaultBranchTimeoutSeconds = 300;
