/**
 * Troubles of code that reviewers have words for: what is wrong, what comes of it, what puts it right. Two remarks that
 * share hardly a word can still speak of one trouble. Words and no patterns, so that reading takes time in proportion to
 * the text.
 *
 * Notation: `name: row | row`; a line that starts with a space goes on with the one before. A row holds groups of words
 * joined by `&`: it is complete when a text has a word of each, in any order. `two_words` stand side by side, `$name` is a
 * group of `families`.
 */
import { stemmer } from 'stemmer';
import type { Finding } from '../../core/words/finding.ts';
import { behaviourWeaknesses } from './behaviour.ts';
import { securityWeaknesses } from './security.ts';
import { systemWeaknesses } from './systems.ts';
import { upkeepWeaknesses } from './upkeep.ts';
import { longestText } from '../wording/written-words.ts';

export interface Reading {
  /** Words, and those that stand side by side, as stems joined by `_`. */
  readonly terms: ReadonlySet<string>;
  /** By term that tells something: the weaknesses by number, and how much it speaks of each. */
  readonly leanings: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** Words that stand side by side in one term, at most. */
const longestTerm = 3;

/** What a word tells whose row is not complete. */
const half = 0.4;

export function readWeaknesses(text: string): Reading {
  const { rows, rowsOf, weaknessesOf } = table();
  const terms = termsIn(text);
  const seen = new Map<number, number>();
  for (const term of terms)
    for (const { row, group } of rowsOf.get(term) ?? [])
      seen.set(row, (seen.get(row) ?? 0) | group);
  const leanings = new Map<string, Map<number, number>>();
  for (const term of terms) {
    const told = weaknessesOf.get(term);
    if (told === undefined) continue;
    // A term that many weaknesses are told in tells little of each.
    const leaning = new Map([...told].map(number => [number, half / Math.sqrt(told.size)]));
    for (const { row } of rowsOf.get(term) ?? []) {
      const known = rows[row];
      if (known !== undefined && known.all === seen.get(row) && told.has(known.weakness))
        leaning.set(known.weakness, 1 / Math.sqrt(told.size));
    }
    leanings.set(term, leaning);
  }
  return { terms, leanings };
}

export interface Kinship {
  /** 0 to 1: the cosine of what the two speak of. */
  readonly likeness: number;
  /** Name of what both speak of most; null when there is nothing. */
  readonly weakness: string | null;
}

/**
 * How far two remarks speak of one weakness, each in words of its own: those of both are left out, for they may be what
 * the two are about and no more. Symmetric.
 */
export function compareWeaknesses(one: Reading, other: Reading): Kinship {
  const [left, right] = [leaningOf(one, other), leaningOf(other, one)];
  let [product, most, weakness] = [0, 0, -1];
  for (const [number, weight] of left) {
    const both = weight * (right.get(number) ?? 0);
    product += both;
    if (both > most || (both === most && both > 0 && number < weakness))
      [most, weakness] = [both, number];
  }
  return {
    likeness: product === 0 ? 0 : product / (lengthOf(left) * lengthOf(right)),
    weakness: table().names[weakness] ?? null,
  };
}

function leaningOf({ leanings }: Reading, against: Reading): ReadonlyMap<number, number> {
  return sumUp([...leanings].flatMap(([term, own]) => (against.terms.has(term) ? [] : [own])));
}

function lengthOf(leaning: ReadonlyMap<number, number>): number {
  return Math.hypot(...leaning.values());
}

/** What a text must say of a weakness to speak of it: somewhat more than one word in passing. */
const spoken = 0.3;

/** Names of the weaknesses that a text speaks of, or of those that it says at least so much of. */
export function spokenOf({ leanings }: Reading, least = spoken): string[] {
  const { names } = table();
  const sums = sumUp([...leanings.values()]);
  return [...sums].flatMap(([number, sum]) => (sum < least ? [] : (names[number] ?? [])));
}

function sumUp(leanings: readonly ReadonlyMap<number, number>[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const leaning of leanings)
    for (const [number, weight] of leaning) sums.set(number, (sums.get(number) ?? 0) + weight);
  return sums;
}

interface Table {
  readonly names: readonly string[];
  readonly rows: readonly Row[];
  /** By term: the rows that hold it, with the bit of its group. */
  readonly rowsOf: ReadonlyMap<string, readonly { readonly row: number; readonly group: number }[]>;
  /** By term that tells something. */
  readonly weaknessesOf: ReadonlyMap<string, ReadonlySet<number>>;
}

interface Row {
  readonly weakness: number;
  /** A bit for each group. */
  readonly all: number;
}

let read: Table | undefined;

/** Read when first needed: most runs have no two short remarks. */
function table(): Table {
  return (read ??= readTable(
    [securityWeaknesses, behaviourWeaknesses, systemWeaknesses, upkeepWeaknesses].join(''),
  ));
}

/** Groups of words that many rows have. Of these a `no` tells nothing by itself, and the others are what it is about. */
const families: Readonly<Record<string, string>> = {
  not: 'no not never without cannot lack lacks lacking missing miss misses absent absence omit omits omitted forget forgot forgotten forgets skip skips skipped skipping fail fails failing neglect nobody nothing none nor unable nowhere',
  input:
    'input user_input user_supplied user_controlled user_provided param params parameter parameters request query_string form untrusted attacker tainted client supplied external body header payload search_term user username',
  secret:
    'password passwords passphrase secret secrets token tokens credential credentials api_key api_keys apikey private_key access_key signing_key pin',
  database: 'database db sql query queries select table',
  opened:
    'file files handle handles descriptor descriptors connection connections socket sockets stream streams cursor resource resources reader writer statement response_body client channel',
  log: 'log logs logged logger logging print prints printed console stdout',
};

/** Words of grammar that stand in rows, and tell nothing by themselves. */
const grammar =
  'the a an and or but of in on at to for with by from is are be been it its this that as when while if else so than then before after ' +
  'every each all any one two three only still even already again too very just also both either neither other another same which what who ' +
  'why how where there they them their you we our can cannot could may might must need needs should will did do does had has have was were ' +
  'anyone anybody anything everyone everything more most less someone something somebody nothing nobody';

/** Throws on a line that is none. */
export function readTable(text: string): Table {
  const names: string[] = [];
  const rows: Row[] = [];
  const rowsOf = new Map<string, { row: number; group: number }[]>();
  const weaknessesOf = new Map<string, Set<number>>();
  const familyTerms = new Map<string, ReadonlySet<string>>();
  const silent = termsOf(`${grammar} ${families.not ?? ''}`.split(' '));
  for (const entry of text.split(/\n(?=\S)/).filter(lines => lines.trim() !== '')) {
    const [, name, told] = /^([a-z0-9-]+):([^:]+)$/.exec(entry.trim()) ?? [];
    if (name === undefined || told === undefined)
      throw new Error(`No weakness: ${entry.slice(0, 80)}`);
    const weakness = names.push(name) - 1;
    const telling = new Set<string>();
    for (const groups of told.split('|').map(row => row.split('&'))) {
      const row = rows.push({ weakness, all: (1 << groups.length) - 1 }) - 1;
      for (const [place, group] of groups.entries()) {
        const words = group.trim().split(/\s+/);
        const own = termsOf(words.filter(word => !word.startsWith('$')));
        for (const term of own) telling.add(term);
        const shared = words
          .filter(word => word.startsWith('$'))
          .flatMap(word => [...familyOf(word)]);
        for (const term of new Set([...own, ...shared]))
          put(rowsOf, term, { row, group: 1 << place });
      }
    }
    for (const term of telling) if (!silent.has(term)) add(weaknessesOf, term, weakness);
  }
  return { names, rows, rowsOf, weaknessesOf };

  function familyOf(word: string): ReadonlySet<string> {
    const family = families[word.slice(1)];
    if (family === undefined) throw new Error(`No family of words: ${word}`);
    const terms = familyTerms.get(word) ?? termsOf(family.split(' '));
    familyTerms.set(word, terms);
    return terms;
  }
}

function put<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function add(sets: Map<string, Set<number>>, key: string, value: number): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

/** Words of the table as terms. */
function termsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(
    words
      .filter(word => word !== '')
      .map(term =>
        term
          .split('_')
          .flatMap(word => word.match(/[a-z]+|\d+/g) ?? [])
          .map(stemOf)
          .join('_'),
      ),
  );
}

function termsIn(text: string): ReadonlySet<string> {
  const stems = stemsOf(text.slice(0, longestText));
  return new Set(
    stems.flatMap((_, start) =>
      Array.from({ length: Math.min(longestTerm, stems.length - start) }, (__, more) =>
        stems.slice(start, start + more + 1).join('_'),
      ),
    ),
  );
}

/** Signs of code that reviewers read aloud, the longer ones first. */
const signs = [
  ['===', 'triple equals'],
  ['!==', 'strict equality'],
  ['==', 'double equals'],
  ['<=', 'less or equal'],
  ['>=', 'greater or equal'],
  ['=>', 'arrow'],
  ['->', 'arrow'],
  ['<', 'less than'],
  ['>', 'greater than'],
  ['&&', 'logical and'],
  ['||', 'logical or'],
  ['??', 'nullish coalescing'],
] as const;

/** In order: lower case, names of code taken apart, spelt as in America. */
function stemsOf(text: string): string[] {
  const spaced = signs
    .reduce((rest, [sign, words]) => rest.replaceAll(sign, ` ${words} `), text)
    .replace(/n['’]t\b/g, ' not ')
    .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase();
  return (spaced.match(/\p{L}+|\p{Nd}+/gu) ?? []).map(stemOf);
}

function stemOf(word: string): string {
  return stemmer(word.replace(/is(e[drs]?|ing|ations?)$/, 'iz$1').replace(/our(?=[a-z]*$)/, 'or'));
}

const readings = new WeakMap<Finding, Reading>();

function readingOf(finding: Finding): Reading {
  const known = readings.get(finding) ?? readWeaknesses(finding.text);
  readings.set(finding, known);
  return known;
}

/** 0 to 1: how far two findings speak of one weakness. Symmetric. */
export function kinshipOf(one: Finding, other: Finding): number {
  return compareWeaknesses(readingOf(one), readingOf(other)).likeness;
}
