import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Claim } from '../../src/core/words/claim.ts';
import { computeStatistics, wilsonInterval } from '../../src/render/statistics.ts';
import type { Review } from '../../src/core/words/review.ts';
import type { RunRecord } from '../../src/core/words/run.ts';
import { findingOf, reviewOf } from '../agreement/sample.ts';
import { createProject } from '../agreement/memory/sample-project.ts';

const usage = {
  calls: 2,
  inputTokens: 100,
  outputTokens: 20,
  cachedTokens: 0,
  cost: 0.5,
  estimated: false,
};

async function judgedProject() {
  const project = createProject({ 'src/a.ts': 'one();\ntwo();\nthree();\nfour();\nfive();\n' });
  const { claims } = await project.hold([
    { reviewer: 'alpha', text: 'The pool is never drained', path: 'src/a.ts', line: 1 },
    { reviewer: 'beta', text: 'The pool is never drained', path: 'src/a.ts', line: 1 },
    { reviewer: 'alpha', text: 'Sessions outlive the password', path: 'src/a.ts', line: 3 },
    { reviewer: 'gamma', text: 'Names are hard to read', path: 'src/a.ts', line: 5 },
  ]);
  const idOf = (words: string) => claims.find(({ text }) => text.includes(words))?.id ?? '';
  project.decide(idOf('pool'), { verdict: 'accepted' });
  project.decide(idOf('Sessions'), { verdict: 'tolerated' });
  project.decide(idOf('Names'));
  return project.memory;
}

function runOf(reviews: readonly Review[], claims: readonly Partial<Claim>[] = []) {
  return { record: { claims } as RunRecord, reviews: [...reviews] };
}

describe('the statistics of a panel', () => {
  it('say who confirmed what, and what would be lost without each', async () => {
    const { reviewers, confirmed, rejected } = computeStatistics(await judgedProject(), []);
    expect([confirmed, rejected]).toEqual([2, 1]);
    expect(
      reviewers.map(({ reviewer, claims, confirmed: own, rejected: wrong, precision, alone }) => [
        reviewer,
        claims,
        own,
        wrong,
        precision,
        alone,
      ]),
    ).toEqual([
      ['alpha', 2, 2, 0, 1, { claims: 1, confirmed: 1 }],
      ['beta', 1, 1, 0, 1, { claims: 0, confirmed: 0 }],
      ['gamma', 1, 0, 1, 0, { claims: 1, confirmed: 0 }],
    ]);
    expect(reviewers[0]?.interval.low).toBeCloseTo(0.3424, 3);
  });

  it('count a review once that a later run took over', () => {
    const taken = reviewOf('alpha', {
      usage,
      findings: [findingOf('alpha', 'x'), findingOf('alpha', 'y', { isImprovement: true })],
    });
    const again = reviewOf('alpha', {
      usage,
      startedAt: '2026-11-22T00:00:00.000Z',
      status: 'failed',
    });
    const { reviewers } = computeStatistics({ claims: [], dispositions: [] }, [
      runOf([taken]),
      runOf([taken]),
      runOf([again]),
    ]);
    expect(reviewers).toMatchObject([
      {
        reviewer: 'alpha',
        reviews: 2,
        completed: 1,
        calls: 4,
        tokens: 240,
        cost: 1,
        findings: 1,
        precision: null,
        interval: { low: 0, high: 1 },
      },
    ]);
  });

  it('know the claims of questions from their runs', () => {
    const { reviewers } = computeStatistics({ claims: [], dispositions: [] }, [
      runOf([], [{ id: 'c-0000000001', supporters: ['alpha', 'beta'] }]),
      runOf([], [{ id: 'c-0000000001', supporters: ['alpha'] }]),
    ]);
    expect(
      reviewers.map(({ reviewer, claims, alone }) => [reviewer, claims, alone.claims]),
    ).toEqual([
      ['alpha', 1, 0],
      ['beta', 1, 0],
    ]);
  });
});

describe('the interval of a share', () => {
  it.each([
    [0, 0, 0, 1],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [5, 10, 0.2366, 0.7634],
    [1, 2, 0.0945, 0.9055],
    [81, 263, 0.2553, 0.3662],
  ])('of %i in %i is %f to %f', (hits, cases, low, high) => {
    const interval = wilsonInterval(hits, cases);
    expect(interval.low).toBeCloseTo(low, 3);
    expect(interval.high).toBeCloseTo(high, 3);
  });

  it('holds the share and lies between 0 and 1', () =>
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(1_000), (hits, misses) => {
        const { low, high } = wilsonInterval(hits, hits + misses);
        const share = hits + misses === 0 ? 0.5 : hits / (hits + misses);
        expect(low >= 0 && low <= share && share <= high && high <= 1).toBe(true);
      }),
    ));
});
