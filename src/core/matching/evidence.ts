/** What speaks for and against two findings being one: how alike their wordings are, and what counts beside the words. */
import type { Finding } from '../words/finding.ts';
import { rankOf } from '../words/severity.ts';
import { shareReviewer, stanceOf } from './guards.ts';
import { clamp } from './logistic.ts';
import type { PanelStatement } from './panel-statements.ts';
import { shareOf, type WeighedStatement } from './wording/run-wording.ts';
import { shortnessOf, speakOfWeaknesses, troubleShared } from './short-wordings.ts';

interface FixedEvidence {
  /** Group: `place`, `words`, `stance`, `reviewer`. */
  readonly evidence: string;
  /** Half a sentence. */
  readonly words: string;
  /** Log-odds. */
  readonly worth: number;
}

/** The labels hold no pair of one reviewer, and few headlines. */
const sameReviewer = -3;
const headline = 1;
const oneSided = -3;

/** `isLone`: nothing else comes near the two. */
export function gatherFixedEvidence(
  one: PanelStatement,
  other: PanelStatement,
  isLone = false,
): FixedEvidence[] {
  return [
    ...gatherPlaceEvidence(one.finding, other.finding).map(({ words, worth }) => ({
      evidence: 'place',
      words,
      worth: worth > 0 ? worth * placeShared(one, other, isLone) : worth,
    })),
    ...(isHeadlineOf(one.weighed, other.weighed)
      ? [{ evidence: 'words', words: 'all that one says stands in the other', worth: headline }]
      : []),
    ...(isLone && isOneSided(one, other)
      ? [
          {
            evidence: 'stance',
            words: 'one tells what is wrong, the other only how things are',
            worth: oneSided * shortnessOf(one, other, true) * (1 - troubleShared(one, other)),
          },
        ]
      : []),
    ...(shareReviewer(one, other)
      ? [
          {
            evidence: 'reviewer',
            words: 'one reviewer says both, and who says two things mostly means two',
            worth: sameReviewer,
          },
        ]
      : []),
  ];
}

/** Shares of the lighter wording that both must have in common for one place to count at all, and for it to count in full. */
const someSubject = 0.2;
const wholeSubject = 0.4;

/** 0 to 1: two different troubles of one line stand at one place too, so the place tells only about those with one subject. */
function subjectShared(
  { weighed: one }: PanelStatement,
  { weighed: other }: PanelStatement,
  some: number,
  whole: number,
): number {
  const share = Math.max(
    shareOf(one.stems, other.stems).containment,
    shareOf(one.identifiers, other.identifiers).containment,
  );
  return clamp((share - some) / (whole - some), 0, 1);
}

/** Of short remarks a subject is half of what they say, and tells where, hardly what: both shares are larger, one place counts less. */
const someOfShort = 0.4;
const wholeOfShort = 0.8;
const placeOfShort = 1 / 3;

function placeShared(one: PanelStatement, other: PanelStatement, isLone: boolean): number {
  const shortness = shortnessOf(one, other, isLone && speakOfWeaknesses(one, other));
  const long = subjectShared(one, other, someSubject, wholeSubject);
  if (shortness === 0) return long;
  const short = Math.max(
    subjectShared(one, other, someOfShort, wholeOfShort),
    troubleShared(one, other),
  );
  return (1 - shortness) * long + shortness * placeOfShort * short;
}

/** Few words of one subject, and only one names a trouble: the other may as well tell that there is none. */
function isOneSided(one: PanelStatement, other: PanelStatement): boolean {
  const [left, right] = [stanceOf(one.finding).says, stanceOf(other.finding).says];
  return left !== right && (left === 'trouble' || right === 'trouble');
}

export function worthOf(evidence: readonly FixedEvidence[]): number {
  return evidence.reduce((sum, { worth }) => sum + worth, 0);
}

// What two wordings tell about saying the same, as numbers for the fitted model. Symmetric.

/** Names in the order of the numbers, with the group each belongs to in reports. */
export const wordingEvidence = [
  ['stems-contained', 'words'],
  ['stems-shared', 'words'],
  ['opening', 'words'],
  ['neighbours', 'words'],
  ['kinds', 'words'],
  ['letters', 'letters'],
  ['length', 'length'],
] as const;

export function gatherWordingEvidence(
  one: WeighedStatement,
  other: WeighedStatement,
): readonly number[] {
  const stems = shareOf(one.stems, other.stems);
  return [
    stems.containment,
    Math.log1p(stems.weight),
    shareOf(one.opening, other.opening).cosine,
    shareOf(one.neighbours, other.neighbours).cosine,
    shareOfKinds(one.statement.kinds, other.statement.kinds),
    shareOf(one.letters, other.letters).cosine,
    Math.log1p(Math.min(one.statement.stems.size, other.statement.stems.size)),
  ];
}

/** Few words that all stand in the other wording: a headline of it. */
function isHeadlineOf(one: WeighedStatement, other: WeighedStatement): boolean {
  const shorter = Math.min(one.stems.end - one.stems.start, other.stems.end - other.stems.start);
  return (
    shorter >= 2 && shorter <= longestHeadline && shareOf(one.stems, other.stems).count === shorter
  );
}

const longestHeadline = 6;

function shareOfKinds(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
  let both = 0;
  for (const kind of one) if (other.has(kind)) both += 1;
  const either = one.size + other.size - both;
  return either === 0 ? 0 : both / either;
}

/**
 * What the places, severities and categories of two findings add to the log-odds that they say the same. The figures
 * are set by hand, small and symmetric: the findings that the model was fitted on name no places. What one of the two
 * leaves out counts neither for nor against.
 */
interface PlaceEvidence {
  readonly words: string;
  /** Log-odds. */
  readonly worth: number;
}

/** By lines apart, at most. */
const distances = [
  { lines: 3, words: 'they stand within three lines of each other', worth: 1.5 },
  { lines: 12, words: 'they stand within 12 lines of each other', worth: 0.5 },
  { lines: 40, words: 'they stand within 40 lines of each other', worth: 0.2 },
  { lines: 200, words: 'they stand more than 40 lines apart', worth: -0.8 },
  {
    lines: Number.POSITIVE_INFINITY,
    words: 'they stand more than 200 lines apart',
    worth: -1.5,
  },
] as const;

function gatherPlaceEvidence(one: Finding, other: Finding): PlaceEvidence[] {
  return [
    ...placesOf(one, other),
    ...sectionsOf(one, other),
    ...categoriesOf(one, other),
    ...severitiesOf(one, other),
  ];
}

function placesOf({ location: one }: Finding, { location: other }: Finding): PlaceEvidence[] {
  if (one === null || other === null || one.path !== other.path) return [];
  if (one.line === null || other.line === null || one.side !== other.side)
    return [{ words: 'they name the same file', worth: 0.2 }];
  const apart = Math.max(
    0,
    Math.max(one.line, other.line) -
      Math.min(
        one.line > other.line ? (other.endLine ?? other.line) : (one.endLine ?? one.line),
        Math.max(one.line, other.line),
      ),
  );
  const { words, worth } = distances.find(({ lines }) => apart <= lines) ?? distances[4];
  return [{ words, worth }];
}

/** Without a line, a section of a document is a place. */
function sectionsOf(one: Finding, other: Finding): PlaceEvidence[] {
  if (
    one.section === null ||
    other.section === null ||
    one.location !== null ||
    other.location !== null
  )
    return [];
  return one.section === other.section
    ? [{ words: 'they name the same section', worth: 0.3 }]
    : [{ words: 'they name different sections', worth: -0.5 }];
}

function categoriesOf(one: Finding, other: Finding): PlaceEvidence[] {
  if (one.category === null || other.category === null) return [];
  const isSame = one.category.trim().toLowerCase() === other.category.trim().toLowerCase();
  return isSame
    ? [{ words: 'they name the same category', worth: 0.3 }]
    : [{ words: 'they name different categories', worth: -0.3 }];
}

function severitiesOf(one: Finding, other: Finding): PlaceEvidence[] {
  const apart = Math.abs(rankOf(one.severity) - rankOf(other.severity));
  return apart >= 3 ? [{ words: 'their severities are far apart', worth: -0.3 }] : [];
}
