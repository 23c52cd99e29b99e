/** The matching strategies that need nothing but the findings, by name: one file and one line here each. */
import type { PureStrategy } from '../core/words/config.ts';
import type { Matcher } from '../core/ports/matcher.ts';
import { createCalibratedMatcher } from './calibrated.ts';
import { matcherModel } from './calibrated-model.ts';
import { createOverlapMatcher } from './overlap.ts';

/** Whole percent, for strategies whose cut can be set. */
const defaultThreshold = 60;

const factories: Readonly<Record<PureStrategy, (threshold: number) => Matcher>> = {
  overlap: createOverlapMatcher,
  calibrated: () => createCalibratedMatcher(matcherModel),
};

export function createMatcher(strategy: PureStrategy, threshold = defaultThreshold): Matcher {
  return factories[strategy](threshold);
}
