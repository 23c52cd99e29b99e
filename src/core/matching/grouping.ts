/**
 * Complete-link grouping: two groups join only when every finding of one is the same as every finding of the other.
 * The result depends on the order of the list given, never on when an answer arrived. Findings that cannot differ are one
 * participant.
 */
import type { Finding } from '../words/finding.ts';
import type { Matcher } from '../ports.ts';
import { rankOf } from '../words/severity.ts';
import { mustStayApart } from './guards.ts';
import { type Grouping, isGrouping, type Pair, pairsFor } from './matching.ts';

interface Link {
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
  const links: Link[] = [];
  const contradictions: Pair[] = [];
  for (const [one, other] of pairsFor(matcher, findings)) {
    const [first, second] = [findings[one], findings[other]];
    if (first === undefined || second === undefined) continue;
    if (mustStayApart(first, second)) continue;
    const { same, score, contradicts } = matcher.compare(first, second);
    if (same) links.push({ one, other, score });
    else if (contradicts === true) contradictions.push([one, other]);
  }
  links.sort((a, b) => b.score - a.score || a.one - b.one || a.other - b.other);
  return { groups: joinCompletely(findings.length, links), contradictions };
}

/**
 * Counts the links between every two groups instead of looking them up again for each pair: two groups are completely
 * linked when the count is the product of their sizes. A join adds up two rows.
 */
function joinCompletely(count: number, links: readonly Link[]): number[][] {
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
const roomForAll = 2_000;

/** Of one reviewer, at most, once there are more than that: a part of the capacity. */
const largestPart = 1 / 4;

/** Findings that go one way: what a reviewer says again in the same words goes with the first time. Never empty. */
type Bundle = readonly [Finding, ...Finding[]];

export interface Selection {
  /** Matched, each by its first finding; in the order given. */
  readonly matched: readonly Bundle[];
  /** Each forms a claim of its own. */
  readonly apart: readonly Bundle[];
}

/**
 * Everything is matched one by one while there is room. Otherwise repetitions are bundled, and of each reviewer its most
 * severe bundles are matched, up to an equal share.
 */
export function selectForMatching(findings: readonly Finding[], capacity = roomForAll): Selection {
  if (findings.length <= capacity)
    return { matched: findings.map(finding => [finding]), apart: [] };
  const bundles = groupBy(findings, wordsAndPlace);
  const byReviewer = groupBy(bundles, ([finding]) => finding.reviewer);
  const share = Math.min(
    capacity * largestPart,
    equalShare(
      byReviewer.map(list => list.length),
      capacity,
    ),
  );
  const chosen = new Set(byReviewer.flatMap(list => list.toSorted(bySeverity).slice(0, share)));
  return {
    matched: bundles.filter(bundle => chosen.has(bundle)),
    apart: bundles.filter(bundle => !chosen.has(bundle)),
  };
}

function wordsAndPlace({ reviewer, text, category, location }: Finding): string {
  return JSON.stringify([reviewer, text, category, location?.path, location?.line]);
}

/** In the order of each first member. */
function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): [Item, ...Item[]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
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
