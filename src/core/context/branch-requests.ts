/** Limits of branches, and what is wrong with the words of a branch request. Lengths are in characters, not in UTF-16 units. */
import type { FoldCode } from './budget.ts';

export interface BranchRequest {
  readonly sessionId: string;
  readonly description: string;
  readonly prompt?: string | undefined;
  /** Tokens. */
  readonly budget: number;
  readonly timeoutSeconds: number;
  readonly parentBranchId?: string | undefined;
  readonly projectId?: string | undefined;
}

export const longestDescription = 500;
export const longestPrompt = 10_000;
export const longestMessage = 50_000;

export function createBranchRefusal({
  sessionId,
  description,
  prompt,
  budget,
}: BranchRequest): FoldCode | null {
  if (isBlank(sessionId)) return 'FOLD015';
  if (isBlank(description)) return 'FOLD016';
  if (isLonger(description, longestDescription)) return 'FOLD017';
  if (prompt !== undefined && isBlank(prompt)) return 'FOLD018';
  if (prompt !== undefined && isLonger(prompt, longestPrompt)) return 'FOLD019';
  if (!Number.isInteger(budget) || budget <= 0) return 'FOLD010';
  return budget > Number.MAX_SAFE_INTEGER ? 'FOLD011' : null;
}

export function returnRefusal(branchId: string, message: string): FoldCode | null {
  if (isBlank(branchId)) return 'FOLD020';
  return isLonger(message, longestMessage) ? 'FOLD021' : null;
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Stops counting at the limit, however long the text is. */
function isLonger(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > 2 * limit) return true;
  return Array.from(text).length > limit;
}

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
  maxDepth: 2,
  concurrentPerRun: 10,
  concurrentPerProcess: 100,
  maxBudget: 49_152,
  maxTimeoutSeconds: 600,
  createsPerMinute: 60,
};

/** What a branch gets that asks for nothing. */
export const defaultBranchBudget = 8_192;
export const defaultBranchTimeoutSeconds = 300;
