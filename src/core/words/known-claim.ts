/**
 * What the memory of a project holds: the claims of earlier runs, what people decided about them, the baseline a team
 * commits, what a run closes, and what it gets of a run.
 */
import { z } from 'zod';
import { compareTexts } from '../text.ts';
import type { Change, ChangedFile } from './change.ts';
import { Claim } from './claim.ts';
import type { Review } from './review.ts';
import { Severity } from './finding.ts';
import { Amount, Count, NullableText, Rows, Text, Texts, Whole, orNull } from './fields.ts';

const ClaimId = Claim.shape.id;
const CodeFingerprint = Text.regex(
  /^>?~?[0-9a-f]{8}(?: >?~?[0-9a-f]{8})*$/,
  'must be fingerprints of lines, as Jury writes them',
);

/** `2026-11-21`, a day that exists. */
export const Day = z.iso.date('must be a day such as 2027-01-31');

export const scopes = ['claim', 'file', 'category'] as const;

/** What a person decided about a claim, with enough of the claim to know it again on a machine that never saw it. */
export const Disposition = z.strictObject({
  claim: ClaimId,
  /** `accepted`: confirmed as real. `rejected`: it is false. `tolerated`: it is real and stays. The last two dismiss the claim. */
  verdict: z.enum(['accepted', 'rejected', 'tolerated']),
  reason: Text,
  /** What is dismissed: this claim, or everything at most as severe about its file or of its category. */
  scope: z.enum(scopes).default('claim'),
  /** The last day on which it holds (UTC); null: for good. */
  until: orNull(Day),
  /** ISO time of the decision: of two about one claim the later one holds. */
  at: z.iso.datetime(),
  severity: Severity,
  category: NullableText.default(null),
  path: NullableText,
  /** Print of the code at the place when it was decided; null when no line was known. */
  code: orNull(CodeFingerprint),
  text: Text,
  /** Another claim that is the same trouble; absent where none was named. */
  sameAs: ClaimId.exactOptional(),
  /** Answers of a judge about this claim and another one that the decision shows to be right or wrong; absent where none are. */
  judged: z
    .array(
      z.strictObject({
        claim: ClaimId,
        truth: z.enum(['same', 'different']),
        right: Count,
        wrong: Count,
      }),
    )
    .exactOptional(),
});
export type Disposition = z.infer<typeof Disposition>;

export const KnownClaim = z.object({
  id: ClaimId,
  text: Text,
  severity: Severity,
  category: NullableText,
  /** Where it was said to be, as its last run saw the file. */
  path: NullableText,
  line: Whole.positive().nullable(),
  /** `old`: it is about what the change takes away. */
  side: z.enum(['old', 'new']),
  code: CodeFingerprint.nullable(),
  /** Files that vouch for it: who read them all and does not repeat it says that it is gone. Its own, or those of the whole change. */
  files: Texts,
  /** Distinct ones, oldest first, with the run that brought each. */
  wordings: Rows({
    reviewer: Text,
    text: Text,
    category: NullableText,
    run: Text,
  }),
  /** Everybody who ever said it. */
  supporters: Rows({ reviewer: Text, family: NullableText, run: Text }),
  /** One entry for each run that decided about it, oldest first. */
  history: Rows({
    run: Text,
    at: Text,
    state: Claim.shape.state,
    /** Its confidence in that run, as it was shown and before decisions corrected it; null where none was computed or kept. */
    confidence: orNull(z.object({ stated: Amount, modelled: Amount })),
  }),
});
export type KnownClaim = z.infer<typeof KnownClaim>;

export interface ProjectMemory {
  readonly claims: readonly KnownClaim[];
  /** Those made on this machine and those of the baseline file, in any order. */
  readonly dispositions: readonly Disposition[];
}

export function isDismissal({ verdict }: Pick<Disposition, 'verdict'>) {
  return verdict !== 'accepted';
}

/** The latest disposition of each claim. Of two made at the same time the first in the list. */
export function latestByClaim(
  dispositions: readonly Disposition[],
): ReadonlyMap<string, Disposition> {
  const latest = new Map<string, Disposition>();
  for (const disposition of dispositions) {
    const known = latest.get(disposition.claim);
    if (known === undefined || disposition.at > known.at)
      latest.set(disposition.claim, disposition);
  }
  return latest;
}

export function lastState({ history }: Pick<KnownClaim, 'history'>) {
  return history.at(-1)?.state ?? 'new';
}

export const FixedClaim = z.object({
  id: Text,
  severity: Severity,
  text: Text,
  /** Where it was last said to be; null when it never named a file. */
  location: z.object({ path: Text, line: Whole.nullable() }).nullable(),
  /** How that is known, in words. */
  reason: Text,
});
export type FixedClaim = z.infer<typeof FixedClaim>;

export const DismissedClaim = Disposition.pick({
  verdict: true,
  reason: true,
  scope: true,
  until: true,
}).extend({
  id: ClaimId,
  /** The claim that the dismissal was given for: another one when its scope is wider than a claim. */
  by: ClaimId,
  /** The glob of the protected path it was set aside for; absent when somebody dismissed it. */
  protectedBy: Text.optional(),
});
export type DismissedClaim = z.infer<typeof DismissedClaim>;

/** How decisions correct confidence: log-odds of what is shown = intercept + slope × those of the model. */
export const Recalibration = z.object({
  intercept: Amount,
  /** Above 0. */
  slope: Amount,
  /** Decided claims behind it. */
  decisions: Whole,
});
export type Recalibration = z.infer<typeof Recalibration>;

/** What the memory of a project gets of a run. */
export interface RunToRemember {
  readonly run: string;
  /** ISO time of its end. */
  readonly at: string;
  readonly change: Change;
  readonly reviews: readonly Pick<Review, 'reviewer' | 'runner' | 'status' | 'coverage'>[];
  /** As `formClaims` yields them. */
  readonly claims: readonly Claim[];
  /** Vendor family by reviewer; absent when it is unknown. */
  readonly families: ReadonlyMap<string, string>;
  /** What corrected the confidence of the claims; null and absent: nothing. */
  readonly recalibration?: Recalibration | null;
  readonly read: (file: ChangedFile, side: 'new') => Promise<string | null>;
  /** SHA-256 of a text, in hex. */
  readonly hash: (text: string) => string;
  /** Did the run come to a decision? One that did not may add and keep claims, never close them. */
  readonly isDecided: (claims: readonly Claim[]) => boolean;
}

export interface RememberedRun {
  /** In the order they came in, with the ids they are known by. */
  readonly claims: readonly Claim[];
  readonly fixed: readonly FixedClaim[];
  readonly dismissed: readonly DismissedClaim[];
  /** Claims of the memory that are new or have changed. */
  readonly changed: readonly KnownClaim[];
}

/** `jury.baseline.json`: decisions that a team commits. One order, one form, so that a change of it reads well as a diff. */
export const baselineName = 'jury.baseline.json';

export const Baseline = z.strictObject({
  schema: z.literal('jury.baseline/1'),
  dispositions: z.array(Disposition),
});

/** What the file holds of a decision, in this order. */
const baselineKeys =
  'schema dispositions claim text path severity category code verdict reason scope until at'.split(
    ' ',
  );

/** The latest decision about each claim, by file and claim, keys in one order. Ends with a line feed. */
export function printBaseline(decided: readonly Disposition[]) {
  const dispositions = [...latestByClaim(decided).values()].sort(
    (one, other) =>
      compareTexts(one.path ?? '', other.path ?? '') || compareTexts(one.claim, other.claim),
  );
  const baseline = { schema: 'jury.baseline/1', dispositions };
  return `${JSON.stringify(baseline, baselineKeys, 2)}\n`;
}
