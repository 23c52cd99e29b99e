/**
 * Decides a motion from those who were drawn of all who could be asked, where the chance that the others would turn it is small
 * enough. Members are drawn by a hash, so that those drawn are a random sample.
 */
import { decideFirstPass, type Decisions, type MotionAtVote, type Tally } from './ratification.ts';
import type { RuleSet } from './rule-set.ts';

/** Who was drawn of those who could be asked about a motion; who is asked for a conflict is not among them. */
export interface MotionSample {
  readonly population: number;
  readonly asked: number;
  /** Of those asked. */
  readonly answered: Tally;
}

export interface SampleTerms {
  /** Chance at which those drawn decide: above 0, below 1/2. */
  readonly risk: number;
  readonly rosterSize: number;
  readonly rules: RuleSet;
}

interface SampleDecision {
  /** Null: those drawn do not decide it. */
  readonly decisions: Decisions | null;
  /** At most, of what was drawn coming of members who would turn it: 0 to 1. */
  readonly risk: number;
  /** So many more with the commonest answer would decide it; 0 where it is decided, null where not even all would. */
  readonly more: number | null;
}

/**
 * Supposes that all others answer as most of those drawn did, and looks how few of them would have to answer otherwise, in any
 * way, for another outcome. Were there so many, that so few were drawn has a chance that is known exactly. Nobody is asked
 * about an amended text for all, so that a motion which needs one is not decided.
 */
export function decideBySample(
  motion: MotionAtVote,
  { population, asked, answered }: MotionSample,
  { risk: allowed, rosterSize, rules }: SampleTerms,
): SampleDecision {
  const [[way, agreeing]] = Object.entries(answered).sort(([, one], [, other]) => other - one) as [
    [keyof Tally, number],
  ];
  const others = population - asked;
  const suppose = (free: number): Decisions =>
    decideFirstPass(
      {
        ...motion,
        tally: { ...motion.tally, [way]: motion.tally[way] + others - free },
        missing: motion.missing + free,
      },
      rosterSize,
      rules,
    );
  const supposed = suppose(0);
  const isOpen = (free: number): boolean => suppose(free)[0].outcome === 'incomplete';
  if (agreeing === 0 || supposed.at(-1)?.outcome === 'accepted_with_amendments' || isOpen(0))
    return { decisions: null, risk: 1, more: null };
  let [fewest, most] = [1, others];
  while (fewest < most) {
    const middle = Math.floor((fewest + most) / 2);
    if (isOpen(middle)) most = middle;
    else fewest = middle + 1;
  }
  const differing = asked - agreeing;
  const riskOf = (more: number): number =>
    chanceOfAtMost(differing, { marked: differing + fewest, population, drawn: asked + more });
  const risk = riskOf(0);
  if (risk <= allowed) {
    const { yeas, nays, amends, abstentions } = motion.tally;
    const figures = { yeas, nays, amends, abstentions, eligible: yeas + nays + amends };
    return {
      decisions: supposed.map(each => ({ ...each, ...figures })) as Decisions,
      risk,
      more: 0,
    };
  }
  let more = 1;
  while (more <= others - fewest && riskOf(more) > allowed) more += 1;
  return { decisions: null, risk, more };
}

/** So many are drawn of a population of which some are marked. */
interface Drawing {
  readonly marked: number;
  readonly population: number;
  readonly drawn: number;
}

/** The hypergeometric chance that at most so many of the marked are drawn. */
export function chanceOfAtMost(most: number, { marked, population, drawn }: Drawing): number {
  const least = Math.max(0, drawn - (population - marked));
  let term = logChoose(marked, least) + logChoose(population - marked, drawn - least);
  term -= logChoose(population, drawn);
  let chance = 0;
  for (let count = least; count <= Math.min(most, marked, drawn); count += 1) {
    chance += Math.exp(term);
    term += Math.log((marked - count) / (count + 1));
    term += Math.log((drawn - count) / (population - marked - drawn + count + 1));
  }
  return Math.min(1, chance);
}

function logChoose(all: number, some: number): number {
  let sum = 0;
  for (let index = 1; index <= some; index += 1) sum += Math.log((all - some + index) / index);
  return sum;
}
