/** Reviews, claims and records as the engine makes them, with only what a test cares about spelled out. */
import type { Claim } from '../../../src/core/words/claim.ts';
import type { Finding } from '../../../src/core/words/finding.ts';
import { noUsage, type Review } from '../../../src/core/words/review.ts';
import type { Run, RunRecord, RunReviewer } from '../../../src/core/words/run.ts';
import type { Reason } from '../../../src/core/verdict/record.ts';
import { failureOf, sampleClaim, sampleFinding, sampleLocation, sampleReview } from '../sample.ts';

export function findingOf(change: Partial<Finding> = {}): Finding {
  return sampleFinding({
    originalId: 'A-1',
    label: 'P1',
    severity: 'high',
    text: 'Query is built from user input',
    raw: '',
    location: sampleLocation({ path: 'src/db.ts', line: 12, checked: true }),
    ...change,
  });
}

export function reviewOf(change: Partial<Review> = {}): Review {
  return sampleReview({
    persona: 'security-reviewer',
    runner: 'replay',
    model: 'model-1',
    format: 'json',
    coverage: [{ path: 'src/db.ts', extent: 'full', why: null }],
    usage: { ...noUsage, calls: 1, inputTokens: 1200, outputTokens: 34 },
    startedAt: '2026-11-21T10:15:00.000Z',
    durationMs: 900,
    ...change,
  });
}

export const failedReview = reviewOf({
  status: 'failed',
  format: null,
  coverage: [],
  failure: failureOf('deadline', 'no complete answer in 120 s'),
});

export function claimOf(change: Partial<Claim> = {}): Claim {
  const findings = change.findings ?? [findingOf()];
  return sampleClaim({
    id: 'c-0123456789',
    severity: 'high',
    label: 'P1',
    text: findings[0]?.text ?? '',
    location: findings[0]?.location ?? null,
    ...change,
    findings,
  });
}

export function reviewerOf(change: Partial<RunReviewer> = {}): RunReviewer {
  return {
    id: 'alpha',
    persona: 'security-reviewer',
    runner: 'replay',
    model: null,
    required: false,
    status: 'complete',
    reason: null,
    cause: null,
    message: null,
    display: '✓',
    findings: 0,
    filesReviewed: 1,
    filesSkipped: 0,
    tokens: { input: 0, output: 0, cached: 0, estimated: false },
    durationMs: 0,
    verdict: 'safe',
    statedVerdict: null,
    detail: null,
    ...change,
  };
}

export function runOf(change: Partial<RunRecord> = {}, reviews: readonly Review[] = []): Run {
  const run = '20261121T101500Z-0a1b2c';
  const record: RunRecord = {
    schema: 'jury.run/1',
    run,
    uri: `resources://runs/${run}/`,
    version: '0.1.0',
    command: 'review',
    mode: 'code-review',
    subject: {
      kind: 'change',
      title: 'HEAD~1..HEAD',
      source: 'range',
      base: null,
      head: null,
      files: 1,
      additions: 1,
      deletions: 0,
      warnings: [],
    },
    strategy: { name: 'calibrated', threshold: null, version: '1' },
    severities: [],
    quorum: { required: 1, completed: 1, met: true },
    outcome: 'PASS',
    reasons: [],
    blocking: [],
    reviewers: [reviewerOf()],
    claims: [],
    fixed: [],
    dismissed: [],
    coverage: { bytes: 0, accounted: 0, files: [], excluded: [] },
    usage: { calls: 0, tokens: 0, cost: null, details: noUsage },
    verification: null,
    startedAt: '2026-11-21T10:15:00.000Z',
    completedAt: '2026-11-21T10:15:09.000Z',
    reused: false,
    ...change,
  };
  return {
    record,
    reviews: [...reviews],
    subject: { kind: 'question', title: 'HEAD~1..HEAD', prompt: '', context: null },
    folder: `/home/me/.local/state/jury/1f/runs/${run}`,
    copies: `/home/me/project/.jury/runs/${run}`,
  };
}

export function reasonOf(sentence: string, change: Partial<Reason> = {}): Reason {
  return { rule: 'quorum', effect: 'INCOMPLETE', subject: '', sentence, ...change };
}
