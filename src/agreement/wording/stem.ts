/** Stems by Porter's algorithm, remembered: to make one takes longer than most of what is done with it. */
import { stemmer } from 'stemmer';

const known = new Map<string, string>();
const mostKnown = 30_000;
const longestKnown = 40;

/** Of a word in lower case. */
export function stemOf(word: string): string {
  // No ending of English has a digit, so that names such as `sha256` are their own stems.
  if (/\d$/.test(word)) return word;
  if (word.length > longestKnown) return stemmer(word);
  const stem = known.get(word) ?? stemmer(word);
  if (known.size === mostKnown) known.clear();
  known.set(word, stem);
  return stem;
}
