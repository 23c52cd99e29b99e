/** Who looked at it, and what of it was passed over. */
import { sayRecorded } from '../core/verdict/review-status.ts';
import { leftOutBy, nameFew } from '../core/verdict/onward.ts';
import { isReader } from '../core/words/reader.ts';
import type { RunRecord, RunReviewer } from '../core/words/run.ts';
import { count } from './figures.ts';
import { data, type Line, literal, toned } from './section.ts';

/** Who read it, or that nobody did but checks. */
export function readOf({ outcome, reviewers, quorum, subject }: RunRecord): string {
  // The outcome says it.
  if (outcome === null) return '';
  const readers = reviewers.filter(isReader);
  // The outcome says that too.
  if (readers.length === 0) return '';
  if (readers.every(isRecording)) return ` · ${completedOf(readers, 'answer')}, recorded`;
  return ` · ${subject.kind === 'question' ? 'answered' : 'read'} by ${completedOf(readers, 'reviewer')}${neededOf(quorum)}`;
}

/** Static checks look for patterns: whether the change does what it should, they do not read. */
export function checksOf({ reviewers, quorum, subject, coverage }: RunRecord): readonly Line[] {
  const checks = reviewers.filter(reviewer => !isReader(reviewer));
  const recorded = sayRecorded(reviewers);
  if (checks.length === 0) return recorded === null ? [] : [[data(recorded)]];
  const isAlone = checks.length === reviewers.length;
  const warning =
    isAlone && subject.kind === 'change'
      ? 'No AI reviewer is seated: logic was not reviewed.'
      : recorded;
  return [
    [
      data(`${completedOf(checks, 'static check')} completed${isAlone ? neededOf(quorum) : ''}.`),
      ...(warning === null ? [] : [' ', data(warning)]),
    ],
    ...passedOver(
      checks.map(({ id }) => id),
      coverage,
    ),
  ];
}

const mostPassedOver = 3;

function passedOver(checks: readonly string[], coverage: RunRecord['coverage']): readonly Line[] {
  const gaps = leftOutBy(checks, coverage);
  return [
    ...gaps
      .slice(0, mostPassedOver)
      .map(({ check, paths, why }): Line => [
        toned('poor', 'not checked:'),
        ' ',
        data(check),
        ` left out ${paths.length === 1 ? '' : `${count(paths.length, 'file')}, `}`,
        literal(nameFew(paths)),
        ' (',
        data(why),
        ')',
      ]),
    ...(gaps.length > mostPassedOver
      ? [[`… and ${count(gaps.length - mostPassedOver, 'more gap')}, named in the full report.`]]
      : []),
  ];
}

function isRecording({ runner }: Pick<RunReviewer, 'runner'>): boolean {
  return runner === 'replay';
}

function neededOf({ met, required }: RunRecord['quorum']): string {
  return met ? '' : `, ${required} needed`;
}

function completedOf(seats: readonly RunReviewer[], noun: string): string {
  return `${seats.filter(({ status }) => status === 'complete').length} of ${count(seats.length, noun)}`;
}
