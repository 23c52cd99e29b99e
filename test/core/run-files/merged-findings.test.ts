import { describe, expect, it } from 'vitest';
import {
  toMergedFindings,
  groundFindings,
  groundingExit,
} from '../../../src/core/run-files/merged-findings.ts';
import { claimOf, failedReview, findingOf, reviewerOf, reviewOf, runOf } from './samples.ts';
import { readFindingsIndex } from '../../../src/answers/findings-index.ts';

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

const agents = [
  {
    agent: 'alpha',
    index: readFindingsIndex(
      '### Findings Index\n- P0 | P0-1 | "A" | one\n- P1 | P1-1 | "A" | two\nVerdict: risky\n',
    ),
  },
  {
    agent: 'beta',
    index: readFindingsIndex('### Findings Index\n- P2 | B-1 | "A" | three\nVerdict: safe\n'),
  },
];
const check = (findings: readonly unknown[], strict = false) =>
  groundFindings({ findings, agents, foreignSkipped: 0, strict });
const sources = (...list: [string, string][]) => [
  { id: 'M', severity: 'P0', provenance: list.map(([agent, id]) => ({ agent, original_id: id })) },
];
const both = [
  { id: 'P0-1', severity: 'P0' },
  { id: 'P1-1', severity: 'P1' },
];

describe('grounding', () => {
  it('holds where every merged finding is in an index', () =>
    expect(check(both, true)).toMatchObject({ status: 'ok', checked: 2, ungrounded: [] }));

  it('is violated by a grave finding nobody wrote, and warned of by a mild one', () => {
    expect(check([...both, { id: 'P0-99', severity: 'P0' }])).toMatchObject({
      status: 'violation',
      ungrounded: ['P0|P0-99'],
    });
    const mild = check([...both, { id: 'P2-99', severity: 'P2' }]);
    expect([mild.status, groundingExit(mild)]).toEqual(['warn', 0]);
    expect(groundingExit(check([...both, { id: 'P2-99', severity: 'P2' }], true))).toBe(3);
  });

  it('warns of another severity and of a wrong agent', () => {
    expect(check([{ id: 'P1-1', severity: 'P0' }])).toMatchObject({
      status: 'warn',
      severity_mismatch: ['P1-1: P0, its index says P1'],
    });
    expect(check([{ id: 'B-1', severity: 'P2', agent: 'alpha' }])).toMatchObject({
      status: 'warn',
      wrong_agent: ['B-1: not in the index of alpha'],
    });
    expect(check([{ id: 'B-1', severity: 'P2', agents: ['alpha', 'beta'] }]).status).toBe('ok');
  });

  it('traces each source of a merged finding, and takes nothing else for evidence', () => {
    expect(check(sources(['alpha', 'P0-1'], ['beta', 'B-1'])).status).toBe('ok');
    expect(check(sources(['alpha', 'P0-1'], ['beta', 'P0-1'])).status).toBe('violation');
    expect(check(sources()).status).toBe('violation');
    expect(check([{ id: 'F1', severity: 'P1', source_findings: ['P1-1'] }]).status).toBe(
      'violation',
    );
  });

  it.each([
    [{ severity: 'P3' }],
    [null],
    ['P0-1'],
    [{ id: '', severity: 'P2' }],
    [{ id: 7, severity: 'P2' }],
    [{ id: 'P0-1', severity: 'P0', provenance: 'alpha' }],
  ])('knows no ground for %j', entry => expect(check([entry]).ungrounded).toHaveLength(1));
});
