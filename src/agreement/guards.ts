/** What keeps two findings apart, however alike they read: other files, other numbers, other categories at one place, the opposite. */
import type { Finding } from '../core/words/finding.ts';
import { compare, polarityOf } from './polarity.ts';
import { areDifferentFiles, fileOfFinding, type Statement, type Wording } from './wording/words.ts';

/** Holds for every strategy: two categories in one file are two issues, at one line or at two, however alike they are worded. */
export function mustStayApart(one: Finding, other: Finding): boolean {
  return (
    isSameFile(one, other) &&
    one.category !== null &&
    other.category !== null &&
    normalise(one.category) !== normalise(other.category)
  );
}

function isSameFile({ location: one }: Finding, { location: other }: Finding): boolean {
  return one !== null && other !== null && one.path === other.path;
}

function normalise(category: string): string {
  return category.trim().toLowerCase();
}

/** Do both name numbers, and none that the other names? */
export function nameOtherNumbers(one: Wording, other: Wording): boolean {
  return one.numbers.size > 0 && other.numbers.size > 0 && !shareAny(one.numbers, other.numbers);
}

function shareAny(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  for (const each of one) if (other.has(each)) return true;
  return false;
}

/** Lines apart, at most, of two findings about one place. */
const nearby = 3;

/** Does one deny what the other says, or say the opposite of it? Whatever the strategy, so that no denial becomes support. */
export function contradict(one: Finding, other: Finding): boolean {
  return compare(one, other) === 'opposite';
}

/** One says that it is well and the other does not: never one claim, even where it cannot be told whether they are about one thing. */
export function standApart(one: Finding, other: Finding): boolean {
  return (polarityOf(one).says === 'fine') !== (polarityOf(other).says === 'fine');
}

/** Nobody denies what he said himself, and a denial is about the place where it stands. */
export function mayOppose(one: Finding, other: Finding): boolean {
  const distance = distanceOf(one, other);
  return one.reviewer !== other.reviewer && (Number.isNaN(distance) || distance <= nearby);
}

/** Lines between two findings, below 1 where they overlap; NaN where one names no line. */
function distanceOf(one: Finding, other: Finding): number {
  const [left, right] = [linesOf(one), linesOf(other)];
  return left === null || right === null
    ? Number.NaN
    : Math.max(left.first - right.last, right.first - left.last);
}

function linesOf({ location }: Finding): { first: number; last: number } | null {
  if (location === null || location.line === null) return null;
  return { first: location.line, last: Math.max(location.line, location.endLine ?? 0) };
}

/** What keeps two findings in two claims, however probable it is by their wordings that they say the same. */
export const barriers = {
  files: 'They name two different files.',
  categories: 'They are about one file and name two different categories.',
  lines: 'One reviewer says both, of two different lines.',
  opposite: 'One says the opposite of the other.',
  stances: 'One says that it is well, the other does not.',
  numbers: 'They say the same of different numbers.',
  names: 'They say the same of different names.',
} as const;

type Barrier = keyof typeof barriers;

export interface Placed {
  readonly finding: Finding;
  readonly reviewers: readonly string[];
  readonly file: string;
  readonly statement: Statement;
}

export function place(
  finding: Finding,
  reviewers: readonly string[],
  statement: Statement,
): Placed {
  return { finding, reviewers, file: fileOfFinding(finding), statement };
}

export function shareReviewer(
  one: Pick<Placed, 'reviewers'>,
  other: Pick<Placed, 'reviewers'>,
): boolean {
  return one.reviewers.some(reviewer => other.reviewers.includes(reviewer));
}

/** Shares of their other words that two wordings must have in common for a single number or name to tell them apart. */
const alikeButNumbers = 0.6;
const alikeButNames = 0.75;

export function barrierBetween(one: Placed, other: Placed): Barrier | null {
  if (areDifferentFiles(one.file, other.file)) return 'files';
  if (mustStayApart(one.finding, other.finding)) return 'categories';
  if (nameOtherLines(one.finding, other.finding) && shareReviewer(one, other)) return 'lines';
  if (contradict(one.finding, other.finding)) return 'opposite';
  if (standApart(one.finding, other.finding)) return 'stances';
  if (stateOtherNumbers(one.statement, other.statement)) return 'numbers';
  return nameOtherNames(one.statement, other.statement) ? 'names' : null;
}

function nameOtherLines({ location: one }: Finding, { location: other }: Finding): boolean {
  return (
    one !== null &&
    other !== null &&
    one.path === other.path &&
    one.line !== null &&
    other.line !== null &&
    one.line !== other.line
  );
}

function stateOtherNumbers(one: Statement, other: Statement): boolean {
  if (one.numbers.size === 0 || other.numbers.size === 0 || shareAny(one.numbers, other.numbers))
    return false;
  return (
    likenessWithout(
      one.wording.words,
      other.wording.words,
      new Set([...one.wording.numbers, ...other.wording.numbers]),
    ) >= alikeButNumbers
  );
}

function nameOtherNames(one: Statement, other: Statement): boolean {
  if (one.identifiers.size === 0 || other.identifiers.size === 0) return false;
  for (const left of one.identifiers)
    for (const right of other.identifiers)
      // A part of a name is no other name.
      if (left.includes(right) || right.includes(left)) return false;
  const names = new Set(
    [...one.identifiers, ...other.identifiers].flatMap(name => [name, `#${name}`]),
  );
  return likenessWithout(one.wording.words, other.wording.words, names) >= alikeButNames;
}

/** Words of both through words of either, leaving some out; 0 when one side has none left. */
function likenessWithout(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
  without: ReadonlySet<string>,
): number {
  let [left, right, both] = [0, 0, 0];
  for (const word of one) {
    if (without.has(word)) continue;
    left += 1;
    if (other.has(word)) both += 1;
  }
  for (const word of other) if (!without.has(word)) right += 1;
  return left === 0 || right === 0 ? 0 : both / (left + right - both);
}
