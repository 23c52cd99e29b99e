/**
 * Troubles of code that reviewers have words for: what is wrong, what comes of it, what puts it right. Two remarks that
 * share hardly a word can still speak of one trouble. Words and no patterns, so that reading takes time in proportion to
 * the text. In the table `two_words` are side by side.
 */
import type { Finding } from '../core/words/finding.ts';
import table from './weaknesses.json' with { type: 'json' };
import { plainOf, wordsIn } from './wording/words.ts';

/** By name of the weakness: how much is told of it. */
type Leaning = ReadonlyMap<string, number>;

/** Words that are side by side in one term, at most. */
const longestTerm = 3;

const readings = new WeakMap<Pick<Finding, 'text'>, ReadonlySet<string>>();

/**
 * 0 to 1: how far two remarks speak of one weakness, each in words of its own: those of both are left out, for they may be
 * what the two are about and no more. The cosine of what they speak of. Symmetric.
 */
export function kinshipOf(one: Pick<Finding, 'text'>, other: Pick<Finding, 'text'>): number {
  const [left, right] = [one, other].map(remark => {
    const terms = readings.get(remark) ?? termsIn(plainOf(remark.text));
    readings.set(remark, terms);
    return terms;
  }) as [ReadonlySet<string>, ReadonlySet<string>];
  const mine = leaningOf([...left].filter(term => !right.has(term)));
  const theirs = leaningOf([...right].filter(term => !left.has(term)));
  let product = 0;
  for (const [name, weight] of mine) product += weight * (theirs.get(name) ?? 0);
  return product && product / Math.hypot(...mine.values()) / Math.hypot(...theirs.values());
}

/** 1 for a word that is told of one weakness alone; a few words of one together tell more than each by itself. */
export function weaknessesIn(text: string): Leaning {
  return leaningOf(termsIn(plainOf(text)));
}

export const securityWeaknesses: ReadonlySet<string> = new Set(Object.keys(table.security));

function leaningOf(terms: Iterable<string>) {
  const sums = new Map<string, number>();
  for (const term of terms) {
    const told = weaknessesBy().get(term) ?? [];
    for (const name of told) sums.set(name, (sums.get(name) ?? 0) + 1 / Math.sqrt(told.length));
  }
  return new Map(Array.from(sums, ([name, sum]) => [name, sum ** 2]));
}

let index: ReadonlyMap<string, readonly string[]> | undefined;

/** By term. Made when first needed: most runs have no lone remarks. */
function weaknessesBy() {
  if (index) return index;
  const made = new Map<string, string[]>();
  for (const [name, words] of Object.values(table).flatMap(Object.entries<string>))
    for (const word of words.split(' ')) {
      const term = stemsIn(word).join('_');
      made.set(term, [...(made.get(term) ?? []), name]);
    }
  return (index = made);
}

function termsIn(text: string) {
  const stems = stemsIn(text);
  return new Set(
    stems.flatMap((_, start) =>
      Array.from({ length: longestTerm }, (__, more) =>
        stems.slice(start, start + more + 1).join('_'),
      ),
    ),
  );
}

function stemsIn(text: string) {
  return wordsIn(text).words.flatMap(({ pieces }) => pieces);
}
