import { describe, expect, it } from 'vitest';
import { formClaims } from '../../src/agreement/claims.ts';
import { comparePolarity } from '../../src/agreement/polarity.ts';
import { createMatcher } from '../../src/agreement/calibrated.ts';
import { pureStrategies } from '../../src/core/settings.ts';
import { findingOf, type FindingSample } from './sample.ts';

async function countClaims(
  strategy: (typeof pureStrategies)[number],
  samples: readonly FindingSample[],
) {
  const findings = samples.map((sample, index) =>
    findingOf(`R${index}`, 'The query is built from user input', sample),
  );
  return (
    await formClaims({
      findings,
      matcher: createMatcher(strategy),
      panel: [],
      reviews: [],
    })
  ).length;
}

describe.each(pureStrategies)('whatever the strategy (%s)', strategy => {
  it('one place in two categories is two claims', async () =>
    expect(
      await countClaims(strategy, [
        { path: 'a.ts', line: 3, category: 'security' },
        { path: 'a.ts', line: 3, category: 'performance' },
      ]),
    ).toBe(2));

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

const line: FindingSample = { path: 'a.ts', line: 10 };

const opposite = (one: string, other: string) =>
  comparePolarity(findingOf('a', one, line), findingOf('b', other, line)) === 'opposite';

describe('two sentences', () => {
  const lacks = [
    [
      'No rate limit on login',
      'Login is not rate limited',
      'Missing rate limit on login',
      'Login lacks a rate limit',
      'Login works without rate limit',
      'A rate limit on login is missing',
    ],
    [
      'The return value is not checked',
      'No check of the return value',
      "The return value isn't checked",
      'Missing check of the return value',
      'The caller fails to check the return value',
      'The check of the return value is skipped',
    ],
    [
      'Expired codes are never tested',
      'There are no tests for expired codes',
      'Tests for expired codes are missing',
      'The plan omits tests for expired codes',
    ],
    // A thing that is named twice is not denied by one of the times.
    ['The orders have no backups: backups are missing', 'Backups of the orders are missing'],
  ];

  it('that miss one thing, in whatever words, do not say the opposite', () => {
    for (const family of lacks)
      for (const one of family)
        for (const other of family)
          expect([one, other, opposite(one, other)]).toEqual([one, other, false]);
  });

  it.each([
    ['The return value is checked', lacks[1] ?? []],
    ['Login has a rate limit', (lacks[0] ?? []).filter(text => !text.includes('limited'))],
    ['Expired codes are tested', lacks[2] ?? []],
  ])('%j is the opposite of each way to say that it is not so', (claim, family) => {
    for (const denial of family) {
      expect([denial, opposite(claim, denial)]).toEqual([denial, true]);
      expect([denial, opposite(denial, claim)]).toEqual([denial, true]);
    }
  });

  it.each([
    ['Missing validation of the amount', 'Validation of the amount is slow'],
    ['Missing validation of the amount', 'The amount is validated twice'],
    ['Upload fails without a name', 'The name is too long'],
  ])('about two troubles of one thing are no opposites: %j and %j', (one, other) =>
    expect([opposite(one, other), opposite(other, one)]).toEqual([false, false]),
  );
});
