/** The words of a remark in their order, each with what it can say, and where clauses and sentences end. */
import { createRecall } from '../wording/recall.ts';
import { answers, antonyms, calmOpenings, calmPhrases, numerals, stems, words } from './lexicon.ts';
import { stemOf } from '../wording/stem.ts';
import { createNotes, plainOf, type Word, wordsIn } from '../wording/written-words.ts';

export type Kind = keyof typeof stems | keyof typeof words;

export interface RemarkWord {
  /** Lower case; empty for a name, which says nothing but itself. */
  readonly word: string;
  /** What ends before it: nothing, a clause (1), a sentence that the next one goes on with (2) or any other (3). */
  readonly gap: 0 | 1 | 2 | 3;
  readonly stem: string;
  /** Stems of a name of several words. */
  readonly parts: readonly string[];
  readonly kinds: ReadonlySet<Kind>;
  /** It says nothing by itself, and with no other word. */
  readonly isPlain: boolean;
  /** It is no grammar. */
  readonly isContent: boolean;
  /** It can be what a remark is about. */
  readonly isObject: boolean;
  /** Positions of the `answers` it belongs to. */
  readonly topics: readonly number[];
  /** Sides that it takes in `antonyms`, by their position. */
  readonly sides: readonly Side[];
}

type Side = readonly [position: number, side: 0 | 1];

const none: ReadonlySet<Kind> = new Set();
const nothing: readonly never[] = [];

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

/** Of code in backticks its names, of all else the words. Nothing can be read in two ways, and each character is met once. */
export function wordsOfRemark(remark: string): RemarkWord[] {
  const {
    text,
    words: written,
    between,
  } = wordsIn(plainOf(remark).replace(/\bno more\b/gi, 'not'));
  const found: RemarkWord[] = [];
  let gap: Gap = 3;
  let [at, endOfCode] = [0, -1];
  for (let index = 0; index < written.length; index += 1) {
    const word = written[index] as Word;
    const before = between[index] as string;
    const start = at + before.length;
    // Before most words there is nothing to read.
    if (before === ' ') at = start;
    for (; at < start; at += 1) {
      if (at <= endOfCode) continue;
      if (text.charAt(at) === '`') endOfCode = endOfCodeAt(text, at);
      const own = gapAt(text, at);
      if (own > gap) gap = own;
    }
    found.push(start < endOfCode ? namesBehind[gap](word.run) : remarks[gap](word));
    gap = 0;
    at = start + word.run.length;
  }
  return found;
}

/** Position of the backtick that ends the code which begins at another; -1 when none does. A longer piece is no code. */
function endOfCodeAt(text: string, start: number): number {
  const end = text.indexOf('`', start + 1);
  return /^[^\n]{1,120}$/u.test(text.slice(start + 1, Math.max(end, start + 1))) ? end : -1;
}

/** Nothing ends within `a.b`, `1,000` or `call(`, nor at a hyphen but between blanks. */
function gapAt(text: string, at: number): Gap {
  const own = stops.get(text.charAt(at));
  if (own === undefined) return 0;
  const [before, behind] = [text.charAt(at - 1), text.charAt(at + 1)];
  switch (text.charAt(at)) {
    case '.':
    case ',':
    case ':':
      return /\S/.test(behind) ? 0 : own;
    case '(':
      return /\S/.test(before) ? 0 : own;
    case '-':
      return isDash(text, at) ? own : 0;
    default:
      return own;
  }
}

/** What ends a clause, and what a sentence. */
const stops: ReadonlyMap<string, 1 | 2 | 3> = new Map([
  ...[',', '(', '—', '–'].map(stop => [stop, 1] as const),
  ...[';', ':', '-'].map(stop => [stop, 2] as const),
  ...['.', '!', '?', '\n'].map(stop => [stop, 3] as const),
]);

/** One hyphen or two. */
function isDash(text: string, at: number): boolean {
  const end = text.charAt(at + 1) === '-' ? at + 2 : at + 1;
  return /\s/.test(text.charAt(at - 1)) && /\s/.test(text.charAt(end));
}

type Gap = RemarkWord['gap'];

/** What a word says in a remark, by the gap before it. */
const remarks = {
  0: createNotes(word => readWord(word, 0)),
  1: createNotes(word => readWord(word, 1)),
  2: createNotes(word => readWord(word, 2)),
  3: createNotes(word => readWord(word, 3)),
};

function readWord({ run, lower }: Word, gap: Gap): RemarkWord {
  // `None` within a sentence is a value of Python.
  const isName = /[_$]|\p{Ll}\p{Lu}/u.test(run) || (run === 'None' && gap === 0);
  return readNumber(run, gap) ?? (isName ? readName(run, gap) : readPlain(lower, gap));
}

const nameBehind = (gap: Gap): ((run: string) => RemarkWord) =>
  createRecall(run => readNumber(run, gap) ?? readName(run, gap), { most: 5_000, longest: 40 });

/** Names in code, by the gap before them. */
const namesBehind = { 0: nameBehind(0), 1: nameBehind(1), 2: nameBehind(2), 3: nameBehind(3) };

/** What begins with digits. */
function readNumber(run: string, gap: Gap): RemarkWord | null {
  const digits = /^\d+/.exec(run)?.[0];
  return digits === undefined ? null : sayNothing(digits, nothing, gap);
}

function readName(run: string, gap: Gap): RemarkWord {
  return sayNothing(stemOf(run.toLowerCase().replaceAll('_', '')), partsOf(run), gap);
}

function sayNothing(stem: string, parts: readonly string[], gap: Gap): RemarkWord {
  return {
    word: '',
    gap,
    stem,
    parts,
    kinds: none,
    isPlain: true,
    isContent: true,
    isObject: true,
    topics: nothing,
    sides: nothing,
  };
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

const numeralOf = new Map(Object.entries(numerals));

function readPlain(word: string, gap: Gap): RemarkWord {
  const stem = numeralOf.get(word) ?? stemOf(word);
  const own = kindsByWord.get(word) ?? turnedKinds(word);
  const shared = kindsByStem.get(stem);
  const kinds = own && shared ? new Set([...own, ...shared]) : (own ?? shared ?? none);
  const isContent = !kinds.has('grammar');
  return {
    word,
    gap,
    stem,
    parts: nothing,
    kinds,
    isPlain: !opening.has(word) && [...kinds].every(kind => kind === 'grammar'),
    isContent,
    isObject: isContent && !kinds.has('calm') && !kinds.has('demand') && !kinds.has('vague'),
    topics: topicsByStem.get(stem) ?? nothing,
    sides: sidesByStem.get(stem) ?? nothing,
  };
}
