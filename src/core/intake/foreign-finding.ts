/** Makes a finding of ours from what another tool says: bounded, on one line, with nothing hidden, its place as stated. */
import { sayAs, type Finding, type Location } from '../finding.ts';
import { impossibleLine, placeFrom, type Place } from '../parse/stated.ts';
import { toLine, cut } from '../text.ts';
import { stateFinding } from '../parse/stated.ts';
import { emptyReview, type Review } from '../review.ts';

export interface ForeignFinding extends Pick<Finding, 'reviewer' | 'originalId' | 'label' | 'severity' | 'text' | 'category' | 'evidence' | 'recommendation'> {
  readonly place: Place | null;
}

/** Names are shown in columns and used as keys. */
const nameLimit = 100;

export function toForeignFinding({ reviewer, place, ...stated }: ForeignFinding): Finding {
  const label = cut(toLine(stated.label), nameLimit);
  const finding = stateFinding({ ...stated, label, raw: stated.text }, place);
  return sayAs(finding, { reviewer, location: place === null ? null : toLocation(place), isImprovement: false });
}

export function toReviewerName(name: string): string {
  return cut(toLine(name), nameLimit);
}

/** A place as two fields of a record. A line that cannot be one is left out, with a note. */
export function toPlace(path: string, line: unknown, endLine: unknown): Place {
  const place = placeFrom(path.replace(/^(?:\.\/)+(?=.)/, ''), line, endLine);
  return place.line === impossibleLine ? { ...place, line: null, endLine: null } : place;
}

/** Nobody looked the place up here, so nothing speaks against it. */
function toLocation({ path, line, endLine }: Place): Location {
  return { path, line, endLine, side: 'new', anchoring: 'exact', checked: false, note: null };
}

/** The record of a reviewer that was not asked by us. `isComplete: false`: its silence says nothing. */
export function foreignReview(reviewer: string, isComplete: boolean): Review {
  return emptyReview({ reviewer, persona: 'elsewhere', runner: 'elsewhere', required: false, timeoutSeconds: 1, status: isComplete ? 'complete' : 'partial' });
}

/** What was corrected in reading, in one sentence; none when nothing was. */
export function correctionWarnings(findings: readonly Pick<Finding, 'notes'>[]): string[] {
  const corrected = findings.flatMap(({ notes: [note] }, index) => (note === undefined ? [] : [{ index, note }]));
  const [first] = corrected;
  if (first === undefined) return [];
  return [`${corrected.length === 1 ? 'A finding was' : `${corrected.length} findings were`} corrected in reading; number ${first.index + 1}: ${first.note}`];
}
