/** The words of a remark in their order, each with what it can say, and where clauses and sentences end. */
import { endOfRun, isSpaceAt } from './letters.ts';
import { createRecall } from './recall.ts';
import {
  answers,
  antonyms,
  calmOpenings,
  calmPhrases,
  numerals,
  stems,
  words,
} from './stance-words.ts';
import { stemOf } from './stem.ts';

export type Kind = keyof typeof stems | keyof typeof words;

export interface RemarkWord extends WordFacts {
  /** Lower case; empty for a name, which says nothing but itself. */
  readonly word: string;
  /** What ends before it: nothing, a clause (1) or a sentence (2). */
  readonly gap: 0 | 1 | 2;
}

interface WordFacts {
  readonly stem: string;
  /** Stems of a name of several words. */
  readonly parts: readonly string[];
  readonly kinds: ReadonlySet<Kind>;
  /** It says nothing by itself, and with no other word. */
  readonly isPlain: boolean;
  /** Positions of the `answers` it belongs to. */
  readonly topics: readonly number[];
  /** Sides that it takes in `antonyms`, by their position. */
  readonly sides: readonly Side[];
}

type Side = readonly [position: number, side: 0 | 1];

const none: ReadonlySet<Kind> = new Set();

const listed = (list: string): string[] => list.trim().split(/\s+/);

const kindsByWord = new Map<string, Set<Kind>>();
const kindsByStem = new Map<string, Set<Kind>>();
for (const [kind, list] of Object.entries(words))
  for (const word of listed(list)) put(kindsByWord, word, kind as Kind);
for (const [kind, list] of Object.entries(stems))
  for (const word of listed(list)) put(kindsByStem, stemOf(word), kind as Kind);

function put(table: Map<string, Set<Kind>>, word: string, kind: Kind): void {
  table.set(word, (table.get(word) ?? new Set()).add(kind));
}

const sidesByStem = new Map<string, Side[]>();
for (const [position, pair] of antonyms.entries())
  for (const side of [0, 1] as const)
    for (const stem of new Set(listed(pair[side]).map(word => stemOf(word))))
      sidesByStem.set(stem, [...(sidesByStem.get(stem) ?? []), [position, side]]);

const topicsByStem = new Map<string, number[]>();
for (const [position, list] of answers.entries())
  for (const stem of new Set(listed(list).map(word => stemOf(word))))
    topicsByStem.set(stem, [...(topicsByStem.get(stem) ?? []), position]);

/** Longer texts say no more; what follows is not read. UTF-16 units. */
const longestText = 4_000;

/** Of code in backticks its names, of all else the words. Nothing can be read in two ways, and each character is met once. */
export function wordsOfRemark(text: string): RemarkWord[] {
  const plain = text
    .slice(0, longestText)
    .replace(/n['’]t\b/g, ' not')
    .replace(/\bno (?:longer|more)\b/gi, 'not');
  const found: RemarkWord[] = [];
  let gap: RemarkWord['gap'] = 2;
  let endOfCode = -1;
  for (let at = 0, end = 0; at < plain.length; at = Math.max(end, at + 1)) {
    end = endOfRun(plain, at);
    if (end > at) {
      const readers = at < endOfCode ? namesBehind : wordsBehind;
      found.push(readers[gap](plain.slice(at, end)));
      gap = 0;
    } else if (at > endOfCode) {
      if (plain.charAt(at) === '`') endOfCode = endOfCodeAt(plain, at);
      const own = gapAt(plain, at);
      if (own > gap) gap = own;
    }
  }
  return found;
}

/** Characters of a piece of code, at most; what is longer is no code. */
const longestCode = 120;

/** Position of the backtick that ends the code which begins at another; -1 when none does. */
function endOfCodeAt(text: string, start: number): number {
  const end = text.indexOf('`', start + 1);
  const code = end === -1 ? '' : text.slice(start + 1, end);
  return code === '' || code.includes('\n') || [...code].length > longestCode ? -1 : end;
}

/** Nothing ends within `a.b`, `1,000` or `call(`, nor at a hyphen but between blanks. */
function gapAt(text: string, at: number): RemarkWord['gap'] {
  switch (text.charAt(at)) {
    case ';':
    case '!':
    case '?':
    case '\n':
      return 2;
    case '.':
    case ':':
      return isSpaceBehind(text, at) ? 2 : 0;
    case ',':
      return isSpaceBehind(text, at) ? 1 : 0;
    case '(':
      return at === 0 || isSpaceAt(text, at - 1) ? 1 : 0;
    case '—':
    case '–':
      return 1;
    case '-':
      return isDash(text, at) ? 2 : 0;
    default:
      return 0;
  }
}

function isSpaceBehind(text: string, at: number): boolean {
  return at + 1 === text.length || isSpaceAt(text, at + 1);
}

/** One hyphen or two. */
function isDash(text: string, at: number): boolean {
  const end = text.charAt(at + 1) === '-' ? at + 2 : at + 1;
  return isSpaceAt(text, at - 1) && isSpaceAt(text, end);
}

/** By the gap before them. Words already met are not read again. */
const wordsBehind = byGap(readWord);
const namesBehind = byGap(run => readNumber(run) ?? readName(run));

type Word = Omit<RemarkWord, 'gap'>;

function byGap(
  read: (run: string, gap: RemarkWord['gap']) => Word,
): Record<RemarkWord['gap'], (run: string) => RemarkWord> {
  const behind = (gap: RemarkWord['gap']): ((run: string) => RemarkWord) =>
    createRecall(run => ({ gap, ...read(run, gap) }), { most: 20_000, longest: 40 });
  return { 0: behind(0), 1: behind(1), 2: behind(2) };
}

function readWord(run: string, gap: RemarkWord['gap']): Word {
  const lower = run.toLowerCase();
  // `None` within a sentence is a value of Python.
  const isName = /[_$]|\p{Ll}\p{Lu}/u.test(run) || (run === 'None' && gap === 0);
  return readNumber(run) ?? (isName ? readName(run) : { word: lower, ...factsOf(lower) });
}

/** What begins with digits. */
function readNumber(run: string): Word | null {
  const digits = /^\d+/.exec(run)?.[0];
  return digits === undefined ? null : sayNothing(digits, []);
}

function readName(run: string): Word {
  return sayNothing(stemOf(run.toLowerCase().replaceAll('_', '')), partsOf(run));
}

function sayNothing(stem: string, parts: readonly string[]): Word {
  return { word: '', stem, parts, kinds: none, isPlain: true, topics: [], sides: [] };
}

const trouble: ReadonlySet<Kind> = new Set(['trouble']);

/** "inappropriate", "improper", "unacceptable": the opposite of a word by which it is well. */
function turnedKinds(word: string): ReadonlySet<Kind> | undefined {
  const rest = /^(?:un|in|im|ir)(.+)$/.exec(word)?.[1];
  return rest !== undefined && kindsByWord.get(rest)?.has('calm') ? trouble : undefined;
}

function partsOf(name: string): string[] {
  return name
    .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1 $2')
    .split(/[_$ ]+/)
    .filter(part => part.length > 1)
    .map(part => stemOf(part.toLowerCase()));
}

/** Words that say something together with those that follow. */
const opening: ReadonlySet<string> = new Set([
  ...listed(calmOpenings),
  ...calmPhrases.flatMap(phrase => phrase.replace('!', '').split(' ')[0]?.split('/') ?? []),
  ...listed('and against from on'),
]);

function factsOf(word: string): WordFacts {
  const stem = numerals[word] ?? stemOf(word);
  const own = kindsByWord.get(word) ?? turnedKinds(word);
  const shared = kindsByStem.get(stem);
  const kinds = own && shared ? new Set([...own, ...shared]) : (own ?? shared ?? none);
  return {
    stem,
    parts: [],
    kinds,
    isPlain: !opening.has(word) && [...kinds].every(kind => kind === 'grammar'),
    topics: topicsByStem.get(stem) ?? [],
    sides: sidesByStem.get(stem) ?? [],
  };
}
