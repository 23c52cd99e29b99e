/**
 * How many voices reviewers are: seats of one family make the same mistakes, and who repeats another's words to the letter
 * says nothing of his own. A reviewer more never makes the voices fewer.
 */
import type { Finding } from '../../core/words/finding.ts';
import { longestText } from '../wording/written-words.ts';

export interface Weighing {
  /** Reviewers with a partial review. */
  readonly partial: ReadonlySet<string>;
  /** Vendor family by reviewer, where known. */
  readonly families: ReadonlyMap<string, string>;
}

/** What the voice of a partial review weighs. */
const partialWeight = 0.5;

export function weightOf(reviewer: string, { partial }: Pick<Weighing, 'partial'>): number {
  return partial.has(reviewer) ? partialWeight : 1;
}

/**
 * Sum of what each reviewer is worth (0 or more). Within one family, the largest first, each counts half of what the one
 * before did: with at most `w` each, a family of any size stays below `2w`, and one more of any worth never lowers the sum.
 */
export function sumVoices(
  reviewers: readonly string[],
  worthOf: (reviewer: string) => number,
  { families }: Pick<Weighing, 'families'>,
): number {
  const seats = new Map<string, number[]>();
  for (const reviewer of reviewers) {
    const family = families.get(reviewer) ?? `\n${reviewer}`;
    const known = seats.get(family);
    if (known === undefined) seats.set(family, [worthOf(reviewer)]);
    else known.push(worthOf(reviewer));
  }
  let sum = 0;
  for (const worths of seats.values())
    sum += worths
      .sort((one, other) => other - one)
      .reduce((whole, worth, index) => whole + worth / 2 ** index, 0);
  return sum;
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
  const wordings = new Map<string, Set<string>>();
  for (const { reviewer, text } of findings) {
    const own = wordings.get(reviewer);
    if (own === undefined) wordings.set(reviewer, new Set([wordsAlone(text)]));
    else own.add(wordsAlone(text));
  }
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

/** Does one of the reviewers say it twice, in different words? */
export function isSaidTwice(findings: readonly Pick<Finding, 'reviewer' | 'text'>[]): boolean {
  // To compare the words takes long, and most say it once.
  const reviewers = new Set(findings.map(({ reviewer }) => reviewer));
  if (reviewers.size === findings.length) return false;
  const said = new Map<string, string>();
  return findings.some(({ reviewer, text }) => {
    const wording = wordsAlone(text);
    const before = said.get(reviewer);
    if (before === undefined) said.set(reviewer, wording);
    return before !== undefined && before !== wording;
  });
}

/** The same for copies word for word: letters and digits alone, in lower case; a text without any stays as it is. */
export function wordsAlone(text: string): string {
  const read = text.slice(0, longestText);
  const words = read
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words === '' ? read : words;
}
