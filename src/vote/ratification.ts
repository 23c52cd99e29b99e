/** Decides a motion from counted votes and a rule set. Integers only; models advise, they do not decide. */
import type { FirstOutcome } from '../core/words/vote.ts';
import { type ConstitutionalBy, whyConstitutional } from './motion.ts';
import { isAbove, requiredOf, roundedUp, type RuleSet } from './rule-set.ts';
import type { RiskTier } from './triage.ts';
export type ThresholdType =
  'simple_majority' | 'supermajority' | 'fast_track' | 'revision_required';

export interface MotionAtVote {
  readonly title: string;
  /** What the session declares; null: the title decides. */
  readonly constitutional: boolean | null;
  readonly riskTier: RiskTier;
  readonly tally: Tally;
  /** Members who were asked and did not answer. */
  readonly missing: number;
}

/** Votes on one motion, counted from stances by the terms of a rule set. */
export type Tally = Readonly<Record<'yeas' | 'nays' | 'amends' | 'abstentions', number>>;

/** One pass of one motion. */
export interface Decision extends Tally {
  /** e = yeas + nays + amends */
  readonly eligible: number;
  readonly thresholdType: ThresholdType;
  /** Null: no supermajority is needed. */
  readonly supermajorityBecause: ConstitutionalBy | null;
  readonly required: number;
  readonly quorumRequired: number;
  readonly quorumMet: boolean;
  /** The yeas reach what is required. */
  readonly thresholdMet: boolean;
  /** Why the amended text is to be written anew by hand; null otherwise. */
  readonly deferral: string | null;
  readonly outcome: FirstOutcome;
}

export type Decisions = [Decision] | [Decision, Decision];

/**
 * One decision, or two when the first accepted the motion with amendments. The last one is final. Nobody is asked a second
 * time: in the second pass who asked for amendments is assumed to say yes. A motion that missing answers could turn has one
 * decision, with the figures so far.
 */
export function decideMotion(motion: MotionAtVote, rosterSize: number, rules: RuleSet): Decisions {
  return settle(motion, rules, supposed => {
    const [first, deferred] = firstPass(supposed, rosterSize, rules);
    if (first.outcome !== 'accepted_with_amendments') return [first];
    const { yeas, amends } = supposed.tally;
    const assumed = { ...supposed.tally, yeas: yeas + amends, amends: 0 };
    return [first, deferred ?? conclude({ ...supposed, tally: assumed }, rosterSize, rules)];
  });
}

/**
 * The same up to the moment at which members would be asked a second time: then `accepted_with_amendments` is the last
 * outcome. While missing answers could still spare the motion its second pass, and change how it ends, it is left open and
 * nobody is asked again.
 */
export function decideFirstPass(
  motion: MotionAtVote,
  rosterSize: number,
  rules: RuleSet,
): Decisions {
  return settle(motion, rules, supposed => firstPass(supposed, rosterSize, rules));
}

/**
 * The second pass as it was asked. `motion` holds its votes: the yeas and abstentions that stay, and what those said who were
 * asked again; `missing` counts who answered in neither pass. There is no third pass: who amends the amended text takes part
 * and does not say yes.
 */
export function decideSecondPass(
  motion: MotionAtVote,
  rosterSize: number,
  rules: RuleSet,
): Decision {
  return settle(motion, rules, supposed => [conclude(supposed, rosterSize, rules)])[0];
}

/**
 * Leaves a motion open that missing members could lead to another end. For each number of them who might vote, three ways are
 * enough: all yeas, all nays, all amends. With the number of votes fixed, so are quorum, what is required and what is
 * tolerated; all nays then rejects if anything does, all amends defers if anything does, and all yeas ratifies if anything does.
 */
function settle(
  motion: MotionAtVote,
  { parameters }: RuleSet,
  decide: (supposed: MotionAtVote) => Decisions,
): Decisions {
  const { tally, missing } = motion;
  const decisions = decide(motion);
  const ways = ['yeas', 'nays', ...(parameters.amends === 'counted' ? ['amends'] : [])] as const;
  const isOpen = (endOf: (decisions: Decisions) => FirstOutcome): boolean => {
    const end = endOf(decisions);
    for (let more = 1; more <= missing; more += 1)
      for (const way of ways as readonly (keyof Tally)[])
        if (endOf(decide({ ...motion, tally: { ...tally, [way]: tally[way] + more } })) !== end)
          return true;
    return false;
  };
  const isTurned = missing > 0 && isOpen(lastOutcome) && isOpen(settledOutcome);
  return isTurned ? [{ ...decisions[0], outcome: 'incomplete' }] : decisions;
}

function lastOutcome([first, second]: Decisions): FirstOutcome {
  return (second ?? first).outcome;
}

/**
 * A second pass ends as anything, unless the yeas that stay are enough by themselves: who is asked again can only leave what is
 * needed as it is, or lower it by abstaining.
 */
function settledOutcome(decisions: Decisions): FirstOutcome {
  const [{ yeas, quorumRequired, thresholdMet }] = decisions;
  const end = lastOutcome(decisions);
  return end === 'accepted_with_amendments' && thresholdMet && yeas >= quorumRequired
    ? 'ratified'
    : end;
}

function firstPass(motion: MotionAtVote, rosterSize: number, rules: RuleSet): Decisions {
  const standing = standingOf(motion, rosterSize, rules);
  if (motion.riskTier === 'low' && rules.parameters.low_risk === 'fast_track')
    return [
      {
        ...standing,
        thresholdType: 'fast_track',
        supermajorityBecause: null,
        required: 0,
        quorumRequired: 0,
        quorumMet: true,
        thresholdMet: true,
        outcome: 'ratified',
      },
    ];
  const { eligible, yeas, amends, required, quorumMet, thresholdMet } = standing;
  const outcome = !quorumMet
    ? 'deferred'
    : thresholdMet && amends <= toleratedAmends(eligible, rosterSize, rules)
      ? 'ratified'
      : amends > 0 && yeas + amends >= required
        ? 'accepted_with_amendments'
        : 'rejected';
  const first = { ...standing, outcome } as const;
  const deferred = outcome === 'accepted_with_amendments' ? deferralOf(first, rules) : null;
  return deferred === null ? [first] : [first, deferred];
}

/** Amends up to which a motion that has the yeas it needs is ratified as it was put. */
export function toleratedAmends(
  eligible: number,
  rosterSize: number,
  { parameters: { amend_tolerance } }: RuleSet,
): number {
  return amend_tolerance === null
    ? 0
    : Math.min(
        roundedUp(rosterSize, amend_tolerance.roster),
        roundedUp(eligible, amend_tolerance.eligible),
      );
}

/** So many ask for amendments that the motion has to be written anew: nobody votes on it as amended. */
function deferralOf(first: Decision, { parameters: { second_pass } }: RuleSet): Decision | null {
  const deferAbove = second_pass?.defer_above ?? null;
  if (deferAbove === null || !isAbove(first.amends, first.eligible, deferAbove)) return null;
  return {
    ...first,
    thresholdType: 'revision_required',
    required: 0,
    thresholdMet: false,
    deferral: `[DEFERRED: Amendment ratio (${percent(first.amends, first.eligible)}%) exceeds threshold (${percent(...deferAbove)}%). Motion deferred for manual revision and re-submission to Conclave.]`,
    outcome: 'deferred',
  };
}

function percent(part: number, whole: number): number {
  return Math.round((100 * part) / whole);
}

/** By yeas and quorum alone. */
function conclude(motion: MotionAtVote, rosterSize: number, rules: RuleSet): Decision {
  const standing = standingOf(motion, rosterSize, rules);
  const { quorumMet, thresholdMet } = standing;
  return { ...standing, outcome: !quorumMet ? 'deferred' : thresholdMet ? 'ratified' : 'rejected' };
}

function standingOf(
  motion: MotionAtVote,
  rosterSize: number,
  { parameters: { required, quorum } }: RuleSet,
): Omit<Decision, 'outcome'> {
  // Each vote by name: a record spread into a longer one costs ten times as much, and forecasts make a hundred thousand of them.
  const { yeas, nays, amends, abstentions } = motion.tally;
  const because = whyConstitutional(motion);
  const kind = because === null ? 'simple' : 'constitutional';
  const eligible = yeas + nays + amends;
  const needed = requiredOf(required.of === 'roster' ? rosterSize : eligible, required[kind]);
  const quorumRequired = quorum === null ? 0 : roundedUp(rosterSize, quorum[kind]);
  return {
    yeas,
    nays,
    amends,
    abstentions,
    eligible,
    thresholdType: because === null ? 'simple_majority' : 'supermajority',
    supermajorityBecause: because,
    required: needed,
    quorumRequired,
    quorumMet: eligible >= quorumRequired,
    // Two thirds of no votes are no votes: silence meets no threshold.
    thresholdMet: eligible > 0 && yeas >= needed,
    deferral: null,
  };
}

/** The figures that decide, as a row of aggregations has them. */
export type Counts = Readonly<
  Record<
    | 'implicit_endorsements'
    | 'explicit_endorsements'
    | 'oppositions'
    | 'amendments_proposed'
    | 'abstentions',
    number
  >
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
  const isAdvised = recommendation === 'pass' || recommendation === 'fail';
  const table = simulated[consensus ? 'consensus' : isAdvised ? recommendation : 'otherwise'];
  const share = (votes: number): number => Math.floor((votes * rosterSize) / 72);
  const [yeas, nays] = [share(table[0]), share(table[1])];
  const amends = parameters.amends === 'counted' ? share(table[2]) : 0;
  return { yeas, nays, amends, abstentions: rosterSize - yeas - nays - amends };
}
