import { describe, expect, it } from 'vitest';
import { mergeReadings, mergeReviews } from '../../src/answers/merge-reviews.ts';
import { failedReview, findingOf, reviewOf } from '../core/run-files/samples.ts';

const part = (finding: string, extent: 'full' | 'outside' = 'full') =>
  reviewOf({
    findings: [findingOf({ originalId: 'F1', text: finding })],
    coverage: [{ path: 'a.md', extent, why: null }],
  });

const stated = (...words: (string | null)[]) => {
  const [first, ...others] = words.map(statedVerdict => reviewOf({ statedVerdict }));
  return first === undefined ? null : mergeReviews([first, ...others]).statedVerdict;
};

describe('the reviews of the parts of a subject', () => {
  it('are one review that says everything once said, with its own ids', () => {
    const merged = mergeReviews([part('one'), part('two'), part('three')]);
    expect(merged.findings.map(({ id, text }) => [id, text])).toEqual([
      ['alpha/F1', 'one'],
      ['alpha/F1#2', 'two'],
      ['alpha/F1#3', 'three'],
    ]);
    expect(merged).toMatchObject({
      status: 'complete',
      attempts: 3,
      usage: { calls: 3 },
      coverage: [{ path: 'a.md', extent: 'full' }],
    });
  });

  it('are complete only when every part is, and failed only when none is', () => {
    const failed = {
      ...failedReview,
      coverage: [{ path: 'a.md', extent: 'skipped' as const, why: 'the reviewer did not answer' }],
    };
    expect(mergeReviews([part('one'), failed])).toMatchObject({
      status: 'partial',
      failure: { cause: 'deadline' },
      coverage: [{ extent: 'partial', why: 'the reviewer did not answer' }],
    });
    expect(mergeReviews([failed, failed])).toMatchObject({
      status: 'failed',
      coverage: [{ extent: 'skipped' }],
    });
  });

  it('state the worst verdict of any part', () =>
    expect(
      mergeReviews([
        reviewOf({ statedVerdict: 'safe' }),
        reviewOf({ statedVerdict: 'needs-changes (1)' }),
        reviewOf({ statedVerdict: null }),
      ]).statedVerdict,
    ).toBe('needs-changes (1)'));

  it('state a veto before anything else, and an unknown word before one that approves', () => {
    expect(stated('risky', 'VETO', 'safe')).toBe('VETO');
    expect(stated('safe (no failing tests)', 'request-changes')).toBe('request-changes');
    expect(stated('safe', 'mostly harmless')).toBe('mostly harmless');
    expect(stated(null, null)).toBe(null);
  });

  it('keep the reasons for a veto and the own keys of every part', () => {
    const merged = mergeReviews([
      reviewOf({ vetoReasons: ['one'], extra: { a: 1 } }),
      reviewOf({}),
      reviewOf({ vetoReasons: ['two'], extra: { b: 2 } }),
    ]);
    expect(merged).toMatchObject({ vetoReasons: ['one', 'two'], extra: { a: 1, b: 2 } });
  });

  it('pass a criterion only where every part does, and fail it where one does', () => {
    const first = reviewOf({
      votes: [
        { criterion: 1, vote: 'PASS' },
        { criterion: 2, vote: 'PASS' },
        { criterion: 3, vote: 'PASS' },
      ],
    });
    const second = reviewOf({
      votes: [
        { criterion: 1, vote: 'PASS' },
        { criterion: 2, vote: 'FAIL' },
      ],
    });
    const { votes } = mergeReviews([first, second]);
    expect(votes.filter(({ vote }) => vote === 'FAIL').map(({ criterion }) => criterion)).toEqual([
      2,
    ]);
    expect(
      new Set(votes.filter(({ vote }) => vote === 'PASS').map(({ criterion }) => criterion)),
    ).toEqual(new Set([1]));
  });

  it('count a file as read where all parts that hold it were', () => {
    const here = { path: 'a.md', extent: 'full' as const, why: null };
    const elsewhere = {
      path: 'a.md',
      extent: 'outside' as const,
      why: 'in another part of the document',
    };
    expect(mergeReadings([[elsewhere], [here], [here]])).toEqual([here]);
    expect(mergeReadings([[elsewhere], [elsewhere]])).toEqual([elsewhere]);
  });
});
