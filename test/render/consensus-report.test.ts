import { describe, expect, it } from 'vitest';
import { formClaims } from '../../src/agreement/claims.ts';
import { createMatcher } from '../../src/agreement/calibrated.ts';
import { type Finding, scaleOf } from '../../src/core/words/finding.ts';
import { modes, type ModeName } from '../../src/core/words/mode.ts';
import type { Failure, Review } from '../../src/core/words/review.ts';
import {
  renderConsensusJson,
  renderConsensusReport,
  type ConsensusReport,
} from '../../src/render/consensus-report.ts';
import { findingOf, readInFull, reviewOf } from '../agreement/sample.ts';
import { failureOf } from '../core/sample.ts';

const timeout: Failure = failureOf('deadline');
const panel = ['Claude', 'Gemini', 'Codex'];

async function reportOf(
  findings: readonly Finding[],
  rest: Partial<ConsensusReport> = {},
  mode: ModeName = 'code-review',
) {
  const reviews = (rest.reviews ?? panel.map(name => reviewOf(name))).map((review: Review) =>
    Object.assign({}, review, {
      findings: findings.filter(finding => finding.reviewer === review.reviewer),
    }),
  );
  const claims = await formClaims({
    findings,
    matcher: createMatcher('overlap', 60),
    panel,
    reviews,
  });
  return {
    mode,
    scale: modes[mode].scale,
    commits: null,
    strategy: { name: 'overlap', threshold: 60, version: '1' },
    quorum: { required: 1, completed: 2, met: true },
    verification: null,
    folder: null,
    ...rest,
    reviews,
    claims,
  };
}

describe('the consensus report', () => {
  it('prints tiers, quotes and counts', async () => {
    const reviews = [
      reviewOf('Claude'),
      reviewOf('Gemini'),
      reviewOf('Codex', { status: 'failed', failure: timeout }),
    ];
    const findings = [
      findingOf('Claude', 'SQL injection in the user search endpoint'),
      findingOf('Gemini', 'SQL injection'),
      findingOf('Gemini', 'No test covers it', { label: 'SUGGESTION' }),
    ];
    const text = renderConsensusReport(
      await reportOf(findings, { reviews, commits: { base: 'main', head: 'HEAD' } }),
    );
    expect(text).toBe(`# Code Review Consensus Report

**Reviewers**: Claude ✓, Gemini ✓, Codex ✗ (timeout after 120s)
**Commits**: main..HEAD

## High Priority - All Reviewers Agree
- [CRITICAL] SQL injection in the user search endpoint
  - Claude: "SQL injection in the user search endpoint"
  - Gemini: "SQL injection"

## Consider - Single Reviewer Mentioned
- [SUGGESTION] No test covers it
  - Gemini: "No test covers it"

## Summary
- Critical issues: 1
- Important issues: 0
- Suggestions: 1
`);
  });

  it('without claims has the reviewers and the summary only', async () =>
    expect(renderConsensusReport(await reportOf([], {}, 'debugging'))).toBe(
      '# Debugging Consensus Report\n\n**Reviewers**: Claude ✓, Gemini ✓, Codex ✓\n\n## Summary\n- STRONG: 0\n- MODERATE: 0\n- WEAK: 0\n',
    ));

  it('has one heading for each n/m, the larger share first, and orders a tier by severity and support', async () => {
    const reviews = [...panel, 'Extra'].map(name =>
      reviewOf(name, { coverage: readInFull('a.ts', ...(name === 'Extra' ? [] : ['b.ts'])) }),
    );
    const findings = [
      findingOf('Claude', 'race', { path: 'a.ts', label: 'IMPORTANT' }),
      findingOf('Gemini', 'race', { path: 'a.ts', label: 'IMPORTANT' }),
      findingOf('Claude', 'leak', { path: 'a.ts', label: 'CRITICAL' }),
      findingOf('Codex', 'leak', { path: 'a.ts', label: 'CRITICAL' }),
      findingOf('Claude', 'typo', { path: 'b.ts', label: 'SUGGESTION' }),
      findingOf('Codex', 'typo', { path: 'b.ts', label: 'SUGGESTION' }),
    ];
    const lines = renderConsensusReport(await reportOf(findings, { reviews }))
      .split('\n')
      .filter(line => line.startsWith('##') || line.startsWith('- ['));
    expect(lines).toEqual([
      '## Medium Priority - Majority Flagged (2/3)',
      '- [SUGGESTION] typo (b.ts)',
      '## Medium Priority - Majority Flagged (2/4)',
      '- [CRITICAL] leak (a.ts)',
      '- [IMPORTANT] race (a.ts)',
      '## Summary',
    ]);
  });

  it('says where an issue is, and where a reviewer names another place, unless the words do', async () => {
    const text = renderConsensusReport(
      await reportOf([
        findingOf('Claude', 'unbounded cache', { path: 'src/a.ts', line: 2 }),
        findingOf('Gemini', 'unbounded cache', { path: 'src/a.ts', line: 4 }),
        findingOf('Codex', 'odd name in src/c.ts:7', { path: 'src/c.ts', line: 7 }),
      ]),
    );
    expect(text).toContain(
      '- [CRITICAL] unbounded cache (src/a.ts:2)\n  - Claude: "unbounded cache"\n  - Gemini: "unbounded cache" (src/a.ts:4)\n',
    );
    expect(text).toContain('- [CRITICAL] odd name in src/c.ts:7\n');
  });

  it('lists severity conflicts and contradictions under Disagreements, each once', async () => {
    const report = await reportOf([
      findingOf('Claude', 'unbounded cache', { label: 'CRITICAL' }),
      findingOf('Gemini', 'unbounded cache', { label: 'SUGGESTION' }),
      findingOf('Codex', 'index is needed'),
    ]);
    const [one, other] = report.claims;
    const claims = report.claims.map(claim => ({
      ...claim,
      contradicts: claim === one ? [other?.id ?? ''] : [one?.id ?? ''],
    }));
    const section = renderConsensusReport({ ...report, claims })
      .split('\n\n')
      .find(part => part.startsWith('## Disagreements'));
    expect(section).toContain(
      '- [CRITICAL] unbounded cache\n  - Severity: Claude CRITICAL, Gemini SUGGESTION',
    );
    expect(section?.match(/Contradicted by/g)).toHaveLength(1);
    expect(renderConsensusReport(report)).toContain('[CRITICAL] unbounded cache');
  });

  it('counts by the labels of the caller, and every claim once', async () => {
    const scale = scaleOf(['BLOCKER', 'NIT']) ?? new Map();
    const nit: Finding = { ...findingOf('Claude', 'odd name'), label: 'NIT', severity: 'low' };
    const foreign: Finding = { ...findingOf('Gemini', 'slow loop'), label: 'P1', severity: 'high' };
    expect(renderConsensusReport(await reportOf([nit, foreign], { scale }))).toMatch(
      /## Summary\n- BLOCKER: 0\n- NIT: 2\n$/,
    );
  });

  it('shows the result of a verification', async () => {
    const verification = {
      result: 'fail' as const,
      criteria: [
        { criterion: 1, pass: ['Claude', 'Gemini'], fail: [], result: 'pass' as const },
        { criterion: 2, pass: [], fail: ['Claude', 'Gemini'], result: 'fail' as const },
      ],
    };
    const text = renderConsensusReport(await reportOf([], { verification }, 'verification'));
    expect(text).toContain(
      '## Criteria - fail\n- 1: met · PASS Claude, Gemini\n- 2: not met · FAIL Claude, Gemini\n',
    );
    expect(text).toMatch(/## Summary\n- PASS: 1\n- FAIL: 1\n$/);
  });

  it.each([
    ['a\n## Summary\n- Critical issues: 0', 'a `##` Summary - Critical issues: 0'],
    ['![x](https://evil.example/?q=1)', '`![x](https://evil.example/?q=1)`'],
    ['<img src=x onerror=y>', '`<img src=x onerror=y>`'],
    ['\u001B[31mred\u202E', '`⟦U+001B⟧[31mred⟦U+202E⟧`'],
    ['if (a < b) return c[0];', 'if (a < b) return `c[0];`'],
  ])('shows %j as text', async (text, shown) =>
    expect(renderConsensusReport(await reportOf([findingOf('Claude', text)]))).toContain(
      `- [CRITICAL] ${shown}\n  - Claude: "${shown}"\n`,
    ),
  );
});

describe('the object jury.consensus/1', () => {
  it('has exactly its keys', async () => {
    const reviews = [
      reviewOf('Claude', {
        required: true,
        coverage: [...readInFull('a.ts'), { path: 'b.ts', extent: 'skipped', why: 'large' }],
        durationMs: 7,
        usage: {
          calls: 1,
          inputTokens: 5,
          outputTokens: 3,
          cachedTokens: 0,
          cost: null,
          estimated: false,
        },
      }),
      reviewOf('Gemini', { coverage: readInFull('a.ts') }),
      reviewOf('Codex', {
        status: 'failed',
        failure: timeout,
        coverage: [{ path: 'a.ts', extent: 'skipped', why: 'failed' }],
      }),
    ];
    const findings = [
      findingOf('Claude', 'race', { id: 'A1', path: 'a.ts', line: 4 }),
      findingOf('Gemini', 'race', { id: '#1', label: 'SUGGESTION' }),
    ];
    const report = await reportOf(findings, {
      reviews,
      commits: { base: 'main', head: 'HEAD' },
      folder: '/runs/1',
    });
    const quiet = { dropped: { placeholder: 0, template: 0, prompt: 0 }, unparsed: [] };
    expect(JSON.parse(renderConsensusJson(report))).toEqual({
      schema: 'jury.consensus/1',
      mode: 'code-review',
      title: 'Code Review Consensus Report',
      strategy: { name: 'overlap', threshold: 60, version: '1' },
      severities: ['CRITICAL', 'IMPORTANT', 'SUGGESTION'],
      commits: { base: 'main', head: 'HEAD' },
      reviewers: [
        {
          name: 'Claude',
          required: true,
          status: 'ok',
          status_text: '✓',
          findings: 1,
          files_read: ['a.ts'],
          ...quiet,
          duration_ms: 7,
          tokens_in: 5,
          tokens_out: 3,
          raw_path: '/runs/1/raw/Claude.txt',
        },
        {
          name: 'Gemini',
          required: false,
          status: 'ok',
          status_text: '✓',
          findings: 1,
          files_read: ['a.ts'],
          ...quiet,
          duration_ms: 1,
          tokens_in: 0,
          tokens_out: 0,
          raw_path: '/runs/1/raw/Gemini.txt',
        },
        {
          name: 'Codex',
          required: false,
          status: 'timeout',
          status_text: '✗ (timeout after 120s)',
          findings: 0,
          files_read: [],
          ...quiet,
          duration_ms: 1,
          tokens_in: 0,
          tokens_out: 0,
          raw_path: '/runs/1/raw/Codex.txt',
        },
      ],
      quorum: { required: 1, completed: 2, met: true },
      claims: [
        {
          id: report.claims[0]?.id,
          tier: 'high',
          severity: 'critical',
          label: 'CRITICAL',
          text: 'race',
          file: 'a.ts',
          line: 4,
          support: 2,
          electorate: 2,
          supporters: ['Claude', 'Gemini'],
          electors: ['Claude', 'Gemini'],
          severity_conflict: { Claude: 'critical', Gemini: 'low' },
          contradicts: [],
          findings: [
            {
              reviewer: 'Claude',
              original_id: 'A1',
              label: 'CRITICAL',
              severity: 'critical',
              text: 'race',
              file: 'a.ts',
              line: 4,
              raw: 'race',
            },
            {
              reviewer: 'Gemini',
              original_id: '#1',
              label: 'SUGGESTION',
              severity: 'low',
              text: 'race',
              file: null,
              line: null,
              raw: 'race',
            },
          ],
        },
      ],
      counts: {
        high: 1,
        medium: 0,
        consider: 0,
        by_severity: { critical: 1, high: 0, medium: 0, low: 0 },
      },
      verification: null,
    });
  });

  it('of a question names no files, and of a verification both votes', async () => {
    const reviews = [reviewOf('Claude', { coverage: readInFull('(question)') })];
    const object = JSON.parse(
      renderConsensusJson(await reportOf([], { reviews }, 'verification')),
    ) as { reviewers: { files_read: unknown }[]; severities: string[]; commits: unknown };
    expect(object.reviewers[0]?.files_read).toBeNull();
    expect(object.severities).toEqual(['PASS', 'FAIL']);
    expect(object.commits).toBeNull();
  });
});
