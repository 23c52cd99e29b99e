/** Stems by Porter's algorithm, remembered: a few thousand words make up most remarks, and each is met many times. */
import { stemmer } from 'stemmer';
import { createRecall } from './recall.ts';

/** Of a word in lower case. */
export const stemOf: (word: string) => string = createRecall(stemmer, {
  most: 20_000,
  longest: 40,
});
