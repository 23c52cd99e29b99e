/**
 * The statements of a run as sorted arrays of numbers, so that two can be compared by walking both once. A term weighs
 * by how few of the run's statements use it: a statement about other things changes no weight. The vocabulary of all
 * reviews counts as common from the start, because a run of two statements cannot know what is.
 */
import { stemmer } from 'stemmer';
import { readStatement, type Statement } from './words.ts';

/** A set of terms: numbers ascending, with the weight of each. */
export interface TermVector {
  readonly terms: readonly number[];
  readonly weights: readonly number[];
  /** Root of the sum of squares. */
  readonly norm: number;
  /** Sum. */
  readonly total: number;
}

export interface WeighedStatement {
  readonly statement: Statement;
  readonly stems: TermVector;
  readonly identifiers: TermVector;
  readonly neighbours: TermVector;
  readonly opening: TermVector;
  readonly letters: TermVector;
}

/** Statements of one reviewer that count for a term, at most: one loud voice must not make the words of the others common. */
const loudest = 8;

/** A term that this many statements use weighs ln 2. A word of the vocabulary of reviews is taken to stand in as many others. */
const common = 40;

const facets = ['stems', 'identifiers', 'neighbours', 'opening'] as const;
type Facet = (typeof facets)[number];

interface Spoken {
  readonly text: string;
  readonly reviewers: readonly string[];
}

/** Weighs statements by the run they were read from; later ones are weighed by the same run. */
export interface RunWording {
  readonly statements: readonly WeighedStatement[];
  weigh(text: string): WeighedStatement;
}

export function weighRun(spoken: readonly Spoken[]): RunWording {
  const statements = spoken.map(({ text }) => readStatement(text));
  const reviewers = numberReviewers(spoken);
  const lexicons = Object.fromEntries(
    facets.map(facet => [
      facet,
      countTerms(
        statements.map(statement => statement[facet]),
        reviewers,
        facet !== 'identifiers',
      ),
    ]),
  ) as Record<Facet, Lexicon>;
  const weigh = (
    statement: Statement,
    vectorOfFacet: (facet: Facet) => TermVector,
  ): WeighedStatement => ({
    statement,
    stems: vectorOfFacet('stems'),
    identifiers: vectorOfFacet('identifiers'),
    neighbours: vectorOfFacet('neighbours'),
    opening: vectorOfFacet('opening'),
    letters: vectorOf([...statement.letters], () => 1),
  });
  return {
    statements: statements.map((statement, index) =>
      weigh(statement, facet => lexicons[facet].vectors[index] ?? vectorOf([], () => 1)),
    ),
    weigh: text => {
      const statement = readStatement(text);
      return weigh(statement, facet => lexicons[facet].vector(statement[facet]));
    },
  };
}

/** A number for the first reviewer of each. */
function numberReviewers(spoken: readonly Spoken[]): readonly number[] {
  const numbers = new Map<string, number>();
  return spoken.map(({ reviewers: [reviewer = ''] }) => numberOf(reviewer, numbers));
}

function numberOf(key: string, numbers: Map<string, number>): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size);
  return numbers.size - 1;
}

interface Lexicon {
  /** Of the statements that were counted. */
  readonly vectors: readonly TermVector[];
  vector(terms: ReadonlySet<string>): TermVector;
}

/** `isProse`: names of code have no words of reviews among them. */
function countTerms(
  sets: readonly ReadonlySet<string>[],
  reviewers: readonly number[],
  isProse: boolean,
): Lexicon {
  const numbers = new Map<string, number>();
  const numbered = sets.map(terms => Array.from(terms, term => numberOf(term, numbers)));
  const counts = new Int32Array(numbers.size);
  const told = new Map<number, number>();
  const voices = reviewers.reduce((most, reviewer) => Math.max(most, reviewer), 0) + 1;
  for (const [index, terms] of numbered.entries()) {
    for (const term of terms) {
      const voice = term * voices + (reviewers[index] ?? 0);
      const times = (told.get(voice) ?? 0) + 1;
      told.set(voice, times);
      if (times <= loudest) counts[term] = (counts[term] ?? 0) + 1;
    }
  }
  const generic = Uint8Array.from(numbers.keys(), term =>
    Number(isProse && isReviewVocabulary(term)),
  );
  const weightOf = (term: number): number =>
    Math.log(1 + common / (Math.max(counts[term] ?? 1, 1) + (generic[term] === 1 ? common : 0)));
  return {
    vectors: numbered.map(terms => vectorOf(terms, weightOf)),
    vector: terms =>
      vectorOf(
        Array.from(terms, term => numberOf(term, numbers)),
        weightOf,
      ),
  };
}

function vectorOf(unsorted: readonly number[], weightOf: (term: number) => number): TermVector {
  const terms = unsorted.toSorted((one, other) => one - other);
  const weights = terms.map(weightOf);
  let [squares, total] = [0, 0];
  for (const weight of weights) {
    squares += weight * weight;
    total += weight;
  }
  return { terms, weights, norm: Math.sqrt(squares), total };
}

interface Shared {
  readonly count: number;
  /** Sum of the weights of the shared terms. */
  readonly weight: number;
  readonly cosine: number;
  /** Shared weight through the weight of the lighter side. */
  readonly containment: number;
}

const nothing: Shared = { count: 0, weight: 0, cosine: 0, containment: 0 };

/** Both vectors must come from one run: a term weighs the same in both. */
export function shareOf(one: TermVector, other: TermVector): Shared {
  let [left, right, count, weight, product] = [0, 0, 0, 0, 0];
  while (left < one.terms.length && right < other.terms.length) {
    // Inside both arrays, so neither is absent.
    const difference = (one.terms[left] as number) - (other.terms[right] as number);
    if (difference === 0) {
      const each = one.weights[left] as number;
      count += 1;
      weight += each;
      product += each * each;
    }
    if (difference <= 0) left += 1;
    if (difference >= 0) right += 1;
  }
  if (count === 0) return nothing;
  return {
    count,
    weight,
    cosine: product / (one.norm * other.norm),
    containment: weight / Math.min(one.total, other.total),
  };
}

/** Words that reviewers use whatever they are talking about. Chosen by hand, from no data. */
const words =
  'miss missing lack lacks absent without need needs needed needing require requires requirement should must never always ensure ' +
  'check checks checking valid validate validation verify verified guard error errors exception exceptions fail fails failure failing crash throw thrown raise catch handle handled handler handling unhandled ' +
  'null undefined none nil empty value variable use used uses using usage unused useless call calling caller callers invoke function method class code line file field property parameter argument type object instance name naming ' +
  'return returns bug issue problem potential possible possibly potentially may cause causes lead leads leading result results risk ' +
  'incorrect incorrectly wrong wrongly invalid inconsistent inconsistency mismatch unexpected broken break breaks ' +
  'add added remove removed change changed update updated modify modified new old existing current test tests testing coverage comment documentation document readability readable ' +
  'condition case logic implementation implement behavior behaviour default set get make makes create creates created give given pass passed before after when first last same different multiple single one two ' +
  'unnecessary redundant duplicate duplicated data state correct correctly properly proper improper safe unsafe performance security string number boolean ' +
  'consider instead avoid introduce introduces allow allows do does work works not no only';

const stems: ReadonlySet<string> = new Set(words.split(' ').map(word => stemmer(word)));

/** Stems only; two that share nothing else share no subject. */
function isReviewVocabulary(stem: string): boolean {
  return stems.has(stem);
}

/** What two wordings have in common, as people wrote it: words in place of stems, names in place of their lower case. */
export interface Common {
  /** As the first wording has them, the telling ones first. */
  readonly words: readonly string[];
  readonly names: readonly string[];
}

interface Worded {
  readonly text: string;
  readonly statement: Statement;
}

export function findCommon(one: Worded, other: Worded): Common {
  const names = new Map<string, string>();
  const words = new Map<string, string>();
  for (const [run] of one.text.matchAll(/[\p{L}\p{Nd}_$]+/gu)) {
    const name = run.toLowerCase().replaceAll('_', '');
    if (one.statement.identifiers.has(name) && other.statement.identifiers.has(name))
      names.set(name, names.get(name) ?? run);
    const stem = stemmer(run.toLowerCase());
    if (one.statement.stems.has(stem) && other.statement.stems.has(stem))
      words.set(stem, words.get(stem) ?? run.toLowerCase());
  }
  for (const piece of one.statement.stems)
    if (/[^\p{Script=Latin}]/u.test(piece) && other.statement.stems.has(piece))
      words.set(piece, words.get(piece) ?? piece);
  return {
    words: tellingFirst([...words].filter(([stem]) => !names.has(stem))),
    names: [...names.values()],
  };
}

/** The vocabulary of all reviews is named where little else is, and behind it; scraps of two letters never. */
function tellingFirst(words: readonly (readonly [stem: string, word: string])[]): string[] {
  const whole = words
    .filter(([, word]) => !/^[a-z]{1,2}$/.test(word))
    .sort(([left], [right]) => right.length - left.length || (left < right ? -1 : 1));
  const telling = whole.filter(([stem]) => !isReviewVocabulary(stem));
  const usual = whole.filter(([stem]) => isReviewVocabulary(stem));
  return [...telling, ...usual.slice(0, Math.max(0, enoughWords - telling.length))].map(
    ([, word]) => word,
  );
}

const enoughWords = 3;

/** `a`, `a and b`, `a, b and c`. */
export function enumerate(items: readonly string[]): string {
  return items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}
