import { describe, expect, it } from 'vitest';
import { toMergedFindings } from '../../../src/core/run-files/merged-findings.ts';
import { claimOf, failedReview, findingOf, reviewerOf, reviewOf, runOf } from './samples.ts';

describe('the merged findings of a run', () => {
  const shared = claimOf({
    id: 'c-0000000001',
    severity: 'critical',
    supporters: ['alpha', 'beta'],
    electorate: 3,
    severityConflict: { alpha: 'critical', beta: 'low' },
    findings: [
      findingOf({ originalId: 'P1-1', text: 'as alpha says' }),
      findingOf({ reviewer: 'beta', originalId: 'X-1', text: 'as beta says' }),
    ],
  });
  const lone = claimOf({
    id: 'c-0000000002',
    supporters: ['gamma'],
    electorate: 3,
    findings: [findingOf({ reviewer: 'gamma', originalId: 'P1-1' })],
  });
  const reviewers = [
    reviewerOf(),
    reviewerOf({ id: 'beta' }),
    reviewerOf({ id: 'gamma', status: 'partial' }),
    reviewerOf({ id: 'delta', status: 'failed' }),
  ];
  const reviews = [
    reviewOf({
      findings: [findingOf({ isImprovement: true, originalId: 'IMP-1', text: 'Rename' })],
    }),
    failedReview,
  ];
  const verdictOf = (outcome: 'PASS' | 'FAIL' | 'INCOMPLETE') =>
    toMergedFindings(runOf({ outcome, claims: [lone] })).verdict;
  const merged = toMergedFindings(
    runOf(
      {
        outcome: 'FAIL',
        blocking: [shared.id],
        claims: [shared, lone, claimOf({ id: 'c-0000000003', state: 'dismissed', location: null })],
        reviewers,
      },
      reviews,
    ),
  );

  it('trace to the entries of the reviewers and name them as they did', () =>
    expect(merged.findings).toMatchObject([
      {
        id: 'alpha:P1-1',
        severity: 'P0',
        agents: ['alpha', 'beta'],
        provenance: [
          { agent: 'alpha', original_id: 'P1-1' },
          { agent: 'beta', original_id: 'X-1' },
        ],
        title: 'as alpha says',
        file: 'src/db.ts',
        line: 12,
        convergence: 2,
        convergence_of: 3,
        confidence: 'medium',
        severity_conflict: { alpha: 'P0', beta: 'P3' },
        descriptions: { alpha: 'as alpha says', beta: 'as beta says' },
        verification_recommended: false,
        partial: false,
        note: null,
        co_located: true,
        co_located_with: ['gamma:P1-1'],
      },
      {
        id: 'gamma:P1-1',
        confidence: 'low',
        verification_recommended: true,
        note: 'verify independently',
        partial: true,
        co_located_with: ['alpha:P1-1'],
      },
    ]));

  it('say who took part, what was set aside and what is disputed', () =>
    expect(merged).toMatchObject({
      synthesis_protocol_version: '1.0',
      process: 'review',
      input_type: 'diff',
      agents_launched: ['alpha', 'beta', 'gamma', 'delta'],
      agents_completed: ['alpha', 'beta'],
      agents_failed: ['delta'],
      agents_partial: ['gamma'],
      improvements: [{ id: 'IMP-1', agents: ['alpha'], title: 'Rename', convergence: 1 }],
      discarded: [{ id: 'A-1', reason: 'dismissed' }],
      conflicts: [{ id: 'alpha:P1-1', severity_conflict: { alpha: 'P0', beta: 'P3' } }],
      verdict: 'risky',
    }));

  it('have the verdict of the gate, whatever was found', () =>
    expect([verdictOf('PASS'), verdictOf('INCOMPLETE'), verdictOf('FAIL')]).toEqual([
      'safe',
      'incomplete',
      'needs-changes',
    ]));
});
