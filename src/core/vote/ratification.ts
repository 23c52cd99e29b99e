/** Decides a motion from counted votes and a rule set, and writes the decision as a row. Integers only; models advise, they do not decide. */
import type { Aggregation } from './aggregation.ts';
import { isConstitutional } from './motion.ts';
import type { Recommendation, ReviewResponse, Stance } from './records.ts';
import { isAbove, requiredOf, roundedUp, type RuleSet } from './rule-set.ts';
import type { RiskTier } from './triage.ts';

/** `incomplete`: answers that were asked for and never came could change what the others come to. */
export type Outcome = 'ratified' | 'rejected' | 'deferred' | 'incomplete';
export type FirstOutcome = Outcome | 'accepted_with_amendments';
type ThresholdType = 'simple_majority' | 'supermajority' | 'fast_track' | 'revision_required';

export interface MotionAtVote {
  readonly title: string;
  readonly riskTier: RiskTier;
  readonly amendmentTexts: readonly string[];
  readonly tally: Tally;
  /** Members who were asked and did not answer. */
  readonly missing: number;
}

/** One pass of one motion. */
export interface Decision extends Tally {
  /** e = yeas + nays + amends */
  readonly eligible: number;
  readonly thresholdType: ThresholdType;
  readonly required: number;
  readonly quorumRequired: number;
  readonly quorumMet: boolean;
  /** The yeas reach what is required. */
  readonly thresholdMet: boolean;
  /** What the second pass voted on; null in the first. */
  readonly revisedText: string | null;
  readonly outcome: FirstOutcome;
}

/**
 * One decision, or two when the first accepted the motion with amendments. The last one is final. A motion that missing
 * answers could turn has one, with the figures so far.
 */
export function decideMotion(motion: MotionAtVote, rosterSize: number, rules: RuleSet): Decisions {
  const decisions = decideAsCounted(motion, rosterSize, rules);
  return isOpen(motion, decisions, rosterSize, rules)
    ? [{ ...decisions[0], outcome: 'incomplete' }]
    : decisions;
}

type Decisions = [Decision] | [Decision, Decision];

/**
 * For each number of missing members who might vote, three ways are enough: all yeas, all nays, all amends. With the number
 * of votes fixed, so are quorum, what is required and what is tolerated; all nays then rejects if anything does, all amends
 * defers if anything does, and all yeas ratifies if anything does.
 */
function isOpen(
  { tally, missing, ...motion }: MotionAtVote,
  counted: Decisions,
  rosterSize: number,
  rules: RuleSet,
): boolean {
  const outcome = counted.at(-1)?.outcome;
  const ways =
    rules.parameters.amends === 'counted'
      ? (['yeas', 'nays', 'amends'] as const)
      : (['yeas', 'nays'] as const);
  for (let voting = 1; voting <= missing; voting += 1) {
    for (const way of ways) {
      // The merged text decides nothing, and it can be long.
      const supposed = {
        ...motion,
        amendmentTexts: [],
        missing: 0,
        tally: { ...tally, [way]: tally[way] + voting },
      };
      if (decideAsCounted(supposed, rosterSize, rules).at(-1)?.outcome !== outcome) return true;
    }
  }
  return false;
}

function decideAsCounted(motion: MotionAtVote, rosterSize: number, rules: RuleSet): Decisions {
  const first = firstPass(motion, rosterSize, rules);
  return first.outcome === 'accepted_with_amendments'
    ? [first, secondPass(motion, first, rosterSize, rules)]
    : [first];
}

function firstPass(
  { title, riskTier, tally }: MotionAtVote,
  rosterSize: number,
  rules: RuleSet,
): Decision {
  const standing = standingOf(title, tally, rosterSize, rules);
  if (riskTier === 'low' && rules.parameters.low_risk === 'fast_track') {
    return {
      ...standing,
      thresholdType: 'fast_track',
      required: 0,
      quorumRequired: 0,
      quorumMet: true,
      thresholdMet: true,
      outcome: 'ratified',
    };
  }
  return { ...standing, outcome: firstOutcome(standing, rosterSize, rules) };
}

function firstOutcome(
  { eligible, yeas, amends, required, quorumMet, thresholdMet }: MotionStanding,
  rosterSize: number,
  { parameters: { amend_tolerance } }: RuleSet,
): FirstOutcome {
  if (!quorumMet) return 'deferred';
  const tolerated =
    amend_tolerance === null
      ? 0
      : Math.min(
          roundedUp(rosterSize, amend_tolerance.roster),
          roundedUp(eligible, amend_tolerance.eligible),
        );
  if (thresholdMet && amends <= tolerated) return 'ratified';
  return amends > 0 && yeas + amends >= required ? 'accepted_with_amendments' : 'rejected';
}

/** The motion as amended: who asked for amendments now says yes, unless so many did that it has to be written anew. */
function secondPass(
  { title, amendmentTexts, tally }: MotionAtVote,
  first: Decision,
  rosterSize: number,
  rules: RuleSet,
): Decision {
  const deferAbove = rules.parameters.second_pass?.defer_above ?? null;
  const text = synthesis(amendmentTexts);
  if (deferAbove !== null && isAbove(first.amends, first.eligible, deferAbove)) {
    const note = `[DEFERRED: Amendment ratio (${percent(first.amends, first.eligible)}%) exceeds threshold (${percent(...deferAbove)}%). Motion deferred for manual revision and re-submission to Conclave.]`;
    return {
      ...first,
      thresholdType: 'revision_required',
      required: 0,
      thresholdMet: false,
      revisedText: `${text}\n${note}`,
      outcome: 'deferred',
    };
  }
  const standing = standingOf(
    title,
    { ...tally, yeas: tally.yeas + tally.amends, amends: 0 },
    rosterSize,
    rules,
  );
  return {
    ...standing,
    revisedText: text,
    outcome: !standing.quorumMet ? 'deferred' : standing.thresholdMet ? 'ratified' : 'rejected',
  };
}

type MotionStanding = Omit<Decision, 'outcome'>;

function standingOf(
  title: string,
  tally: Tally,
  rosterSize: number,
  { parameters: { required, quorum } }: RuleSet,
): MotionStanding {
  const kind = isConstitutional(title) ? 'constitutional' : 'simple';
  const eligible = tally.yeas + tally.nays + tally.amends;
  const needed = requiredOf(required.of === 'roster' ? rosterSize : eligible, required[kind]);
  const quorumRequired = quorum === null ? 0 : roundedUp(rosterSize, quorum[kind]);
  return {
    ...tally,
    eligible,
    thresholdType: kind === 'constitutional' ? 'supermajority' : 'simple_majority',
    required: needed,
    quorumRequired,
    quorumMet: eligible >= quorumRequired,
    // Two thirds of no votes are no votes: silence meets no threshold.
    thresholdMet: eligible > 0 && tally.yeas >= needed,
    revisedText: null,
  };
}

/** Merges the suggestions by putting them one below the other: nothing is added and nothing is lost. */
function synthesis(amendmentTexts: readonly string[]): string {
  const lines = amendmentTexts
    .map(text => text.trim().replace(/\s+/g, ' '))
    .filter(text => text !== '');
  if (lines.length === 0)
    return 'Amendment synthesis: no specific amendment texts provided; apply minor wording/structure improvements only.';
  return [
    'Amendment synthesis (deterministic merge of reviewer suggestions):',
    ...lines.map(line => `- ${line}`),
  ].join('\n');
}

function percent(part: number, whole: number): number {
  return Math.round((100 * part) / whole);
}

/** Rows of `ratification_results.json` and `ratification_history.json`, without what is stamped on every row. */
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
}

/** As files have it: who voted how by name. */
export function toFileRow({
  cast,
  panel_recommendation,
  missing: _missing,
  ...row
}: RatificationRow): object {
  return { ...row, votes_by_archon: cast && byName(cast), panel_recommendation };
}

function byName(cast: CastVotes): Record<string, Vote> {
  return Object.fromEntries(votes.flatMap(vote => cast[vote].map(name => [name, vote] as const)));
}

/** One row for each pass; the last one is final. */
export function toRows(decisions: readonly Decision[], voted: Voted): RatificationRow[] {
  return decisions.map((decision, index) => toRow(decision, index + 1, voted));
}

function toRow(
  decision: Decision,
  pass: number,
  { motionId, title, rosterSize, cast, recommendation, missing, at, voteId }: Voted,
): RatificationRow {
  const { yeas, nays, amends, abstentions, outcome } = decision;
  const total = yeas + nays + amends + abstentions;
  // Only the second pass without amends has turned them into yeas.
  const isRevised = pass > 1 && decision.thresholdType !== 'revision_required';
  return {
    vote_id: voteId(pass),
    mega_motion_id: motionId,
    mega_motion_title: title,
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
    revision_of: pass > 1 ? voteId(pass - 1) : null,
    revised_motion_text: decision.revisedText,
    outcome,
    ratified_at: outcome === 'ratified' ? at : null,
    cast:
      cast !== null && isRevised ? { ...cast, yea: [...cast.yea, ...cast.amend], amend: [] } : cast,
    panel_recommendation: recommendation,
    missing,
  };
}

/** Votes on one motion, counted from stances by the terms of a rule set. */
export interface Tally {
  readonly yeas: number;
  readonly nays: number;
  readonly amends: number;
  readonly abstentions: number;
}

const votes = ['yea', 'nay', 'amend', 'abstain'] as const;
type Vote = (typeof votes)[number];

/** The figures that decide, as a row of aggregations has them. */
export type Counts = Pick<
  Aggregation,
  | 'implicit_endorsements'
  | 'explicit_endorsements'
  | 'oppositions'
  | 'amendments_proposed'
  | 'abstentions'
>;

export function tallyOf(counts: Counts, { parameters: { yeas, amends } }: RuleSet): Tally {
  const abstaining = amends === 'abstention' ? counts.amendments_proposed : 0;
  return {
    yeas:
      counts.explicit_endorsements +
      (yeas === 'implicit_and_explicit' ? counts.implicit_endorsements : 0),
    nays: counts.oppositions,
    amends: counts.amendments_proposed - abstaining,
    abstentions: counts.abstentions + abstaining,
  };
}

/** Names by what they voted. Lists, because a large roster casts a million votes. */
type CastVotes = Readonly<Record<Vote, readonly string[]>>;

export const nobodyVoted: CastVotes = { yea: [], nay: [], amend: [], abstain: [] };

/** Who voted how: the members behind the figures of `tallyOf`. A failed review is no vote. */
export function votesCast(
  aggregation: Aggregation,
  responses: readonly ReviewResponse[],
  { parameters }: RuleSet,
): CastVotes {
  const voteOf: Record<Stance, Vote> = {
    ENDORSE: 'yea',
    OPPOSE: 'nay',
    AMEND: parameters.amends === 'counted' ? 'amend' : 'abstain',
    ABSTAIN: 'abstain',
  };
  const implicit =
    parameters.yeas === 'explicit'
      ? []
      : aggregation.endorsing_archons.slice(0, aggregation.implicit_endorsements);
  const cast: Record<Vote, string[]> = { yea: implicit, nay: [], amend: [], abstain: [] };
  for (const { archon_name, stance } of responses)
    if (stance !== null) cast[voteOf[stance]].push(archon_name);
  return cast;
}

/** Votes when nobody was asked, for rosters of 72: yeas, nays, amends. */
const simulated = {
  consensus: [55, 10, 5],
  pass: [45, 20, 6],
  fail: [25, 40, 4],
  otherwise: [38, 28, 6],
} as const;

export function simulatedTally(
  consensus: boolean,
  recommendation: string | null,
  rosterSize: number,
  { parameters }: RuleSet,
): Tally {
  const outcome = consensus
    ? 'consensus'
    : recommendation === 'pass' || recommendation === 'fail'
      ? recommendation
      : 'otherwise';
  const [yeas, nays, third] = simulated[outcome].map(votes =>
    Math.floor((votes * rosterSize) / 72),
  ) as [number, number, number];
  const amends = parameters.amends === 'counted' ? third : 0;
  return { yeas, nays, amends, abstentions: rosterSize - yeas - nays - amends };
}
