/**
 * What a remark says of its subject: that something is wrong or that all is well, read clause by clause from words of trouble,
 * remedy, praise and request and from what negates them. Where the words do not tell, it is unknown.
 */
import type { Finding } from '../core/words/finding.ts';
import table from './polarity.json' with { type: 'json' };
import { stemmer as stemOf } from 'stemmer';
import { areDifferentFiles, fileOfFinding } from './wording/words.ts';
import { plainOf, type Word, wordsIn } from './wording/written-words.ts';

export interface Polarity {
  /** That something is wrong; that all is well (checked, already handled, praise); or neither can be told. */
  readonly says: 'trouble' | 'fine' | 'unknown';
  /** By term: 1 where it is stated, -1 where it is negated, 0 where it is asked for, conditional or both. */
  readonly terms: Statements;
  /** By pair of antonyms: 1 or -1 for the one that is said, 0 for both. */
  readonly sides: Statements;
}

type Statements = ReadonlyMap<string, number>;

/** Two sides of one thing each; a word behind `~` stands for all of its forms. */
export const antonyms = table.sides.filter(({ isWish }) => !isWish);

const roles = indexOf(table.roles);
const sides = indexOf(table.sides);

function indexOf<Row extends { readonly words: readonly string[] }>(rows: readonly Row[]) {
  return new Map(
    rows.flatMap(row =>
      row.words.flatMap(line => line.split(' ').map(word => [keyOf(word), row] as const)),
    ),
  );
}

function keyOf(word: string): string {
  return word.startsWith('~') ? formKey(stemOf(word.slice(1))) : word;
}

function formKey(stem: string): string {
  return '~'.concat(stem);
}

/** Words that a negation reaches. */
const reach = 4;

/** What a word of some role does to the words behind it. */
const effects: Record<string, Partial<Walk>> = {
  negator: { negated: reach },
  // Itself included.
  without: { negated: 2 },
  absence: { negated: reach },
  ward: { negated: reach },
  turn: { fine: 0 },
  demand: { isAsked: true },
  order: { isAsked: true },
  condition: { isConditional: true },
  checking: { isConditional: true, isFineAtFirst: true },
};

const newClause = { negated: 0, isConditional: false };
const newWalk = {
  ...newClause,
  trouble: 0,
  fine: 0,
  isCode: false,
  /** First words of the clause and of the sentence. */
  clause: 0,
  sentence: 0,
  /** Of the sentence. */
  isAsked: false,
  /** The first sentence says that something is well. */
  isFineAtFirst: false,
};

type Walk = typeof newWalk & {
  readonly words: readonly Word[];
  readonly gaps: readonly string[];
  readonly terms: Map<string, number>;
  readonly sides: Map<string, number>;
};

/** What a label such as "Fix:" announces is no statement. */
const advice = / \p{Lu}\p{Ll}+(?: \p{Ll}+)?: /u;

export function readPolarity(text: string): Polarity {
  const { words, between: gaps } = wordsIn(plainOf(text).split(advice)[0] ?? '');
  const walk: Walk = { ...newWalk, words, gaps, terms: new Map(), sides: new Map() };
  for (const at of words.keys()) readWord(walk, at);
  const { trouble, fine, isFineAtFirst, sentence } = walk;
  const isFine = fine >= 1 && fine >= 1.5 * trouble && (isFineAtFirst || sentence === 0);
  const says = isFine ? 'fine' : trouble >= 1 ? 'trouble' : 'unknown';
  return { says, terms: walk.terms, sides: walk.sides };
}

function readWord(walk: Walk, at: number): void {
  const [word, gap] = [walk.words[at] as Word, walk.gaps[at] as string];
  if (hasMark(gap, '.!?;\n')) {
    if (walk.sentence === 0) walk.isFineAtFirst ||= walk.fine > 0;
    Object.assign(walk, newClause, { clause: at, sentence: at, isAsked: false });
  } else if (hasMark(gap, ',:()-–—')) Object.assign(walk, newClause, { clause: at });
  const value = walk.negated > 0 ? -1 : 1;
  // Behind an odd number of its marks begins or ends a piece of code, whose words are names.
  if (gap.split('\u0060').length % 2 === 0) walk.isCode = !walk.isCode;
  const isName = walk.isCode || word.name !== null;
  if (!isName) {
    const side = lookUp(sides, walk, at);
    if (side !== undefined && (side.isWish || !walk.isAsked))
      state(walk.sides, side.pair, side.side * value);
    readRole(walk, at);
  }
  if (word.isGrammar) return;
  state(walk.terms, word.name ?? word.stem, walk.isConditional || walk.isAsked ? 0 : value);
  if (walk.negated > 0) walk.negated -= 1;
}

/** A mark alone is part of a name. */
function hasMark(gap: string, marks: string): boolean {
  return gap.length > 1 && marks.split('').some(mark => gap.includes(mark));
}

function state(statements: Map<string, number>, key: string, value: number): void {
  statements.set(key, (statements.get(key) ?? value) === value ? value : 0);
}

/** By a word together with the one before it in the sentence, as it stands, or by its stem. */
function lookUp<Row>(index: ReadonlyMap<string, Row>, { words, sentence }: Walk, at: number) {
  const { lower, stem } = words[at] as Word;
  const before = at === sentence ? '' : words[at - 1]?.lower;
  return index.get([before, lower].join('-')) ?? index.get(lower) ?? index.get(formKey(stem));
}

function readRole(walk: Walk, at: number): void {
  const role = lookUp(roles, walk, at);
  if (role === undefined) return;
  const { name, plain, negated } = role;
  // A negation does not reach over it.
  if (name === 'preposition') walk.negated = 0;
  if (name === 'clause' || name === 'condition') Object.assign(walk, newClause, { clause: at });
  const isNegated = walk.negated > 0;
  if (!isNegated && !holds(walk, at, name)) return;
  // "The check of it is missing": what was named before is denied.
  if (name === 'absence' && isPredicate(walk, at))
    for (const term of walk.terms.keys()) walk.terms.set(term, -1);
  const weight = isNegated ? negated : plain;
  if (!walk.isConditional) weigh(walk, weight);
  if (!isNegated) Object.assign(walk, effects[name]);
  else if (weight !== 0) walk.negated = 0;
}

function weigh(walk: Walk, weight: number): void {
  if (weight < 0) walk.trouble -= weight;
  else if (!walk.isAsked) walk.fine += weight;
  // What is negated weighs by itself: that the negation told of a lack, by the same 0.8 in the table, is taken back.
  if (weight !== 0 && walk.negated > 0) walk.trouble = Math.max(0, walk.trouble - 0.8);
}

/** Is the word used in the sense of its role? */
function holds(walk: Walk, at: number, role: string): boolean {
  if (role === 'fine' && isPredicate(walk, at)) return true;
  return (role !== 'fine' && role !== 'remedy') || isDone(walk, at);
}

/** "is safe", "safe, since"; not "a safe way". */
function isPredicate(walk: Walk, at: number): boolean {
  if (isJoined(walk, at) && walk.words[at + 1]?.isGrammar !== true) return false;
  return at - walk.clause < 2 || isBehindCopula(walk, at);
}

/** "closes it", "is closed"; not "the closed file", "of closes". */
function isDone(walk: Walk, at: number): boolean {
  const { lower } = walk.words[at] as Word;
  if (!lower.endsWith('s')) return lower.endsWith('ed') && isBehindCopula(walk, at);
  return isJoined(walk, at) && walk.words[at - 1]?.isGrammar !== true;
}

/** Does a word follow, and nothing but a blank stand between? */
function isJoined({ gaps }: Walk, at: number): boolean {
  return gaps[at + 1]?.trim() === '';
}

function isBehindCopula({ words }: Walk, at: number): boolean {
  return words.slice(Math.max(0, at - 3), at).some(({ lower }) => copulas.has(lower));
}

const copulas = new Set(
  'is are was were been gets looks seems sounds stays stay remains feels it keeps'.split(' '),
);

const polarities = new WeakMap<Finding, Polarity>();

/** Read once a finding. */
export function polarityOf(finding: Finding): Polarity {
  const polarity = polarities.get(finding) ?? readPolarity(finding.text);
  polarities.set(finding, polarity);
  return polarity;
}

/** Lines apart, at most, of two findings about one place. */
const nearby = 3;
/** Terms at most: longer remarks tell of several things, and away from one place two are about one thing only if brief. */
const longest = 25;
const brief = 11;

/** Does one deny what the other says, or state the reverse? Symmetric; unknown within one reviewer and of two places or subjects. */
export function comparePolarity(one: Finding, other: Finding): 'opposite' | 'unknown' {
  const [left, right] = [polarityOf(one), polarityOf(other)];
  const distance = Math.max(linesBetween(one, other), linesBetween(other, one));
  const isDenial = (left.says === 'fine') !== (right.says === 'fine');
  const size = Math.max(left.terms.size, right.terms.size);
  const isTellable = isDenial || size <= (distance <= nearby ? longest : brief);
  if (!isTellable || one.reviewer === other.reviewer) return 'unknown';
  if (areDifferentFiles(fileOfFinding(one), fileOfFinding(other))) return 'unknown';
  const share = shareOf(left.terms, right.terms);
  const isOnePlace = distance <= 0 || (distance <= nearby && share > 0);
  if (!isOnePlace && share < (isDenial ? 0.34 : 0.5)) return 'unknown';
  const isDenied = share >= 0.34 && (denies(left, right) || denies(right, left));
  return isDenial || isDenied || takeOtherSides(left, right) ? 'opposite' : 'unknown';
}

/** From the end of one to the start of the other; NaN, which is near nothing, where a line is not known. */
function linesBetween({ location: one }: Finding, { location: other }: Finding): number {
  return (other?.line ?? NaN) - (one?.endLine ?? one?.line ?? NaN);
}

/** Of the terms of the one that has fewer. */
function shareOf(one: Statements, other: Statements): number {
  const shared = [...one.keys()].filter(term => other.has(term)).length;
  return shared / Math.max(1, Math.min(one.size, other.size));
}

function takeOtherSides({ sides: one }: Polarity, { sides: other }: Polarity): boolean {
  const shared = [...one.keys()].filter(pair => other.has(pair));
  return (
    shared.length > 0 && shared.every(pair => (one.get(pair) ?? 0) * (other.get(pair) ?? 0) === -1)
  );
}

/** What one negates the other states as a fact, and tells of no trouble by other words. */
function denies({ terms: one }: Polarity, { says, terms: other }: Polarity): boolean {
  const denied = [...one.keys()].filter(term => one.get(term) === -1);
  const isAnswered = says === 'unknown' || [...other.keys()].every(term => one.has(term));
  return isAnswered && denied.length > 0 && denied.every(term => other.get(term) === 1);
}

/** Findings that one is compared with for each place and each term of it, at most. */
const mostAlike = 8;

/** Positions of those that are opposite, the smaller first. Time grows with the list, not with its square. */
export function findOpposites(findings: readonly Finding[]): (readonly [number, number])[] {
  const known = new Map<string, readonly number[]>();
  return findings.flatMap((finding, index) => {
    const alike = new Set<number>();
    for (const key of [...placesOf(finding), ...polarityOf(finding).terms.keys()]) {
      const last = known.get(key) ?? [];
      for (const other of last) alike.add(other);
      known.set(key, [...last.slice(1 - mostAlike), index]);
    }
    const opposites = [...alike].filter(
      other => comparePolarity(findings[other] as Finding, finding) === 'opposite',
    );
    return opposites.map(other => [other, index] as const);
  });
}

/** Two, of which findings with few lines between share one. */
function placesOf({ location }: Finding): string[] {
  const block = Math.floor((location?.line ?? NaN) / (nearby + 1));
  return [block, block + 1].map(place => [location?.path, place].join(':'));
}
