/** Stems by Porter's algorithm, remembered: a few thousand words make up most remarks, and each is met many times. */
import { stemmer } from 'stemmer';

const known = new Map<string, string>();

/** Remembered at most; then it starts anew. */
const mostKnown = 20_000;
const longestKnown = 40;

/** `word`: lower case. */
export function stemOf(word: string): string {
  const remembered = known.get(word);
  if (remembered !== undefined) return remembered;
  const stem = stemmer(word);
  if (word.length > longestKnown) return stem;
  if (known.size >= mostKnown) known.clear();
  known.set(word, stem);
  return stem;
}
