import stringWidth from 'fast-string-width';
import { describe, expect, it } from 'vitest';
import type { Statistics } from '../../src/core/printed/checks.ts';
import { renderStatistics } from '../../src/render/statistics.ts';
import { golden } from './golden.ts';
import { payloads } from './payloads.ts';

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
