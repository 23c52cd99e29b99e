/**
 * Decides a motion before everybody was asked, at a stated risk. Members are drawn in an order that nobody chose (by hash),
 * so those who were drawn are a random sample of those who could be. An outcome stands when every condition of it holds for
 * the whole population unless a sample as lopsided as this one was drawn, which is less likely than the risk whatever the
 * others would say (an intersection-union test: Berger, Multiparameter hypothesis testing and acceptance sampling, 1982).
 */
import { type Motion, whyConstitutional } from './motion.ts';
import type { Outcome, Tally } from './ratification.ts';
import { requiredOf, roundedUp, type RuleSet, type Share, type Threshold } from './rule-set.ts';

/** Votes so far of a motion whose members are asked a part at a time. */
export interface DrawnVotes extends Pick<Motion, 'title' | 'constitutional'> {
  /** Votes that no draw decides about: implicit endorsements, and answers of those who were asked for a conflict. */
  readonly certain: Tally;
  /** Votes of those who were drawn. */
  readonly drawn: Tally;
  /** Members who were asked and did not answer: what they would say is held to be the worst, never what others say. */
  readonly missing: { readonly certain: number; readonly drawn: number };
  /** Members among whom is drawn, the drawn ones included. */
  readonly population: number;
}

export interface EarlyDecision {
  readonly outcome: Exclude<Outcome, 'incomplete'>;
  /** False exactly where it is deferred for want of a quorum. */
  readonly isQuorate: boolean;
  /**
   * 0 to 1: the smallest risk at which the look would have decided. However small a figure, no more than that share of draws ends
   * wrong with this figure or a smaller one, all looks together. 0: nothing that the others could say would change the outcome.
   */
  readonly risk: number;
}

/** Parts of the population after each of which is looked whether a motion is decided; after all of it, nothing is left to draw. */
export const looks = 8;

/** Wrong outcomes that a look could come to. */
const otherOutcomes = 3;

/** Members to have drawn at each look, ascending; the last is the whole population. */
export function looksOf(population: number): readonly number[] {
  const sizes = Array.from({ length: looks }, (_, index) => sizeAt(population, index + 1));
  return [...new Set(sizes)].filter(size => size > 0);
}

/** Members to have drawn at a look, from 1. */
export function sizeAt(population: number, look: number): number {
  return Math.ceil((population * look) / looks);
}

/**
 * Null: what is known decides nothing yet. `risk`: of the motion as a whole, over all looks (0 to 1); each look gets an equal
 * part of it (Bonferroni). A motion that would be accepted with amendments is never decided early: those who oppose or amend
 * are asked about the amended text by name.
 */
export function decideEarly(
  votes: DrawnVotes,
  { rosterSize, rules, risk }: EarlyRules,
): EarlyDecision | null {
  const parts = (looks - 1) * otherOutcomes;
  const allowed = risk / parts;
  for (const { outcome, isQuorate, conditions } of outcomesOf(votes, rosterSize, rules)) {
    let worst = 0;
    for (const condition of conditions)
      if (worst <= allowed) worst = Math.max(worst, riskOf(condition, votes, allowed));
    if (worst <= allowed) return { outcome, isQuorate, risk: Math.min(risk, worst * parts) };
  }
  return null;
}

export interface EarlyRules {
  readonly rosterSize: number;
  readonly rules: RuleSet;
  /** 0 to 1. */
  readonly risk: number;
}

/** Holds when the weights of all votes add up to `atLeast`; abstentions weigh nothing. All are integers. */
interface Condition {
  readonly weights: Omit<Tally, 'abstentions'>;
  readonly atLeast: number;
}

interface PossibleOutcome {
  readonly outcome: EarlyDecision['outcome'];
  readonly isQuorate: boolean;
  /** All of them together are enough for it. */
  readonly conditions: readonly Condition[];
}

function outcomesOf(
  votes: DrawnVotes,
  rosterSize: number,
  { parameters }: RuleSet,
): PossibleOutcome[] {
  const kind = whyConstitutional(votes) === null ? 'simple' : 'constitutional';
  const { required, amend_tolerance: tolerance, second_pass: secondPass } = parameters;
  const quorum = parameters.quorum === null ? 0 : roundedUp(rosterSize, parameters.quorum[kind]);
  const needed: Needed = { ...required[kind], of: required.of, rosterSize };
  // Nobody ratifies anything without a vote.
  const quorate = votesAtLeast(Math.max(1, quorum));
  const deferAbove = secondPass?.defer_above ?? null;
  return [
    {
      outcome: 'ratified',
      isQuorate: true,
      conditions: [
        quorate,
        reaches(needed, 'yeas'),
        ...(tolerance === null ? [] : toleratedAmends(tolerance, rosterSize)),
      ],
    },
    {
      outcome: 'rejected',
      isQuorate: true,
      // Without a quorum no votes at all reject, too.
      conditions: [...(quorum === 0 ? [] : [quorate]), not(reaches(needed, 'yeas and amends'))],
    },
    ...(quorum === 0
      ? []
      : [
          {
            outcome: 'deferred' as const,
            isQuorate: false,
            conditions: [not(votesAtLeast(quorum))],
          },
        ]),
    ...(deferAbove === null || tolerance === null
      ? []
      : [
          {
            outcome: 'deferred' as const,
            isQuorate: true,
            conditions: [
              quorate,
              reaches(needed, 'yeas and amends'),
              amendsAbove(deferAbove),
              not(amendsAtMost(roundedUp(rosterSize, tolerance.roster))),
            ],
          },
        ]),
  ];
}

function votesAtLeast(count: number): Condition {
  return { weights: { yeas: 1, nays: 1, amends: 1 }, atLeast: count };
}

function amendsAtMost(count: number): Condition {
  return { weights: { yeas: 0, nays: 0, amends: -1 }, atLeast: -count };
}

interface Needed extends Threshold {
  readonly of: 'roster' | 'eligible';
  readonly rosterSize: number;
}

/** Of the eligible: whole·v − part·e is above 0, or at least 0, with v the votes in favour and e all of them. */
function reaches(
  { of, rosterSize, share, strict }: Needed,
  inFavour: 'yeas' | 'yeas and amends',
): Condition {
  const withAmends = inFavour === 'yeas and amends';
  if (of === 'roster')
    return {
      weights: { yeas: 1, nays: 0, amends: withAmends ? 1 : 0 },
      atLeast: requiredOf(rosterSize, { share, strict }),
    };
  const [part, whole] = share;
  const [own, others] = [whole - part, -part];
  return {
    weights: { yeas: own, nays: others, amends: withAmends ? own : others },
    atLeast: strict ? 1 : 0,
  };
}

/** a ≤ ⌈part·e ÷ whole⌉ exactly when part·e − whole·a > −whole. */
function toleratedAmends(
  { roster, eligible: [part, whole] }: { readonly roster: Share; readonly eligible: Share },
  rosterSize: number,
): Condition[] {
  return [
    amendsAtMost(roundedUp(rosterSize, roster)),
    { weights: { yeas: part, nays: part, amends: part - whole }, atLeast: 1 - whole },
  ];
}

function amendsAbove([part, whole]: Share): Condition {
  return { weights: { yeas: -part, nays: -part, amends: whole - part }, atLeast: 1 };
}

/** Integers: what is not at least n is at most n − 1. */
function not({ weights: { yeas, nays, amends }, atLeast }: Condition): Condition {
  return { weights: { yeas: -yeas, nays: -nays, amends: -amends }, atLeast: 1 - atLeast };
}

/** How likely at most such a sample is where the condition does not hold; of what is above `allowed` only that it is. */
function riskOf(
  { weights, atLeast }: Condition,
  { certain, drawn, missing, population }: DrawnVotes,
  allowed: number,
): number {
  const sumOf = ({ yeas, nays, amends }: Tally): number =>
    weights.yeas * yeas + weights.nays * nays + weights.amends * amends;
  const values = [...new Set([weights.yeas, weights.nays, weights.amends, 0])].sort(
    (one, other) => other - one,
  );
  const lowest = values.at(-1) ?? 0;
  const { yeas, nays, amends, abstentions } = drawn;
  return largestChance(
    { values, population, size: yeas + nays + amends + abstentions + missing.drawn, allowed },
    {
      below: atLeast - sumOf(certain) - lowest * missing.certain,
      observed: sumOf(drawn) + lowest * missing.drawn,
    },
  );
}

interface Drawing {
  /** What a member can weigh, descending; three values at most. */
  readonly values: readonly number[];
  readonly population: number;
  /** Members drawn. */
  readonly size: number;
  /** Larger chances need not be told apart. */
  readonly allowed: number;
}

interface Sums {
  /** The populations considered add up to less. */
  readonly below: number;
  /** Of the sample. */
  readonly observed: number;
}

/** In larger populations a bound in closed form takes the place of the exact figure, which takes the cube of their size. */
const largestExact = 256;

/**
 * The largest chance, over all populations that add up to less than `below`, that a sample adds up to `observed` or more. Who
 * weighs more makes every sum likelier, so only populations that cannot weigh more have to be looked at.
 */
function largestChance(drawing: Drawing, sums: Sums): number {
  const { values, population } = drawing;
  const [high = 0, ...less] = values;
  const low = less.at(-1) ?? high;
  const middle = less.length > 1 ? (less[0] as number) : low;
  if (sums.below <= low * population) return 0;
  if (population > largestExact) return serfling(drawing, sums, high - low);
  const chanceWith = (highest: number): number => {
    const others = population - highest;
    const left = sums.below - 1 - high * highest - low * others;
    const between = middle === low ? 0 : Math.min(others, Math.floor(left / (middle - low)));
    const counts: Counts = { highest, between, population };
    return chanceOf(counts, { high, middle, low }, drawing.size, sums.observed);
  };
  // So many can weigh most.
  const most =
    high === low
      ? population
      : Math.min(population, Math.floor((sums.below - 1 - low * population) / (high - low)));
  let largest = chanceWith(most);
  if (middle === low) return largest;
  for (let highest = most - 1; highest >= 0 && largest <= drawing.allowed; highest -= 1)
    largest = Math.max(largest, chanceWith(highest));
  return largest;
}

interface Counts {
  readonly highest: number;
  readonly between: number;
  readonly population: number;
}

interface Values {
  readonly high: number;
  readonly middle: number;
  readonly low: number;
}

/** By the number of the highest drawn, then of those between: twice hypergeometric. */
function chanceOf(
  { highest, between, population }: Counts,
  { high, middle, low }: Values,
  size: number,
  observed: number,
): number {
  const others = population - highest;
  let chance = 0;
  for (let drawn = Math.max(0, size - others); drawn <= Math.min(highest, size); drawn += 1) {
    const rest = size - drawn;
    const lacking = observed - high * drawn - low * rest;
    const needed =
      lacking <= 0 ? 0 : middle === low ? rest + 1 : Math.ceil(lacking / (middle - low));
    chance +=
      hypergeometric({ marked: highest, population, size }, drawn) *
      atLeast({ marked: between, population: others, size: rest }, needed);
  }
  return Math.min(1, chance);
}

/** `size` members are drawn of a population of which some are marked. */
interface Urn {
  readonly marked: number;
  readonly population: number;
  readonly size: number;
}

function atLeast(urn: Urn, count: number): number {
  const least = Math.max(0, urn.size - (urn.population - urn.marked));
  if (count <= least) return 1;
  let chance = 0;
  for (let drawn = count; drawn <= Math.min(urn.marked, urn.size); drawn += 1)
    chance += hypergeometric(urn, drawn);
  return chance;
}

function hypergeometric({ marked, population, size }: Urn, drawn: number): number {
  return Math.exp(
    logChoose(marked, drawn) +
      logChoose(population - marked, size - drawn) -
      logChoose(population, size),
  );
}

const logFactorials = [0];

function logChoose(all: number, some: number): number {
  for (let next = logFactorials.length; next <= all; next += 1)
    logFactorials.push((logFactorials[next - 1] as number) + Math.log(next));
  return logFactorialOf(all) - logFactorialOf(some) - logFactorialOf(all - some);
}

/** Of a number that was added up before. */
function logFactorialOf(number: number): number {
  return logFactorials[number] as number;
}

/**
 * Serfling, Probability inequalities for the sum in sampling without replacement (1974), corollary 1.1: a mean of n drawn of N
 * exceeds that of the population by d with a chance of exp(−2nd² ÷ ((1 − (n − 1) ÷ N)·range²)) at most.
 */
function serfling({ population, size }: Drawing, { below, observed }: Sums, range: number): number {
  if (size === 0) return 1;
  const excess = observed / size - (below - 1) / population;
  if (excess <= 0) return 1;
  return Math.exp((-2 * size * excess ** 2) / ((1 - (size - 1) / population) * range ** 2));
}
