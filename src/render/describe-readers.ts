/** Who looked at it, and what of it was passed over. */
import { leftOutBy, nameFew } from '../core/verdict/onward.ts';
import { sayRecorded } from '../core/verdict/review-status.ts';
import { isReader } from '../core/words/reader.ts';
import { kindOf } from '../core/words/runner.ts';
import type { RunRecord, RunReviewer } from '../core/words/run.ts';
import { count } from './figures.ts';
import { data, type Line, literal, say, toned } from './section.ts';

/** Who read it, or that nobody did but checks. Where nobody did, or there is no gate, the outcome says so. */
export function readOf({ outcome, reviewers, quorum, subject }: RunRecord): string {
  const readers = reviewers.filter(isReader);
  if (outcome === null || readers.length === 0) return '';
  if (readers.every(({ runner }) => kindOf(runner) === 'recording'))
    return ` · ${completedOf(readers, 'answer')}, recorded`;
  return ` · ${subject.kind === 'question' ? 'answered' : 'read'} by ${completedOf(readers, 'reviewer')}${neededOf(quorum)}`;
}

const mostPassedOver = 3;

/** Static checks look for patterns: whether the change does what it should, they do not read. */
export function checksOf({
  reviewers,
  quorum,
  subject,
  coverage,
}: RunRecord): readonly (Line | false)[] {
  const checks = reviewers.filter(reviewer => !isReader(reviewer));
  const recorded = sayRecorded(reviewers);
  if (checks.length === 0) return recorded === null ? [] : [[data(recorded)]];
  const isAlone = checks.length === reviewers.length;
  const warning =
    isAlone && subject.kind === 'change'
      ? 'No AI reviewer is seated: logic was not reviewed.'
      : recorded;
  const gaps = leftOutBy(
    checks.map(({ id }) => id),
    coverage,
  );
  return [
    say`${`${completedOf(checks, 'static check')} completed${isAlone ? neededOf(quorum) : ''}.`}${warning !== null && say` ${warning}`}`,
    ...gaps.slice(0, mostPassedOver).map(({ check, paths, why }) => {
      const files = paths.length === 1 ? '' : `${count(paths.length, 'file')}, `;
      return say`${toned('poor', 'not checked:')} ${check}${[` left out ${files}`]}${literal(nameFew(paths))} (${why})`;
    }),
    gaps.length > mostPassedOver && [
      `… and ${count(gaps.length - mostPassedOver, 'more gap')}, named in the full report.`,
    ],
  ];
}

function neededOf({ met, required }: RunRecord['quorum']): string {
  return met ? '' : `, ${required} needed`;
}

function completedOf(seats: readonly RunReviewer[], noun: string): string {
  return `${seats.filter(({ status }) => status === 'complete').length} of ${count(seats.length, noun)}`;
}
