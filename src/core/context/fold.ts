/** The codes of ledgers and branches as data: what each means and whether the same call may work later. */

export const foldCodes = {
  FOLD001: { meaning: 'branch not found', retryable: false },
  FOLD002: { meaning: 'branch exists', retryable: false },
  FOLD003: { meaning: 'branch not active', retryable: false },
  FOLD004: { meaning: 'maximum depth exceeded', retryable: false },
  FOLD005: { meaning: 'invalid state transition', retryable: false },
  FOLD006: { meaning: 'cannot return from root', retryable: false },
  FOLD007: { meaning: 'active children', retryable: false },
  FOLD008: { meaning: 'budget exhausted', retryable: true },
  FOLD009: { meaning: 'budget not found', retryable: false },
  FOLD010: { meaning: 'invalid budget', retryable: false },
  FOLD011: { meaning: 'budget overflow', retryable: false },
  FOLD012: { meaning: 'rate limit', retryable: true },
  FOLD013: { meaning: 'too many concurrent branches', retryable: true },
  FOLD014: { meaning: 'scrubbing failed', retryable: false },
  FOLD015: { meaning: 'empty session id', retryable: false },
  FOLD016: { meaning: 'empty description', retryable: false },
  FOLD017: { meaning: 'description too long', retryable: false },
  FOLD018: { meaning: 'prompt given but blank', retryable: false },
  FOLD019: { meaning: 'prompt too long', retryable: false },
  FOLD020: { meaning: 'empty branch id', retryable: false },
  FOLD021: { meaning: 'message too long', retryable: false },
  FOLD022: { meaning: 'session belongs to another caller', retryable: false },
} as const satisfies Record<string, { readonly meaning: string; readonly retryable: boolean }>;

export type FoldCode = keyof typeof foldCodes;

export interface FoldPlace {
  readonly branchId?: string;
  readonly sessionId?: string;
}

/** `[FOLD004] maximum depth exceeded (branch_id=br_0a1b2c3d, session_id=s1)`; without a place, without the brackets. */
export function foldMessage(code: FoldCode, { branchId, sessionId }: FoldPlace = {}): string {
  const place = [
    branchId === undefined ? [] : [`branch_id=${branchId}`],
    sessionId === undefined ? [] : [`session_id=${sessionId}`],
  ].flat();
  return `[${code}] ${foldCodes[code].meaning}${place.length > 0 ? ` (${place.join(', ')})` : ''}`;
}
