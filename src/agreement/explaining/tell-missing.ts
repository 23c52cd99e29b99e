/** What two findings that say the same mostly share and these two do not, so that nobody wonders why what speaks for them is too little. */
import type { Location } from '../../core/words/finding.ts';
import type { PanelStatement } from '../panel-statements.ts';
import { shareOf } from '../wording/run-wording.ts';

/** Each half a sentence. `names`: names of code that stand in both. */
export function tellMissing(
  one: PanelStatement,
  other: PanelStatement,
  names: readonly string[],
): readonly string[] {
  return [
    ...(names.length === 0 ? ['no name of code stands in both'] : []),
    ...placeMissing(one.finding.location, other.finding.location),
    ...wordsMissing(one, other),
  ];
}

/** Lines apart between which the place is neither told as shared nor as speaking against the two. */
const near = 12;
const far = 40;

function placeMissing(one: Location | null, other: Location | null): string[] {
  if (one === null && other === null) return ['neither names a place'];
  if (one === null || other === null) return ['one of them names no place'];
  if (one.path !== other.path) return [];
  if (one.line === null && other.line === null) return ['neither names a line'];
  if (one.line === null || other.line === null) return ['one of them names no line'];
  const [first, last] = one.line <= other.line ? [one, other] : [other, one];
  const apart = (last.line ?? 0) - Math.max(first.line ?? 0, first.endLine ?? 0);
  return apart > near && apart <= far ? [`they stand ${apart} lines apart`] : [];
}

function wordsMissing(
  { weighed: one }: PanelStatement,
  { weighed: other }: PanelStatement,
): string[] {
  const { count } = shareOf(one.stems, other.stems);
  const whole = Math.min(one.stems.end - one.stems.start, other.stems.end - other.stems.start);
  if (count >= whole) return [];
  const stands = count === 1 ? 'only 1 stands' : `${count === 0 ? 'none' : count} stand`;
  return [`of the ${whole} telling words of the shorter one ${stands} in the other`];
}
