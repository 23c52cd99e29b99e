/** What keeps two findings in two claims, however probable it is by their wordings that they say the same. */
import type { Finding } from '../finding.ts';
import { canTurn, mustStayApart, sayTheOpposite } from './guards.ts';
import type { Statement } from './statement.ts';
import { areDifferentFiles, fileOfFinding } from './words.ts';

export const barriers = {
  files: 'They name two different files.',
  categories: 'They are about one file and name two different categories.',
  lines: 'One reviewer says it of two lines.',
  opposite: 'One says the opposite of the other.',
  numbers: 'They say the same of different numbers.',
  names: 'They say the same of different names.',
} as const;

export type Barrier = keyof typeof barriers;

export interface Placed {
  readonly finding: Finding;
  readonly reviewers: readonly string[];
  readonly file: string;
  readonly statement: Statement;
}

export function place(finding: Finding, reviewers: readonly string[], statement: Statement): Placed {
  return { finding, reviewers, file: fileOfFinding(finding), statement };
}

export function shareReviewer(one: Pick<Placed, 'reviewers'>, other: Pick<Placed, 'reviewers'>): boolean {
  return one.reviewers.some(reviewer => other.reviewers.includes(reviewer));
}

/** Shares of their other words that two wordings must have in common for a single number or name to tell them apart. */
const alikeButNumbers = 0.6;
const alikeButNames = 0.75;

export function barrierBetween(one: Placed, other: Placed): Barrier | null {
  if (areDifferentFiles(one.file, other.file)) return 'files';
  if (mustStayApart(one.finding, other.finding)) return 'categories';
  if (nameOtherLines(one.finding, other.finding) && shareReviewer(one, other)) return 'lines';
  const [left, right] = [one.statement.wording, other.statement.wording];
  if ((canTurn(left) || canTurn(right)) && sayTheOpposite(left, right)) return 'opposite';
  if (nameOtherNumbers(one.statement, other.statement)) return 'numbers';
  return nameOtherNames(one.statement, other.statement) ? 'names' : null;
}

function nameOtherLines({ location: one }: Finding, { location: other }: Finding): boolean {
  return one !== null && other !== null && one.path === other.path && one.line !== null && other.line !== null && one.line !== other.line;
}

function nameOtherNumbers(one: Statement, other: Statement): boolean {
  if (one.numbers.size === 0 || other.numbers.size === 0 || [...one.numbers].some(number => other.numbers.has(number))) return false;
  return likenessWithout(one.wording.words, other.wording.words, new Set([...one.wording.numbers, ...other.wording.numbers])) >= alikeButNumbers;
}

function nameOtherNames(one: Statement, other: Statement): boolean {
  if (one.identifiers.size === 0 || other.identifiers.size === 0) return false;
  // A part of a name is no other name.
  if ([...one.identifiers].some(left => [...other.identifiers].some(right => left.includes(right) || right.includes(left)))) return false;
  const names = new Set([...one.identifiers, ...other.identifiers].flatMap(name => [name, `#${name}`]));
  return likenessWithout(one.wording.words, other.wording.words, names) >= alikeButNames;
}

/** Words of both through words of either, leaving some out; 0 when one side has none left. */
function likenessWithout(one: ReadonlySet<string>, other: ReadonlySet<string>, without: ReadonlySet<string>): number {
  const [left, right] = [[...one].filter(word => !without.has(word)), [...other].filter(word => !without.has(word))];
  const both = left.filter(word => other.has(word)).length;
  return left.length === 0 || right.length === 0 ? 0 : both / (left.length + right.length - both);
}
