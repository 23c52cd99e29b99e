/** Stems by Porter's algorithm, remembered: a few thousand words make up most remarks, and each is met many times. */
import { stemmer } from 'stemmer';
import { createRecall } from './recall.ts';

const recall = createRecall(stemmer, { most: 20_000, longest: 40 });

/** Of a word in lower case. */
export function stemOf(word: string): string {
  // No ending of English has a digit, so that names such as `sha256` are their own stems.
  return /\d$/.test(word) ? word : recall(word);
}
