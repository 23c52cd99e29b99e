/** Statements about the same lines: worth comparing whatever the rest of the run says in the same words. */
import type { Finding } from '../finding.ts';
import type { Pair } from './matching.ts';

/** Lines apart, at most. */
const nearby = 3;

/** Of a crowd on a few lines each is compared with so many that follow. */
const mostFollowing = 32;

/** Positions in the list, the smaller first, each pair once. Findings without a line have no neighbours. */
export function nearPairs(findings: readonly Finding[]): Pair[] {
  const placed = findings.flatMap(({ location }, index) => (location === null || location.line === null ? [] : [{ index, line: location.line, key: `${location.side}\n${location.path}` }]));
  placed.sort((one, other) => compare(one.key, other.key) || one.line - other.line || one.index - other.index);
  return placed.flatMap((one, position) => {
    const pairs: Pair[] = [];
    for (const other of placed.slice(position + 1, position + 1 + mostFollowing)) {
      if (other.key !== one.key || other.line - one.line > nearby) break;
      pairs.push([Math.min(one.index, other.index), Math.max(one.index, other.index)]);
    }
    return pairs;
  });
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
