/** What two wordings tell about saying the same, as numbers for the fitted model. Symmetric. */
import { shareOf, type WeighedStatement } from './run-wording.ts';

/** Names in the order of the numbers, with the group each belongs to in reports. */
export const wordingEvidence = [
  ['stems-contained', 'words'],
  ['stems-shared', 'words'],
  ['opening', 'words'],
  ['neighbours', 'words'],
  ['kinds', 'words'],
  ['identifiers-contained', 'identifiers'],
  ['identifiers-apart', 'identifiers'],
  ['letters', 'letters'],
  ['length', 'length'],
] as const;

export type WordingEvidence = (typeof wordingEvidence)[number][0];

export function gatherWordingEvidence(one: WeighedStatement, other: WeighedStatement): readonly number[] {
  const stems = shareOf(one.stems, other.stems);
  const identifiers = shareOf(one.identifiers, other.identifiers);
  const bothName = one.statement.identifiers.size > 0 && other.statement.identifiers.size > 0;
  return [
    stems.containment,
    Math.log1p(stems.weight),
    shareOf(one.opening, other.opening).cosine,
    shareOf(one.neighbours, other.neighbours).cosine,
    shareOfKinds(one.statement.kinds, other.statement.kinds),
    identifiers.containment,
    Number(bothName && identifiers.count === 0),
    shareOf(one.letters, other.letters).cosine,
    Math.log1p(Math.min(one.statement.stems.size, other.statement.stems.size)),
  ];
}

/** Few words that all stand in the other wording: a headline of it. */
export function isHeadlineOf(one: WeighedStatement, other: WeighedStatement): boolean {
  const shorter = Math.min(one.stems.terms.length, other.stems.terms.length);
  return shorter >= 2 && shorter <= longestHeadline && shareOf(one.stems, other.stems).count === shorter;
}

const longestHeadline = 6;

function shareOfKinds(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let both = 0;
  for (const kind of one) if (other.has(kind)) both += 1;
  const either = one.size + other.size - both;
  return either === 0 ? 0 : both / either;
}
