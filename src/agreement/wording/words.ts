/**
 * The words of a finding: as the `overlap` strategy compares them, as stems and identifiers for the guards and the
 * memory, and taken apart as a statement for the `calibrated` strategy.
 */
import type { Finding } from '../../core/words/finding.ts';
import { createNotes, longestText, plainOf, type Word, wordsIn } from './written-words.ts';

/** The 34 words that say nothing about the subject. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'the a an and or but in on at to for of with is are was were be been being have has had ' +
    'do does did will would should could may might must can'
  ).split(' '),
);

/** Maximal runs of letters, digits and `_` of the lower-cased text, without the stop words. */
export function words(text: string): ReadonlySet<string> {
  const runs = text.toLowerCase().match(/[\p{L}\p{Nd}_]+/gu) ?? [];
  return new Set(runs.filter(run => !stopWords.has(run)));
}

/**
 * Share of the words of `one` that `other` has too, in whole percent, rounded down. Directed: the first text is the
 * measure. 0 when either has no words.
 */
export function overlap(one: string, other: string): number {
  return overlapOfWords(words(one), words(other));
}

export function overlapOfWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  return Math.floor((100 * countCommon(one, other)) / one.size);
}

function countCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [fewer, more] = one.size <= other.size ? [one, other] : [other, one];
  let common = 0;
  for (const word of fewer) if (more.has(word)) common += 1;
  return common;
}

/**
 * The first source file a text names, empty when none: `\b[a-zA-Z0-9_/-]+\.(sh|py|js|ts|md|go|rs|java)\b`. Found from
 * the extension backwards, because the expression itself takes quadratic time on a long run of hyphens.
 */
export function fileOf(text: string): string {
  for (const { index, 0: extension } of text.matchAll(/\.(?:sh|py|js|ts|md|go|rs|java)\b/g)) {
    let start = index;
    while (start > 0 && /[a-zA-Z0-9_/-]/.test(text.charAt(start - 1))) start -= 1;
    // A match begins at a word boundary, which no slash or hyphen at the front is.
    while (start < index && /[/-]/.test(text.charAt(start))) start += 1;
    if (start < index) return text.slice(start, index) + extension;
  }
  return '';
}

/** The file a finding is about: the place it was given, else the first one its text names; empty when none. */
export function fileOfFinding(finding: Finding): string {
  return finding.location === null
    ? fileOf(finding.text)
    : finding.location.path.replace(/^(?:\.\/)+/, '');
}

/** Two paths name two files unless one equals the other or is its end, folder by folder. An empty path names none. */
export function areDifferentFiles(one: string, other: string): boolean {
  if (one === '' || other === '' || one === other) return false;
  return !one.endsWith(`/${other}`) && !other.endsWith(`/${one}`);
}

// What a wording is about: stems and names of code.

export interface Wording {
  /** Stems of the plain words, and names of code behind a `#`. */
  readonly words: ReadonlySet<string>;
  /** Numbers that are no line numbers and no part of a name. */
  readonly numbers: ReadonlySet<string>;
  /** Those of `words` that stand behind a `no`, `not`, `never` or `cannot`, each time. */
  readonly negated: ReadonlySet<string>;
  /** Words whose thing or deed is said to be missing, in other ways than by a no. */
  readonly lacking: ReadonlySet<string>;
  /** It says of something that it is so. */
  readonly isAffirmed: boolean;
}

const fileExtensions = new Set(
  'bash c cc cfg conf cpp cs css go h hpp html ini java js json jsx kt less lock lua md mjs mts php pl properties proto ps1 py rb rs scala scss sh sql svelte swift tf toml ts tsx txt vue xml yaml yml'.split(
    ' ',
  ),
);

/** Places do not count as words: two issues of one file are not one issue. */
export function readWording(text: string): Wording {
  return wordingOf(wordsSaid(text));
}

function wordingOf(text: readonly Word[]): Wording {
  const words = new Set<string>();
  const numbers: string[] = [];
  const plain: string[] = [];
  const negated: string[] = [];
  const lacking: string[] = [];
  let [isNegated, isLacking, isAffirmed, isBehindAffirming] = [false, false, false, false];
  let previous = '';
  for (const { lower, term, isNumber, isNo, isAffirming, isAbsence, isGrammar } of text) {
    const isSaidOfWhatStandsBefore = isBehindAffirming;
    isBehindAffirming = isAffirming;
    isNegated ||= isNo;
    isAffirmed ||= isAffirming;
    if (isNumber) numbers.push(lower);
    if (isGrammar) continue;
    words.add(term);
    (isNegated ? negated : plain).push(term);
    isNegated = false;
    if (isLacking) lacking.push(term);
    isLacking = isAbsence && !isSaidOfWhatStandsBefore;
    if (isAbsence && isSaidOfWhatStandsBefore && previous !== '') lacking.push(previous);
    previous = term;
  }
  return {
    words,
    negated: without(negated, plain),
    lacking: setOf(lacking),
    isAffirmed,
    numbers: setOf(numbers),
  };
}

const nothing: ReadonlySet<never> = new Set();

/** Most sets of a wording are empty: all of these are one. */
function setOf<Item>(items: readonly Item[]): ReadonlySet<Item> {
  return items.length === 0 ? nothing : new Set(items);
}

function without(items: readonly string[], others: readonly string[]): ReadonlySet<string> {
  if (items.length === 0) return nothing;
  const known = new Set(others);
  return setOf(items.filter(item => !known.has(item)));
}

function wordsSaid(text: string): readonly Word[] {
  return wordsIn(withoutPaths(plainOf(text).replace(/\blines?\s+\d+(?:\s*[-–]\s*\d+)?/gi, ' ')))
    .words;
}

function withoutPaths(text: string): string {
  // Most texts name no file, and to take one apart is dear.
  if (!/\.[A-Za-z0-9]/.test(text)) return text;
  const tokens = text.split(/\s+/);
  return tokens.some(isPath) ? tokens.filter(token => !isPath(token)).join(' ') : text;
}

/** `src/a.ts`, `a.ts:10`, `` `a.ts` ``; not `cache.get()`. */
function isPath(token: string): boolean {
  if (!token.includes('.')) return false;
  const extension = /\.([A-Za-z0-9]{1,10})(?::\d+(?:[-:]\d+)?)?[^A-Za-z0-9]*$/.exec(token)?.[1];
  return extension !== undefined && fileExtensions.has(extension.toLowerCase());
}

/** What one wording says, taken apart for comparison: stems, named code, kinds of trouble. */
export interface Statement {
  readonly wording: Wording;
  /** Stems of the words and of the parts of identifiers in their order, repetitions included. */
  readonly stems: readonly string[];
  /** Names of code, lower case, without underscores. */
  readonly identifiers: ReadonlySet<string>;
  /** Numbers of the groups of `kindred` that it touches. */
  readonly kinds: ReadonlySet<number>;
  /** Numbers that stand alone and are no line numbers. */
  readonly numbers: ReadonlySet<string>;
  /** Characters that are read. */
  readonly length: number;
}

/** A statement, and what it is made of by the numbers of the vocabulary, repetitions included. */
export interface Reading {
  readonly statement: Statement;
  /** The words of its wording in their order. */
  readonly said: readonly NumberedWord[];
  /** Stems beside those of the words. */
  readonly scraps: readonly number[];
  /** Stems of the first words: what a sentence opens with is mostly what it is about. */
  readonly opening: readonly number[];
}

const openingWords = 14;

/** Stems that reviewers use for one another. General language of reviews, chosen by hand. */
const kindred: readonly string[] = [
  'null none nil undefined optional nullabl',
  'remov delet drop',
  'race concurr thread simultan parallel goroutin atom',
  'unus dead unreach redund',
  'throw rais except error fail crash panic',
  'miss lack absent without omit',
  'incorrect wrong invalid bug broken',
  'duplic copi repeat',
  'test coverag',
  'name renam typo spell misspel',
  'document docstr comment javadoc',
  'slow perform ineffici expens latenc',
  'leak',
  'lock mutex synchron',
  'check valid guard verifi',
  'permiss author access auth',
  'default fallback',
  'alway uncondit',
  'call invok',
  'chang modifi updat',
  'inconsist mismatch differ',
  'time timeout deadlin expir',
  'log logger',
  'pars deseri',
  'construct instanti build creat',
  'flaki',
];

const kindOf: ReadonlyMap<string, number> = new Map(
  kindred.flatMap((group, kind) => group.split(' ').map(stem => [stem, kind] as const)),
);

export function readStatement(text: string): Statement {
  return readText(text, createVocabulary()).statement;
}

/** The terms of the texts of a run: each has one number wherever it stands. */
export interface Vocabulary {
  /** Stems, and names of code behind a `#`: their numbers from 0 on. */
  readonly terms: Map<string, number>;
}

export function createVocabulary(): Vocabulary {
  return { terms: new Map() };
}

export function numberOf<Term>(term: Term, numbers: Map<Term, number>): number {
  const known = numbers.get(term);
  if (known !== undefined) return known;
  numbers.set(term, numbers.size);
  return numbers.size - 1;
}

/** A word by the numbers of a vocabulary. */
interface NumberedWord {
  readonly vocabulary: Vocabulary;
  readonly term: number;
  readonly stems: readonly number[];
  readonly pieces: readonly number[];
  /** Hashes of the runs of four letters in its term. */
  readonly letters: readonly number[];
}

/** What is known of a word in any run, and its numbers in the run that it was met in last. */
interface WordFacts {
  /** Numbers of the groups of `kindred` that it touches. */
  readonly kinds: readonly number[];
  readonly letters: readonly number[];
  numbered: NumberedWord | null;
}

const factsOf = createNotes((word): WordFacts => {
  const kinds = word.stems.map(stem => kindOf.get(stem)).filter(kind => kind !== undefined);
  return {
    kinds: kinds.length === 0 ? none : kinds,
    letters: lettersOf(word.term),
    numbered: null,
  };
});

const none: readonly never[] = [];

function numberWord(word: Word, vocabulary: Vocabulary): NumberedWord {
  const facts = factsOf(word);
  if (facts.numbered?.vocabulary === vocabulary) return facts.numbered;
  const { terms } = vocabulary;
  const stems = word.stems.map(stem => numberOf(stem, terms));
  facts.numbered = {
    vocabulary,
    term: numberOf(word.term, terms),
    stems,
    pieces: word.pieces === word.stems ? stems : word.pieces.map(stem => numberOf(stem, terms)),
    letters: facts.letters,
  };
  return facts.numbered;
}

/** Fowler, Noll and Vo's hash of each four UTF-16 units of a term, a space before it and behind. */
function lettersOf(term: string): readonly number[] {
  const padded = ` ${term} `;
  const hashes: number[] = [];
  for (let start = 0; start + 4 <= padded.length; start += 1) {
    let hash = 0x811c9dc5;
    for (let index = start; index < start + 4; index += 1)
      hash = Math.imul(hash ^ padded.charCodeAt(index), 0x01000193);
    hashes.push(hash);
  }
  return hashes;
}

export function readText(text: string, vocabulary: Vocabulary): Reading {
  const read = text.slice(0, longestText);
  const words = wordsSaid(text);
  const stems: string[] = [];
  const kinds: number[] = [];
  const names: string[] = [];
  const said: NumberedWord[] = [];
  let nameBefore = '';
  for (const word of words) {
    if (word.isGrammar) continue;
    said.push(numberWord(word, vocabulary));
    for (const stem of word.stems) stems.push(stem);
    const { kinds: own } = factsOf(word);
    if (own.length > 0) kinds.push(...own);
    if (word.name !== null) names.push(word.name);
    // Each name also together with the word behind it, so that one name in common is not yet a whole subject.
    if (nameBefore !== '' && nameBefore !== word.name) names.push(`${nameBefore} ${word.term}`);
    nameBefore = word.name ?? '';
  }
  const scraps = piecesOfUnspacedScript(read);
  stems.push(...scraps);
  names.push(...namesShown(read));
  return {
    statement: {
      wording: wordingOf(words),
      stems,
      identifiers: setOf(names),
      kinds: setOf(kinds),
      numbers: setOf(numbersIn(read)),
      length: read.length,
    },
    said,
    scraps: scraps.map(scrap => numberOf(scrap, vocabulary.terms)),
    opening: openingOf(read, vocabulary),
  };
}

function openingOf(text: string, vocabulary: Vocabulary): readonly number[] {
  const stems: number[] = [];
  let count = 0;
  for (const word of wordsIn(text).words) {
    const { pieces } = numberWord(word, vocabulary);
    for (let at = 0; at < pieces.length; at += 1) {
      if (count === openingWords) return stems;
      count += 1;
      if ((word.pieces[at] as string).length > 2) stems.push(pieces[at] as number);
    }
  }
  return stems;
}

/** Names that their surroundings give away: quoted, called, behind a dot, or all in capitals. */
function namesShown(text: string): string[] {
  const shown: string[] = [];
  // To look whether there are any takes less time than to gather them.
  if (/[`'"“‘]/.test(text))
    for (const [, inside = ''] of text.matchAll(/[`'"“‘]([^`'"“”‘’\n]{2,60})[`'"”’]/g))
      shown.push(...(inside.match(/[A-Za-z_$][\w$]*/g) ?? []));
  if (/\w\(|\$\(|\.[A-Za-z_$]|[A-Z][A-Z0-9_]{2}/.test(text))
    for (const [, called, member, constant] of text.matchAll(
      /\b([A-Za-z_$][\w$]{0,80})\(|\.([A-Za-z_$][\w$]{0,80})|\b([A-Z][A-Z0-9_]{2,80})\b/g,
    ))
      shown.push(called ?? member ?? constant ?? '');
  return shown.filter(name => name.length > 2).map(name => name.toLowerCase().replaceAll('_', ''));
}

function numbersIn(text: string): readonly string[] {
  if (!/\d/.test(text)) return [];
  const withoutLines = text.replace(
    /\blines?\s+\d+(?:(?:\s*[-–,]\s*|,?\s+(?:and|to)\s+)\d+)*/gi,
    ' ',
  );
  return withoutLines.match(/(?<![\w.$-])\d+(?:\.\d+)?(?![\w-])/g) ?? [];
}

/** Scripts that put no spaces between words are read in overlapping pairs of characters. */
function piecesOfUnspacedScript(text: string): readonly string[] {
  // All of them stand behind these.
  if (!/[\u0e00-\uffff]/.test(text)) return [];
  const runs =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu) ?? [];
  return runs.flatMap(run =>
    Array.from({ length: Math.max(run.length - 1, 0) }, (_, index) => run.slice(index, index + 2)),
  );
}
