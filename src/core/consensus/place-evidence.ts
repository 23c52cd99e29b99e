/**
 * What the places, severities and categories of two findings add to the log-odds that they say the same. The figures
 * are set by hand, small and symmetric: the findings that the model was fitted on name no places. What one of the two
 * leaves out counts neither for nor against.
 */
import type { Finding } from '../finding.ts';
import { rankOf } from '../severity.ts';

export interface PlaceEvidence {
  readonly words: string;
  /** Log-odds. */
  readonly worth: number;
}

/** By lines apart, at most. */
const distances = [
  { lines: 3, words: 'they stand at the same lines', worth: 1.5 },
  { lines: 12, words: 'they stand in the same hunk', worth: 0.8 },
  { lines: 40, words: 'they stand near each other', worth: 0.2 },
  { lines: 200, words: 'they stand far apart in the file', worth: -0.8 },
  { lines: Number.POSITIVE_INFINITY, words: 'they stand at opposite ends of the file', worth: -1.5 },
] as const;

export function gatherPlaceEvidence(one: Finding, other: Finding): PlaceEvidence[] {
  return [...placesOf(one, other), ...sectionsOf(one, other), ...categoriesOf(one, other), ...severitiesOf(one, other)];
}

function placesOf({ location: one }: Finding, { location: other }: Finding): PlaceEvidence[] {
  if (one === null || other === null || one.path !== other.path) return [];
  if (one.line === null || other.line === null || one.side !== other.side) return [{ words: 'they name the same file', worth: 0.2 }];
  const apart = Math.max(0, Math.max(one.line, other.line) - Math.min(one.line > other.line ? (other.endLine ?? other.line) : (one.endLine ?? one.line), Math.max(one.line, other.line)));
  const { words, worth } = distances.find(({ lines }) => apart <= lines) ?? distances[4];
  return [{ words, worth }];
}

/** Without a line, a section of a document is a place. */
function sectionsOf(one: Finding, other: Finding): PlaceEvidence[] {
  if (one.section === null || other.section === null || one.location !== null || other.location !== null) return [];
  return one.section === other.section ? [{ words: 'they name the same section', worth: 0.3 }] : [{ words: 'they name different sections', worth: -0.5 }];
}

function categoriesOf(one: Finding, other: Finding): PlaceEvidence[] {
  if (one.category === null || other.category === null) return [];
  const isSame = one.category.trim().toLowerCase() === other.category.trim().toLowerCase();
  return isSame ? [{ words: 'they name the same category', worth: 0.3 }] : [{ words: 'they name different categories', worth: -0.3 }];
}

function severitiesOf(one: Finding, other: Finding): PlaceEvidence[] {
  const apart = Math.abs(rankOf(one.severity) - rankOf(other.severity));
  return apart >= 3 ? [{ words: 'their severities are far apart', worth: -0.3 }] : [];
}
