/** What keeps two findings apart, however alike they read: other files, other numbers, other categories at one place, the opposite. */
import type { Finding } from '../core/words/finding.ts';
import { areOpposite } from './stance/opposites.ts';
import { readStance, type Stance } from './stance/stance.ts';
import {
  areDifferentFiles,
  fileOfFinding,
  readWording,
  type Statement,
  type Wording,
} from './wording/words.ts';
import { absences } from './wording/written-words.ts';

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

/**
 * Does one deny what the other says, or say the opposite of it? Whatever the strategy, so that no denial becomes support.
 * `wordings`: theirs, where they have been read.
 */
export function contradict(
  one: Finding,
  other: Finding,
  wordings?: readonly [Wording, Wording],
): boolean {
  const [ofOne, ofOther] = [stanceOf(one), stanceOf(other)];
  if (areOpposite(ofOne, ofOther, areAtOnePlace(one, other))) return true;
  // Whoever asks for a thing says no of its opposite.
  if (ofOne.isRequest !== ofOther.isRequest) return false;
  const [left, right] = wordings ?? [wordingOf(one), wordingOf(other)];
  return (canTurn(left) || canTurn(right)) && sayTheOpposite(left, right);
}

/** One says that it is well and the other does not: never one claim, even where nobody can tell whether they are about one thing. */
export function standApart(one: Finding, other: Finding): boolean {
  return (stanceOf(one).says === 'denial') !== (stanceOf(other).says === 'denial');
}

const stances = new WeakMap<Finding, Stance>();

/** Read once a finding. */
export function stanceOf(finding: Finding): Stance {
  const known = stances.get(finding);
  if (known !== undefined) return known;
  const stance = readStance(withoutAdvice(finding.text));
  stances.set(finding, stance);
  return stance;
}

/** What should be done is no statement about what is there: text behind a label inside a remark, as in "It is dropped. Fix: keep it". */
function withoutAdvice(text: string): string {
  return text.replace(/(?<=\S)\s\p{Lu}\p{Ll}+(?: \p{Ll}+){0,2}[:：]\s.*$/su, '');
}

/** Read once a finding, be it on its own or with all that a statement is made of. */
const wordings = new WeakMap<Finding, Wording>();

function wordingOf(finding: Finding): Wording {
  const known = wordings.get(finding);
  if (known !== undefined) return known;
  const wording = readWording(finding.text);
  wordings.set(finding, wording);
  return wording;
}

function areAtOnePlace(one: Finding, other: Finding): boolean {
  return isSameFile(one, other) && distanceOf(one, other) <= nearby;
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

/** Stems whose exchange turns a statement into its opposite. */
const opposites: readonly (readonly [string, string])[] = [
  ['increas', 'decreas'],
  ['enabl', 'disabl'],
  ['ad', 'remov'],
  ['add', 'remov'],
  ['allow', 'deni'],
  ['high', 'low'],
  ['higher', 'lower'],
  ['many', 'few'],
  ['more', 'less'],
  ['befor', 'after'],
  ['safe', 'unsaf'],
  ['valid', 'invalid'],
  ['true', 'fals'],
  ['up', 'down'],
  ['min', 'max'],
  ['minimum', 'maximum'],
  ['lock', 'unlock'],
  ['first', 'last'],
  ['encrypt', 'decrypt'],
  ['correct', 'incorrect'],
  ['necessari', 'unnecessari'],
];

/** Share of all their words that two wordings must have in common before a single word can turn one against the other. */
const nearlyAlike = 0.8;

const opposed: ReadonlySet<string> = new Set(opposites.flat());

/** Could the wording be turned at all? Asked before, because few wordings can and all pairs are compared. */
function canTurn({ words, negated, lacking }: Wording): boolean {
  return negated.size > 0 || lacking.size > 0 || shareAny(words, opposed);
}

/** Alike but for a `not` before a word of both, alike but for two words that are each other's opposite, or one says of what the other lacks that it is there. */
export function sayTheOpposite(one: Wording, other: Wording): boolean {
  if (misses(one, other) || misses(other, one)) return true;
  const turning = opposites
    .filter(([left, right]) => turns(one, other, left, right) || turns(other, one, left, right))
    .flat();
  const isTurned = turning.length > 0 || denies(one, other) || denies(other, one);
  return isTurned && likeness(one.words, other.words, new Set(turning)) >= nearlyAlike;
}

/**
 * One says no of a word that the other uses without one. Where the other has a no or an absence of its own, both may say
 * that one thing is absent ("No null check", "Null is not checked", "Missing null check"): it denies nothing.
 */
function denies(one: Wording, other: Wording): boolean {
  const isDenied = [...one.negated].some(word => other.words.has(word) && !other.negated.has(word));
  return (
    isDenied &&
    [...other.negated].every(word => one.negated.has(word)) &&
    ![...other.words].some(word => absences.has(word) && !one.words.has(word))
  );
}

/** Of a sentence that says no more than that it is there, so that it is no trouble with the same thing. */
const mostlySaid = 2 / 3;

/** "Missing validation of the amount" and "The amount is validated". */
function misses(one: Wording, other: Wording): boolean {
  return (
    other.isAffirmed &&
    other.negated.size === 0 &&
    one.negated.size === 0 &&
    ![...other.words].some(word => absences.has(word)) &&
    [...one.lacking].some(word => other.words.has(word)) &&
    [...other.words].every(word => one.words.has(word)) &&
    likeness(one.words, other.words, absences) >= mostlySaid
  );
}

/** Not so "unsafe" and "not safe": a no before one of the two turns it back. */
function turns(one: Wording, other: Wording, left: string, right: string): boolean {
  return (
    one.words.has(left) &&
    !one.words.has(right) &&
    other.words.has(right) &&
    !other.words.has(left) &&
    one.negated.has(left) === other.negated.has(right)
  );
}

/** Words of both through words of either, leaving some out; 0 when none are left. */
function likeness(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
  except: ReadonlySet<string>,
): number {
  const either = [...new Set([...one, ...other])].filter(word => !except.has(word));
  const both = either.filter(word => one.has(word) && other.has(word));
  return either.length === 0 ? 0 : both.length / either.length;
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
  wordings.set(finding, statement.wording);
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
  const wordings = [one.statement.wording, other.statement.wording] as const;
  if (contradict(one.finding, other.finding, wordings)) return 'opposite';
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
