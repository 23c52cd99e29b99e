/**
 * The words of a finding: as the `overlap` strategy compares them, as stems and identifiers for the guards and the
 * memory, and taken apart as a statement for the `calibrated` strategy.
 */
import type { Finding } from '../words/finding.ts';
import { stemOf } from './stem.ts';

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

/** Longer texts say no more about what they are about; what follows is not read. UTF-16 units. */
const longestText = 4_000;

const negations = new Set(['no', 'not', 'never', 'cannot']);

/** Stems that say of something in their sentence that it is not there or not done. */
export const absences: ReadonlySet<string> = new Set([
  'miss',
  'lack',
  'absent',
  'absenc',
  'without',
  'omit',
  'forget',
  'forgot',
  'forgotten',
  'skip',
  'fail',
  'neglect',
]);

/** Words that say of something that it is so, or is there. */
const affirming = new Set(['is', 'are', 'was', 'were', 'has', 'have']);

/** Words of grammar. Verbs and nouns of reviews stay: a word that all of them use weighs little by the run's own count. */
const grammar = new Set(
  (
    'the a an and or but in on at to for of with is are was were be been being have has had do does did will would should could may might must can ' +
    'this that these those it its they them their there here which who what when where while if then else than as by from into no nor so such only ' +
    'also just any all each every both some other another same own most very we you i he she our your via because since however still even yet about ' +
    'during over under again out per eg ie etc'
  ).split(' '),
);

const fileExtensions = new Set(
  'bash c cc cfg conf cpp cs css go h hpp html ini java js json jsx kt less lock lua md mjs mts php pl properties proto ps1 py rb rs scala scss sh sql svelte swift tf toml ts tsx txt vue xml yaml yml'.split(
    ' ',
  ),
);

/** What a run of letters is, whatever stands around it. */
interface Word {
  readonly lower: string;
  readonly isNumber: boolean;
  /** Its stem; of a name of code the name behind a `#`. */
  readonly term: string;
  /** Null for a plain word. */
  readonly name: string | null;
  /** Stems of the parts of a name. */
  readonly parts: readonly string[];
  /** Numbers of what stands above, and of the stem. */
  readonly termNumber: number;
  readonly stemNumber: number;
  readonly stemLength: number;
  readonly partNumbers: readonly number[];
}

/** The words of the texts of a run: each is read once, and each term has one number wherever it stands. */
export interface Vocabulary {
  /** By how they are written. */
  readonly words: Map<string, Word>;
  /** Stems, and names of code behind a `#`: their numbers from 0 on. */
  readonly terms: Map<string, number>;
}

export function createVocabulary(): Vocabulary {
  return { words: new Map(), terms: new Map() };
}

export function numberOf<Term>(term: Term, numbers: Map<Term, number>): number {
  const known = numbers.get(term);
  if (known !== undefined) return known;
  numbers.set(term, numbers.size);
  return numbers.size - 1;
}

/** Enough for what people write; made-up words without end take no more room than these. */
const mostKnown = 100_000;

function readWord(run: string, { words, terms }: Vocabulary): Word {
  const known = words.get(run);
  if (known !== undefined) return known;
  const lower = run.toLowerCase();
  const name = isIdentifier(run) ? lower.replaceAll('_', '') : null;
  const stem = stemOf(lower);
  const term = name === null ? stem : `#${name}`;
  const parts = name === null ? [] : partsOf(run);
  const word: Word = {
    lower,
    isNumber: /^\d+$/.test(run),
    term,
    name,
    parts,
    termNumber: numberOf(term, terms),
    stemNumber: numberOf(stem, terms),
    stemLength: stem.length,
    partNumbers: parts.map(part => numberOf(part, terms)),
  };
  if (words.size < mostKnown) words.set(run, word);
  return word;
}

/** Places do not count as words: two issues of one file are not one issue. */
export function readWording(text: string): Wording {
  return readWords(text, createVocabulary()).wording;
}

interface ReadWords {
  readonly wording: Wording;
  /** Stems of the plain words and of the parts of names. */
  readonly stems: Set<string>;
  /**
   * Names of code, lower case, without underscores; each also together with the word behind it, so that one name in common
   * is not yet a whole subject.
   */
  readonly names: Set<string>;
  /** Numbers of the words and of the stems, as often as they are said, in their order. */
  readonly said: readonly number[];
  readonly stemNumbers: number[];
}

function readWords(text: string, vocabulary: Vocabulary): ReadWords {
  const words = new Set<string>();
  const said: number[] = [];
  const stemNumbers: number[] = [];
  const stems = new Set<string>();
  const names = new Set<string>();
  const numbers = new Set<string>();
  const negated = new Set<string>();
  const plain = new Set<string>();
  const lacking = new Set<string>();
  let [isNegated, isLacking, isAffirmed] = [false, false, false];
  let before = '';
  let previous = '';
  for (const run of runsOf(text)) {
    const word = readWord(run, vocabulary);
    const { lower, isNumber, term, name } = word;
    if (isNumber) numbers.add(run);
    if (negations.has(lower)) isNegated = true;
    if (affirming.has(lower)) isAffirmed = true;
    const isSaidOfWhatStandsBefore = affirming.has(before);
    before = lower;
    if (negations.has(lower) || grammar.has(lower)) continue;
    said.push(word.termNumber);
    words.add(term);
    if (isNegated) negated.add(term);
    else plain.add(term);
    isNegated = false;
    if (isLacking) lacking.add(term);
    isLacking = absences.has(term) && !isSaidOfWhatStandsBefore;
    if (absences.has(term) && isSaidOfWhatStandsBefore && previous !== '') lacking.add(previous);
    if (name === null) {
      stems.add(term);
      stemNumbers.push(word.stemNumber);
    } else {
      names.add(name);
      for (const part of word.parts) stems.add(part);
      stemNumbers.push(...word.partNumbers);
    }
    if (previous.startsWith('#') && previous !== term) names.add(`${previous.slice(1)} ${term}`);
    previous = term;
  }
  for (const term of plain) negated.delete(term);
  return {
    wording: {
      words,
      negated: orNothing(negated),
      lacking: orNothing(lacking),
      isAffirmed,
      numbers: orNothing(numbers),
    },
    stems,
    names,
    said,
    stemNumbers,
  };
}

const nothing: ReadonlySet<never> = new Set();

/** Most sets of a wording are empty: all of these are one. */
function orNothing<Item>(set: ReadonlySet<Item>): ReadonlySet<Item> {
  return set.size === 0 ? nothing : set;
}

function runsOf(text: string): readonly string[] {
  const read = text
    .slice(0, longestText)
    .replace(/n['’]t\b/g, ' not')
    .replace(/\bno longer\b/gi, 'not')
    .replace(/\blines?\s+\d+(?:\s*[-–]\s*\d+)?/gi, ' ');
  return withoutPaths(read).match(/[\p{L}\p{Nd}_$]+/gu) ?? [];
}

function withoutPaths(text: string): string {
  // Most texts name no file, and to take one apart is dear.
  if (!/\.[A-Za-z0-9]/.test(text)) return text;
  return text
    .split(/\s+/)
    .filter(token => !isPath(token))
    .join(' ');
}

/** `src/a.ts`, `a.ts:10`, `` `a.ts` ``; not `cache.get()`. */
function isPath(token: string): boolean {
  if (!token.includes('.')) return false;
  const extension = /\.([A-Za-z0-9]{1,10})(?::\d+(?:[-:]\d+)?)?[^A-Za-z0-9]*$/.exec(token)?.[1];
  return extension !== undefined && fileExtensions.has(extension.toLowerCase());
}

function isIdentifier(run: string): boolean {
  return /[_$]|\p{Ll}\p{Lu}|\p{L}\p{Nd}/u.test(run);
}

function partsOf(identifier: string): string[] {
  const words = identifier
    .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[_$ ]+/);
  return words
    .map(word => word.toLowerCase())
    .filter(word => word !== '' && !grammar.has(word))
    .map(word => stemOf(word));
}

/** What one wording says, taken apart for comparison: stems, named code, kinds of trouble. */
export interface Statement {
  readonly wording: Wording;
  /** Stems of the words and of the parts of identifiers. */
  readonly stems: ReadonlySet<string>;
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
  readonly said: readonly number[];
  readonly stems: readonly number[];
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

export function readText(text: string, vocabulary: Vocabulary): Reading {
  const read = text.slice(0, longestText);
  const { wording, stems, names, said, stemNumbers } = readWords(read, vocabulary);
  for (const piece of piecesOfUnspacedScript(read)) {
    stems.add(piece);
    stemNumbers.push(numberOf(piece, vocabulary.terms));
  }
  for (const name of namesIn(read)) names.add(name);
  return {
    statement: {
      wording,
      stems,
      identifiers: orNothing(names),
      kinds: orNothing(kindsAmong(stems)),
      numbers: orNothing(numbersIn(read)),
      length: read.length,
    },
    said,
    stems: stemNumbers,
    opening: openingOf(read, vocabulary),
  };
}

function openingOf(text: string, vocabulary: Vocabulary): readonly number[] {
  const stems: number[] = [];
  const runs = text.toLowerCase().matchAll(/[\p{L}\p{Nd}]+/gu);
  for (let count = 0; count < openingWords; count += 1) {
    const next = runs.next();
    if (next.done === true) break;
    const { stemNumber, stemLength } = readWord(next.value[0], vocabulary);
    if (stemLength > 2) stems.push(stemNumber);
  }
  return stems;
}

function kindsAmong(stems: ReadonlySet<string>): ReadonlySet<number> {
  const kinds = new Set<number>();
  for (const stem of stems) {
    const kind = kindOf.get(stem);
    if (kind !== undefined) kinds.add(kind);
  }
  return kinds;
}

/** Names that their surroundings give away: quoted, called, behind a dot, or all in capitals. */
function namesIn(text: string): string[] {
  const quoted = [...text.matchAll(/[`'"“‘]([^`'"“”‘’\n]{2,60})[`'"”’]/g)].flatMap(
    ([, inside = '']) => inside.match(/[A-Za-z_$][\w$]*/g) ?? [],
  );
  const shown = [
    ...text.matchAll(
      /\b([A-Za-z_$][\w$]{0,80})\(|\.([A-Za-z_$][\w$]{0,80})|\b([A-Z][A-Z0-9_]{2,80})\b/g,
    ),
  ].map(([, called, member, constant]) => called ?? member ?? constant ?? '');
  return [...quoted, ...shown]
    .filter(name => name.length > 2)
    .map(name => name.toLowerCase().replaceAll('_', ''));
}

function numbersIn(text: string): ReadonlySet<string> {
  if (!/\d/.test(text)) return nothing;
  const withoutLines = text.replace(
    /\blines?\s+\d+(?:(?:\s*[-–,]\s*|,?\s+(?:and|to)\s+)\d+)*/gi,
    ' ',
  );
  return new Set(withoutLines.match(/(?<![\w.$-])\d+(?:\.\d+)?(?![\w-])/g) ?? []);
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
