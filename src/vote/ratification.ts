/**
 * Decides a motion from counted votes and a rule set, also where only a sample was asked. Integers only but for the risk of a sample;
 * models advise, they do not decide.
 */
import type { MotionAccount } from '../core/printed/motion-account.ts';
import type { FirstOutcome } from '../core/words/claim.ts';
import type { RiskTier } from './triage.ts';
import type { RuleSet, Share } from './aggregation.ts';

export interface MotionAtVote {
  readonly title: string;
  /** What the session declares; null: the title decides. */
  readonly constitutional: boolean | null;
  readonly riskTier: RiskTier;
  readonly tally: Tally;
  /** Members who were asked and did not answer. */
  readonly missing: number;
  readonly rosterSize: number;
  /** By which it was counted, and is decided. */
  readonly rules: RuleSet;
}

/** Votes on one motion, counted from stances by the terms of a rule set. */
export type Tally = Readonly<Record<'yeas' | 'nays' | 'amends' | 'abstentions', number>>;

/** One pass of one motion, in the keys of its row. `eligible_votes` = yeas + nays + amends. */
export interface Decision extends Readonly<
  Omit<MotionAccount['final'], 'margin' | 'threshold_of' | 'threshold_share' | 'missing'>
> {
  readonly outcome: FirstOutcome;
}

export type Decisions = [Decision] | [Decision, Decision];

/**
 * One decision, or two when the first accepted the motion with amendments. The last one is final. Nobody is asked a second
 * time: in the second pass who asked for amendments is assumed to say yes. A motion that missing answers could turn has one
 * decision, with the figures so far.
 */
export function decideMotion(motion: MotionAtVote) {
  return settle(motion, supposed => {
    const [first, deferred] = firstPass(supposed);
    if (first.outcome !== 'accepted_with_amendments') return [first];
    const { yeas, amends } = supposed.tally;
    const assumed = { ...supposed.tally, yeas: yeas + amends, amends: 0 };
    return [first, deferred ?? conclude({ ...supposed, tally: assumed })];
  });
}

/**
 * The same up to the moment at which members would be asked a second time: then `accepted_with_amendments` is the last
 * outcome. While missing answers could still spare the motion its second pass, and change how it ends, it is left open and
 * nobody is asked again.
 */
export function decideFirstPass(motion: MotionAtVote) {
  return settle(motion, firstPass);
}

/**
 * The second pass as it was asked. `motion` holds its votes: the yeas and abstentions that stay, and what those said who were
 * asked again; `missing` counts who answered in neither pass. There is no third pass: who amends the amended text takes part
 * and does not say yes.
 */
export function decideSecondPass(motion: MotionAtVote) {
  return settle(motion, supposed => [conclude(supposed)])[0];
}

/**
 * Leaves a motion open that missing members could lead to another end. For each number of them who might vote, three ways are
 * enough: all yeas, all nays, all amends. With the number of votes fixed, so are quorum, what is required and what is
 * tolerated; all nays then rejects if anything does, all amends defers if anything does, and all yeas ratifies if anything does.
 */
function settle(motion: MotionAtVote, decide: (supposed: MotionAtVote) => Decisions): Decisions {
  const { tally, missing, rules } = motion;
  const decisions = decide(motion);
  const ways: (keyof Tally)[] = ['yeas', 'nays'];
  if (rules.parameters.amends === 'counted') ways.push('amends');
  const isOpen = (endOf: (decisions: Decisions) => FirstOutcome) => {
    const end = endOf(decisions);
    for (let more = 1; more <= missing; more += 1)
      for (const way of ways)
        if (endOf(decide({ ...motion, tally: { ...tally, [way]: tally[way] + more } })) !== end)
          return true;
    return false;
  };
  const isTurned = isOpen(lastOutcome) && isOpen(settledOutcome);
  return isTurned ? [{ ...decisions[0], outcome: 'incomplete' }] : decisions;
}

function lastOutcome([first, second]: Decisions) {
  return (second ?? first).outcome;
}

/**
 * A second pass ends as anything, unless the yeas that stay are enough by themselves: who is asked again can only leave what is
 * needed as it is, or lower it by abstaining.
 */
function settledOutcome(decisions: Decisions) {
  const [{ yeas, quorum_required, threshold_met }] = decisions;
  const end = lastOutcome(decisions);
  return end === 'accepted_with_amendments' && threshold_met && yeas >= quorum_required
    ? 'ratified'
    : end;
}

function firstPass(motion: MotionAtVote): Decisions {
  const standing = standingOf(motion);
  const { second_pass, low_risk } = motion.rules.parameters;
  if (motion.riskTier === 'low' && low_risk === 'fast_track')
    return [
      {
        ...standing,
        threshold_type: 'fast_track',
        supermajority_because: null,
        threshold_required: 0,
        quorum_required: 0,
        quorum_met: true,
        threshold_met: true,
        outcome: 'ratified',
      },
    ];
  const { eligible_votes: eligible, yeas, amends, threshold_required: required } = standing;
  const outcome = !standing.quorum_met
    ? 'deferred'
    : standing.threshold_met && amends <= toleratedAmends(eligible, motion)
      ? 'ratified'
      : amends > 0 && yeas + amends >= required
        ? 'accepted_with_amendments'
        : 'rejected';
  const first = { ...standing, outcome } as const;
  // So many ask for amendments that the motion has to be written anew: nobody votes on it as amended.
  const most = second_pass?.defer_above ?? null;
  return outcome !== 'accepted_with_amendments' ||
    most === null ||
    amends * most[1] <= eligible * most[0]
    ? [first]
    : [
        first,
        {
          ...first,
          threshold_type: 'revision_required',
          threshold_required: 0,
          threshold_met: false,
          outcome: 'deferred',
        },
      ];
}

/** A second row, because the motion is to be written anew by hand: it has the figures of the first pass, and there was no second. */
export function isForRevision({ threshold_type }: Decision) {
  return threshold_type === 'revision_required';
}

/** Amends up to which a motion that has the yeas it needs is ratified as it was put. */
export function toleratedAmends(eligible: number, { rosterSize, rules }: MotionAtVote) {
  const { amend_tolerance: most } = rules.parameters;
  return most === null
    ? 0
    : Math.min(roundedUp(rosterSize, most.roster), roundedUp(eligible, most.eligible));
}

/** By yeas and quorum alone. */
function conclude(motion: MotionAtVote): Decision {
  const standing = standingOf(motion);
  const passed = standing.threshold_met ? 'ratified' : 'rejected';
  return { ...standing, outcome: standing.quorum_met ? passed : 'deferred' };
}

function standingOf(motion: MotionAtVote): Omit<Decision, 'outcome'> {
  const { rosterSize, rules } = motion;
  const { required, quorum } = rules.parameters;
  // Each vote by name: a record spread into a longer one costs ten times as much, and forecasts make a hundred thousand of them.
  const { yeas, nays, amends, abstentions } = motion.tally;
  const because = whyConstitutional(motion);
  const kind = because === null ? 'simple' : 'constitutional';
  const eligible = yeas + nays + amends;
  const needed = requiredOf(required.of === 'roster' ? rosterSize : eligible, required[kind]);
  const quorumOf = quorum === null ? 0 : roundedUp(rosterSize, quorum[kind]);
  return {
    yeas,
    nays,
    abstentions,
    amends,
    eligible_votes: eligible,
    threshold_type: because === null ? 'simple_majority' : 'supermajority',
    threshold_required: needed,
    quorum_required: quorumOf,
    quorum_met: eligible >= quorumOf,
    // Two thirds of no votes are no votes: silence meets no threshold.
    threshold_met: eligible > 0 && yeas >= needed,
    supermajority_because: because,
  };
}

/**
 * Constitutional motions need two thirds: those that are declared so, and those that say so in their title. Null: the motion is an
 * ordinary one. A declaration wins over the title, either way.
 */
function whyConstitutional({ title, constitutional }: MotionAtVote) {
  if (constitutional !== null) return constitutional ? 'declared' : null;
  return title.toLowerCase().includes('constitutional') ? 'title' : null;
}

/** What a motion is decided by, as files have it. */
export type AccountedCounts = Readonly<
  MotionAccount['stances'] & {
    mega_motion_title: string;
    constitutional: boolean | null;
    risk_tier: RiskTier;
  }
>;

/** As a rule set counts it. */
export function motionAtVote(
  counts: AccountedCounts,
  missing: number,
  rosterSize: number,
  rules: RuleSet,
): MotionAtVote {
  const { yeas, amends } = rules.parameters;
  const { mega_motion_title: title, constitutional, risk_tier: riskTier } = counts;
  const implicit = yeas === 'implicit_and_explicit' ? counts.implicit_endorsements : 0;
  const abstaining = amends === 'abstention' ? counts.amendments_proposed : 0;
  const tally = {
    yeas: counts.explicit_endorsements + implicit,
    nays: counts.oppositions,
    amends: counts.amendments_proposed - abstaining,
    abstentions: counts.abstentions + abstaining,
  };
  return { title, constitutional, riskTier, tally, missing, rosterSize, rules };
}

/** Votes when nobody was asked: for rosters of 72 so many yeas, nays, amends. */
export function simulatedTally(consensus: boolean, rosterSize: number, { parameters }: RuleSet) {
  const table = consensus ? ([55, 10, 5] as const) : ([38, 28, 6] as const);
  const share = (votes: number) => Math.floor((votes * rosterSize) / 72);
  const [yeas, nays] = [share(table[0]), share(table[1])];
  const amends = parameters.amends === 'counted' ? share(table[2]) : 0;
  return { yeas, nays, amends, abstentions: rosterSize - yeas - nays - amends };
}

/** Who was drawn of those who could be asked about a motion; who is asked for a conflict is not among them. */
interface MotionSample {
  population: number;
  asked: number;
  /** Of those asked. */
  answered: Tally;
}

/**
 * Supposes that all others answer as most of those drawn did, and looks how few of them would have to answer otherwise, in any
 * way, for another outcome. Were there so many, that so few were drawn has a chance that is known exactly. Nobody is asked
 * about an amended text for all, so that a motion which needs one is not decided. `allowed`: the chance at which those drawn decide,
 * above 0, below 1/2.
 */
export function decideBySample(
  motion: MotionAtVote,
  { population, asked, answered }: MotionSample,
  allowed: number,
) {
  const { tally, missing } = motion;
  const votes = Object.entries(answered) as [keyof Tally, number][];
  const [way, agreeing] = votes.reduce((most, one) => (one[1] > most[1] ? one : most));
  const others = population - asked;
  const suppose = (free: number): Decisions => {
    const supposed = { ...tally, [way]: tally[way] + others - free };
    return decideFirstPass({ ...motion, tally: supposed, missing: missing + free });
  };
  const isOpen = (free: number) => suppose(free)[0].outcome === 'incomplete';
  const supposed = suppose(0);
  if (agreeing === 0 || supposed.at(-1)?.outcome === 'accepted_with_amendments' || isOpen(0))
    return { decisions: null, risk: 1, more: null };
  const fewest = Math.min(leastEnough(others, isOpen), Math.max(1, others));
  const differing = asked - agreeing;
  const riskOf = (more: number) =>
    chanceOfAtMost(differing, { marked: differing + fewest, population, drawn: asked + more });
  const risk = riskOf(0);
  const more =
    risk <= allowed ? 0 : leastEnough(others - fewest + 1, some => riskOf(some) <= allowed);
  if (more > 0) return { decisions: null, risk, more };
  // The figures are those of the votes that were cast.
  const cast = { ...tally, eligible_votes: tally.yeas + tally.nays + tally.amends };
  return { decisions: supposed.map(each => ({ ...each, ...cast })) as Decisions, risk, more };
}

/** The least from 1 on that is enough, where more than enough is enough; infinite where not even `most` is. */
export function leastEnough(most: number, isEnough: (amount: number) => boolean) {
  if (most < 1 || !isEnough(most)) return Infinity;
  let [least, enough] = [1, most];
  while (least < enough) {
    const middle = Math.floor((least + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else least = middle + 1;
  }
  return least;
}

/** The hypergeometric chance that at most so many of the marked are drawn. */
export function chanceOfAtMost(
  most: number,
  { marked, population, drawn }: Readonly<Record<'marked' | 'population' | 'drawn', number>>,
) {
  let chance = 0;
  for (let count = 0; count <= most; count += 1)
    chance += Math.exp(
      logChoose(marked, count) +
        logChoose(population - marked, drawn - count) -
        logChoose(population, drawn),
    );
  return Math.min(1, chance);
}

function logChoose(all: number, some: number) {
  if (some < 0 || some > all) return -Infinity;
  return logFactorial(all) - logFactorial(some) - logFactorial(all - some);
}

const logFactorials = [0];

function logFactorial(number: number) {
  for (let next = logFactorials.length; next <= number; next += 1)
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  return logFactorials[number] ?? 0;
}

/** Votes needed of `base`. */
export function requiredOf(
  base: number,
  { share, strict }: RuleSet['parameters']['required']['simple'],
) {
  return strict ? Math.floor((base * share[0]) / share[1]) + 1 : roundedUp(base, share);
}

/** ⌈share·base⌉. The quotient of two whole numbers below 2^53 is never rounded to a whole one that it is not. */
function roundedUp(base: number, [part, whole]: Share) {
  return Math.ceil((base * part) / whole);
}
