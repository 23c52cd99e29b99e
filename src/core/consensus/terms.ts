/** What a wording is about: stems, identifiers with their parts, and neighbouring words, each with a weight of its own. */
import { stemmer } from 'stemmer';

/** Term to weight before rarity is known. */
export type Terms = ReadonlyMap<string, number>;

export interface Wording {
  readonly terms: Terms;
  /** The stems and identifiers alone, without parts and neighbours. */
  readonly words: ReadonlySet<string>;
  /** Numbers that are no line numbers and no part of a name. */
  readonly numbers: ReadonlySet<string>;
  /** Those of `words` that stand behind a `no`, `not`, `never` or `cannot`. */
  readonly negated: ReadonlySet<string>;
}

/** Longer texts say no more about what they are about; what follows is not read. UTF-16 units. */
const longestText = 4_000;

const partWeight = 0.3;
const neighbourWeight = 0.5;

const negations = new Set(['no', 'not', 'never', 'cannot']);

/** Words of grammar. Verbs and nouns of reviews stay: a word that all of them use weighs little by the run's own count. */
const grammar = new Set(
  ('the a an and or but in on at to for of with is are was were be been being have has had do does did will would should could may might must can ' +
    'this that these those it its they them their there here which who what when where while if then else than as by from into no nor so such only ' +
    'also just any all each every both some other another same own most very we you i he she our your via because since however still even yet about ' +
    'during over under again out per eg ie etc').split(' '),
);

const fileExtensions = new Set('bash c cc cfg conf cpp cs css go h hpp html ini java js json jsx kt less lock lua md mjs mts php pl properties proto ps1 py rb rs scala scss sh sql svelte swift tf toml ts tsx txt vue xml yaml yml'.split(' '));

/** Places do not count as words: two issues of one file are not one issue. */
export function readWording(text: string): Wording {
  const terms = new Map<string, number>();
  const words = new Set<string>();
  const numbers = new Set<string>();
  const negated = new Set<string>();
  let isNegated = false;
  let previous: string | null = null;
  for (const run of runsOf(text)) {
    const lower = run.toLowerCase();
    if (/^\d+$/.test(run)) numbers.add(run);
    if (negations.has(lower)) isNegated = true;
    if (negations.has(lower) || grammar.has(lower)) continue;
    const term = isIdentifier(run) ? `#${lower.replaceAll('_', '')}` : stemmer(lower);
    words.add(term);
    if (isNegated) negated.add(term);
    isNegated = false;
    raise(terms, term, 1);
    if (isIdentifier(run)) for (const part of partsOf(run)) raise(terms, part, partWeight);
    if (previous !== null && previous !== term) raise(terms, `${previous} ${term}`, neighbourWeight);
    previous = term;
  }
  return { terms, words, negated, numbers };
}

function runsOf(text: string): string[] {
  const withoutPlaces = text
    .slice(0, longestText)
    .replace(/n['’]t\b/g, ' not')
    .replace(/\bno longer\b/gi, 'not')
    .replace(/\blines?\s+\d+(?:\s*[-–]\s*\d+)?/gi, ' ')
    .split(/\s+/)
    .filter(token => !isPath(token))
    .join(' ');
  return withoutPlaces.match(/[\p{L}\p{Nd}_$]+/gu) ?? [];
}

/** `src/a.ts`, `a.ts:10`, `` `a.ts` ``; not `cache.get()`. */
function isPath(token: string): boolean {
  const extension = /\.([A-Za-z0-9]{1,10})(?::\d+(?:[-:]\d+)?)?[^A-Za-z0-9]*$/.exec(token)?.[1];
  return extension !== undefined && fileExtensions.has(extension.toLowerCase());
}

function isIdentifier(run: string): boolean {
  return /[_$]|\p{Ll}\p{Lu}|\p{L}\p{Nd}/u.test(run);
}

function partsOf(identifier: string): string[] {
  const words = identifier.replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2').split(/[_$ ]+/);
  return words.map(word => word.toLowerCase()).filter(word => word !== '' && !grammar.has(word)).map(word => stemmer(word));
}

function raise(terms: Map<string, number>, term: string, weight: number): void {
  if ((terms.get(term) ?? 0) < weight) terms.set(term, weight);
}
