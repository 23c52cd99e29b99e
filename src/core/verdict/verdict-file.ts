/** The tiny record of a review that reaches the caller, and what is computed from a reviewer's findings. */
import { z } from 'zod';
import type { ReviewVerdict } from '../words/review.ts';
import type { Severity } from '../words/finding.ts';
import { Count, NullableText, Text, Texts } from '../words/fields.ts';

/** In the order that `--counts` prints them; UNKNOWN and MALFORMED are given by the reader, never written. */
export const verdictStatuses = [
  'CLEAN',
  'NEEDS_ATTENTION',
  'BLOCKED',
  'ERROR',
  'COMPLETE',
  'PARTIAL',
  'FAILED',
] as const;
export const VerdictStatus = z.enum(verdictStatuses);
export type VerdictStatus = z.infer<typeof VerdictStatus>;

/** The file `verdicts/<agent>.json`; keys as the contract of write-behind names them. */
export const VerdictFile = z.object({
  type: z.enum(['verdict', 'implementation', 'research', 'plan-conformance']),
  status: VerdictStatus,
  model: Text,
  tokens_spent: Count,
  files_changed: Texts,
  findings_count: Count,
  summary: Text.max(160).regex(/^[^\r\n]*$/),
  detail_path: NullableText,
  timestamp: Text.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  session_id: Text,
  phase: Text.optional(),
  claimed_verdict: NullableText.optional(),
  computed_verdict: Text.optional(),
  claim: z.enum(['match', 'lower', 'higher', 'absent']).optional(),
  deviations: Texts.optional(),
});
export type VerdictFile = z.infer<typeof VerdictFile>;

/** Any critical finding is risky, else any high one needs changes, else it is safe. */
export function computeVerdict(found: readonly Severity[]): Exclude<ReviewVerdict, 'error'> {
  if (found.includes('critical')) return 'risky';
  return found.includes('high') ? 'needs-changes' : 'safe';
}
