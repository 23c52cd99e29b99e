/** A decision as its row in the files of a vote has it. */
import type { MotionAccount } from '../core/printed/motion-account.ts';
import type { Decision, MotionAtVote } from './ratification.ts';
import type { PanelRecord } from './records.ts';

export const votes = ['yea', 'nay', 'amend', 'abstain'] as const;
export type Vote = (typeof votes)[number];

/** Yeas first. A list, because an object would put names that are numbers before all others. */
export type CastVotes = readonly (readonly [name: string, vote: Vote])[];

/** How every place names a second pass. */
export const secondPassWords = {
  asked: 'asked',
  assumed: 'assumed, not asked',
};

/** Of members who could be asked, but for those in conflict, who always are. All null where all of them were. */
export interface SampleFigures extends Pick<
  MotionAccount,
  'asked' | 'answered' | 'not_drawn' | 'more'
> {
  readonly risk: MotionAccount['risk_of_sample'];
}

export const everybodyAsked: SampleFigures = {
  asked: null,
  answered: null,
  risk: null,
  not_drawn: null,
  more: null,
};

/**
 * Rows of `ratification_results.json` and `ratification_history.json`, without what is stamped on every row: a decision, what it was
 * about and what the pass before it came to. `missing` is not in files of votes: aggregations hold it.
 */
export interface RatificationRow
  extends
    SampleFigures,
    Decision,
    Pick<
      MotionAccount,
      | 'mega_motion_id'
      | 'mega_motion_title'
      | 'decided_by'
      | 'first_pass'
      | 'second_pass'
      | 'revised_by'
    >,
    Pick<MotionAtVote, 'missing'> {
  readonly vote_id: string;
  readonly total_votes: number;
  /** Votes of the roster. */
  readonly participation_rate: number;
  /** Yeas and amends. */
  readonly support_total: number;
  readonly support_required: number;
  /** The first pass this one follows. */
  readonly revision_of: string | null;
  /** Whole. */
  readonly revised_motion_text: string | null;
  /** ISO 8601, UTC; null unless ratified. */
  readonly ratified_at: string | null;
  /** As it was said: an assumed pass changes no vote. Empty in a simulation, where no member voted; null when only counts are known. */
  readonly votes_by_archon: CastVotes | null;
  readonly panel_recommendation: PanelRecord['recommendation'];
}

/** As files have it. */
export function toFileRow({ missing: _missing, ...row }: RatificationRow): object {
  const { votes_by_archon: cast } = row;
  return { ...row, votes_by_archon: cast && Object.fromEntries(cast) };
}
