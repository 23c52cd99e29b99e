import type { Counter } from '../words/code-index.ts';

/** Counts tokens on this machine. Linear in the text, whatever it holds. */
export interface TokenCounter extends Counter {
  count(text: string): number;
}
