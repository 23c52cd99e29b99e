/**
 * What a remark says of its subject: that something is wrong or that all is well, read clause by clause from words of trouble,
 * remedy, praise and request and from what negates them. Where the words do not tell, it is unknown.
 */
import { type Finding, isAtLeast } from '../core/words/finding.ts';
import { isSeverityStated } from '../core/words/stated.ts';
import table from './polarity.json' with { type: 'json' };
import { stemmer as stemOf } from 'stemmer';
import { areDifferentFiles, fileOfFinding, plainOf, type Word, wordsIn } from './wording/words.ts';

interface Polarity {
  /** That something is wrong; that all is well (checked, already handled, praise); or neither can be told. */
  says: 'trouble' | 'fine' | 'unknown';
  /** By key of the word: 1 where it is stated, -1 where it is negated, 0 where it is asked for, conditional or both. */
  terms: Statements;
  /** The negated ones of them. */
  denied: readonly string[];
  /** By pair of antonyms: 1 or -1 for the one that is said, 0 for both. */
  sides: Statements;
  /** Does it name a subject of its own, beside the words of trouble, remedy and praise? */
  hasSubject: boolean;
  /** Is it taken for a complaint, whatever its words deny? */
  isComplaint?: boolean;
}

type Statements = ReadonlyMap<string, number>;

const roles = indexOf(table.roles);
const sides = indexOf(table.sides);

/** By word, by stem for all forms of one, and by the second of two words for what they are together. */
function indexOf<Row extends { readonly words: readonly string[] }>(rows: readonly Row[]) {
  const [words, forms, ends] = [new Map<string, Row>(), new Map<string, Row>(), new Set<string>()];
  for (const row of rows)
    for (const word of row.words.flatMap(line => line.split(' '))) {
      if (word.startsWith('~')) forms.set(stemOf(word.slice(1)), row);
      else words.set(word, row);
      const [, second] = word.split('-');
      if (second !== undefined) ends.add(second);
    }
  return { words, forms, ends };
}

/** What a label such as "Fix:" announces is no statement. */
const advice = / \p{Lu}\p{Ll}+(?: \p{Ll}+)?: /u;

function beginWalk(text: string) {
  const plain = plainOf(text);
  const { words, between: gaps } = wordsIn(
    plain.includes(': ') ? (plain.split(advice)[0] as string) : plain,
  );
  return {
    words,
    gaps,
    terms: new Map<string, number>(),
    sides: new Map<string, number>(),
    /** Log-odds that all is well, and what they were before the clause. */
    odds: 0,
    oddsBefore: 0,
    counted: new Set<string>(),
    isTroubled: false,
    isAssured: false,
    isCode: false,
    hasSubject: false,
    /** First words of the clause and of the sentence. */
    clause: 0,
    sentence: 0,
    /** Words of the clause that a negation still reaches. */
    negated: 0,
    isAside: false,
    /** Of the sentence. */
    isAsked: false,
  };
}

type Walk = ReturnType<typeof beginWalk>;
type Role = (typeof table.roles)[number];

/** Terms, at most, of what states the reverse: longer remarks tell of several things; twice as many of what denies. */
const longest = 16;

function readPolarity(text: string): Polarity {
  const walk = beginWalk(text);
  for (let at = 0; at < walk.words.length; at += 1) readWord(walk, at);
  const { terms, sides: stated, hasSubject } = walk;
  const isFine = walk.isAssured && walk.odds > table.fine && terms.size <= 2 * longest;
  const says = isFine ? 'fine' : walk.isTroubled ? 'trouble' : 'unknown';
  const denied: string[] = [];
  terms.forEach((value, term) => {
    if (value === -1) denied.push(term);
  });
  return { says, terms, denied, sides: stated, hasSubject };
}

function readWord(walk: Walk, at: number) {
  const [word, gap] = [walk.words[at] as Word, walk.gaps[at] as string];
  // A mark alone is part of a name.
  if (gap.length > 1 && /[.!?;\n]/.test(gap)) {
    walk.odds += at > 0 ? table.sentence : 0;
    beginClause(walk, at);
    walk.sentence = at;
    walk.isAsked = false;
  } else if (gap.length > 1 && /[,:()–—-]/.test(gap)) beginClause(walk, at);
  const value = walk.negated > 0 ? -1 : 1;
  // Behind an odd number of its marks begins or ends a piece of code, whose words are names.
  if (gap.includes('\u0060') && gap.split('\u0060').length % 2 === 0) walk.isCode = !walk.isCode;
  if (!walk.isCode && !word.isName) {
    const side = lookUp(sides, walk, at);
    if (side && (side.isWish || !walk.isAsked)) state(walk.sides, side.pair, side.side * value);
    const role = lookUp(roles, walk, at);
    walk.hasSubject ||= !role && !word.isGrammar;
    readRole(walk, at, role);
  } else walk.hasSubject = true;
  if (word.isGrammar) return;
  state(walk.terms, word.key, walk.isAside || walk.isAsked ? 0 : value);
  walk.negated -= 1;
}

function beginClause(walk: Walk, clause: number) {
  walk.negated = 0;
  walk.isAside = false;
  walk.clause = clause;
  walk.oddsBefore = walk.odds;
}

function state(statements: Map<string, number>, key: string, value: number) {
  statements.set(key, (statements.get(key) ?? value) === value ? value : 0);
}

/** A word together with the one before it in the sentence, as it stands, and as any form of it. */
function lookUp<Row>(
  { words: rows, forms, ends }: ReturnType<typeof indexOf<Row & { words: string[] }>>,
  { words, sentence }: Walk,
  at: number,
): Row | undefined {
  const { lower, stem } = words[at] as Word;
  const before = at === sentence ? '' : words[at - 1]?.lower;
  return (
    (ends.has(lower) ? rows.get(`${before}-${lower}`) : undefined) ??
    rows.get(lower) ??
    forms.get(stem)
  );
}

function readRole(walk: Walk, at: number, role: Role | undefined) {
  if (!role) return;
  if (role.beginsClause) beginClause(walk, at);
  // A negation does not reach over it.
  if (role.isBarrier) walk.negated = 0;
  const isNegated = walk.negated > 0;
  if (!isNegated && !holds(walk, at, role)) return;
  // "The check of it is missing": what was named before is denied.
  if (role.name === 'absence' && isPredicate(walk, at))
    for (const term of walk.terms.keys()) walk.terms.set(term, -1);
  if (!walk.isAside && !walk.isAsked) weigh(walk, role, isNegated);
  if (!isNegated) Object.assign(walk, role.behind);
  else if (role.isContent) walk.negated = 0;
}

/** Each role counts once. */
function weigh(walk: Walk, { name, plain, negated }: Role, isNegated: boolean) {
  // "Fine at first, but", "checked for ASCII only": what was well counts no more; "skipping it is right": nor what was wrong.
  if (name === 'turn') walk.odds = Math.min(walk.odds, 0);
  if (name === 'limit') walk.odds = Math.min(walk.odds, walk.oddsBefore);
  if (name === 'fine' && !isNegated) walk.odds = Math.max(walk.odds, walk.oddsBefore);
  const weight = isNegated ? negated : plain;
  walk.isTroubled ||= weight <= -1;
  walk.isAssured ||= weight >= 1;
  const key = isNegated ? `not ${name}` : name;
  if (!walk.counted.has(key)) walk.odds += weight;
  walk.counted.add(key);
}

/** Is the word used in the sense of its role? */
function holds(walk: Walk, at: number, { name, isDeed }: Role) {
  // Of a later sentence with a subject of its own it is said of that alone.
  if (name === 'verdict' || (name === 'fine' && isPredicate(walk, at)))
    return walk.sentence === 0 || at - walk.sentence < 3;
  return isDeed !== true || isDone(walk, at);
}

/** "is safe", "safe, since"; not "a safe way". */
function isPredicate(walk: Walk, at: number) {
  if (isJoined(walk, at) && walk.words[at + 1]?.isGrammar !== true) return false;
  return at - walk.clause < 2 || isBehindCopula(walk, at);
}

/** "closes it", "is closed"; not "the closed file", "of closes", "tests are". */
function isDone(walk: Walk, at: number) {
  const { lower } = walk.words[at] as Word;
  if (!lower.endsWith('s')) return lower.endsWith('ed') && isBehindCopula(walk, at);
  const isNoun = copulas.has(walk.words[at + 1]?.lower ?? '');
  return !isNoun && isJoined(walk, at) && walk.words[at - 1]?.isGrammar !== true;
}

/** Does a word follow, and nothing but a blank stand between? */
function isJoined({ gaps }: Walk, at: number) {
  return gaps[at + 1]?.trim() === '';
}

function isBehindCopula({ words }: Walk, at: number) {
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

/** Does a sentence of English say that something is wrong? */
export function tellsTrouble(sentence: string) {
  return readPolarity(sentence).says === 'trouble';
}

/** Can it be the reverse of anything? Most cannot. */
function canOppose(finding: Finding) {
  const { says, denied, sides: stated } = polarityOf(finding);
  return says === 'fine' || denied.length > 0 || stated.size > 0;
}

/**
 * The findings as they are read where words deny nothing: copies of those that state at least a medium severity, or of all, which
 * deny nothing of each other and praise nothing. Null where that changes nothing.
 */
export function asComplaints(findings: readonly Finding[], taken: 'stated' | 'complaints') {
  // Where at least a medium severity is stated something is wrong, whatever the words read as.
  const isComplaint = (finding: Finding) =>
    taken === 'complaints' || (isSeverityStated(finding) && isAtLeast(finding.severity, 'medium'));
  if (!findings.some(finding => isComplaint(finding) && canOppose(finding))) return null;
  return findings.map(finding => {
    if (!isComplaint(finding)) return finding;
    const [copy, { says, ...read }] = [{ ...finding }, polarityOf(finding)];
    const complaint = says === 'fine' ? 'trouble' : says;
    polarities.set(copy, { ...read, says: complaint, isComplaint: true });
    return copy;
  });
}

/** Lines apart, at most, of two findings about one place; further apart than `around` they must name one symbol. */
const nearby = 3;
const around = 10;

/** Do two say the opposite of each other, about one place or one symbol? Symmetric; unknown within one reviewer. */
export function comparePolarity(one: Finding, other: Finding) {
  if (!areReverse(one, other)) return 'unknown';
  const { terms } = polarityOf(other);
  const isOfOne =
    !(linesApart(one, other) > around) ||
    [...polarityOf(one).terms.keys()].some(term => term.startsWith('#') && terms.has(term));
  return isOfOne ? 'opposite' : 'unknown';
}

/** Does one deny what the other says, or state the reverse, be it of another place? */
export function areReverse(one: Finding, other: Finding) {
  const [left, right] = [polarityOf(one), polarityOf(other)];
  if (one.reviewer === other.reviewer || !canBeReverse(left, right)) return false;
  if (areDifferentFiles(fileOfFinding(one), fileOfFinding(other))) return false;
  const isDenial = left.says !== right.says && [left.says, right.says].includes('fine');
  const share = shareOf(left.terms, right.terms);
  if (!isDenial && share < 0.34 && !areOtherSides(left.sides, right.sides)) return false;
  const distance = linesApart(one, other);
  const namesNothing = [left, right].some(({ says, hasSubject }) => says === 'fine' && !hasSubject);
  const isOnePlace = distance <= nearby && (share > 0 || (distance <= 0 && namesNothing));
  const least = distance <= around ? 0.25 : 0.34;
  return isOnePlace || share >= (isDenial ? least : 0.5);
}

/** Of most two nothing is the reverse: what they share takes longer to look up. */
function canBeReverse(one: Polarity, other: Polarity) {
  if (one.isComplaint && other.isComplaint) return false;
  if ((one.says === 'fine') !== (other.says === 'fine')) return true;
  if (one.terms.size > longest || other.terms.size > longest) return false;
  return denies(one, other) || denies(other, one) || areOtherSides(one.sides, other.sides);
}

function areOtherSides(one: Statements, other: Statements) {
  for (const [pair, side] of one) if (side * (other.get(pair) ?? 0) < 0) return true;
  return false;
}

/** NaN, which is near nothing and far from nothing, where they name no two lines of one file. */
export function linesApart({ location: one }: Finding, { location: other }: Finding) {
  if (one?.path !== other?.path || one?.side !== other?.side) return NaN;
  return Math.max(0, firstOf(one) - lastOf(other), firstOf(other) - lastOf(one));
}

function firstOf(location: Finding['location']) {
  return location?.line ?? NaN;
}

function lastOf(location: Finding['location']) {
  return Math.max(firstOf(location), location?.endLine ?? 0);
}

/** Of the terms of the one that has fewer. */
function shareOf(one: Statements, other: Statements) {
  let shared = 0;
  for (const term of one.keys()) if (other.has(term)) shared += 1;
  return shared / Math.max(1, Math.min(one.size, other.size));
}

/** What one negates the other states as a fact, and tells of no trouble by other words. */
function denies({ terms: one, denied }: Polarity, { says, terms: other }: Polarity) {
  if (denied.length === 0) return false;
  for (const term of denied) if (other.get(term) !== 1) return false;
  return says === 'unknown' || [...other.keys()].every(term => one.has(term));
}

/** Findings that one is compared with for each place and each term of it, at most. */
const mostAlike = 8;

/** Positions of those that are opposite, the smaller first. Time grows with the list, not with its square. */
export function findOpposites(findings: readonly Finding[]) {
  const known = new Map<string, number[]>();
  const opposites: (readonly [number, number])[] = [];
  const read = findings.map(polarityOf);
  const able = findings.map(canOppose);
  const comparedWith = new Int32Array(findings.length);
  for (const [index, finding] of findings.entries()) {
    const own = read[index] as Polarity;
    for (const key of [...placesOf(finding), ...own.terms.keys()]) {
      const last = known.get(key) ?? [];
      last.forEach(other => {
        if (comparedWith[other] === index) return;
        comparedWith[other] = index;
        if (!able[other] && !able[index]) return;
        if (!canBeReverse(own, read[other] as Polarity)) return;
        if (comparePolarity(findings[other] as Finding, finding) === 'opposite')
          opposites.push([other, index]);
      });
      if (last.push(index) > mostAlike) last.shift();
      if (last.length === 1) known.set(key, last);
    }
  }
  return opposites;
}

/** Two, of which findings with few lines between share one. */
function placesOf({ location }: Finding) {
  const block = Math.floor((location?.line ?? NaN) / (nearby + 1));
  return [block, block + 1].map(place => [location?.path, place].join(':'));
}
