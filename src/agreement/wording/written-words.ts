/**
 * The words of a text, and what each is, whatever stands around it. All that compare texts read them by these: to look a word up
 * costs more than what is done with it.
 */
import { createRecall } from './recall.ts';
import { stemOf } from './stem.ts';

export interface Word {
  /** As it is written. */
  readonly run: string;
  readonly lower: string;
  readonly stem: string;
  /** Its stem; of a name of code the name behind a `#`. */
  readonly term: string;
  /** Null for a plain word. */
  readonly name: string | null;
  /** What it adds to the stems of its text: its own, or those of the parts of a name. */
  readonly stems: readonly string[];
  /** Stems of the runs of letters and digits in it. */
  readonly pieces: readonly string[];
  readonly isNumber: boolean;
  readonly isNo: boolean;
  readonly isAffirming: boolean;
  readonly isAbsence: boolean;
  /** It says nothing of what a wording is about. */
  readonly isGrammar: boolean;
  /** What others make of it: see `createNotes`. */
  readonly notes: unknown[];
}

export interface WrittenText {
  readonly text: string;
  readonly words: readonly Word[];
  /** What stands before each word, up to the word before. */
  readonly between: readonly string[];
}

/** What was read last: several read one text, one after the other. */
let last: WrittenText = { text: '', words: [], between: [] };

/** Maximal runs of letters, digits, `_` and `$`. */
export function wordsIn(text: string): WrittenText {
  if (text === last.text) return last;
  const words: Word[] = [];
  const between: string[] = [];
  // Each second piece is a run.
  const pieces = text.split(/([\p{L}\p{Nd}_$]+)/u);
  for (let at = 1; at < pieces.length; at += 2) {
    between.push(pieces[at - 1] as string);
    words.push(wordOf(pieces[at] as string));
  }
  last = { text, words, between };
  return last;
}

/** Longer texts say no more; what follows is not read. UTF-16 units. */
export const longestText = 4_000;

/** The part that is read, with each no as a word of its own. */
export function plainOf(text: string): string {
  return text
    .slice(0, longestText)
    .replace(/n['’]t\b/g, ' not')
    .replace(/\bno longer\b/gi, 'not');
}

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

const wordOf = createRecall(readWord, { most: 20_000, longest: 40 });

/** A place for each kind of note. */
const noNotes: undefined[] = [];

/**
 * Remembers what is made of a word with the word itself, as long as that is remembered. A map of all words would have to be
 * asked for each word of each text, which takes longer than most of what is done with it.
 */
export function createNotes<Note extends object>(make: (word: Word) => Note): (word: Word) => Note {
  const kind = noNotes.push(undefined) - 1;
  return word => {
    const known = word.notes[kind] as Note | undefined;
    if (known !== undefined) return known;
    const note = make(word);
    word.notes[kind] = note;
    return note;
  };
}

function readWord(run: string): Word {
  const lower = run.toLowerCase();
  const stem = stemOf(lower);
  const own = [stem];
  // Most words cannot be taken apart, and most of these are no names: asked first, because it takes much longer to read them.
  const isWhole = /^[a-z\d]+$/.test(run);
  const isName = isWhole ? /[a-z]\d/.test(run) : isIdentifier(run);
  const name = isName ? lower.replaceAll('_', '') : null;
  const term = name === null ? stem : `#${name}`;
  const isNo = negations.has(lower);
  return {
    run,
    lower,
    stem,
    term,
    name,
    stems: name === null || isWhole ? own : partsOf(run),
    pieces: isWhole ? own : (lower.match(/[\p{L}\p{Nd}]+/gu) ?? []).map(stemOf),
    isNumber: /^\d+$/.test(run),
    isNo,
    isAffirming: affirming.has(lower),
    isAbsence: absences.has(term),
    isGrammar: isNo || grammar.has(lower),
    notes: noNotes.slice(),
  };
}

function isIdentifier(run: string): boolean {
  return /[_$]|\p{Ll}\p{Lu}|\p{L}\p{Nd}/u.test(run);
}

function partsOf(identifier: string): string[] {
  const words = /[_$\p{Lu}]/u.test(identifier)
    ? identifier
        .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1 $2')
        .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
        .split(/[_$ ]+/)
    : [identifier];
  return words
    .map(word => word.toLowerCase())
    .filter(word => word !== '' && !grammar.has(word))
    .map(word => stemOf(word));
}
