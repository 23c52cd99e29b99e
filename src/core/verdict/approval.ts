/**
 * What a person may let pass, and nothing else: that a person was asked for, and what no reviewer can read. An approval holds for
 * the very change it was given for. It is evidence for the judges, like a review: no outcome is written by it.
 */
import { z } from 'zod';
import { NullableText, Text, Texts } from '../words/fields.ts';
import type { Reason } from './record.ts';

export const approvableRules = ['require-human', 'unread'] as const;
export type ApprovableRule = (typeof approvableRules)[number];

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
export type GivenApproval = z.infer<typeof GivenApproval>;

/** No reason that fails a run can be approved, whatever its rule. */
export function isApprovable(reason: Reason): reason is Reason & { readonly rule: ApprovableRule } {
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
