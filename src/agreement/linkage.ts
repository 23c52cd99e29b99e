/**
 * Groups by average link over log-odds: two groups join while the mean over all their cross pairs is high enough. A pair
 * without a link counts as hopeless, so that a chain of likenesses does not pull unlike statements together. Groups that
 * share no link never touch: what is unrelated changes nothing.
 */
import TinyQueue from 'tinyqueue';
import { clamp } from '../core/words/odds.ts';
import { areDifferentFiles } from './wording/words.ts';

export interface Link {
  readonly one: number;
  readonly other: number;
  /** Log-odds that the two say the same, above those from which they are one. */
  readonly odds: number;
}

/** The most that one link counts, and what a pair without one does: one sure pair does not outweigh several doubtful ones. */
export const widestOdds = 4;

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

/** Groups of the positions in `files`, each ascending, by their first. Each pair has one link or none; no group has two files. */
export function linkByAverage(files: readonly string[], links: readonly Link[]): number[][] {
  const members: number[][] = files.map((_, index) => [index]);
  const fileOf = [...files];
  const versions = new Int32Array(files.length);
  const ties = files.map(() => new Map<number, Tie>());
  const reach = reachesOf(files.length, links);
  for (const { one, other, odds } of links)
    if (reach[one] === reach[other])
      setTie(ties, one, other, { sum: clamp(odds, -widestOdds, widestOdds), count: 1 });

  // The highest mean first, ties by position.
  const queue = new TinyQueue<Candidate>(
    [],
    (a, b) => b.mean - a.mean || a.one - b.one || a.other - b.other,
  );
  const offer = (one: number, other: number, { sum, count }: Tie): void => {
    const pairs = (members[one]?.length ?? 0) * (members[other]?.length ?? 0);
    const mean = (sum - widestOdds * (pairs - count)) / pairs;
    if (mean >= 0 && !areDifferentFiles(fileOf[one] ?? '', fileOf[other] ?? ''))
      queue.push({
        mean,
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
    fileOf[one] ||= fileOf[other] ?? '';
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

/**
 * By position the number of those it can end up with, by way of others: a mean that is high enough needs one link that is.
 * A tie that leads out of there can be forgotten, and most do.
 */
function reachesOf(count: number, links: readonly Link[]): Int32Array {
  const parents = Int32Array.from({ length: count }, (_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root] as number] as number;
      root = parents[root] as number;
    }
    return root;
  };
  for (const { one, other, odds } of links) if (odds >= 0) parents[rootOf(one)] = rootOf(other);
  return parents.map((_, index) => rootOf(index));
}

type Ties = readonly Map<number, Tie>[];

function setTie(ties: Ties, one: number, other: number, tie: Tie): void {
  ties[one]?.set(other, tie);
  ties[other]?.set(one, tie);
}

function mergeTies(ties: Ties, into: number, from: number): void {
  ties[into]?.delete(from);
  for (const [other, { sum, count }] of ties[from] ?? []) {
    ties[other]?.delete(from);
    if (other === into) continue;
    const known = ties[into]?.get(other) ?? { sum: 0, count: 0 };
    setTie(ties, into, other, { sum: sum + known.sum, count: count + known.count });
  }
  ties[from]?.clear();
}
