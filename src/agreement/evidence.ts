/** What speaks for and against two findings being one: how alike their wordings are, and what counts beside the words. */
import type { Finding } from '../core/words/finding.ts';
import { rankOf } from '../core/words/severity.ts';
import { shareReviewer } from './guards.ts';
import { polarityOf } from './polarity.ts';
import { clamp } from '../core/words/odds.ts';
import type { PanelStatement } from './panel-statements.ts';
import { shareOf, type Shared, sizeOf, type WeighedStatement } from './wording/run-wording.ts';
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

/** `isLone`: nothing else comes near the two. `stems`: what they share of these, where it is known. */
export function gatherFixedEvidence(
  one: PanelStatement,
  other: PanelStatement,
  isLone = false,
  stems = shareOf(one.weighed.stems, other.weighed.stems),
): FixedEvidence[] {
  // One list, and no lists put together: it is gathered of every pair.
  const gathered: FixedEvidence[] = [];
  const places = gatherPlaceEvidence(one.finding, other.finding);
  if (places.length > 0) {
    const isFor = places.some(({ worth }) => worth > 0);
    const shared = isFor ? placeShared(one, other, isLone, stems) : 0;
    for (const { words, worth } of places)
      gathered.push({ evidence: 'place', words, worth: worth > 0 ? worth * shared : worth });
  }
  if (isHeadlineOf(one.weighed, other.weighed, stems))
    gathered.push({
      evidence: 'words',
      words: 'all that one says stands in the other',
      worth: headline,
    });
  if (isLone && isOneSided(one, other)) {
    const shortness = shortnessOf(one, other, true);
    if (shortness > 0)
      gathered.push({
        evidence: 'stance',
        words: 'one tells what is wrong, the other only how things are',
        worth: oneSided * shortness * (1 - troubleShared(one, other)),
      });
  }
  if (shareReviewer(one, other))
    gathered.push({
      evidence: 'reviewer',
      words: 'one reviewer says both, and who says two things mostly means two',
      worth: sameReviewer,
    });
  return gathered;
}

/** Shares of the lighter wording that both must have in common for one place to count at all, and for it to count in full. */
const someSubject = 0.2;
const wholeSubject = 0.4;

/** 0 to 1: two different troubles of one line stand at one place too, so the place tells only about those with one subject. */
function subjectShared(share: number, some: number, whole: number): number {
  return clamp((share - some) / (whole - some), 0, 1);
}

/** Of short remarks a subject is half of what they say, and tells where, hardly what: both shares are larger, one place counts less. */
const someOfShort = 0.4;
const wholeOfShort = 0.8;
const placeOfShort = 1 / 3;

function placeShared(
  one: PanelStatement,
  other: PanelStatement,
  isLone: boolean,
  stems: Shared,
): number {
  const share = Math.max(
    stems.containment,
    shareOf(one.weighed.identifiers, other.weighed.identifiers).containment,
  );
  const long = subjectShared(share, someSubject, wholeSubject);
  // Nothing is read of weaknesses where the two are too long, or too many, to be judged by them.
  if (shortnessOf(one, other, true) === 0) return long;
  const shortness = shortnessOf(one, other, isLone && speakOfWeaknesses(one, other));
  if (shortness === 0) return long;
  const short = Math.max(
    subjectShared(share, someOfShort, wholeOfShort),
    troubleShared(one, other),
  );
  return (1 - shortness) * long + shortness * placeOfShort * short;
}

/** Few words of one subject, and only one names a trouble: the other may as well tell that there is none. */
function isOneSided(one: PanelStatement, other: PanelStatement): boolean {
  const [left, right] = [polarityOf(one.finding).says, polarityOf(other.finding).says];
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
  stems = shareOf(one.stems, other.stems),
): readonly number[] {
  return [
    stems.containment,
    Math.log1p(stems.weight),
    shareOf(one.opening, other.opening).cosine,
    shareOf(one.neighbours, other.neighbours).cosine,
    shareOfKinds(one.statement.kinds, other.statement.kinds),
    shareOf(one.letters, other.letters).cosine,
    Math.log1p(Math.min(sizeOf(one.stems), sizeOf(other.stems))),
  ];
}

/** Few words that all stand in the other wording: a headline of it. */
function isHeadlineOf(one: WeighedStatement, other: WeighedStatement, { count }: Shared): boolean {
  const shorter = Math.min(sizeOf(one.stems), sizeOf(other.stems));
  return shorter >= 2 && shorter <= longestHeadline && count === shorter;
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
    placesOf(one, other),
    sectionsOf(one, other),
    categoriesOf(one, other),
    severitiesOf(one, other),
  ].filter(evidence => evidence !== null);
}

const sameFile: PlaceEvidence = { words: 'they name the same file', worth: 0.2 };

function placesOf({ location: one }: Finding, { location: other }: Finding): PlaceEvidence | null {
  if (one === null || other === null || one.path !== other.path) return null;
  if (one.line === null || other.line === null || one.side !== other.side) return sameFile;
  const apart = Math.max(
    0,
    Math.max(one.line, other.line) -
      Math.min(
        one.line > other.line ? (other.endLine ?? other.line) : (one.endLine ?? one.line),
        Math.max(one.line, other.line),
      ),
  );
  return distances.find(({ lines }) => apart <= lines) ?? distances[4];
}

const sameSection: PlaceEvidence = { words: 'they name the same section', worth: 0.3 };
const otherSections: PlaceEvidence = { words: 'they name different sections', worth: -0.5 };

/** Without a line, a section of a document is a place. */
function sectionsOf(one: Finding, other: Finding): PlaceEvidence | null {
  if (
    one.section === null ||
    other.section === null ||
    one.location !== null ||
    other.location !== null
  )
    return null;
  return one.section === other.section ? sameSection : otherSections;
}

const sameCategory: PlaceEvidence = { words: 'they name the same category', worth: 0.3 };
const otherCategories: PlaceEvidence = { words: 'they name different categories', worth: -0.3 };

function categoriesOf(one: Finding, other: Finding): PlaceEvidence | null {
  if (one.category === null || other.category === null) return null;
  const isSame = one.category.trim().toLowerCase() === other.category.trim().toLowerCase();
  return isSame ? sameCategory : otherCategories;
}

const severitiesApart: PlaceEvidence = { words: 'their severities are far apart', worth: -0.3 };

function severitiesOf(one: Finding, other: Finding): PlaceEvidence | null {
  const apart = Math.abs(rankOf(one.severity) - rankOf(other.severity));
  return apart >= 3 ? severitiesApart : null;
}
