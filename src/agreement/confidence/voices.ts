/**
 * How many voices reviewers are: seats of one family make the same mistakes, and a reviewer that repeats another's words to the
 * letter says nothing of its own. A reviewer more never makes the voices fewer.
 */
import { textLimit } from '../../core/text.ts';
import type { Finding } from '../../core/words/finding.ts';
import { groupBy } from '../selection.ts';

export interface Families {
  /** Vendor family by reviewer, where known. */
  readonly families: ReadonlyMap<string, string>;
}

/**
 * Sum of what each reviewer is worth (0 or more). Within one family, the largest first, each counts half of what the one
 * before did: with at most `w` each, a family of any size stays below `2w`, and one more of any worth never lowers the sum.
 */
export function sumVoices(
  reviewers: readonly string[],
  worthOf: (reviewer: string) => number,
  { families }: Families,
): number {
  const byWorth = reviewers.toSorted((one, other) => worthOf(other) - worthOf(one));
  return groupBy(byWorth, reviewer => families.get(reviewer) ?? JSON.stringify([reviewer]))
    .flatMap(kin => kin.map((reviewer, before) => worthOf(reviewer) / 2 ** before))
    .reduce((sum, worth) => sum + worth, 0);
}

/**
 * Those of the reviewers that can each be given a wording of their own, in the order in which they are given; the rest only
 * repeat them. As many as there can be: a matching of reviewers and wordings, by augmenting paths (Kuhn 1955).
 */
export function ownWordings(
  reviewers: readonly string[],
  findings: readonly Pick<Finding, 'reviewer' | 'text'>[],
): readonly string[] {
  if (reviewers.length < 2) return reviewers;
  const wordings = new Map(
    groupBy(findings, ({ reviewer }) => reviewer).map(own => [
      own[0].reviewer,
      own.map(({ text }) => wordsAlone(text)),
    ]),
  );
  const holders = new Map<string, string>();
  const give = (reviewer: string, tried: Set<string>): boolean => {
    for (const wording of wordings.get(reviewer) ?? []) {
      if (tried.has(wording)) continue;
      tried.add(wording);
      const holder = holders.get(wording);
      if (holder !== undefined && !give(holder, tried)) continue;
      holders.set(wording, reviewer);
      return true;
    }
    return false;
  };
  return reviewers.filter(reviewer => !wordings.has(reviewer) || give(reviewer, new Set()));
}

/** The same for copies word for word: letters and digits alone, in lower case; a text without any stays as it is. */
function wordsAlone(text: string): string {
  const read = text.slice(0, textLimit);
  const words = read
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words || read;
}
