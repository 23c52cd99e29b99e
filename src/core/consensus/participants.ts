/**
 * Who takes part in matching when there is too much to compare. Grouping costs the square of what it is given, so the
 * places are shared out evenly: a reviewer that says 10,000 things cannot take those of one that says three.
 */
import type { Finding } from '../finding.ts';
import { rankOf } from '../severity.ts';

/** Findings compared with each other in one run, at most, by a matcher that compares all: eight reviewers with 250 each. */
const roomForAll = 2_000;

/** Of one reviewer, at most, once there are more than that: a part of the capacity. */
const largestPart = 1 / 4;

/** Findings that go one way: what a reviewer says again in the same words goes with the first time. Never empty. */
export type Bundle = readonly [Finding, ...Finding[]];

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
  if (findings.length <= capacity) return { matched: findings.map(finding => [finding]), apart: [] };
  const bundles = groupBy(findings, wordsAndPlace);
  const byReviewer = groupBy(bundles, ([finding]) => finding.reviewer);
  const share = Math.min(capacity * largestPart, equalShare(byReviewer.map(list => list.length), capacity));
  const chosen = new Set(byReviewer.flatMap(list => list.toSorted(bySeverity).slice(0, share)));
  return { matched: bundles.filter(bundle => chosen.has(bundle)), apart: bundles.filter(bundle => !chosen.has(bundle)) };
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
