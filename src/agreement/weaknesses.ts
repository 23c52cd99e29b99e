/**
 * Troubles of code that reviewers have words for: what is wrong, what comes of it, what puts it right. Two remarks that
 * share hardly a word can still speak of one trouble. Words and no patterns, so that reading takes time in proportion to
 * the text.
 *
 * In the table a weakness has rows, and a row groups of words joined by `&`: it is complete when a text has a word of each,
 * in any order. `two_words` are side by side, `$name` is one of the families.
 */
import { stemmer } from 'stemmer';
import type { Finding } from '../core/words/finding.ts';
import table from './weaknesses.json' with { type: 'json' };
import { longestText } from './wording/written-words.ts';

interface Reading {
  /** Words, and those that are side by side, as stems joined by `_`. */
  readonly terms: ReadonlySet<string>;
  /** By term that tells something: the weaknesses, and how much it speaks of each. */
  readonly leanings: ReadonlyMap<string, Leaning>;
}

/** By name of the weakness. */
type Leaning = ReadonlyMap<string, number>;

/** Words that are side by side in one term, at most. */
const longestTerm = 3;

/** What a word tells whose row is not complete. */
const half = 0.4;

const readings = new WeakMap<Pick<Finding, 'text'>, Reading>();

/** Read once a finding. */
function readingOf(finding: Pick<Finding, 'text'>): Reading {
  const known = readings.get(finding) ?? readWeaknesses(finding.text);
  readings.set(finding, known);
  return known;
}

function readWeaknesses(text: string): Reading {
  const { rowsOf, weaknessesOf } = index();
  const terms = termsIn(text);
  const seen = new Map<Row, Set<number>>();
  for (const term of terms)
    for (const { row, group } of rowsOf.get(term) ?? [])
      seen.set(row, (seen.get(row) ?? new Set()).add(group));
  const leanings = new Map<string, Leaning>();
  for (const term of terms) {
    const told = weaknessesOf.get(term);
    if (told === undefined) continue;
    const complete = new Set(
      (rowsOf.get(term) ?? [])
        .filter(({ row }) => seen.get(row)?.size === row.groups)
        .map(({ row }) => row.weakness),
    );
    // A term that many weaknesses are told in tells little of each.
    const share = 1 / Math.sqrt(told.size);
    leanings.set(
      term,
      new Map([...told].map(name => [name, complete.has(name) ? share : half * share])),
    );
  }
  return { terms, leanings };
}

/**
 * 0 to 1: how far two remarks speak of one weakness, each in words of its own: those of both are left out, for they may be
 * what the two are about and no more. The cosine of what they speak of. Symmetric.
 */
export function kinshipOf(one: Pick<Finding, 'text'>, other: Pick<Finding, 'text'>): number {
  const [left, right] = [readingOf(one), readingOf(other)];
  const [mine, theirs] = [leaningOf(left, right), leaningOf(right, left)];
  let product = 0;
  for (const [name, weight] of mine) product += weight * (theirs.get(name) ?? 0);
  return product === 0 ? 0 : product / (lengthOf(mine) * lengthOf(theirs));
}

function leaningOf({ leanings }: Reading, against: Reading): Leaning {
  return sumUp([...leanings].flatMap(([term, own]) => (against.terms.has(term) ? [] : [own])));
}

function lengthOf(leaning: Leaning): number {
  return Math.hypot(...leaning.values());
}

function sumUp(leanings: readonly Leaning[]): Leaning {
  const sums = new Map<string, number>();
  for (const [name, weight] of leanings.flatMap(leaning => [...leaning]))
    sums.set(name, (sums.get(name) ?? 0) + weight);
  return sums;
}

/** By name of each weakness that a text speaks of, how much it does: 1 for a whole row that tells nothing else. */
export function weaknessesIn(text: string): Leaning {
  return sumUp([...readWeaknesses(text).leanings.values()]);
}

export const securityWeaknesses: ReadonlySet<string> = new Set(
  Object.keys(table.weaknesses.security),
);

interface Row {
  readonly weakness: string;
  /** How many it has. */
  readonly groups: number;
}

interface Index {
  /** By term: the rows that hold it, with the number of its group. */
  readonly rowsOf: ReadonlyMap<string, readonly { readonly row: Row; readonly group: number }[]>;
  /** By term that tells something. */
  readonly weaknessesOf: ReadonlyMap<string, ReadonlySet<string>>;
}

let known: Index | undefined;

/** Made when first needed: most runs have no lone remarks. */
function index(): Index {
  return (known ??= indexOf(Object.assign({}, ...Object.values(table.weaknesses))));
}

function indexOf(weaknesses: Readonly<Record<string, readonly string[]>>): Index {
  const families = new Map(
    Object.entries(table.families).map(([name, words]) => [`$${name}`, termsOf(words.split(' '))]),
  );
  // Words of grammar, and a `no`, are in rows and tell nothing by themselves; families are what a row is about.
  const silent = new Set([...termsOf(table.grammar.split(' ')), ...(families.get('$not') ?? [])]);
  const rowsOf = new Map<string, { row: Row; group: number }[]>();
  const weaknessesOf = new Map<string, Set<string>>();
  for (const [weakness, rows] of Object.entries(weaknesses))
    for (const groups of rows.map(row => row.split(' & '))) {
      const row = { weakness, groups: groups.length };
      for (const [group, words] of groups.map(each => each.split(' ')).entries()) {
        const own = termsOf(words.filter(word => !word.startsWith('$')));
        const shared = words.flatMap(word => [...(families.get(word) ?? [])]);
        for (const term of new Set([...own, ...shared]))
          rowsOf.set(term, [...(rowsOf.get(term) ?? []), { row, group }]);
        for (const term of own)
          if (!silent.has(term))
            weaknessesOf.set(term, (weaknessesOf.get(term) ?? new Set()).add(weakness));
      }
    }
  return { rowsOf, weaknessesOf };
}

/** Words of the table as terms. */
function termsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(
    words.map(term =>
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

/** In order: lower case, signs of code as they are read aloud, names of code taken apart, spelt as in America. */
function stemsOf(text: string): string[] {
  const spaced = Object.entries(table.signs)
    .reduce((rest, [sign, words]) => rest.replaceAll(sign, ` ${words} `), text)
    .replace(/n['’]t\b/g, ' not ')
    .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase();
  return (spaced.match(/\p{L}+|\p{Nd}+/gu) ?? []).map(stemOf);
}

function stemOf(word: string): string {
  return stemmer(word.replace(/is(e[drs]?|ing|ations?)$/, 'iz$1').replace(/our(?=[a-z]*$)/, 'or'));
}
