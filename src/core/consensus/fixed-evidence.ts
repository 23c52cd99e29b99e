/** What counts beside the fitted evidence: log-odds set by hand, because the data of the fit cannot tell them. */
import { shareReviewer } from './barriers.ts';
import type { PanelStatement } from './panel-statements.ts';
import { gatherPlaceEvidence } from './place-evidence.ts';
import { isHeadlineOf } from './wording-evidence.ts';

export interface FixedEvidence {
  /** Group: `place`, `words`, `reviewer`. */
  readonly evidence: string;
  /** Half a sentence. */
  readonly words: string;
  /** Log-odds. */
  readonly worth: number;
}

/** The labels hold no pair of one reviewer, and few headlines. */
const sameReviewer = -3;
const headline = 1;

export function gatherFixedEvidence(one: PanelStatement, other: PanelStatement): FixedEvidence[] {
  return [
    ...gatherPlaceEvidence(one.finding, other.finding).map(each => ({ evidence: 'place', ...each })),
    ...(isHeadlineOf(one.weighed, other.weighed) ? [{ evidence: 'words', words: 'all that one says stands in the other', worth: headline }] : []),
    ...(shareReviewer(one, other) ? [{ evidence: 'reviewer', words: 'one reviewer said both', worth: sameReviewer }] : []),
  ];
}

export function worthOf(evidence: readonly FixedEvidence[]): number {
  return evidence.reduce((sum, { worth }) => sum + worth, 0);
}
