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
  sum: number;
  count: number;
}

/** Over so many pairs, of which some have no link. */
export function meanOdds({ sum, count }: Tie, pairs: number): number {
  return (sum - widestOdds * (pairs - count)) / pairs;
}

export function tieOf(links: readonly Link[]): Tie {
  return {
    sum: links.reduce((sum, { odds }) => sum + clamp(odds, -widestOdds, widestOdds), 0),
    count: links.length,
  };
}

/** Groups of the positions in `files`, each ascending, by their first. Each pair has one link or none; no group has two files. */
export function linkByAverage(files: readonly string[], links: readonly Link[]): number[][] {
  const members = files.map((_, index) => [index]);
  const fileOf = [...files];
  const ties = files.map(() => new Map<number, Tie>());
  // The highest mean first, ties by position.
  const queue = new TinyQueue<{ mean: number; one: number; other: number }>(
    [],
    (a, b) => b.mean - a.mean || a.one - b.one || a.other - b.other,
  );
  const meanOf = (one: number, other: number) =>
    meanOdds(
      ties[one]?.get(other) ?? tieOf([]),
      (members[one]?.length ?? 0) * (members[other]?.length ?? 0),
    );
  const tie = (one: number, other: number, own: Tie) => {
    ties[one]?.set(other, own);
    ties[other]?.set(one, own);
  };
  const offer = (one: number, other: number) => {
    const mean = meanOf(one, other);
    if (mean >= 0 && !areDifferentFiles(fileOf[one] ?? '', fileOf[other] ?? ''))
      queue.push({ mean, one: Math.min(one, other), other: Math.max(one, other) });
  };
  for (const link of links) {
    tie(link.one, link.other, tieOf([link]));
    offer(link.one, link.other);
  }
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { one, other, mean } = next;
    // One of the two has grown since, and was offered anew.
    if (mean !== meanOf(one, other)) continue;
    members[one] = [...(members[one] ?? []), ...(members[other] ?? [])];
    members[other] = [];
    fileOf[one] ||= fileOf[other] ?? '';
    for (const [neighbour, { sum, count }] of ties[other] ?? []) {
      ties[neighbour]?.delete(other);
      if (neighbour === one) continue;
      const known = ties[one]?.get(neighbour) ?? tieOf([]);
      tie(one, neighbour, { sum: sum + known.sum, count: count + known.count });
    }
    ties[other]?.clear();
    for (const neighbour of ties[one]?.keys() ?? []) offer(one, neighbour);
  }
  return inOrder(members);
}

/** Without the empty ones, each ascending, by their first. */
export function inOrder(groups: readonly number[][]): number[][] {
  return groups
    .filter(group => group.length > 0)
    .map(group => group.sort((one, other) => one - other))
    .sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
}
