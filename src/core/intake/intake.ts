/** Puts all sources together: every finding gets its index, every reviewer its place on one panel. */
import type { Finding } from '../finding.ts';
import type { Review } from '../review.ts';
import { withSharedRoot } from './shared-root.ts';
import { withChecks, type Check } from './shared-rules.ts';
import type { Entry, Source } from './source.ts';

export interface TakenFinding extends Omit<Entry, 'finding'> {
  /** Counted from 0 over all sources in the order they were given, left-out findings included. */
  readonly index: number;
  /** Name of the source. */
  readonly source: string;
  readonly finding: Finding;
  /** The check of a static analyser that found it; null for everybody else. */
  readonly check: Check | null;
}

export interface Intake {
  readonly findings: readonly TakenFinding[];
  /** Names of the reviewers, in the order of appearance. */
  readonly panel: readonly string[];
  readonly reviews: readonly Review[];
  readonly warnings: readonly string[];
}

export function gatherSources(sources: readonly Source[]): Intake {
  const names = sources.flatMap(({ name, entries }) => entries.map(() => name));
  const entries = withSharedRoot(withChecks(sources.flatMap(source => source.entries)));
  const reviews = withKnownFiles(withoutOvertaken(sources.flatMap(source => source.reviews)));
  return {
    findings: entries.map(({ finding, rule, check, leftOut }, index) => ({
      index, rule, check, leftOut, source: names[index] ?? '',
      // Two sources may use the same ids; the index tells them apart.
      finding: { ...finding, id: `${finding.reviewer}/#${index}` },
    })),
    panel: [...new Set(reviews.map(({ reviewer }) => reviewer))],
    reviews,
    warnings: sources.flatMap(({ warnings }) => warnings),
  };
}

/** A failed review does not count where another review of the same reviewer has something to say. */
function withoutOvertaken(reviews: readonly Review[]): Review[] {
  const heard = new Set(reviews.filter(({ status }) => status !== 'failed').map(({ reviewer }) => reviewer));
  return reviews.filter(({ status, reviewer }) => status !== 'failed' || !heard.has(reviewer));
}

/** Of a tool we only know that it ran: it counts for every file that a run beside it names. */
function withKnownFiles(reviews: readonly Review[]): Review[] {
  const paths = [...new Set(reviews.flatMap(({ coverage }) => coverage.map(({ path }) => path)))];
  if (paths.length === 0) return [...reviews];
  const everything = paths.map(path => ({ path, extent: 'full' as const, why: null }));
  return reviews.map(review => (review.coverage.length === 0 && review.status === 'complete' ? { ...review, coverage: everything } : review));
}
