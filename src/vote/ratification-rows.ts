/** A decision as a row of the results: figures, names, what it was about and what the pass before it came to. */
import type { Aggregation } from './aggregation.ts';
import type { AmendedText } from './amended-text.ts';
import type { MotionAccount } from '../core/printed/motion-account.ts';
import type { Decision } from './ratification.ts';
import type { ReviewResponse } from './records.ts';
import type { Recommendation } from '../core/words/vote.ts';
import type { RuleSet } from './rule-set.ts';

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

const everybodyAsked: SampleFigures = {
  asked: null,
  answered: null,
  risk: null,
  not_drawn: null,
  more: null,
};

type OfAccount =
  | 'mega_motion_id'
  | 'mega_motion_title'
  | 'outcome'
  | 'decided_by'
  | 'first_pass'
  | 'second_pass'
  | 'revised_by';
type OfRules = 'margin' | 'threshold_of' | 'threshold_share';

/**
 * Rows of `ratification_results.json` and `ratification_history.json`, without what is stamped on every row: an account tells of a
 * motion what its final row holds. `missing` is not in files of votes: aggregations hold it.
 */
export interface RatificationRow
  extends SampleFigures, Pick<MotionAccount, OfAccount>, Omit<MotionAccount['final'], OfRules> {
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
  readonly panel_recommendation: Recommendation | null;
}

interface Voted {
  readonly motionId: string;
  readonly title: string;
  readonly rosterSize: number;
  readonly cast: CastVotes | null;
  readonly recommendation: Recommendation | null;
  /** Members who were asked and did not answer. */
  readonly missing: number;
  /** ISO 8601, UTC; null where a decision is replayed and nothing is ratified by it. */
  readonly at: string | null;
  /** Names a pass of this motion for good: pass 1 or 2. */
  readonly voteId: (pass: number) => string;
  /** Called where there is a second row. */
  readonly amended: () => AmendedText;
  /** Who voted how in the second pass, and who answered in neither; null: no member was asked. */
  readonly again: { readonly cast: CastVotes; readonly missing: number } | null;
  /** Null: all who could be asked were. */
  readonly sample: SampleFigures | null;
}

/** One row for each pass; the last one is final. */
export function toRows([first, second]: readonly Decision[], voted: Voted): RatificationRow[] {
  if (first === undefined) return [];
  if (second === undefined) return [toRow(first, voted)];
  const { yeas, nays, amends, abstentions, outcome } = first;
  const { text, by } = voted.amended();
  // A motion that is to be written anew has the figures of the first pass, because there was no second.
  const isHeld = second.deferral === null;
  const last: RatificationRow = {
    ...toRow(second, isHeld ? { ...voted, ...voted.again } : voted),
    vote_id: voted.voteId(2),
    revision_of: voted.voteId(1),
    revised_by: by,
    revised_motion_text: isHeld ? text : `${text}\n${second.deferral}`,
    ...(isHeld && {
      second_pass: voted.again === null ? 'assumed' : 'asked',
      first_pass: { yeas, nays, amends, abstentions, outcome },
    }),
  };
  return [toRow(first, voted), last];
}

/** As a first pass has it; the keys in the order of the files. */
function toRow(decision: Decision, voted: Voted): RatificationRow {
  const { yeas, nays, amends, abstentions, outcome } = decision;
  const { rosterSize, at, sample } = voted;
  const total = yeas + nays + amends + abstentions;
  return {
    vote_id: voted.voteId(1),
    mega_motion_id: voted.motionId,
    mega_motion_title: voted.title,
    yeas,
    nays,
    abstentions,
    amends,
    eligible_votes: decision.eligible,
    total_votes: total,
    participation_rate: rosterSize === 0 ? 0 : total / rosterSize,
    threshold_type: decision.thresholdType,
    threshold_required: decision.required,
    quorum_required: decision.quorumRequired,
    quorum_met: decision.quorumMet,
    support_total: yeas + amends,
    support_required: decision.required,
    threshold_met: decision.thresholdMet,
    revision_of: null,
    revised_motion_text: null,
    outcome,
    ratified_at: outcome === 'ratified' ? at : null,
    votes_by_archon: voted.cast,
    panel_recommendation: voted.recommendation,
    second_pass: null,
    first_pass: null,
    revised_by: null,
    supermajority_because: decision.supermajorityBecause,
    decided_by: sample === null ? 'vote' : 'sample',
    ...(sample ?? everybodyAsked),
    missing: voted.missing,
  };
}

/** As files have it. */
export function toFileRow({ missing: _missing, ...row }: RatificationRow): object {
  const { votes_by_archon: cast } = row;
  return { ...row, votes_by_archon: cast && Object.fromEntries(cast) };
}

const votes = ['yea', 'nay', 'amend', 'abstain'] as const;
type Vote = (typeof votes)[number];

/** Yeas first. A list, because an object would put names that are numbers before all others. */
export type CastVotes = readonly (readonly [name: string, vote: Vote])[];

export const nobodyVoted: CastVotes = [];

/** Who voted how: the members behind the figures of `tallyOf`. A failed review is no vote. */
export function votesCast(
  { endorsing_archons, implicit_endorsements }: Aggregation,
  responses: readonly ReviewResponse[],
  { parameters: { yeas, amends } }: RuleSet,
): CastVotes {
  const implicit = yeas === 'explicit' ? [] : endorsing_archons.slice(0, implicit_endorsements);
  const standing = implicit.map(name => [name, 'yea'] as const);
  return addVotes(standing, responses, amends === 'counted' ? 'amend' : 'abstain');
}

/** Yeas and abstentions stay; what the others said of the amended text takes the place of what they said before. */
export function votesCastAgain(first: CastVotes, responses: readonly ReviewResponse[]): CastVotes {
  const standing = first.filter(([, vote]) => vote === 'yea' || vote === 'abstain');
  return addVotes(standing, responses, 'amend');
}

function addVotes(
  standing: readonly (readonly [name: string, vote: Vote])[],
  responses: readonly ReviewResponse[],
  amending: Vote,
): CastVotes {
  const voteOf = { ENDORSE: 'yea', OPPOSE: 'nay', AMEND: amending, ABSTAIN: 'abstain' } as const;
  const added = responses.flatMap(({ archon_name, stance }) =>
    stance === null ? [] : [[archon_name, voteOf[stance]] as const],
  );
  const all = [...standing, ...added];
  return votes.flatMap(vote => all.filter(([, cast]) => cast === vote));
}
