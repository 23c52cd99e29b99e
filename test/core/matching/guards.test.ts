import { describe, expect, it } from 'vitest';
import { formClaims } from '../../../src/core/matching/claims.ts';
import { createMatcher } from '../../../src/core/matching/strategies.ts';
import { pureStrategies } from '../../../src/core/words/config.ts';
import { findingOf, sha256, type FindingSample } from './sample.ts';

async function countClaims(
  strategy: (typeof pureStrategies)[number],
  samples: readonly FindingSample[],
): Promise<number> {
  const findings = samples.map((sample, index) =>
    findingOf(`R${index}`, 'The query is built from user input', sample),
  );
  return (
    await formClaims({
      findings,
      matcher: await createMatcher(strategy),
      panel: [],
      reviews: [],
      hash: sha256,
    })
  ).length;
}

describe.each(pureStrategies)('whatever the strategy (%s)', strategy => {
  it('one place in two categories is two claims', async () => {
    expect(
      await countClaims(strategy, [
        { path: 'a.ts', line: 3, category: 'security' },
        { path: 'a.ts', line: 3, category: 'performance' },
      ]),
    ).toBe(2);
  });

  it('one place in one category, or in an unnamed one, is one claim', async () => {
    expect(
      await countClaims(strategy, [
        { path: 'a.ts', line: 3, category: 'Security' },
        { path: 'a.ts', line: 3, category: 'security' },
      ]),
    ).toBe(1);
    expect(
      await countClaims(strategy, [
        { path: 'a.ts', line: 3, category: 'security' },
        { path: 'a.ts', line: 3 },
      ]),
    ).toBe(1);
  });
});
