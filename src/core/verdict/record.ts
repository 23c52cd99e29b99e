/**
 * What a record says of its outcome: reasons and coverage; and the verdict of one review. A leaf: of core it imports fields alone, so
 * that everything may import it.
 */
import { z } from 'zod';
import { Count, NullableText, Rows, Text, Texts, Whole } from '../words/fields.ts';

export const outcomes = ['PASS', 'FAIL', 'INCOMPLETE'] as const;
export type Outcome = (typeof outcomes)[number];

/** What a judge returns: the only thing an outcome is made of. */
export const Reason = z.object({
  /** Every ground on which a run is not a pass. */
  rule: z.enum([
    'claim',
    'veto',
    'verification',
    'required',
    'quorum',
    'unread',
    'security',
    'ungrounded',
    'changed',
    'interrupted',
    'month',
    'require-human',
    'engine',
    'vote',
    'imported',
  ]),
  effect: z.enum(['FAIL', 'INCOMPLETE']),
  /** What it is about: the id of a claim, a reviewer, a path, a criterion; the run itself where nothing smaller is meant. */
  subject: Text,
  /** One sentence for people. No decision reads it. */
  sentence: Text,
  /** Git id of what nobody could read: set where a person may approve it unread, by path and content. */
  object: Text.optional(),
});
export type Reason = z.infer<typeof Reason>;

/** A rule that a person lifted for a run. */
export const Override = z.object({ rule: Text, reason: Text, source: Text });
export type Override = z.infer<typeof Override>;

/** As records hold them. Those of version 0.1 are sentences: they are shown, and keep a run from being a pass. */
export const Reasons = z.array(
  z.union([
    Reason,
    Text.transform((sentence): Reason => ({
      rule: 'engine',
      effect: 'INCOMPLETE',
      subject: '',
      sentence,
    })),
  ]),
);

export const Coverage = z.object({
  /** Bytes of the shown subject, and how many of them are in files that somebody read in full. */
  bytes: Whole,
  accounted: Whole,
  files: Rows({
    path: Text,
    /** Reviewers whose reading of the whole file counts. */
    by: Texts,
    partiallyBy: Texts,
    /** What the first of them was not shown; absent where nobody said. */
    lacking: Text.exactOptional(),
    skippedBy: Rows({ reviewer: Text, why: Text }),
    /** Of those who read it, who did so in an earlier run, when it was the same; absent where nobody did. */
    kept: Rows({ reviewer: Text, run: Text }).exactOptional(),
  }),
  /** Files left out by `exclude`, each with the glob. */
  excluded: Rows({ path: Text, pattern: Text }),
  /** Files of which something could not be shown, and the rule of the configuration that lets it pass; absent where none did. */
  accepted: Rows({ path: Text, rule: Text }).exactOptional(),
});
export type Coverage = z.infer<typeof Coverage>;

// The tiny record of a review that reaches the caller, and what is computed from a reviewer's findings.

/** In the order that `--counts` prints them; UNKNOWN and MALFORMED are given by the reader, never written. */
export const VerdictStatus = z.enum([
  'CLEAN',
  'NEEDS_ATTENTION',
  'BLOCKED',
  'ERROR',
  'COMPLETE',
  'PARTIAL',
  'FAILED',
]);
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
export function computeVerdict(found: readonly string[]): 'safe' | 'needs-changes' | 'risky' {
  if (found.includes('critical')) return 'risky';
  return found.includes('high') ? 'needs-changes' : 'safe';
}
