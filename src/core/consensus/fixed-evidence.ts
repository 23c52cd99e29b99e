/** What counts beside the fitted evidence: log-odds set by hand, because the data of the fit cannot tell them. */
import { shareReviewer } from './barriers.ts';
import type { PanelStatement } from './panel-statements.ts';
import { clamp } from './logistic.ts';
import { gatherPlaceEvidence } from './place-evidence.ts';
import { shareOf } from './run-wording.ts';
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
    ...gatherPlaceEvidence(one.finding, other.finding).map(({ words, worth }) => ({ evidence: 'place', words, worth: worth > 0 ? worth * subjectShared(one, other) : worth })),
    ...(isHeadlineOf(one.weighed, other.weighed) ? [{ evidence: 'words', words: 'all that one says stands in the other', worth: headline }] : []),
    ...(shareReviewer(one, other) ? [{ evidence: 'reviewer', words: 'one reviewer says both, and who says two things mostly means two', worth: sameReviewer }] : []),
  ];
}

/** Shares of the lighter wording that both must have in common for one place to count at all, and for it to count in full. */
const someSubject = 0.2;
const wholeSubject = 0.4;

/** 0 to 1: two different troubles of one line stand at one place too, so the place tells only about those with one subject. */
function subjectShared({ weighed: one }: PanelStatement, { weighed: other }: PanelStatement): number {
  const share = Math.max(shareOf(one.stems, other.stems).containment, shareOf(one.identifiers, other.identifiers).containment);
  return clamp((share - someSubject) / (wholeSubject - someSubject), 0, 1);
}

export function worthOf(evidence: readonly FixedEvidence[]): number {
  return evidence.reduce((sum, { worth }) => sum + worth, 0);
}
