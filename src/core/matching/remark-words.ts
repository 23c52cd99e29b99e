/** The words of a remark in their order, each with what it can say, and where clauses and sentences end. */
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
  /** What ends before it: nothing, a clause (1), a sentence that the next one goes on with (2) or any other (3). */
  readonly gap: 0 | 1 | 2 | 3;
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

/** Code in backticks, a word, what ends a clause, a hyphen between blanks. Nothing in it can be read in two ways. */
const pieces = /`([^`\n]{1,120})`|([\p{L}\p{Nd}_$]+)|([.;:!?,(—–\n]|(?<=\s)-{1,2}(?=\s))/gu;

export function wordsOfRemark(text: string): RemarkWord[] {
  const plain = text
    .slice(0, longestText)
    .replace(/n['’]t\b/g, ' not')
    .replace(/\bno (?:longer|more)\b/gi, 'not');
  const found: RemarkWord[] = [];
  let gap: RemarkWord['gap'] = 3;
  for (const { 0: all, 1: quoted, 2: run, 3: stop, index } of plain.matchAll(pieces)) {
    if (stop !== undefined) {
      const own = gapOf(stop, plain.charAt(index - 1), plain.charAt(index + 1));
      if (own > gap) gap = own;
      continue;
    }
    for (const each of quoted === undefined ? [run ?? all] : namesIn(quoted)) {
      found.push(wordOf(each, quoted !== undefined, gap));
      gap = 0;
    }
  }
  return found;
}

function namesIn(code: string): readonly string[] {
  return code.match(/[\p{L}\p{Nd}_$]+/gu) ?? [];
}

/** Nothing ends within `a.b`, `1,000` or `call(`. */
function gapOf(stop: string, before: string, behind: string): RemarkWord['gap'] {
  if (/[.,:]/.test(stop) && /\S/.test(behind)) return 0;
  if (stop === '(' && /\S/.test(before)) return 0;
  if (/[.!?\n]/.test(stop)) return 3;
  return /[;:-]/.test(stop) ? 2 : 1;
}

function wordOf(run: string, isQuoted: boolean, gap: RemarkWord['gap']): RemarkWord {
  const lower = run.toLowerCase();
  const digits = /^\d+/.exec(lower)?.[0];
  if (digits !== undefined)
    return {
      word: '',
      gap,
      stem: digits,
      parts: [],
      kinds: none,
      isPlain: true,
      topics: [],
      sides: [],
    };
  // `None` within a sentence is a value of Python.
  if (isQuoted || /[_$]|\p{Ll}\p{Lu}/u.test(run) || (run === 'None' && gap === 0))
    return {
      word: '',
      gap,
      stem: stemOf(lower.replaceAll('_', '')),
      parts: partsOf(run),
      kinds: none,
      isPlain: true,
      topics: [],
      sides: [],
    };
  return { word: lower, gap, ...factsOf(lower) };
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

/** Facts of words already met: the same few thousand make up most remarks. */
const known = new Map<string, WordFacts>();
const mostKnown = 20_000;
const longestKnown = 40;

function factsOf(word: string): WordFacts {
  const facts = known.get(word);
  if (facts !== undefined) return facts;
  const stem = numerals[word] ?? stemOf(word);
  const own = kindsByWord.get(word) ?? turnedKinds(word);
  const shared = kindsByStem.get(stem);
  const kinds = own && shared ? new Set([...own, ...shared]) : (own ?? shared ?? none);
  const read: WordFacts = {
    stem,
    parts: [],
    kinds,
    isPlain: !opening.has(word) && [...kinds].every(kind => kind === 'grammar'),
    topics: topicsByStem.get(stem) ?? [],
    sides: sidesByStem.get(stem) ?? [],
  };
  if (known.size >= mostKnown) known.clear();
  if (word.length <= longestKnown) known.set(word, read);
  return read;
}
