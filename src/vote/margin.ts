/** How many answers would have turned a motion: what a close result is told by. */
import type { Tally } from './ratification.ts';
import type { FirstOutcome } from '../core/words/vote.ts';

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

/** A result that more answers stand between is not close, and the search grows with their square. */
export const mostTried = 100;

/**
 * The fewest answers that turn the outcome when they are others; null when none do, of at most `mostTried`. Tries one other answer,
 * then two, and so on. All of them become votes of one kind: whatever turns a motion can be had so with no more answers.
 * `test/vote/margin.test.ts` holds it against trying everything.
 */
export function fewestToTurn({ tally, given, countsAmends, outcomeOf }: DecidedVotes): Turn | null {
  const standing = outcomeOf(tally);
  const most = Math.min(
    mostTried,
    kinds.reduce((sum, kind) => sum + given[kind], 0),
  );
  const gaining = kinds.filter(kind => countsAmends || kind !== 'amends');
  for (let answers = 1; answers <= most; answers += 1) {
    const turns = gaining
      .flatMap(kind => changesTowards(kind, answers, given))
      .map(change => ({ answers, outcome: outcomeOf(addVotes(tally, change)), change }))
      .filter(({ outcome }) => outcome !== standing);
    // Of equals the one that is told in the fewest words.
    const [simplest] = turns.toSorted((one, other) => kindsIn(one.change) - kindsIn(other.change));
    if (simplest !== undefined) return simplest;
  }
  return null;
}

const kinds = ['yeas', 'nays', 'amends', 'abstentions'] as const;
type Kind = (typeof kinds)[number];

const noChange: Tally = { yeas: 0, nays: 0, amends: 0, abstentions: 0 };

/**
 * Ways in which exactly so many answers become answers of this kind: any number of one other kind, and of the last two first all
 * that the one has, then of the other.
 */
function changesTowards(gained: Kind, answers: number, given: Tally): Tally[] {
  const [one, other, free] = kinds.filter(kind => kind !== gained) as [Kind, Kind, Kind];
  const changes: Tally[] = [];
  for (let taken = 0; taken <= Math.min(answers, given[free]); taken += 1)
    for (const [first, second] of [[one, other] as const, [other, one] as const]) {
      const rest = answers - taken;
      const drained = Math.min(rest, given[first]);
      if (rest - drained <= given[second])
        changes.push({
          ...noChange,
          [gained]: answers,
          [free]: 0 - taken,
          [first]: 0 - drained,
          [second]: drained - rest,
        });
    }
  return changes;
}

function kindsIn(change: Tally): number {
  return kinds.filter(kind => change[kind] !== 0).length;
}

export function addVotes(one: Tally, other: Tally): Tally {
  return {
    yeas: one.yeas + other.yeas,
    nays: one.nays + other.nays,
    amends: one.amends + other.amends,
    abstentions: one.abstentions + other.abstentions,
  };
}
