/** The coverage certificate: which reviewer that finished read which file, and which bytes of the subject nobody vouches for. */
import type { Subject } from './change.ts';
import { vouchesForCoverage, type Review } from './review.ts';
import type { Coverage } from './run.ts';

/** The one unit of a subject that has no files. */
export const questionUnit = '(question)';

/** What must be read by somebody. */
export function unitsOf(subject: Subject): string[] {
  return subject.kind === 'question' ? [questionUnit] : subject.files.map(file => file.path);
}

export interface CoverageRequest {
  readonly units: readonly string[];
  readonly reviews: readonly Review[];
  /** Bytes each unit takes as it is shown. */
  readonly bytesOf: (unit: string) => number;
  readonly excluded: Coverage['excluded'];
}

/** `accounted` counts the bytes of units that a completed reviewer read in full. */
export function computeCoverage({ units, reviews, bytesOf, excluded }: CoverageRequest): Coverage {
  const readings = indexReadings(reviews);
  const files = units.map(path => {
    const here = readings.get(path) ?? [];
    return {
      path,
      by: here.filter(({ review, extent }) => vouchesForCoverage(review) && extent === 'full').map(({ review }) => review.reviewer),
      partiallyBy: here.filter(({ review, extent }) => extent === 'partial' || (!vouchesForCoverage(review) && review.status === 'partial' && extent === 'full')).map(({ review }) => review.reviewer),
      skippedBy: here.filter(({ extent }) => extent === 'skipped').map(({ review, why }) => ({ reviewer: review.reviewer, why: why ?? 'not said' })),
    };
  });
  return {
    bytes: sum(units.map(bytesOf)),
    accounted: sum(files.filter(({ by }) => by.length > 0).map(({ path }) => bytesOf(path))),
    files,
    excluded,
  };
}

interface Reading {
  readonly review: Review;
  readonly extent: Review['coverage'][number]['extent'];
  readonly why: string | null;
}

function indexReadings(reviews: readonly Review[]): Map<string, Reading[]> {
  const index = new Map<string, Reading[]>();
  for (const review of reviews) {
    for (const { path, extent, why } of review.coverage) {
      const list = index.get(path) ?? [];
      list.push({ review, extent, why });
      index.set(path, list);
    }
  }
  return index;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}
