/** What a record says of its outcome: reasons and coverage. A leaf: of core it imports fields alone, so that everything may import it. */
import { z } from 'zod';
import { Rows, Text, Texts, Whole } from '../words/fields.ts';

export const outcomes = ['PASS', 'FAIL', 'INCOMPLETE'] as const;
export type Outcome = (typeof outcomes)[number];

/** Every ground on which a run is not a pass. */
export const reasonRules = [
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
] as const;

/** What a judge returns: the only thing an outcome is made of. */
export const Reason = z.object({
  rule: z.enum(reasonRules),
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
