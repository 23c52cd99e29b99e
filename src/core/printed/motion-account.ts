/** Why a motion came to what it came to: everything that a person who acts on it would ask, as data. */
import { z } from 'zod';
import { didYouMean, usageError } from '../errors.ts';
import { nearest } from '../schema-problem.ts';
import { type FirstOutcome, Recommendation } from '../words/claim.ts';
import { Amount, Count, Flag, NullableText, Rows, Text, Whole, orNull } from '../words/fields.ts';

const Outcome = z.enum([
  'ratified',
  'rejected',
  'deferred',
  'incomplete',
  'accepted_with_amendments',
]) satisfies z.ZodType<FirstOutcome>;

const Share = z.tuple([Whole, Whole]);

const Votes = z.object({ yeas: Whole, nays: Whole, amends: Whole, abstentions: Whole });

const RiskAccount = z.object({
  tier: z.enum(['low', 'medium', 'high']),
  /** The first condition of triage that holds. `recorded`, `guessed`: only counts are known, and the tier with them or not. */
  because: z.enum([
    'novel',
    'well_supported',
    'broadly_sourced',
    'some_support',
    'little_support',
    'conflicts',
    'recorded',
    'guessed',
  ]),
  /** Members who supported it before anybody was asked. Null where only counts are known, like the two below. */
  supporting: orNull(Count),
  /** Members in conflict with it. */
  conflicts: orNull(Count),
  /** Shares of the roster from which a motion is of low and of medium risk. */
  thresholds: orNull(z.object({ low: Amount, medium: Amount })),
});
type RiskAccount = z.infer<typeof RiskAccount>;

/** Of the first pass, before a rule set counts them. Implicit support was never said. */
export const StanceFigures = z.object({
  implicit_endorsements: Count,
  explicit_endorsements: Count,
  oppositions: Count,
  amendments_proposed: Count,
  abstentions: Count,
  no_response: Count,
  /** Null: the record counts these members under `no_response`. */
  not_assigned: Count.nullable(),
});

/** The pass that decided, as the rule set counts it. */
const FinalFigures = Votes.extend({
  eligible_votes: Count,
  threshold_type: z.enum(['simple_majority', 'supermajority', 'fast_track', 'revision_required']),
  threshold_required: Count,
  threshold_met: Flag,
  /** Yeas above what is required; below 0: that many fewer. */
  margin: Whole,
  /** Of whom that many are required, and how large a share; `strict`: more than it. */
  threshold_of: z.enum(['roster', 'eligible']),
  threshold_share: z.object({
    share: Share,
    strict: Flag,
  }),
  quorum_required: Count,
  quorum_met: Flag,
  supermajority_because: z.enum(['declared', 'title']).nullable(),
  /** Asked, in either pass, and never answered. */
  missing: Count,
});

const Said = z.object({
  archon_name: Text,
  /** Word for word. */
  words: Text,
  /** 0 to 1, as the member states it. */
  confidence: Amount.nullable(),
  /** 2: about the amended text. */
  pass: z.union([z.literal(1), z.literal(2)]),
});
type Said = z.infer<typeof Said>;

/** A row of `explanations.json`, and all that the sentences about a motion are made of. */
export const MotionAccount = z.object({
  /** From 1, in the order of the session. */
  number: Whole.positive(),
  mega_motion_id: Text,
  mega_motion_title: Text,
  /** What is known of the vote. `simulation`: no member was asked; `counts`: who said what is not recorded. */
  based_on: z.enum(['answers', 'simulation', 'counts']),
  /** The votes are invented; also where counts alone are known, and they are those of a simulation. */
  simulated: Flag.default(false),
  outcome: Outcome,
  /** `sample`: those who were drawn decide it for all who could be asked, if anything does. The next five are null else. */
  decided_by: z.enum(['vote', 'sample']),
  asked: Count.nullable(),
  answered: Count.nullable(),
  /** Chance that the others would turn it, at most: 0 to 1. */
  risk_of_sample: Amount.nullable(),
  not_drawn: Count.nullable(),
  /** So many more with the commonest answer would decide it; null: all of them would have to be asked. */
  more: Count.nullable(),
  roster_size: Count,
  risk: RiskAccount,
  /** Characters of its text, and how many of them members were shown first; null: all, no member was asked, or only counts are known. */
  text_cut: orNull(z.object({ shown: Count, length: Count })),
  stances: StanceFigures,
  /** What the rule set makes of implicit support and of amends: votes, or none. */
  counts_implicit: Flag,
  counts_amends: Flag,
  /** Null exactly where `second_pass` is: then `final` is of the first. */
  first_pass: Votes.extend({ outcome: Outcome }).nullable(),
  /** `assumed`: no member was asked about the amended text; who amended the motion was taken to endorse it. */
  second_pass: z.enum(['asked', 'assumed']).nullable(),
  /**
   * Why the first pass was not enough: its votes, the yeas they needed, and the amends up to which it would have passed; null as
   * the two above.
   */
  first_needed: orNull(
    z.object({ eligible_votes: Count, threshold_required: Count, tolerated_amends: Count }),
  ),
  /** Share of amends above which there is no vote on it as amended; null: the rules know none. */
  defer_above: orNull(Share),
  /** Who wrote the amended text; null: there is none. */
  revised_by: z.enum(['panel', 'facilitator', 'merge']).nullable(),
  final: FinalFigures,
  /** What was said most surely on either side; null: no member gave a word. */
  strongest_objection: orNull(Said),
  strongest_support: orNull(Said),
  /** Null: it was not contested, or only counts are known. */
  panel: orNull(
    z.object({
      status: z.enum(['concluded', 'failed', 'skipped']),
      /** Null: the panel came to none. */
      recommendation: Recommendation.nullable(),
      /** The outcome goes against it. */
      is_contrary: Flag,
      /** Why none was held; null: one was. */
      skipped_because: NullableText,
    }),
  ),
  /** What the other shipped rule sets make of the same answers, where it is something else; null: no member answered, or a sample did. */
  otherwise: Rows({
    rule_set: Text,
    outcome: Outcome,
    /** No member was asked by these rules: a second pass of theirs is assumed. */
    second_pass: orNull(z.literal('assumed')),
  }).nullable(),
  /**
   * By kind of vote, how many more there would have been. Null: the outcome is open, no member was asked or only a sample, or no
   * other answers turn it.
   */
  fewest_to_turn: z
    .object({
      answers: Count,
      outcome: Outcome,
      change: Votes,
      /** It would have come to that only in a second pass, of which is not known what would have been said. */
      by_second_pass: Flag.default(false),
    })
    .nullable(),
});
export type MotionAccount = z.infer<typeof MotionAccount>;

/** Yeas of members who supported the motion before the vote and were not asked. */
export function implicitYeas({ counts_implicit, based_on, stances }: MotionAccount) {
  // The votes of a simulation come from a table that knows of no support.
  return counts_implicit && based_on !== 'simulation' ? stances.implicit_endorsements : 0;
}

/** Of the accounts of one vote the one that is meant. Throws `UserError` (kind `usage`) where none is. */
export function motionNamed(id: string, accounts: readonly MotionAccount[]): MotionAccount {
  const found =
    accounts.find(({ mega_motion_id }) => mega_motion_id === id) ??
    accounts.find(({ number }) => String(number) === id);
  if (found !== undefined) return found;
  const ids = accounts.map(({ mega_motion_id }) => mega_motion_id);
  throw usageError(
    `This vote has no motion "${id}".`,
    didYouMean(nearest(id, ids)) ??
      `Name it by its id, or by its number in the session: 1 to ${accounts.length}.`,
  );
}
