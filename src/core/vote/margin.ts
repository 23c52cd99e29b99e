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

/** A result that more answers stand between is not close, and the search grows with their square. */
export const mostTried = 100;

/**
 * The fewest answers that turn the outcome when they are others; null when none do, of at most `mostTried`. Tries one other answer, then two, and so
 * on. All of them become votes of one kind, and each kind that loses gives all it has before the next one does, in every order:
 * whatever turns a motion can be had so with no more answers, but for those that are deferred, where some who abstained may be needed
 * beside others. `test/core/vote/margin.test.ts` holds it against trying everything.
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
      .flatMap(kind => [
        ...changesTowards(kind, answers, given),
        ...(standing === 'deferred' ? changesByHalves(kind, answers, given) : []),
      ])
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

/** Ways in which exactly so many answers become answers of this kind. */
function changesTowards(gained: Kind, answers: number, given: Tally): Tally[] {
  const takeFrom = (sources: readonly Kind[], change: Tally, left: number): Tally[] =>
    left === 0
      ? [change]
      : sources.flatMap(kind => {
          const taken = Math.min(left, given[kind]);
          if (taken === 0) return [];
          const others = sources.filter(other => other !== kind);
          return takeFrom(others, { ...change, [kind]: -taken }, left - taken);
        });
  return takeFrom(
    kinds.filter(kind => kind !== gained),
    { ...noChange, [gained]: answers },
    answers,
  );
}

/** The same where some of those who abstained give and some of one other kind, in every mixture. */
function changesByHalves(gained: Kind, answers: number, given: Tally): Tally[] {
  if (gained === 'abstentions') return [];
  const changes: Tally[] = [];
  for (const other of kinds.filter(kind => kind !== gained && kind !== 'abstentions'))
    for (let taken = 1; taken < answers; taken += 1)
      if (taken <= given[other] && answers - taken <= given.abstentions)
        changes.push({
          ...noChange,
          [gained]: answers,
          [other]: -taken,
          abstentions: taken - answers,
        });
  return changes;
}

const noChange: Tally = { yeas: 0, nays: 0, amends: 0, abstentions: 0 };

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
