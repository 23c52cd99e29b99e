/**
 * What a person may let pass, and nothing else: that a person was asked for, and what no reviewer can read. An approval holds for
 * the very change it was given for. It is evidence for the judges, like a review: no outcome is written by it.
 */
import { z } from 'zod';
import { present } from '../groups.ts';
import { NullableText, Text, Texts } from '../words/fields.ts';
import { type Finding, isAtLeast } from '../words/finding.ts';
import { type Persona, type VetoCriterion, criteriaOf } from '../words/persona.ts';
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

// What a reviewer's findings and its own word come to: VETO, WARN or OK. A veto is found by the criteria of its persona or claimed
// with grounds; claimed without them it is a warning.

export const panelVerdicts = ['VETO', 'WARN', 'OK'] as const;
export type PanelVerdict = (typeof panelVerdicts)[number];

export interface VerdictRequest {
  readonly persona: Pick<Persona, 'role' | 'veto' | 'criteria'>;
  readonly findings: readonly Pick<Finding, 'severity' | 'category' | 'extra' | 'location'>[];
  /** As the reviewer wrote it; null when it stated none. */
  readonly claimed: string | null;
  readonly vetoReasons: readonly string[];
}

interface JudgedVerdict {
  readonly verdict: PanelVerdict;
  /** Null when nothing that is a verdict was claimed. */
  readonly claimed: PanelVerdict | null;
  /** A veto was claimed without the power or the grounds for it. */
  readonly veto_downgraded: boolean;
}

/** First match: veto, warning, otherwise OK. */
export function judgeVerdict({
  persona,
  findings,
  claimed: stated,
  vetoReasons,
}: VerdictRequest): JudgedVerdict {
  const claimed = readClaimedVerdict(stated);
  const facts = findings.map(factsOf);
  const isGrave = facts.some(({ severity }) => isAtLeast(severity, 'high'));
  const isGrounded =
    claimed === 'VETO' && (isGrave || vetoReasons.some(reason => reason.trim() !== ''));
  const criteria = criteriaOf(persona);
  const isMet = facts.some(fact => criteria.some(criterion => meetsCriterion(fact, criterion)));
  if (persona.veto && (isGrounded || isMet))
    return { verdict: 'VETO', claimed, veto_downgraded: false };
  const isDowngraded = claimed === 'VETO';
  return {
    verdict: isGrave || isDowngraded || claimed === 'WARN' ? 'WARN' : 'OK',
    claimed,
    veto_downgraded: isDowngraded,
  };
}

const words: Readonly<Record<string, PanelVerdict>> = {
  VETO: 'VETO',
  WARN: 'WARN',
  OK: 'OK',
  APPROVE: 'OK',
  REQUEST_CHANGES: 'WARN',
};

/** The other vocabularies in ours: APPROVE is OK, REQUEST_CHANGES is WARN. Null for any other word. */
export function readClaimedVerdict(stated: string | null): PanelVerdict | null {
  const word = (stated ?? '').trim().toUpperCase().replace(/[ -]/g, '_');
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null;
}

/**
 * The category in lower case, its words joined by dashes. A place that was not found is no ground for a veto: what hangs on it is taken
 * away.
 */
function factsOf({ severity, category, extra, location }: VerdictRequest['findings'][number]) {
  const isFound = location?.anchoring !== 'unanchored';
  const cve = typeof extra?.cve === 'string' && extra.cve.trim() !== '';
  const flags = present(
    ...['exploit_path', 'known_exploit'].filter(name => isFound && extra?.[name] === true),
    extra?.direct === true && 'direct',
    cve && 'cve',
  );
  return {
    severity: isFound || severity !== 'critical' ? severity : 'high',
    category: isFound
      ? (category ?? '')
          .trim()
          .toLowerCase()
          .replace(/[\s_/]/g, '-')
      : '',
    flags: new Set(flags),
  };
}

function meetsCriterion(
  facts: ReturnType<typeof factsOf>,
  { severity, category, words: wanted = [], flags = [] }: VetoCriterion,
) {
  return (
    (severity === undefined || facts.severity === severity) &&
    (category === undefined || facts.category === category) &&
    wanted.every(word => facts.category.includes(word)) &&
    flags.every(flag => facts.flags.has(flag))
  );
}
