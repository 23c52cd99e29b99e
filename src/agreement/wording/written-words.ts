/** The words of a text, and what each is, whatever is around it. All that compare texts read them by these. */
import table from './words.json' with { type: 'json' };
import { stemmer } from 'stemmer';

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
  readonly text: string;
  readonly words: readonly Word[];
  /** What is before each word, up to the word before. */
  readonly between: readonly string[];
}

/** What was read last: several read one text, one after the other. */
let last: WrittenText = { text: '', words: [], between: [] };

/** Maximal runs of letters, digits, `_` and `$`; of scripts that put no spaces between words each two characters that follow. */
export function wordsIn(text: string): WrittenText {
  if (text === last.text) return last;
  const words: Word[] = [];
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

function runsOf(run: string): readonly string[] {
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
export function plainOf(text: string): string {
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

function wordOf(run: string): Word {
  const remembered = known.get(run);
  if (remembered !== undefined) return remembered;
  const word = readWord(run);
  if (known.size === mostKnown) known.clear();
  if (run.length <= longestKnown) known.set(run, word);
  return word;
}

function readWord(run: string): Word {
  const lower = run.toLowerCase();
  const stem = stemmer(lower);
  // Mostly a run is one piece, and to stem takes longest.
  const stemOf = (piece: string): string => (piece === lower ? stem : stemmer(piece));
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

function partsOf(identifier: string): string[] {
  return identifier
    .split(/[_$]+|(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    .map(word => word.toLowerCase())
    .filter(word => word !== '' && !grammar.has(word));
}

/** Fowler, Noll and Vo's hash, version 1a, of the UTF-16 units. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** One hash of two, in their order. */
export function mixed(one: number, other: number): number {
  return Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b);
}
