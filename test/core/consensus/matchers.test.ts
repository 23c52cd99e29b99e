import { pureStrategies } from '../../../src/core/config.ts';
import { createMatcher } from '../../../src/core/consensus/strategies.ts';
import { describeMatcher } from '../../contracts/matcher.ts';

for (const strategy of pureStrategies) describeMatcher(strategy, async () => ({ open: () => createMatcher(strategy) }));
