/** The matching strategies that need nothing but the findings, by name: one file and one line here each. */
import type { PureStrategy } from '../core/words/config.ts';
import type { Matcher } from '../core/ports/matcher.ts';

/** Whole percent, for strategies whose cut can be set. */
const defaultThreshold = 60;

const factories: Readonly<Record<PureStrategy, (threshold: number) => Promise<Matcher>>> = {
  overlap: async threshold => (await import('./overlap.ts')).createOverlapMatcher(threshold),
  calibrated: async () => {
    const [{ createCalibratedMatcher }, { matcherModel }] = await Promise.all([
      import('./calibrated.ts'),
      import('./calibrated-model.ts'),
    ]);
    return createCalibratedMatcher(matcherModel);
  },
};

export function createMatcher(
  strategy: PureStrategy,
  threshold = defaultThreshold,
): Promise<Matcher> {
  return factories[strategy](threshold);
}
