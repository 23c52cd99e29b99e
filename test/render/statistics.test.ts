import stringWidth from 'fast-string-width';
import { describe, expect, it } from 'vitest';
import type { Statistics } from '../../src/core/printed/checks.ts';
import {
  renderStatistics,
  renderRuns,
  computeStatistics,
  wilsonInterval,
} from '../../src/render/statistics.ts';
import { golden } from './golden.ts';
import { payloads } from './payloads.ts';
import { poisonedRun } from './poisoned-run.ts';
import { sampleRun } from './sample-run.ts';
import fc from 'fast-check';
import type { Claim } from '../../src/core/words/claim.ts';
import type { Review } from '../../src/core/words/review.ts';
import type { RunRecord } from '../../src/core/words/run.ts';
import { findingOf, reviewOf } from '../agreement/sample.ts';
import { createProject } from '../agreement/memory/sample-project.ts';

function sampleStatistics(name = 'claude'): Statistics {
  const reviewer = {
    reviewer: name,
    reviews: 12,
    completed: 11,
    calls: 14,
    tokens: 181_000,
    cost: 2.41,
    findings: 63,
    claims: 41,
    confirmed: 18,
    rejected: 6,
    precision: 0.75,
    interval: { low: 0.551, high: 0.88 },
    alone: { claims: 9, confirmed: 4 },
  };
  const local = {
    ...reviewer,
    reviewer: 'local',
    cost: null,
    confirmed: 0,
    rejected: 0,
    precision: null,
    interval: { low: 0, high: 1 },
    alone: { claims: 3, confirmed: 0 },
  };
  return {
    schema: 'jury.stats/1',
    runs: 12,
    claims: 52,
    confirmed: 18,
    rejected: 6,
    month: { month: '2026-11', calls: 0, unpriced: 0, cost: 0, underWay: 0 },
    reviewers: [reviewer, local],
    calibration: {
      decisions: 24,
      confirmed: 18,
      bins: [
        {
          least: 0.2,
          most: 0.4,
          claims: 4,
          stated: 0.31,
          confirmed: 0.25,
          interval: { low: 0.046, high: 0.699 },
        },
        {
          least: 0.8,
          most: 1,
          claims: 20,
          stated: 0.88,
          confirmed: 0.85,
          interval: { low: 0.64, high: 0.948 },
        },
      ],
      recalibration: null,
    },
  };
}

describe('the statistics in the terminal', () => {
  it('read as agreed', () => {
    const text = renderStatistics(sampleStatistics(), { color: false, width: 110 });
    expect(text).toBe(golden('statistics.txt', text));
  });

  it.each([40, 60, 80, 120])('keep within %i columns', width =>
    expect(
      renderStatistics(sampleStatistics('a-reviewer-with-a-name-of-some-length'), {
        color: false,
        width,
      })
        .split('\n')
        .filter(line => stringWidth(line) > width),
    ).toEqual([]),
  );

  it('let no name steer the terminal', () => {
    for (const payload of payloads)
      expect(renderStatistics(sampleStatistics(payload), { color: false, width: 80 })).not.toMatch(
        /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u,
      );
  });

  it('say how the decisions of the project correct the confidence, and when they do not yet', () => {
    const options = { color: false, width: 110 };
    const sample = sampleStatistics();
    expect(renderStatistics(sample, options).replaceAll(/\s+/g, ' ')).toContain(
      'so far 18 are real and 6 false',
    );
    const corrected = renderStatistics(
      {
        ...sample,
        calibration: {
          ...sample.calibration,
          recalibration: { intercept: -1, slope: 1, decisions: 120 },
        },
      },
      options,
    ).replaceAll(/\s+/g, ' ');
    expect(corrected).toContain('120 decisions correct the confidence');
    expect(corrected).toContain('shown as 8 %, 27 % and 60 %');
    expect(corrected).not.toContain('so far');
  });

  it('show no curve before anybody decided', () => {
    const sample = sampleStatistics();
    expect(
      renderStatistics(
        {
          ...sample,
          calibration: { decisions: 0, confirmed: 0, bins: [], recalibration: null },
        },
        { color: false, width: 110 },
      ),
    ).not.toContain('Confidence');
  });

  it('say how to begin where there is nothing', () =>
    expect(
      renderStatistics({ ...sampleStatistics(), reviewers: [] }, { color: false, width: 80 }),
    ).toBe('No runs yet. "jury review" starts one.\n'));
});

const { record } = sampleRun();
const older = {
  ...record,
  run: '20261119T081400Z-000001',
  startedAt: '2026-11-19T08:14:00Z',
  outcome: 'INCOMPLETE' as const,
  subject: { ...record.subject, title: '修复上传功能的安全问题 '.repeat(8) },
};

describe('the list of runs', () => {
  it('reads as agreed, the newest first', () => {
    const text = renderRuns([older, record], { color: false, width: 80 });
    expect(text).toBe(golden('runs.txt', text));
  });

  it.each([40, 60, 80, 200])('has one line per run within %i columns', width => {
    const lines = renderRuns([older, record], { color: false, width }).trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    expect(lines[2]).toContain('INCOMPLETE');
  });

  it('says how to make the first one', () =>
    expect(renderRuns([], { color: false, width: 80 })).toBe(
      'No runs yet. "jury review" starts one.\n',
    ));

  it('lets no subject steer the terminal', () => {
    for (const payload of payloads)
      expect(renderRuns([poisonedRun(payload).record], { color: false, width: 200 })).not.toMatch(
        /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\uFEFF]/u,
      );
  });
});

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
