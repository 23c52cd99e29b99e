/** The verdict file of a review: what reaches a caller that reads no prose. Computed from the findings by code. */
import { z } from 'zod';
import { UserError } from '../errors.ts';
import type { Review } from '../words/review.ts';
import { VerdictFile } from '../verdict/verdict-file.ts';
import { countedFindings, standingOf } from '../verdict/review-status.ts';
import { summaryOf } from './review-file.ts';

export interface VerdictSource {
  /** Run id, or the caller's id; may be empty. */
  readonly sessionId: string;
  readonly now: Date;
  /** Path of the review file; null when there is none. */
  readonly detailPath: string | null;
  /** What the reviewer literally said, for its own summary; null when nobody kept it. */
  readonly answer: string | null;
  readonly hasVetoed?: boolean;
  /** Did the reviewer bring knowledge instead of findings? */
  readonly isResearch?: boolean;
}

export function toVerdictFile(
  review: Review,
  { sessionId, now, detailPath, answer, hasVetoed = false, isResearch = false }: VerdictSource,
): VerdictFile {
  const { status, claimed, computed, claim } = standingOf(review, hasVetoed);
  return checkVerdictFile({
    type: isResearch ? 'research' : 'verdict',
    status: isResearch ? researchStatusOf(review) : status,
    model: review.model ?? '',
    tokens_spent: review.usage.inputTokens + review.usage.outputTokens,
    files_changed: [],
    findings_count: countedFindings(review).length,
    summary: summaryOf(review, answer),
    detail_path: detailPath,
    timestamp: `${now.toISOString().slice(0, 19)}Z`,
    session_id: sessionId,
    claimed_verdict: claimed,
    computed_verdict: computed,
    claim,
    deviations: [...review.repairs],
  });
}

const researchStatuses = {
  complete: 'COMPLETE',
  partial: 'PARTIAL',
  failed: 'FAILED',
} as const satisfies Record<Review['status'], VerdictFile['status']>;

function researchStatusOf({ status }: Review): VerdictFile['status'] {
  return researchStatuses[status];
}

/** Throws `UserError` (kind `usage`) that names the argument when a value may not be written. */
function checkVerdictFile(file: unknown): VerdictFile {
  const checked = VerdictFile.safeParse(file);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new UserError(
    `Verdict file: ${issue?.path.join('.') || 'the whole'} cannot be written: ${issue?.message ?? z.prettifyError(checked.error)}.`,
    { kind: 'usage', cause: checked.error },
  );
}

/** The bytes of the file. */
export function renderVerdictFile(file: VerdictFile): string {
  return `${JSON.stringify(checkVerdictFile(file), null, 2)}\n`;
}
