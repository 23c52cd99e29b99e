/** What is wrong with the words of a branch request, before anybody looks at the branches. Lengths are in characters, not in UTF-16 units. */
import type { FoldCode } from './fold.ts';

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

export function createBranchRefusal({ sessionId, description, prompt, budget }: BranchRequest): FoldCode | null {
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
