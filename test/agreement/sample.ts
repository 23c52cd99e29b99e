/** Findings, reviews and hashes for the tests of this room: complete records with only the telling parts stated. */
import { createHash } from 'node:crypto';
import { type Finding, severityOf } from '../../src/core/words/finding.ts';
import { noUsage, type Review } from '../../src/core/words/review.ts';

export function sha256(text: string) {
  return createHash('sha256').update(text).digest('hex');
}

export interface FindingSample {
  readonly label?: string;
  readonly path?: string;
  readonly line?: number;
  readonly category?: string;
  readonly id?: string;
  readonly isImprovement?: boolean;
}

let count = 0;

export function findingOf(reviewer: string, text: string, sample: FindingSample = {}): Finding {
  const label = sample.label ?? 'CRITICAL';
  const originalId = sample.id ?? `#${(count += 1)}`;
  return {
    id: `${reviewer}/${originalId}`,
    reviewer,
    originalId,
    label,
    severity: severityOf(label) ?? 'low',
    text,
    section: null,
    category: sample.category ?? null,
    evidence: null,
    recommendation: null,
    raw: text,
    notes: [],
    isImprovement: sample.isImprovement ?? false,
    location:
      sample.path === undefined
        ? null
        : {
            path: sample.path,
            line: sample.line ?? null,
            endLine: null,
            side: 'new',
            anchoring: 'exact',
            checked: false,
            note: null,
          },
  };
}

export function reviewOf(reviewer: string, sample: Partial<Review> = {}): Review {
  return {
    reviewer,
    persona: 'code-quality-reviewer',
    runner: 'replay',
    model: null,
    required: false,
    status: 'complete',
    failure: null,
    format: 'lines',
    findings: [],
    statedVerdict: null,
    coverage: [],
    usage: noUsage,
    attempts: 1,
    startedAt: '2026-11-21T00:00:00.000Z',
    durationMs: 1,
    timeoutSeconds: 120,
    unparsed: [],
    dropped: { placeholder: 0, template: 0, prompt: 0 },
    repairs: [],
    notes: [],
    votes: [],
    ...sample,
  };
}

export function readInFull(...paths: string[]): Review['coverage'] {
  return paths.map(path => ({ path, extent: 'full' as const, why: null }));
}
