/**
 * Complete-link grouping: two groups join only when every finding of one is the same as every finding of the other.
 * The result depends on the order of the list given, never on when an answer arrived. Findings that cannot differ are one
 * participant.
 */
import type { Matcher } from '../core/ports/matcher.ts';
import type { Finding } from '../core/words/finding.ts';
import { mustStayApart } from './guards.ts';
import { inOrder } from './linkage.ts';
import { areReverse } from './polarity.ts';
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
    if (areReverse(first, second)) continue;
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
  return inOrder(groups);
}
