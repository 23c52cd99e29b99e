/** How many answers would have turned a motion: what a close result is told by. */
import type { FirstOutcome, Tally } from './ratification.ts';

export interface Turn {
  /** Answers that would have had to be others, at least. */
  readonly answers: number;
  /** What the motion would have come to then. */
  readonly outcome: FirstOutcome;
  /** By kind of vote, how many there would have been more; below 0: less. They add up to 0. */
  readonly change: Tally;
}

/** Votes of a pass, and how they are decided. */
export interface DecidedVotes {
  readonly tally: Tally;
  /** The part of it that was cast by asking: implicit endorsements stay. */
  readonly given: Tally;
  /** Where who amends abstains, no answer is an amend of the tally. */
  readonly countsAmends: boolean;
  readonly outcomeOf: (tally: Tally) => FirstOutcome;
}

/**
 * The fewest answers that turn the outcome when they are others; null when none do. Tries every change of one answer, then of
 * two, and so on: work grows with the cube of what it finds.
 */
export function fewestToTurn({ tally, given, countsAmends, outcomeOf }: DecidedVotes): Turn | null {
  const standing = outcomeOf(tally);
  const most = given.yeas + given.nays + given.amends + given.abstentions;
  for (let answers = 1; answers <= most; answers += 1) {
    const turns = changesOf(answers, given, countsAmends)
      .map(change => ({ answers, outcome: outcomeOf(add(tally, change)), change }))
      .filter(({ outcome }) => outcome !== standing);
    // Of equals the one that is told in the fewest words.
    const [simplest] = turns.toSorted((one, other) => kindsOf(one.change) - kindsOf(other.change));
    if (simplest !== undefined) return simplest;
  }
  return null;
}

/** All ways in which exactly so many answers are others. */
function changesOf(answers: number, given: Tally, countsAmends: boolean): Tally[] {
  const changes: Tally[] = [];
  for (let yeas = -Math.min(answers, given.yeas); yeas <= answers; yeas += 1)
    for (let nays = -Math.min(answers, given.nays); nays <= answers; nays += 1) {
      const leastAmends = -Math.min(answers, given.amends);
      for (let amends = leastAmends; amends <= (countsAmends ? answers : 0); amends += 1) {
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
