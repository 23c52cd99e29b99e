/**
 * Groups by average link over log-odds: two groups join while the mean over all their cross pairs is high enough. A pair
 * without a link counts as hopeless, so that a chain of likenesses does not pull unlike statements together. Groups that
 * share no link never touch: what is unrelated changes nothing.
 */
import TinyQueue from 'tinyqueue';
import { by, groupsBy, sumOf } from '../core/groups.ts';
import type { Matcher } from '../core/ports/matcher.ts';
import { clamp } from '../core/words/claim.ts';
import type { Finding } from '../core/words/finding.ts';
import { type Statement, type Terms, shareOf } from './statements.ts';
import { areDifferentFiles, words } from './wording/words.ts';

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
export function meanOdds({ sum, count }: Tie, pairs: number) {
  return (sum - widestOdds * (pairs - count)) / pairs;
}

export function tieOf(links: readonly Link[]): Tie {
  return {
    sum: sumOf(links, ({ odds }) => clamp(odds, -widestOdds, widestOdds)),
    count: links.length,
  };
}

/** Groups of the positions in `files`, each ascending, by their first. Each pair has one link or none; no group has two files. */
export function linkByAverage(files: readonly string[], links: readonly Link[]) {
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
export function inOrder(groups: readonly number[][]) {
  return groups
    .filter(group => group.length > 0)
    .map(group => group.sort(by(Number)))
    .sort(by(([first]) => first ?? 0));
}

// What grouping asks of a matcher beyond the port: which pairs are worth comparing at all.

/** Positions in the list of findings given to `prepare`, the smaller first. */
export type Pair = readonly [number, number];

/** A matcher that can rule out most pairs unseen. Every pair it does not name compares as different. */
export interface SelectiveMatcher extends Matcher {
  pairs(findings: readonly Finding[]): Iterable<Pair>;
}

export interface Grouping {
  /** Positions in the list, ascending in each group; groups by their first position. Every position is in one. */
  readonly groups: readonly (readonly number[])[];
  /** By group: the probability that one of its findings says what the others say; left out by a matcher that cannot tell. */
  readonly sureness?: readonly number[];
  /** Pairs that say the opposite of each other. */
  readonly contradictions: readonly Pair[];
  /** Findings that were compared with nothing for want of room; none when left out. */
  readonly apart?: number;
}

/** A matcher that weighs all pairs of a run against each other, and therefore forms the groups itself. */
export interface GroupingMatcher extends Matcher {
  /** Findings that it can group at a time. */
  readonly capacity: number;
  /** Of the findings that were given to `prepare`. */
  group(findings: readonly Finding[]): Grouping;
}

export function isGrouping(matcher: Matcher): matcher is GroupingMatcher {
  return 'group' in matcher;
}

/** The pairs to compare: those the matcher names, else all of them. */
export function pairsFor(matcher: Matcher, findings: readonly Finding[]) {
  return isSelective(matcher) ? matcher.pairs(findings) : allPairs(findings.length);
}

function isSelective(matcher: Matcher): matcher is SelectiveMatcher {
  return 'pairs' in matcher;
}

export function* allPairs(count: number): Generator<Pair> {
  for (let one = 0; one < count; one += 1) {
    for (let other = one + 1; other < count; other += 1) yield [one, other];
  }
}

/**
 * Pairs of sets that share one of their telling terms: `terms[i]` holds everything item i says, `telling[i]` the part
 * of it that a match cannot do without. Each pair once, in ascending order of its first position.
 */
export function* pairsSharing(
  terms: readonly Iterable<string>[],
  telling: readonly Iterable<string>[],
): Generator<Pair> {
  const holders = holdersOf(terms);
  const seekers = holdersOf(telling);
  for (const [index, own] of terms.entries()) {
    const partners = new Set<number>();
    for (const term of telling[index] ?? [])
      for (const other of holders.get(term) ?? []) if (other > index) partners.add(other);
    for (const term of own)
      for (const other of seekers.get(term) ?? []) if (other > index) partners.add(other);
    for (const partner of partners) yield [index, partner];
  }
}

/** By term the positions of the sets that hold it, ascending. */
export function holdersOf<Term>(sets: readonly Iterable<Term>[]) {
  const holders = new Map<Term, number[]>();
  for (const [index, set] of sets.entries())
    for (const term of set) {
      const list = holders.get(term);
      if (!list) holders.set(term, [index]);
      else list.push(index);
    }
  return holders;
}

// Which statements of a panel are worth comparing: those that share telling terms. Near-linear: a common term leads to a bounded
// number of others, and a statement keeps a bounded number of partners.

/** A term that more statements share tells them apart no more and leads to none. */
const crowd = 32;

/** A statement keeps as many partners, the likest; it can be kept by more. */
const mostPartners = 48;

/** Numbers of statements, the smaller first, each pair once, ascending; none of two different files. */
export function pairsAmong(statements: readonly Statement[]): Pair[] {
  const [ofStems, ofNames] = [
    holdersOf(statements.map(({ stems }) => stems.terms)),
    holdersOf(statements.map(({ names }) => names.terms)),
  ];
  const norms = statements.map(({ stems, names }) => Math.hypot(stems.norm, names.norm));
  const shared = new Float64Array(statements.length);
  const pairs: number[] = [];
  const addPair = (one: number, other: number) => {
    if (!areDifferentFiles(statements[one]?.file ?? '', statements[other]?.file ?? ''))
      // One number for each pair: numbers are told apart and sorted much faster than pairs.
      pairs.push(Math.min(one, other) * statements.length + Math.max(one, other));
  };
  for (const [index, { stems, names }] of statements.entries()) {
    const touched: number[] = [];
    addShared(index, stems, ofStems, shared, touched);
    addShared(index, names, ofNames, shared, touched);
    const norm = norms[index] as number;
    const cosineOf = (other: number) =>
      (shared[other] as number) / ((norms[other] as number) * norm);
    for (const other of strongest(touched, cosineOf)) addPair(index, other);
    for (const other of touched) shared[other] = 0;
  }
  for (const [one, other] of pairsNearby(statements)) addPair(one, other);
  const codes = Float64Array.from(pairs).sort();
  return Array.from(
    codes.filter((code, at) => code !== codes[at - 1]),
    code => [Math.floor(code / statements.length), code % statements.length],
  );
}

/**
 * Adds to `shared`, by statement, the squared weights of the terms it has in common with the one at `index`; `touched`
 * gets those whose sum was 0.
 */
function addShared(
  index: number,
  { terms, weights }: Terms,
  holders: ReadonlyMap<number, readonly number[]>,
  shared: Float64Array,
  touched: number[],
) {
  terms.forEach((term, at) => {
    const list = holders.get(term) as readonly number[];
    if (list.length < 2 || list.length > crowd) return;
    const weight = (weights[at] as number) ** 2;
    list.forEach(other => {
      if (other === index) return;
      if (shared[other] === 0) touched.push(other);
      shared[other] = (shared[other] as number) + weight;
    });
  });
}

/** Of equal ones those first in the list. */
function strongest(touched: readonly number[], cosineOf: (other: number) => number) {
  if (touched.length <= mostPartners) return touched;
  const cosines = Float64Array.from(touched, cosineOf);
  const least = cosines.toSorted().at(-mostPartners) as number;
  const equal = touched.filter((_, at) => cosines[at] === least).sort(by(Number));
  return [...touched.filter((_, at) => (cosines[at] as number) > least), ...equal].slice(
    0,
    mostPartners,
  );
}

/** Lines apart, at most, of two about one place: worth comparing whatever the rest of the panel says in the same words. */
const nearby = 3;

/** In a crowd on a few lines each is compared with so many that follow. */
const mostFollowing = 32;

/** Those that share a word. Without a line there is no neighbour. */
function pairsNearby(statements: readonly Statement[]) {
  const placed = statements.flatMap((statement, index) => {
    const { location } = statement.finding;
    return !location || location.line === null
      ? []
      : [{ statement, index, line: location.line, file: `${location.side} ${location.path}` }];
  });
  return groupsBy(placed, ({ file }) => file).flatMap(group =>
    group.sort(by(({ line }) => line)).flatMap((one, at) =>
      group
        .slice(at + 1, at + 1 + mostFollowing)
        .filter(({ line, statement }) => {
          if (line - one.line > nearby) return false;
          const { count } = shareOf(one.statement.stems, statement.stems);
          return count > 0 || shareOf(one.statement.names, statement.names).count > 0;
        })
        .map((other): Pair => [one.index, other.index]),
    ),
  );
}

/** Things by the words they share with other texts, rare words first; of equals the first in the list. Only those that share one. */
export function createSearch<Thing>(
  things: readonly Thing[],
  textsOf: (thing: Thing) => readonly string[],
): (texts: readonly string[]) => Thing[] {
  const holders = holdersOf(things.map(thing => words(textsOf(thing).join('\n'))));
  return texts => {
    const shared = new Map<number, number>();
    for (const word of words(texts.join('\n'))) {
      const list = holders.get(word) ?? [];
      for (const at of list) shared.set(at, (shared.get(at) ?? 0) + 1 / list.length);
    }
    return [...shared]
      .sort(([one, worth], [other, otherWorth]) => otherWorth - worth || one - other)
      .map(([at]) => things[at] as Thing);
  };
}
