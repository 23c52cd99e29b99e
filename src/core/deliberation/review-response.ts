/**
 * What one member answered on one motion: a row of `review_responses.json` without what the writer of artifacts stamps on
 * every row (`response_id`, `rule_set`, `simulated`).
 */
import { z } from 'zod';

export const stances = ['ENDORSE', 'OPPOSE', 'AMEND', 'ABSTAIN'] as const;
export const Stance = z.enum(stances);
export type Stance = z.infer<typeof Stance>;

export const amendmentTypes = ['minor_wording', 'major_revision', 'add_clause', 'remove_clause'] as const;
export const AmendmentType = z.enum(amendmentTypes);
export type AmendmentType = z.infer<typeof AmendmentType>;

export const ReviewResponse = z.object({
  archon_id: z.string(),
  archon_name: z.string(),
  mega_motion_id: z.string(),
  /** A failed review is `no_response` with its error; it never counts as an abstention. */
  status: z.enum(['ok', 'no_response']),
  error: z.string().nullable(),
  /** Null exactly when the status is `no_response`. */
  stance: Stance.nullable(),
  amendment_type: AmendmentType.nullable(),
  amendment_text: z.string().nullable(),
  amendment_rationale: z.string().nullable(),
  /** Concerns joined with `; `. */
  opposition_reason: z.string().nullable(),
  reasoning: z.string(),
  /** 0 to 1; null for no response. */
  confidence: z.number().min(0).max(1).nullable(),
  /** What is thin about the answer, in words; it changes nothing. */
  validation: z.array(z.string()),
  /** True when the member saw only the first part of the text. */
  text_truncated: z.boolean(),
  attempts: z.int().nonnegative(),
  review_duration_ms: z.int().nonnegative(),
  /** ISO 8601, UTC. */
  reviewed_at: z.string(),
});
export type ReviewResponse = z.infer<typeof ReviewResponse>;
