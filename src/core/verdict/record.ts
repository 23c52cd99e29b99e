/** What a record says of its outcome: reasons and coverage. A leaf: it imports nothing of core, so that everything may import it. */
import { z } from 'zod';

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
  subject: z.string(),
  /** One sentence for people. No decision reads it. */
  sentence: z.string(),
  /** Git id of what nobody could read: set where a person may approve it unread, by path and content. */
  object: z.string().optional(),
});
export type Reason = z.infer<typeof Reason>;

/** A rule that a person lifted for a run. */
export const Override = z.object({ rule: z.string(), reason: z.string(), source: z.string() });
export type Override = z.infer<typeof Override>;

/** As records hold them. Those of version 0.1 are sentences: they are shown, and keep a run from being a pass. */
export const Reasons = z.array(
  z.union([
    Reason,
    z.string().transform((sentence): Reason => ({
      rule: 'engine',
      effect: 'INCOMPLETE',
      subject: '',
      sentence,
    })),
  ]),
);

export const Coverage = z.object({
  /** Bytes of the shown subject, and how many of them are in files that somebody read in full. */
  bytes: z.int(),
  accounted: z.int(),
  files: z.array(
    z.object({
      path: z.string(),
      /** Reviewers whose reading of the whole file counts. */
      by: z.array(z.string()),
      partiallyBy: z.array(z.string()),
      /** What the first of them was not shown; absent where nobody said. */
      lacking: z.string().exactOptional(),
      skippedBy: z.array(z.object({ reviewer: z.string(), why: z.string() })),
      /** Of those who read it, who did so in an earlier run, when it was the same; absent where nobody did. */
      kept: z.array(z.object({ reviewer: z.string(), run: z.string() })).exactOptional(),
    }),
  ),
  /** Files left out by `exclude`, each with the glob. */
  excluded: z.array(z.object({ path: z.string(), pattern: z.string() })),
  /** Files of which something could not be shown, and the rule of the configuration that lets it pass; absent where none did. */
  accepted: z.array(z.object({ path: z.string(), rule: z.string() })).exactOptional(),
});
export type Coverage = z.infer<typeof Coverage>;
