/** What grouping asks of a matcher beyond the port: which pairs are worth comparing at all. */
import type { Finding } from '../core/words/finding.ts';
import type { Matcher } from '../core/ports/matcher.ts';

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
export function pairsFor(matcher: Matcher, findings: readonly Finding[]): Iterable<Pair> {
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
export function holdersOf<Term>(sets: readonly Iterable<Term>[]): Map<Term, number[]> {
  const holders = new Map<Term, number[]>();
  for (const [index, set] of sets.entries())
    for (const term of set) {
      const list = holders.get(term);
      if (!list) holders.set(term, [index]);
      else list.push(index);
    }
  return holders;
}
