/**
 * What a record says of its outcome: reasons and coverage; what a person may let pass; and the verdict of one review. A leaf: of core
 * it imports fields alone, so that everything may import it.
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

// What a person may let pass, and nothing else: that a person was asked for, and what no reviewer can read. An approval holds for
// the very change it was given for. It is evidence for the judges, like a review: no outcome is written by it.

export const approvableRules = ['require-human', 'unread'] as const;

/** SHA-256 in hex. */
const Digest = Text.regex(/^[0-9a-f]{64}$/);

export const Approval = z.strictObject({
  schema: z.literal('jury.approval/1'),
  /** SHA-256 of all that follows; the name of the file. */
  id: Digest,
  /** Hash of the whole change it was given for: in another one, every question is asked again. */
  change: Digest,
  rule: z.enum(approvableRules),
  /** What was looked at: a path, and the git id of what nobody could read; null where the change itself could be. */
  things: z.array(z.strictObject({ subject: Text, object: NullableText })).nonempty(),
  /** Account of this machine that gave it. */
  by: Text,
  /** ISO 8601. */
  at: z.iso.datetime(),
  reason: Text.min(1),
  /** The run whose report was read. */
  run: Text,
});
export type Approval = z.infer<typeof Approval>;

/** What a record keeps of an approval that took a reason away. */
export const GivenApproval = z.object({
  id: Text,
  rule: z.enum(approvableRules),
  /** Of the reasons that no longer stand. */
  subjects: Texts,
  by: Text,
  at: Text,
  reason: Text,
});
type GivenApproval = z.infer<typeof GivenApproval>;

/** No reason that fails a run can be approved, whatever its rule. */
export function isApprovable(reason: Reason): reason is Reason & Pick<Approval, 'rule'> {
  if (reason.effect !== 'INCOMPLETE') return false;
  return (
    reason.rule === 'require-human' || (reason.rule === 'unread' && reason.object !== undefined)
  );
}

/** The reasons that still stand, and what was approved of the others, in the order it was given. */
export function withoutApproved(
  reasons: readonly Reason[],
  approvals: readonly Approval[],
): { readonly open: Reason[]; readonly given: GivenApproval[] } {
  const approvalOf = (reason: Reason) => approvals.find(approval => covers(approval, reason));
  return {
    open: reasons.filter(reason => approvalOf(reason) === undefined),
    given: approvals.flatMap(approval => {
      const subjects = reasons
        .filter(reason => approvalOf(reason) === approval)
        .map(({ subject }) => subject);
      const { id, rule, by, at, reason } = approval;
      return subjects.length === 0
        ? []
        : [{ id, rule, subjects: [...new Set(subjects)], by, at, reason }];
    }),
  };
}

function covers({ rule, things }: Approval, reason: Reason) {
  return (
    isApprovable(reason) &&
    reason.rule === rule &&
    things.some(
      ({ subject, object }) => subject === reason.subject && object === (reason.object ?? null),
    )
  );
}

/** A reason that keeps the run from being proof. */
export function leavesOpen(rule: Reason['rule'], subject: string, sentence: string): Reason {
  return { rule, effect: 'INCOMPLETE', subject, sentence };
}

/** A vote on motions: nobody answered, or what is still missing could change how some of them end. */
export function judgeMotions(incomplete: number, isUnanswered: boolean): Reason[] {
  if (isUnanswered) return [leavesOpen('vote', 'motions', 'No review could be collected.')];
  return incomplete === 0
    ? []
    : [
        leavesOpen(
          'vote',
          'motions',
          `The answers still missing could change how ${incomplete === 1 ? '1 motion ends' : `${incomplete} motions end`}.`,
        ),
      ];
}

/** The same of one that has ended, by what it noted; one of an earlier version noted less. */
export function judgeEndedVote({
  incomplete = 0,
  assigned = 0,
  answered = 0,
}: Readonly<Record<string, number>>) {
  return judgeMotions(incomplete, assigned > 0 && answered === 0);
}
