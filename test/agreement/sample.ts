/** Findings and reviews for the tests of this room: complete records with only the telling parts stated. */
import { type Finding, severityOf } from '../../src/core/words/finding.ts';
import type { Review } from '../../src/core/words/review.ts';
import { sampleFinding, sampleLocation, sampleReview } from '../core/sample.ts';

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
  return sampleFinding({
    reviewer,
    originalId,
    label,
    severity: severityOf(label) ?? 'low',
    text,
    category: sample.category ?? null,
    raw: text,
    isImprovement: sample.isImprovement ?? false,
    location:
      sample.path === undefined
        ? null
        : sampleLocation({ path: sample.path, line: sample.line ?? null }),
  });
}

export function reviewOf(reviewer: string, sample: Partial<Review> = {}): Review {
  return sampleReview({ reviewer, runner: 'replay', coverage: [], ...sample });
}

export function readInFull(...paths: string[]): Review['coverage'] {
  return paths.map(path => ({ path, extent: 'full' as const, why: null }));
}
