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

interface SampleTerms {
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
  const { tally, missing } = motion;
  const votes = Object.entries(answered) as [keyof Tally, number][];
  const [way, agreeing] = votes.reduce((most, one) => (one[1] > most[1] ? one : most));
  const others = population - asked;
  const suppose = (free: number): Decisions => {
    const supposed = { ...tally, [way]: tally[way] + others - free };
    return decideFirstPass(
      { ...motion, tally: supposed, missing: missing + free },
      rosterSize,
      rules,
    );
  };
  const isOpen = (free: number): boolean => suppose(free)[0].outcome === 'incomplete';
  const supposed = suppose(0);
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
  let more = 0;
  while (more <= others - fewest && riskOf(more) > allowed) more += 1;
  if (more > 0) return { decisions: null, risk, more };
  // The figures are those of the votes that were cast.
  const cast = { ...tally, eligible: tally.yeas + tally.nays + tally.amends };
  return { decisions: supposed.map(each => ({ ...each, ...cast })) as Decisions, risk, more };
}

/** So many are drawn of a population of which some are marked. */
type Drawing = Readonly<Record<'marked' | 'population' | 'drawn', number>>;

/** The hypergeometric chance that at most so many of the marked are drawn. */
export function chanceOfAtMost(most: number, { marked, population, drawn }: Drawing): number {
  let chance = 0;
  for (let count = 0; count <= most; count += 1)
    chance += Math.exp(
      logChoose(marked, count) +
        logChoose(population - marked, drawn - count) -
        logChoose(population, drawn),
    );
  return Math.min(1, chance);
}

function logChoose(all: number, some: number): number {
  if (some < 0 || some > all) return -Infinity;
  return logFactorial(all) - logFactorial(some) - logFactorial(all - some);
}

const logFactorials = [0];

function logFactorial(number: number): number {
  for (let next = logFactorials.length; next <= number; next += 1)
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next));
  return logFactorials[number] ?? 0;
}
