/** How many answers would have turned a motion: what a close result is told by. */
import { decideMotion, type MotionAtVote, type Outcome, type Tally } from './ratification.ts';
import type { RuleSet } from './rule-set.ts';

export interface Turn {
  /** Answers that would have had to be others, at least. */
  readonly answers: number;
  /** What the motion would have come to then. */
  readonly outcome: Outcome;
  /** By kind of vote, how many there would have been more; below 0: less. They add up to 0. */
  readonly change: Tally;
}

/**
 * The fewest answers that turn the outcome when they are others; null when none do. `given`: votes that were cast by asking;
 * implicit endorsements of the tally stay. Tries every change of one answer, then of two, and so on: the cube of what it finds.
 */
export function fewestToTurn(
  motion: MotionAtVote,
  given: Tally,
  rosterSize: number,
  rules: RuleSet,
): Turn | null {
  const outcomeOf = (tally: Tally): Outcome =>
    // The last pass is never the one that leads to another.
    decideMotion({ ...motion, tally }, rosterSize, rules).at(-1)?.outcome as Outcome;
  const standing = outcomeOf(motion.tally);
  const most = given.yeas + given.nays + given.amends + given.abstentions;
  const canAmend = rules.parameters.amends === 'counted';
  for (let answers = 1; answers <= most; answers += 1) {
    const turns = changesOf(answers, given, canAmend)
      .map(change => ({ answers, outcome: outcomeOf(add(motion.tally, change)), change }))
      .filter(({ outcome }) => outcome !== standing);
    // Of equals the one that is told in the fewest words.
    const [simplest] = turns.toSorted((one, other) => kindsOf(one.change) - kindsOf(other.change));
    if (simplest !== undefined) return simplest;
  }
  return null;
}

/** All ways in which exactly so many answers are others. Where who amends abstains, no answer is an amend of the tally. */
function changesOf(answers: number, given: Tally, canAmend: boolean): Tally[] {
  const changes: Tally[] = [];
  for (let yeas = -Math.min(answers, given.yeas); yeas <= answers; yeas += 1)
    for (let nays = -Math.min(answers, given.nays); nays <= answers; nays += 1) {
      const leastAmends = -Math.min(answers, given.amends);
      for (let amends = leastAmends; amends <= (canAmend ? answers : 0); amends += 1) {
        const abstentions = -(yeas + nays + amends);
        if (abstentions < -given.abstentions) continue;
        const change = { yeas, nays, amends, abstentions };
        if (gainedBy(change) === answers) changes.push(change);
      }
    }
  return changes;
}

function gainedBy({ yeas, nays, amends, abstentions }: Tally): number {
  return Math.max(0, yeas) + Math.max(0, nays) + Math.max(0, amends) + Math.max(0, abstentions);
}

function kindsOf({ yeas, nays, amends, abstentions }: Tally): number {
  return [yeas, nays, amends, abstentions].filter(count => count !== 0).length;
}

function add(one: Tally, other: Tally): Tally {
  return {
    yeas: one.yeas + other.yeas,
    nays: one.nays + other.nays,
    amends: one.amends + other.amends,
    abstentions: one.abstentions + other.abstentions,
  };
}
