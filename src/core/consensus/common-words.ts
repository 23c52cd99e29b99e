/** What two wordings have in common, as people wrote it: words in place of stems, names in place of their lower case. */
import { stemmer } from 'stemmer';
import { isReviewVocabulary } from './review-vocabulary.ts';
import type { Statement } from './statement.ts';

export interface Common {
  /** As the first wording has them, the telling ones first. */
  readonly words: readonly string[];
  readonly names: readonly string[];
}

interface Worded {
  readonly text: string;
  readonly statement: Statement;
}

export function findCommon(one: Worded, other: Worded): Common {
  const names = new Map<string, string>();
  const words = new Map<string, string>();
  for (const [run] of one.text.matchAll(/[\p{L}\p{Nd}_$]+/gu)) {
    const name = run.toLowerCase().replaceAll('_', '');
    if (one.statement.identifiers.has(name) && other.statement.identifiers.has(name)) names.set(name, names.get(name) ?? run);
    const stem = stemmer(run.toLowerCase());
    if (one.statement.stems.has(stem) && other.statement.stems.has(stem)) words.set(stem, words.get(stem) ?? run.toLowerCase());
  }
  for (const piece of one.statement.stems) if (/[^\p{Script=Latin}]/u.test(piece) && other.statement.stems.has(piece)) words.set(piece, words.get(piece) ?? piece);
  return { words: tellingFirst([...words].filter(([stem]) => !names.has(stem))), names: [...names.values()] };
}

/** The vocabulary of all reviews is named only where there is nothing else, scraps of two letters never. */
function tellingFirst(words: readonly (readonly [stem: string, word: string])[]): string[] {
  const whole = words.filter(([, word]) => !/^[a-z]{1,2}$/.test(word)).sort(([left], [right]) => right.length - left.length || (left < right ? -1 : 1));
  const telling = whole.filter(([stem]) => !isReviewVocabulary(stem));
  return (telling.length > 0 ? telling : whole).map(([, word]) => word);
}

/** `a`, `a and b`, `a, b and c`. */
export function enumerate(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}
