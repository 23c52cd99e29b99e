/** What one wording says, taken apart for comparison: stems, named code, neighbouring words, kinds of trouble, letters. */
import { stemmer } from 'stemmer';
import { readWording, type Wording } from './words.ts';

export interface Statement {
  readonly wording: Wording;
  /** Stems of the words and of the parts of identifiers. */
  readonly stems: ReadonlySet<string>;
  /** Names of code, lower case, without underscores. */
  readonly identifiers: ReadonlySet<string>;
  /** Pairs of words that stand side by side. */
  readonly neighbours: ReadonlySet<string>;
  /** Stems of the first words: what a sentence opens with is mostly what it is about. */
  readonly opening: ReadonlySet<string>;
  /** Numbers of the groups of `kindred` that it touches. */
  readonly kinds: ReadonlySet<number>;
  /** Hashes of the runs of four letters in its words. */
  readonly letters: ReadonlySet<number>;
  /** Numbers that stand alone and are no line numbers. */
  readonly numbers: ReadonlySet<string>;
  /** Characters that are read. */
  readonly length: number;
}

const longestText = 4_000;
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
  const read = text.slice(0, longestText);
  const wording = readWording(read);
  const plain = [...wording.terms.keys()];
  const stems = new Set(plain.filter(term => !term.includes(' ') && !term.startsWith('#')));
  for (const piece of piecesOfUnspacedScript(read)) stems.add(piece);
  return {
    wording,
    stems,
    identifiers: new Set([
      ...plain.filter(term => term.startsWith('#')).map(term => term.slice(1)),
      ...namesIn(read),
    ]),
    neighbours: new Set(plain.filter(term => term.includes(' '))),
    opening: new Set(
      wordsIn(read)
        .slice(0, openingWords)
        .map(word => stemmer(word))
        .filter(stem => stem.length > 2),
    ),
    kinds: new Set([...stems].map(stem => kindOf.get(stem)).filter(kind => kind !== undefined)),
    letters: lettersOf(wording.words),
    numbers: numbersIn(read),
    length: read.length,
  };
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{Nd}]+/gu) ?? [];
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
  const withoutLines = text.replace(
    /\blines?\s+\d+(?:(?:\s*[-–,]\s*|,?\s+(?:and|to)\s+)\d+)*/gi,
    ' ',
  );
  return new Set(withoutLines.match(/(?<![\w.$-])\d+(?:\.\d+)?(?![\w-])/g) ?? []);
}

/** Scripts that put no spaces between words are read in overlapping pairs of characters. */
function piecesOfUnspacedScript(text: string): string[] {
  const runs =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu) ?? [];
  return runs.flatMap(run =>
    Array.from({ length: Math.max(run.length - 1, 0) }, (_, index) => run.slice(index, index + 2)),
  );
}

function lettersOf(words: ReadonlySet<string>): ReadonlySet<number> {
  const hashes = new Set<number>();
  for (const word of words) {
    const padded = ` ${word} `;
    for (let start = 0; start + 4 <= padded.length; start += 1) hashes.add(hashOf(padded, start));
  }
  return hashes;
}

/** Fowler, Noll and Vo's hash of four UTF-16 units. */
function hashOf(text: string, start: number): number {
  let hash = 0x811c9dc5;
  for (let index = start; index < start + 4; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
