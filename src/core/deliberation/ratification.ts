/** Decides a motion from counted votes and a rule set. Integers only; models advise, they do not decide. */
import { isConstitutional } from './motion.ts';
import { isAbove, requiredOf, roundedUp, type RuleSet } from './rule-set.ts';
import type { Tally } from './tally.ts';
import type { RiskTier } from './triage.ts';

/** `incomplete`: answers that were asked for and never came could change what the others come to. */
export type Outcome = 'ratified' | 'rejected' | 'deferred' | 'incomplete';
export type FirstOutcome = Outcome | 'accepted_with_amendments';
export type ThresholdType = 'simple_majority' | 'supermajority' | 'fast_track' | 'revision_required';

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
  return isOpen(motion, decisions, rosterSize, rules) ? [{ ...decisions[0], outcome: 'incomplete' }] : decisions;
}

type Decisions = [Decision] | [Decision, Decision];

/**
 * For each number of missing members who might vote, three ways are enough: all yeas, all nays, all amends. With the number
 * of votes fixed, so are quorum, what is required and what is tolerated; all nays then rejects if anything does, all amends
 * defers if anything does, and all yeas ratifies if anything does.
 */
function isOpen({ tally, missing, ...motion }: MotionAtVote, counted: Decisions, rosterSize: number, rules: RuleSet): boolean {
  const outcome = counted.at(-1)?.outcome;
  const ways = rules.parameters.amends === 'counted' ? (['yeas', 'nays', 'amends'] as const) : (['yeas', 'nays'] as const);
  for (let voting = 1; voting <= missing; voting += 1) {
    for (const way of ways) {
      // The merged text decides nothing, and it can be long.
      const supposed = { ...motion, amendmentTexts: [], missing: 0, tally: { ...tally, [way]: tally[way] + voting } };
      if (decideAsCounted(supposed, rosterSize, rules).at(-1)?.outcome !== outcome) return true;
    }
  }
  return false;
}

function decideAsCounted(motion: MotionAtVote, rosterSize: number, rules: RuleSet): Decisions {
  const first = firstPass(motion, rosterSize, rules);
  return first.outcome === 'accepted_with_amendments' ? [first, secondPass(motion, first, rosterSize, rules)] : [first];
}

function firstPass({ title, riskTier, tally }: MotionAtVote, rosterSize: number, rules: RuleSet): Decision {
  const standing = standingOf(title, tally, rosterSize, rules);
  if (riskTier === 'low' && rules.parameters.low_risk === 'fast_track') {
    return { ...standing, thresholdType: 'fast_track', required: 0, quorumRequired: 0, quorumMet: true, thresholdMet: true, outcome: 'ratified' };
  }
  return { ...standing, outcome: firstOutcome(standing, rosterSize, rules) };
}

function firstOutcome({ eligible, yeas, amends, required, quorumMet, thresholdMet }: Standing, rosterSize: number, { parameters: { amend_tolerance } }: RuleSet): FirstOutcome {
  if (!quorumMet) return 'deferred';
  const tolerated = amend_tolerance === null ? 0 : Math.min(roundedUp(rosterSize, amend_tolerance.roster), roundedUp(eligible, amend_tolerance.eligible));
  if (thresholdMet && amends <= tolerated) return 'ratified';
  return amends > 0 && yeas + amends >= required ? 'accepted_with_amendments' : 'rejected';
}

/** The motion as amended: who asked for amendments now says yes, unless so many did that it has to be written anew. */
function secondPass({ title, amendmentTexts, tally }: MotionAtVote, first: Decision, rosterSize: number, rules: RuleSet): Decision {
  const deferAbove = rules.parameters.second_pass?.defer_above ?? null;
  const text = synthesis(amendmentTexts);
  if (deferAbove !== null && isAbove(first.amends, first.eligible, deferAbove)) {
    const note = `[DEFERRED: Amendment ratio (${percent(first.amends, first.eligible)}%) exceeds threshold (${percent(...deferAbove)}%). Motion deferred for manual revision and re-submission to Conclave.]`;
    return { ...first, thresholdType: 'revision_required', required: 0, thresholdMet: false, revisedText: `${text}\n${note}`, outcome: 'deferred' };
  }
  const standing = standingOf(title, { ...tally, yeas: tally.yeas + tally.amends, amends: 0 }, rosterSize, rules);
  return { ...standing, revisedText: text, outcome: !standing.quorumMet ? 'deferred' : standing.thresholdMet ? 'ratified' : 'rejected' };
}

type Standing = Omit<Decision, 'outcome'>;

function standingOf(title: string, tally: Tally, rosterSize: number, { parameters: { required, quorum } }: RuleSet): Standing {
  const kind = isConstitutional(title) ? 'constitutional' : 'simple';
  const eligible = tally.yeas + tally.nays + tally.amends;
  const needed = requiredOf(required.of === 'roster' ? rosterSize : eligible, required[kind]);
  const quorumRequired = quorum === null ? 0 : roundedUp(rosterSize, quorum[kind]);
  return {
    ...tally, eligible,
    thresholdType: kind === 'constitutional' ? 'supermajority' : 'simple_majority',
    required: needed, quorumRequired,
    quorumMet: eligible >= quorumRequired,
    // Two thirds of no votes are no votes: silence meets no threshold.
    thresholdMet: eligible > 0 && tally.yeas >= needed,
    revisedText: null,
  };
}

/** Merges the suggestions by putting them one below the other: nothing is added and nothing is lost. */
function synthesis(amendmentTexts: readonly string[]): string {
  const lines = amendmentTexts.map(text => text.trim().replace(/\s+/g, ' ')).filter(text => text !== '');
  if (lines.length === 0) return 'Amendment synthesis: no specific amendment texts provided; apply minor wording/structure improvements only.';
  return ['Amendment synthesis (deterministic merge of reviewer suggestions):', ...lines.map(line => `- ${line}`)].join('\n');
}

function percent(part: number, whole: number): number {
  return Math.round((100 * part) / whole);
}
