/**
 * Who takes part in matching when there is too much to compare. Grouping costs the square of what it is given, so the places
 * are shared out evenly: a reviewer that says 10,000 things cannot take those of one that says three.
 */
import { groupsBy } from '../core/groups.ts';
import type { Finding } from '../core/words/finding.ts';
import { rankOf } from '../core/words/severity.ts';
import { hashOf } from './wording/words.ts';

/** Findings compared with each other in one run, at most, by a matcher that compares all: eight reviewers with 250 each. */
export const roomForAll = 2_000;

/** Of one reviewer, at most, once there are more than that: a part of the capacity. */
const largestPart = 1 / 4;

/** What is said again in the same words of the same place goes with the first time. Never empty. */
type Bundle = readonly [Finding, ...Finding[]];

export interface Selection {
  /** Matched, each by its first finding; in the order given. */
  readonly matched: readonly Bundle[];
  /** Compared with nothing: each forms a claim of its own. */
  readonly apart: readonly Bundle[];
}

/**
 * Everything is matched one by one while there is room. Otherwise repetitions are bundled, and the reviewers are given places in
 * turn, each for the most severe that it says and that has none yet.
 */
export function selectForMatching(findings: readonly Finding[], capacity = roomForAll): Selection {
  if (findings.length <= capacity)
    return { matched: findings.map(finding => [finding]), apart: [] };
  const bundles = groupsBy(findings, ({ text, category, location }) =>
    JSON.stringify([keyOfText(text), category, location?.path, location?.line]),
  );
  const bundleOf = new Map(bundles.flatMap(bundle => bundle.map(each => [each, bundle] as const)));
  const turns = groupsBy(
    findings.toSorted((one, other) => rankOf(one.severity) - rankOf(other.severity)),
    ({ reviewer }) => reviewer,
  )
    .flatMap(own =>
      [...new Set(own.map(finding => bundleOf.get(finding) as Bundle))]
        .slice(0, capacity * largestPart)
        .map((bundle, turn) => ({ bundle, turn })),
    )
    .sort((one, other) => one.turn - other.turn);
  const chosen = new Set([...new Set(turns.map(({ bundle }) => bundle))].slice(0, capacity));
  return {
    matched: bundles.filter(bundle => chosen.has(bundle)),
    apart: bundles.filter(bundle => !chosen.has(bundle)),
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
    : `${apart} of ${all} findings were compared with no other, because there is room for ${capacity}: ` +
        'of each reviewer the most severe come first. They form claims by their exact words alone.';
}

/** Characters of a text that tell it from others by themselves. */
const longestKey = 4_000;

/**
 * Equal for equal texts. Of a long one the beginning, its length and a hash of the rest: the keys of many long texts would take as
 * much room again as the texts, and the built-in maps tell long texts of one length apart in quadratic time.
 */
export function keyOfText(text: string): string {
  return text.length <= longestKey
    ? text
    : `${text.slice(0, longestKey)}${text.length} ${hashOf(text.slice(longestKey))}`;
}
