import { describe, expect, it } from 'vitest';
import { synthesiseResearch } from '../../../src/core/words/claim.ts';
import type { Research } from '../../../src/core/words/review.ts';
import { claimOf, failedReview, findingOf, reviewOf } from '../run-files/samples.ts';

const research = (
  rank: Research['sources'][number]['rank'],
  change: Partial<Research> = {},
): Research => ({
  sources: [{ rank, id: 'S1', title: 'T', address: `https://${rank}.example/` }],
  confidence: 'high',
  gaps: [],
  missing: [],
  ...change,
});
const reviews = [
  reviewOf({ reviewer: 'alpha', research: research('community') }),
  reviewOf({
    reviewer: 'beta',
    research: research('internal', { confidence: 'medium', gaps: ['version 5'] }),
  }),
];
const said = (id: string, reviewer: string, supporters = [reviewer], contradicts: string[] = []) =>
  claimOf({ id, supporters, contradicts, findings: [findingOf({ reviewer, evidence: 'S1' })] });

describe('what several researchers come to', () => {
  it('prefers what most say, then what rests on the higher rank', () => {
    const result = synthesiseResearch(reviews, [
      said('c-a', 'alpha'),
      said('c-b', 'beta'),
      said('c-c', 'alpha', ['alpha', 'beta']),
    ]);
    expect(result).toMatchObject({
      status: 'COMPLETE',
      answer: ['c-c', 'c-b', 'c-a'],
      confidence: 'medium',
      gaps: ['version 5'],
    });
    expect(result.sources.map(({ rank, agents }) => [rank, agents])).toEqual([
      ['internal', ['beta']],
      ['community', ['alpha']],
    ]);
  });

  it('names a conflict and which side rests on the higher rank', () => {
    const result = synthesiseResearch(reviews, [
      said('c-a', 'alpha', ['alpha'], ['c-b']),
      said('c-b', 'beta', ['beta'], ['c-a']),
    ]);
    expect(result.conflicts).toEqual([
      { claims: ['c-b', 'c-a'].toSorted(), preferred: 'c-b', why: 'it rests on internal sources' },
    ]);
  });

  it('is FAILED without a usable answer and PARTIAL without a whole one', () => {
    expect(synthesiseResearch([failedReview], [])).toMatchObject({
      status: 'FAILED',
      sources: [],
      confidence: null,
    });
    expect(
      synthesiseResearch(
        [reviewOf({ status: 'partial', research: research('code', { confidence: 'low' }) })],
        [said('c-a', 'alpha')],
      ),
    ).toMatchObject({ status: 'PARTIAL', confidence: 'low' });
  });

  it('counts a source that two researchers name once, at its better rank', () => {
    const twice = [
      reviewOf({
        research: research('code', {
          sources: [{ rank: 'code', id: 'S1', title: 'a', address: 'https://x.example/' }],
        }),
      }),
      reviewOf({
        reviewer: 'beta',
        research: research('official', {
          sources: [{ rank: 'official', id: 'S9', title: 'b', address: 'https://X.example' }],
        }),
      }),
    ];
    expect(synthesiseResearch(twice, []).sources).toMatchObject([
      { rank: 'official', agents: ['alpha', 'beta'] },
    ]);
  });
});
