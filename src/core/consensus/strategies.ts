/** The matching strategies by name. A strategy is one file and one line here. */
import type { Strategy } from '../config.ts';
import type { Matcher } from '../ports.ts';

/** Whole percent, for strategies whose cut can be set. */
const defaultThreshold = 60;

const factories: Readonly<Record<Strategy, (threshold: number) => Promise<Matcher>>> = {
  overlap: async threshold => (await import('./overlap.ts')).createOverlapMatcher(threshold),
  lexical: async () => (await import('./lexical.ts')).createLexicalMatcher(),
};

export function createMatcher(strategy: Strategy, threshold = defaultThreshold): Promise<Matcher> {
  return factories[strategy](threshold);
}
