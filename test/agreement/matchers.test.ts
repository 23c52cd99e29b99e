import { pureStrategies } from '../../src/core/settings.ts';
import { createMatcher } from '../../src/agreement/calibrated.ts';
import { describeMatcher } from '../contracts/matcher.ts';

for (const strategy of pureStrategies)
  describeMatcher(strategy, async () => ({ open: async () => createMatcher(strategy) }));
