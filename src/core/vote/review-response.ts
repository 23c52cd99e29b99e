/**
 * What one member answered on one motion: a row of `review_responses.json` without what the writer of artifacts stamps on
 * every row (`response_id`, `rule_set`, `simulated`).
 */
import { z } from 'zod';

export const stances = ['ENDORSE', 'OPPOSE', 'AMEND', 'ABSTAIN'] as const;
export const Stance = z.enum(stances);
export type Stance = z.infer<typeof Stance>;

export const amendmentTypes = [
  'minor_wording',
  'major_revision',
  'add_clause',
  'remove_clause',
] as const;
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

/** Which stance a word of a member means. What denies, doubts or says two things at once means none: then the member is asked again. */
const words: ReadonlyMap<string, Stance> = new Map([
  ...['endorse', 'approve', 'support', 'accept'].map(word => [word, 'ENDORSE'] as const),
  ...['oppose', 'reject', 'nay'].map(word => [word, 'OPPOSE'] as const),
  ...['amend', 'endorse_with_amendment', 'endorse_with_amendments', 'endorse_with_changes'].map(
    word => [word, 'AMEND'] as const,
  ),
  ...['abstain', 'neutral'].map(word => [word, 'ABSTAIN'] as const),
]);

const denials: ReadonlySet<string> = new Set(['not', 'no', 'never', 'cannot']);
const longestStance = 500;

/** Null: no stance can be read from it. */
export function readStance(stated: string): Stance | null {
  const text = stated.slice(0, longestStance).trim().toLowerCase();
  return words.get(text) ?? readSentence(text);
}

/** Words count from their beginning, so that "unsupported" and "disapprove" support nothing. */
function readSentence(text: string): Stance | null {
  const said = text.split(/[^\p{L}'’]+/u);
  if (said.some(word => denials.has(word) || /n['’]t$/.test(word))) return null;
  const says = (...stems: readonly string[]): boolean =>
    said.some(word => stems.some(stem => word.startsWith(stem)));
  if (says('amend')) return 'AMEND';
  const [isAgainst, isFor] = [says('oppose', 'reject'), says('endorse', 'support')];
  if (isAgainst === isFor) return null;
  return isAgainst ? 'OPPOSE' : 'ENDORSE';
}
