/**
 * The words of a finding: as the `overlap` strategy compares them, and what a wording is about: stems, names of code, kinds
 * of trouble.
 */
import table from './words.json' with { type: 'json' };
import type { Finding } from '../../core/words/finding.ts';
import { stemmer } from 'stemmer';

// The words of a text, and what each is, whatever is around it. All that compare texts read them by these.

export interface Word {
  /** As it is written. */
  readonly run: string;
  readonly lower: string;
  readonly stem: string;
  /** Is it a name of code, and no plain word? */
  readonly isName: boolean;
  /** What tells it from others: its stem, or behind `#` a name in lower case without `_`. */
  readonly key: string;
  readonly isNumber: boolean;
  /** It says nothing of what a wording is about. */
  readonly isGrammar: boolean;
  /** Hash of its key. */
  readonly term: number;
  /** Hashes of what it adds to the stems of its text: its own, or those of the parts of a name. */
  readonly stems: readonly number[];
  /** The stems of the runs of letters and digits in it. */
  readonly pieces: readonly string[];
}

interface WrittenText {
  text: string;
  words: readonly Word[];
  /** What is before each word, up to the word before. */
  between: readonly string[];
}

/** What was read last: several read one text, one after the other. */
let last: WrittenText = { text: '', words: [], between: [] };

/** Maximal runs of letters, digits, `_` and `$`; of scripts that put no spaces between words each two characters that follow. */
export function wordsIn(text: string) {
  if (text === last.text) return last;
  const words = [];
  const between: string[] = [];
  // Each second piece is a run.
  const pieces = text.split(/([\p{L}\p{Nd}_$]+)/u);
  for (let at = 1; at < pieces.length; at += 2) {
    const run = pieces[at] as string;
    // All scripts without spaces are behind this letter.
    if (/[\u0e00-\uffff]/.test(run)) words.push(...runsOf(run).map(wordOf));
    else words.push(wordOf(run));
    between.push(pieces[at - 1] as string);
    while (between.length < words.length) between.push('');
  }
  last = { text, words, between };
  return last;
}

function runsOf(run: string) {
  return run
    .split(/([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+)/u)
    .flatMap((piece, at) =>
      at % 2 === 0 || piece.length < 3
        ? [piece]
        : Array.from({ length: piece.length - 1 }, (_, start) => piece.slice(start, start + 2)),
    )
    .filter(piece => piece !== '');
}

/** Longer texts say no more; what follows is not read. UTF-16 units. */
export const longestText = 4_000;

/** The part that is read, with each no as a word of its own. */
export function plainOf(text: string) {
  return text
    .slice(0, longestText)
    .replace(/n['’]t\b/g, ' not')
    .replace(/\bno longer\b/gi, 'not');
}

/** Words of grammar. Verbs and nouns of reviews stay: a word that all of them use weighs little by the panel's own count. */
const grammar = new Set(table.grammar.join(' ').split(' '));

/** The same few thousand words make up most remarks; words made up without end must not take room without end. */
const known = new Map<string, Word>();
const mostKnown = 30_000;
const longestKnown = 40;

function wordOf(run: string) {
  const remembered = known.get(run);
  if (remembered) return remembered;
  const word = readWord(run);
  if (known.size === mostKnown) known.clear();
  if (run.length <= longestKnown) known.set(run, word);
  return word;
}

function readWord(run: string): Word {
  const lower = run.toLowerCase();
  const stem = stemmer(lower);
  // Mostly a run is one piece, and to stem takes longest.
  const stemOf = (piece: string) => (piece === lower ? stem : stemmer(piece));
  const isName = /[_$]|\p{Ll}\p{Lu}|\p{L}\p{Nd}/u.test(run);
  const key = isName ? `#${lower.replaceAll('_', '')}` : stem;
  return {
    run,
    lower,
    stem,
    isName,
    key,
    isNumber: /^\d+$/.test(run),
    isGrammar: grammar.has(lower),
    term: hashOf(key),
    stems: (isName ? partsOf(run).map(stemOf) : [stem]).map(hashOf),
    pieces: lower.split(/[_$]+/).filter(Boolean).map(stemOf),
  };
}

function partsOf(identifier: string) {
  return identifier
    .split(/[_$]+|(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .map(word => word.toLowerCase())
    .filter(word => word !== '' && !grammar.has(word));
}

/** Fowler, Noll and Vo's hash, version 1a, of the UTF-16 units. */
export function hashOf(text: string) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** One hash of two, in their order. */
export function mixed(one: number, other: number) {
  return Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b);
}

/** The 34 words that say nothing about the subject. */
const stopWords = new Set(
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
 * Share of the words of `one` that `other` has too, in whole percent, rounded down. Directed: the first is the measure.
 * 0 when either has no words.
 */
export function overlapOfWords(one: ReadonlySet<string>, other: ReadonlySet<string>) {
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  return Math.floor((100 * common) / Math.max(one.size, 1));
}

/**
 * The first source file a text names, empty when none: `\b[a-zA-Z0-9_/-]+\.(sh|py|js|ts|md|go|rs|java)\b`. Run by run, because
 * the expression itself takes quadratic time on a long run of hyphens.
 */
function fileOf(text: string) {
  for (const [run, extension] of text.matchAll(/\w[\w/-]*(\.(?:sh|py|js|ts|md|go|rs|java)\b)?/g))
    if (extension !== undefined) return run;
  return '';
}

/** The file a finding is about: the place it was given, else the first one its text names; empty when none. */
export function fileOfFinding(finding: Pick<Finding, 'location' | 'text'>) {
  return finding.location ? finding.location.path.replace(/^(?:\.\/)+/, '') : fileOf(finding.text);
}

/** Two paths name two files unless one equals the other or is its end, folder by folder. An empty path names none. */
export function areDifferentFiles(one: string, other: string) {
  if (one === '' || other === '' || one === other) return false;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return !long.endsWith(short) || long.at(-1 - short.length) !== '/';
}

// What a wording is about.

/** What ends in one of them: `src/a.ts`, `a.ts:10`, `` `a.ts` ``; not `cache.get()`. */
const ending = String.raw`\.(?:${table.extensions.replaceAll(' ', '|')})(?::\d+(?:[-:]\d+)?)?`;
const path = new RegExp(`${ending}[^a-z\\d]*$`, 'i');
const anyPath = new RegExp(`${ending}(?![a-z\\d])`, 'i');

/** Without grammar. Places do not count as words: two issues of one file are not one issue. */
export function wordsOfWording(text: string): readonly Word[] {
  const plain = plainOf(text).replace(/\blines?\s+\d+(?:\s*[-–]\s*\d+)?/gi, ' ');
  // Most texts name no file, and to take one apart is dear.
  const told = anyPath.test(plain)
    ? plain
        .split(/\s+/)
        .filter(token => !path.test(token))
        .join(' ')
    : plain;
  return wordsIn(told).words.filter(({ isGrammar }) => !isGrammar);
}

/** Stems that reviewers use for one another. General language of reviews, chosen by hand. */
const kindred = [
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

const kindOf = new Map(
  kindred.flatMap((group, kind) => group.split(' ').map(stem => [stem, kind] as const)),
);

/** Numbers of the kinds of trouble that the words touch. */
export function kindsOf(words: readonly Word[]): readonly number[] {
  const kinds: number[] = [];
  for (const { stem } of words) {
    const kind = kindOf.get(stem);
    if (kind !== undefined && !kinds.includes(kind)) kinds.push(kind);
  }
  return kinds;
}

const openingWords = 14;

/** Stems of the first words: what a sentence opens with is mostly what it is about. */
export function openingOf(text: string): readonly number[] {
  const pieces = [];
  for (const word of wordsIn(text).words) {
    if (pieces.length >= openingWords) break;
    pieces.push(...word.pieces);
  }
  return pieces
    .slice(0, openingWords)
    .filter(piece => !/^[a-z\d]{1,2}$/.test(piece))
    .map(hashOf);
}

/** Names that their surroundings give away: quoted, called, behind a dot, or all in capitals. */
export function namesShown(text: string) {
  const shown = [];
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

/** Hashes of the stems of the vocabulary of all reviews: a panel of two statements cannot know what is common. */
export const reviewWords: ReadonlySet<number> = new Set(
  table.vocabulary
    .join(' ')
    .split(' ')
    .map(word => hashOf(stemmer(word))),
);

/** What two texts have in common, as the first has it written: names of code, and words, those of all reviews last. */
export function findCommon(one: string, other: string) {
  const there = new Set(wordsOfWording(other).map(({ term }) => term));
  const both = [...new Set(wordsOfWording(one))].filter(({ term }) => there.has(term));
  return {
    names: both.filter(({ isName }) => isName).map(({ run }) => run),
    words: both
      .filter(({ isName, run }) => !isName && run.length > 2)
      .sort((left, right) => tellingOf(right) - tellingOf(left))
      .map(({ lower }) => lower),
  };
}

function tellingOf({ term, run }: Word) {
  return reviewWords.has(term) ? 0 : run.length;
}
