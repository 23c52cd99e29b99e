import { describe, expect, it } from 'vitest';
import { VerdictFile } from '../../../src/core/verdict/record.ts';
import { renderVerdictFile, toVerdictFile } from '../../../src/core/run-files/review-file.ts';
import { failedReview, findingOf, reviewOf } from './samples.ts';

const source: Parameters<typeof toVerdictFile>[1] = {
  sessionId: '20261121T101500Z-0a1b2c',
  now: new Date('2026-11-21T10:15:07.891Z'),
  detailPath: '/runs/reviews/alpha.md',
  answer: null,
};
const critical = findingOf({ severity: 'critical' });
const high = findingOf();
const low = findingOf({ severity: 'low' });

describe('the verdict file of a review', () => {
  it('holds the keys of the contract', () => {
    const review = reviewOf({
      findings: [high, critical, findingOf({ isImprovement: true, severity: 'critical' })],
      statedVerdict: 'safe',
      repairs: ['heading-level'],
    });
    expect(toVerdictFile(review, source)).toEqual({
      type: 'verdict',
      status: 'NEEDS_ATTENTION',
      model: 'model-1',
      tokens_spent: 1234,
      files_changed: [],
      findings_count: 2,
      summary: 'P0x1 P1x1: Query is built from user input',
      detail_path: '/runs/reviews/alpha.md',
      timestamp: '2026-11-21T10:15:07Z',
      session_id: '20261121T101500Z-0a1b2c',
      claimed_verdict: 'safe',
      computed_verdict: 'risky',
      claim: 'lower',
      deviations: ['heading-level'],
    });
  });

  it.each([
    ['CLEAN', 'safe', 'absent', reviewOf()],
    ['CLEAN', 'safe', 'match', reviewOf({ statedVerdict: 'approved', findings: [low] })],
    ['NEEDS_ATTENTION', 'safe', 'higher', reviewOf({ statedVerdict: 'needs-changes (see above)' })],
    ['NEEDS_ATTENTION', 'needs-changes', 'absent', reviewOf({ findings: [high] })],
    [
      'NEEDS_ATTENTION',
      'risky',
      'lower',
      reviewOf({ findings: [critical], statedVerdict: 'safe' }),
    ],
    [
      'NEEDS_ATTENTION',
      'risky',
      'absent',
      reviewOf({ findings: [critical], statedVerdict: 'looks great to me' }),
    ],
    ['NEEDS_ATTENTION', 'safe', 'absent', reviewOf({ format: 'index' })],
    ['CLEAN', 'safe', 'match', reviewOf({ format: 'index', statedVerdict: 'safe' })],
    ['PARTIAL', 'safe', 'absent', reviewOf({ status: 'partial' })],
    ['ERROR', 'error', 'absent', failedReview],
  ])('has status %s for a computed %s with claim %s', (status, computed, claim, review) =>
    expect(toVerdictFile(review, source)).toMatchObject({
      status,
      computed_verdict: computed,
      claim,
    }),
  );

  it('says that a reviewer vetoed', () => {
    expect(toVerdictFile(reviewOf(), { ...source, hasVetoed: true }).status).toBe('BLOCKED');
    expect(toVerdictFile(failedReview, { ...source, hasVetoed: true }).status).toBe('ERROR');
  });

  it.each([
    [
      'the closing block',
      'Text\n### Summary\nNot this.\n--- VERDICT ---\nSTATUS: fail\nSUMMARY: two   queries are open\n',
      'two queries are open',
    ],
    [
      'the first sentence of the Summary',
      '# R\n## Summary:\n\nTwo queries are\nopen. The rest is fine.\n### Issues Found\nMore.',
      'Two queries are open.',
    ],
    [
      'the counts',
      '### Summary\n\n### Issues Found\nMore.',
      'P1x1 P3x1: Query is built from user input',
    ],
    ['the counts', 'no headings at all', 'P1x1 P3x1: Query is built from user input'],
  ])('takes its summary from %s', (_, answer, summary) =>
    expect(toVerdictFile(reviewOf({ findings: [low, high] }), { ...source, answer }).summary).toBe(
      summary,
    ),
  );

  it('keeps its summary to one visible line of 160 characters', () => {
    const { summary } = toVerdictFile(
      reviewOf({ findings: [findingOf({ text: `\u001b[31mred\n${'long '.repeat(100)}` })] }),
      source,
    );
    expect(summary).toHaveLength(160);
    expect(summary).toMatch(/^P1x1: ⟦U\+001B⟧\[31mred long .*…$/);
    expect(toVerdictFile(reviewOf(), source).summary).toBe('no findings');
    expect(toVerdictFile(failedReview, source).summary).toBe('no complete answer in 120 s');
  });

  it('can be read back from its own bytes', () => {
    const file = toVerdictFile(reviewOf({ findings: [high] }), source);
    expect(VerdictFile.parse(JSON.parse(renderVerdictFile(file)))).toEqual(file);
  });

  it.each([
    ['status', { status: 'UNKNOWN' }],
    ['tokens_spent', { tokens_spent: 1.5 }],
    ['findings_count', { findings_count: -1 }],
    ['summary', { summary: 'two\nlines' }],
    ['summary', { summary: 'x'.repeat(161) }],
    ['timestamp', { timestamp: 'today' }],
    ['files_changed.0', { files_changed: [1] }],
    ['type', { type: 'opinion' }],
  ])('is not written with a wrong %s, and the error names it', (name, change) => {
    const file = { ...toVerdictFile(reviewOf(), source), ...change } as VerdictFile;
    expect(() => renderVerdictFile(file)).toThrow(
      expect.objectContaining({
        name: 'UserError',
        kind: 'usage',
        message: expect.stringContaining(`Verdict file: ${name} cannot be written`),
      }),
    );
  });
});
