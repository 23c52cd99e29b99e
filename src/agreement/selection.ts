/**
 * Who takes part in matching when there is too much to compare. Grouping costs the square of what it is given, so the places
 * are shared out evenly: a reviewer that says 10,000 things cannot take those of one that says three.
 */
import type { Finding } from '../core/words/finding.ts';
import { rankOf } from '../core/words/severity.ts';

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
