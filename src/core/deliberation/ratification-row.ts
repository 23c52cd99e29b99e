/** Rows of `ratification_results.json` and `ratification_history.json`, without what is stamped on every row. */
import type { Recommendation } from './panel.ts';
import type { Decision, FirstOutcome, ThresholdType } from './ratification.ts';
import { votes, type CastVotes, type Vote } from './tally.ts';

export interface RatificationRow {
  readonly vote_id: string;
  readonly mega_motion_id: string;
  readonly mega_motion_title: string;
  readonly yeas: number;
  readonly nays: number;
  readonly abstentions: number;
  readonly amends: number;
  readonly eligible_votes: number;
  readonly total_votes: number;
  /** Votes of the roster. */
  readonly participation_rate: number;
  readonly threshold_type: ThresholdType;
  readonly threshold_required: number;
  readonly quorum_required: number;
  readonly quorum_met: boolean;
  /** Yeas and amends. */
  readonly support_total: number;
  readonly support_required: number;
  readonly threshold_met: boolean;
  /** The first pass this one follows. */
  readonly revision_of: string | null;
  readonly revised_motion_text: string | null;
  /** `accepted_with_amendments` in the first pass only: never final. */
  readonly outcome: FirstOutcome;
  /** ISO 8601, UTC; null unless ratified. */
  readonly ratified_at: string | null;
  /** Empty when nobody voted (simulation); null when only counts are known. In files: `votes_by_archon`. */
  readonly cast: CastVotes | null;
  readonly panel_recommendation: Recommendation | null;
  /** Members who were asked and did not answer. Not in files of votes: aggregations hold it. */
  readonly missing: number;
}

export interface Voted {
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
}

/** As files have it: who voted how by name. */
export function toFileRow({ cast, panel_recommendation, missing: _missing, ...row }: RatificationRow): object {
  return { ...row, votes_by_archon: cast && byName(cast), panel_recommendation };
}

function byName(cast: CastVotes): Record<string, Vote> {
  return Object.fromEntries(votes.flatMap(vote => cast[vote].map(name => [name, vote] as const)));
}

/** One row for each pass; the last one is final. */
export function toRows(decisions: readonly Decision[], voted: Voted): RatificationRow[] {
  return decisions.map((decision, index) => toRow(decision, index + 1, voted));
}

function toRow(decision: Decision, pass: number, { motionId, title, rosterSize, cast, recommendation, missing, at, voteId }: Voted): RatificationRow {
  const { yeas, nays, amends, abstentions, outcome } = decision;
  const total = yeas + nays + amends + abstentions;
  // Only the second pass without amends has turned them into yeas.
  const isRevised = pass > 1 && decision.thresholdType !== 'revision_required';
  return {
    vote_id: voteId(pass), mega_motion_id: motionId, mega_motion_title: title,
    yeas, nays, abstentions, amends,
    eligible_votes: decision.eligible, total_votes: total, participation_rate: rosterSize === 0 ? 0 : total / rosterSize,
    threshold_type: decision.thresholdType, threshold_required: decision.required,
    quorum_required: decision.quorumRequired, quorum_met: decision.quorumMet,
    support_total: yeas + amends, support_required: decision.required, threshold_met: decision.thresholdMet,
    revision_of: pass > 1 ? voteId(pass - 1) : null, revised_motion_text: decision.revisedText,
    outcome, ratified_at: outcome === 'ratified' ? at : null,
    cast: cast !== null && isRevised ? { ...cast, yea: [...cast.yea, ...cast.amend], amend: [] } : cast,
    panel_recommendation: recommendation,
    missing,
  };
}
