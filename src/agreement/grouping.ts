/**
 * Complete-link grouping: two groups join only when every finding of one is the same as every finding of the other.
 * The result depends on the order of the list given, never on when an answer arrived. Findings that cannot differ are one
 * participant.
 */
import type { Matcher } from '../core/ports/matcher.ts';
import type { Finding } from '../core/words/finding.ts';
import { rankOf } from '../core/words/severity.ts';
import { contradict, mustStayApart, standApart } from './guards.ts';
import { clamp } from '../core/words/odds.ts';
import { type Grouping, isGrouping, type Pair, pairsFor } from './matching.ts';

interface JudgedPair {
  readonly one: number;
  readonly other: number;
  readonly score: number;
}

/**
 * The matcher must be prepared. One that groups by itself does so; for the others space and time grow with the square of
 * the list: bound it before.
 */
export function groupFindings(findings: readonly Finding[], matcher: Matcher): Grouping {
  if (isGrouping(matcher)) return matcher.group(findings);
  const links: JudgedPair[] = [];
  const contradictions: Pair[] = [];
  for (const [one, other] of pairsFor(matcher, findings)) {
    const [first, second] = [findings[one], findings[other]];
    if (first === undefined || second === undefined) continue;
    if (mustStayApart(first, second)) continue;
    const { same, score, contradicts } = matcher.compare(first, second);
    if (contradict(first, second)) contradictions.push([one, other]);
    else if (same && !standApart(first, second)) links.push({ one, other, score });
    else if (contradicts === true) contradictions.push([one, other]);
  }
  links.sort((a, b) => b.score - a.score || a.one - b.one || a.other - b.other);
  return { groups: joinCompletely(findings.length, links), contradictions };
}

/**
 * Counts the links between every two groups instead of looking them up again for each pair: two groups are completely
 * linked when the count is the product of their sizes. A join adds up two rows.
 */
function joinCompletely(count: number, links: readonly JudgedPair[]): number[][] {
  const linkCounts = new Uint32Array(count * count);
  for (const { one, other } of links) {
    linkCounts[one * count + other] = 1;
    linkCounts[other * count + one] = 1;
  }
  const groupOf = Array.from({ length: count }, (_, index) => index);
  const groups: number[][] = groupOf.map(index => [index]);
  for (const link of links) {
    const kept = groupOf[link.one] ?? 0;
    const joined = groupOf[link.other] ?? 0;
    const [into, from] = [groups[kept] ?? [], groups[joined] ?? []];
    if (kept === joined || linkCounts[kept * count + joined] !== into.length * from.length)
      continue;
    for (let group = 0; group < count; group += 1) {
      const sum =
        (linkCounts[kept * count + group] ?? 0) + (linkCounts[joined * count + group] ?? 0);
      linkCounts[kept * count + group] = sum;
      linkCounts[group * count + kept] = sum;
    }
    for (const index of from) groupOf[index] = kept;
    groups[kept] = [...into, ...from];
    groups[joined] = [];
  }
  return groups
    .filter(group => group.length > 0)
    .map(group => group.sort((one, other) => one - other))
    .sort((one, other) => (one[0] ?? 0) - (other[0] ?? 0));
}

// Who takes part in matching when there is too much to compare. Grouping costs the square of what it is given, so the places
// are shared out evenly: a reviewer that says 10,000 things cannot take those of one that says three.

/** Findings compared with each other in one run, at most, by a matcher that compares all: eight reviewers with 250 each. */
export const roomForAll = 2_000;

/** Of one reviewer, at most, once there are more than that: a part of the capacity. */
const largestPart = 1 / 4;

/** Findings that go one way: what a reviewer says again in the same words goes with the first time. Never empty. */
type Bundle = readonly [Finding, ...Finding[]];

export interface Selection {
  /** Matched, each by its first finding; in the order given. */
  readonly matched: readonly Bundle[];
  /** Compared with nothing: each forms a claim of its own. */
  readonly apart: readonly Bundle[];
}

/**
 * Everything is matched one by one while there is room. Otherwise repetitions are bundled, and of each reviewer its most
 * severe bundles are matched, up to an equal share. What says the same as another in the same words about the same place
 * goes with it, matched or not.
 */
export function selectForMatching(findings: readonly Finding[], capacity = roomForAll): Selection {
  if (findings.length <= capacity)
    return { matched: findings.map(finding => [finding]), apart: [] };
  const bundles = groupBy(findings, finding => `${finding.reviewer}\n${wordsAndPlace(finding)}`);
  const byReviewer = groupBy(bundles, ([finding]) => finding.reviewer);
  const share = Math.min(
    capacity * largestPart,
    equalShare(
      byReviewer.map(list => list.length),
      capacity,
    ),
  );
  const chosen = new Set(byReviewer.flatMap(list => list.toSorted(bySeverity).slice(0, share)));
  const matched = new Map<string, [Finding, ...Finding[]]>();
  for (const bundle of bundles)
    if (chosen.has(bundle) && !matched.has(wordsAndPlace(bundle[0])))
      matched.set(wordsAndPlace(bundle[0]), bundle);
  const rest = groupBy(
    bundles.filter(bundle => !chosen.has(bundle)),
    ([finding]) => wordsAndPlace(finding),
  );
  for (const repeated of rest) matched.get(wordsAndPlace(repeated[0][0]))?.push(...repeated.flat());
  return {
    matched: bundles.filter(bundle => chosen.has(bundle)),
    apart: rest
      .filter(([[finding]]) => !matched.has(wordsAndPlace(finding)))
      .map(([[first, ...others], ...more]): Bundle => [first, ...others, ...more.flat()]),
  };
}

/** What a person can be told of findings that were compared with nothing; null when all were compared. */
export function describeUncompared(
  apart: number,
  all: number,
  capacity = roomForAll,
): string | null {
  return apart === 0
    ? null
    : `${apart} of ${all} findings were compared with no other, because there is room for ${capacity}: of each reviewer the most severe come first. They form claims by their exact words alone.`;
}

function wordsAndPlace({ text, category, location }: Finding): string {
  return JSON.stringify([keyOfText(text), category, location?.path, location?.line]);
}

/** Characters of a text that tell it from others by themselves. */
const longestKey = 4_000;

/**
 * Equal for equal texts. Of a long one the beginning, its length and two sums of the rest: the keys of many long texts
 * would take as much room again as the texts, and the built-in maps tell long texts of one length apart in quadratic time.
 */
export function keyOfText(text: string): string {
  if (text.length <= longestKey) return text;
  let [one, other] = [0x811c9dc5, 0];
  for (let at = longestKey; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = (Math.imul(other, 31) + unit) | 0;
  }
  return `${text.slice(0, longestKey)}${text.length} ${one} ${other}`;
}

/** In the order of each first member. */
function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): [Item, ...Item[]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function bySeverity(one: Bundle, other: Bundle): number {
  return worstRank(one) - worstRank(other);
}

function worstRank(bundle: Bundle): number {
  return bundle.reduce((worst, { severity }) => Math.min(worst, rankOf(severity)), rankOf('low'));
}

/** The largest share whose sum over all stays within the limit; at least 1. */
function equalShare(counts: readonly number[], limit: number): number {
  let [left, share] = [limit, 0];
  const ascending = counts.toSorted((one, other) => one - other);
  for (const [index, count] of ascending.entries()) {
    share = Math.floor(left / (ascending.length - index));
    if (count > share) break;
    left -= count;
  }
  return Math.max(share, 1);
}

// Groups by average link over log-odds, held back by complete link: two groups join while the mean over all their cross
// pairs is high enough and no cross pair is missing or speaks clearly against it, so that a chain of likenesses does not
// pull unlike statements together. Groups that share no link never touch: what is unrelated changes nothing.

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

/** By position those it is tied to; null while there are none, as of most. */
type Ties = (Map<number, Tie> | null)[];

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
  const ties: Ties = Array.from({ length: count }, () => null);
  const reach = reachesOf(count, links, join);
  for (const { one, other, odds } of links)
    if (odds >= veto && reach[one] === reach[other])
      setTie(ties, [one, other], { sum: clamp(odds, veto, most), count: 1 });

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
    for (const [other, tie] of own ?? []) if (one < other) offer(one, other, tie);

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

/**
 * By position the number of those it can end up with, by way of others: a mean that is high enough needs one link that is.
 * A tie that leads out of there can be forgotten, and most do.
 */
function reachesOf(count: number, links: readonly Link[], join: number): Int32Array {
  const parents = Int32Array.from({ length: count }, (_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root] as number] as number;
      root = parents[root] as number;
    }
    return root;
  };
  for (const { one, other, odds } of links) if (odds >= join) parents[rootOf(one)] = rootOf(other);
  return parents.map((_, index) => rootOf(index));
}

function setTie(ties: Ties, [one, other]: readonly [number, number], tie: Tie): void {
  (ties[one] ??= new Map()).set(other, tie);
  (ties[other] ??= new Map()).set(one, tie);
}

/** What is tied to one side only stays apart for good, but its ties are kept: they are few. */
function mergeTies(ties: Ties, into: number, from: number): void {
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
