/**
 * Groups by average link over log-odds, held back by complete link: two groups join while the mean over all their cross
 * pairs is high enough and no cross pair is missing or speaks clearly against it, so that a chain of likenesses does not
 * pull unlike statements together. Groups that share no link never touch: what is unrelated changes nothing.
 */
import { clamp } from './logistic.ts';

export interface Link {
  readonly one: number;
  readonly other: number;
  /** Log-odds that the two say the same; minus infinity when they must not meet. */
  readonly odds: number;
}

export interface Linkage {
  /** Mean log-odds from which two groups join. */
  readonly join: number;
  /** A single link below keeps two groups apart, however alike the rest of them is. */
  readonly veto: number;
  /** The most that a link counts: one sure pair does not outweigh several doubtful ones. */
  readonly most: number;
}

/** Sum and number of the links between two groups. */
interface Tie {
  readonly sum: number;
  readonly count: number;
}

interface Candidate {
  readonly mean: number;
  readonly one: number;
  readonly other: number;
  readonly version: number;
}

/** Groups of the positions below `count`, each ascending, by their first. Each pair has one link or none. */
export function linkByAverage(
  count: number,
  links: readonly Link[],
  { join, veto, most }: Linkage,
): number[][] {
  const members: number[][] = Array.from({ length: count }, (_, index) => [index]);
  const versions = new Int32Array(count);
  const ties = members.map(() => new Map<number, Tie>());
  for (const { one, other, odds } of links)
    if (odds >= veto) setTie(ties, [one, other], { sum: clamp(odds, veto, most), count: 1 });

  const queue = createQueue();
  const offer = (one: number, other: number, { sum, count: linked }: Tie): void => {
    const pairs = (members[one]?.length ?? 0) * (members[other]?.length ?? 0);
    if (linked === pairs && sum / pairs >= join)
      queue.push({
        mean: sum / pairs,
        one: Math.min(one, other),
        other: Math.max(one, other),
        version: (versions[one] ?? 0) + (versions[other] ?? 0),
      });
  };
  for (const [one, own] of ties.entries())
    for (const [other, tie] of own) if (one < other) offer(one, other, tie);

  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { one, other, version } = next;
    // Versions only grow, so an equal sum means that both groups are as they were.
    if ((versions[one] ?? 0) + (versions[other] ?? 0) !== version) continue;
    members[one] = [...(members[one] ?? []), ...(members[other] ?? [])];
    members[other] = [];
    versions[one] = (versions[one] ?? 0) + 1;
    versions[other] = (versions[other] ?? 0) + 1;
    mergeTies(ties, one, other);
    for (const [neighbour, tie] of ties[one] ?? []) offer(one, neighbour, tie);
  }
  return members
    .filter(group => group.length > 0)
    .map(group => group.sort((one, other) => one - other))
    .sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
}

function setTie(
  ties: readonly Map<number, Tie>[],
  [one, other]: readonly [number, number],
  tie: Tie,
): void {
  ties[one]?.set(other, tie);
  ties[other]?.set(one, tie);
}

/** What is tied to one side only stays apart for good, but its ties are kept: they are few. */
function mergeTies(ties: readonly Map<number, Tie>[], into: number, from: number): void {
  const given = ties[from] ?? new Map<number, Tie>();
  ties[into]?.delete(from);
  for (const [other, { sum, count }] of given) {
    ties[other]?.delete(from);
    if (other === into) continue;
    const known = ties[into]?.get(other);
    setTie(ties, [into, other], {
      sum: sum + (known?.sum ?? 0),
      count: count + (known?.count ?? 0),
    });
  }
  given.clear();
}

interface Queue {
  push(candidate: Candidate): void;
  pop(): Candidate | undefined;
}

/** A binary heap: the highest mean first, ties by position. */
function createQueue(): Queue {
  const heap: Candidate[] = [];
  const isBefore = (one: Candidate, other: Candidate): boolean =>
    (one.mean - other.mean || other.one - one.one || other.other - one.other) > 0;
  // Below, both are positions in the heap.
  const swap = (one: number, other: number): void => {
    [heap[one], heap[other]] = [heap[other] as Candidate, heap[one] as Candidate];
  };
  const goesBefore = (one: number, other: number): boolean =>
    one < heap.length && isBefore(heap[one] as Candidate, heap[other] as Candidate);
  return {
    push(candidate) {
      heap.push(candidate);
      for (let at = heap.length - 1; at > 0 && goesBefore(at, (at - 1) >> 1); at = (at - 1) >> 1)
        swap(at, (at - 1) >> 1);
    },
    pop() {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined || heap.length === 0) return first;
      heap[0] = last;
      for (let at = 0; ;) {
        const left = 2 * at + 1;
        const best = goesBefore(left + 1, left) ? left + 1 : left;
        if (!goesBefore(best, at)) return first;
        swap(at, best);
        at = best;
      }
    },
  };
}
