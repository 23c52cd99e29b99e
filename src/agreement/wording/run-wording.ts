/**
 * The statements of a run as sorted arrays of numbers, so that two can be compared by walking both once. A term weighs
 * by how few of the run's statements use it: a statement about other things changes no weight. The vocabulary of all
 * reviews counts as common from the start, because a run of two statements cannot know what is.
 */
import { stemmer } from 'stemmer';
import { createFacetNumbers, type Facet, recordOf, type TermLists } from './facet-numbers.ts';
import {
  createVocabulary,
  type Reading,
  readText,
  type Statement,
  type Vocabulary,
} from './words.ts';

/** A set of terms: those that stand in `terms` from `start` to `end`, ascending. */
export interface TermVector {
  readonly terms: Int32Array;
  readonly start: number;
  readonly end: number;
  /** By term; one that lies beyond was not in the run. Null: each weighs 1. */
  readonly weights: Float64Array | null;
  /** Root of the sum of squares. */
  readonly norm: number;
  /** Sum. */
  readonly total: number;
}

export interface WeighedStatement extends Readonly<Record<Facet, TermVector>> {
  readonly statement: Statement;
}

/** Statements of one reviewer that count for a term, at most: one loud voice must not make the words of the others common. */
const loudest = 8;

/** A term that this many statements use weighs ln 2. A word of the vocabulary of reviews is taken to stand in as many others. */
const common = 40;

interface Spoken {
  readonly text: string;
  readonly reviewers: readonly string[];
}

/** Weighs statements by the run they were read from; later ones are weighed by the same run. */
export interface RunWording {
  readonly statements: readonly WeighedStatement[];
  weigh(text: string): WeighedStatement;
}

/** `readAlong`: what else reads the text at the position, right behind, while its words are at hand. */
export function weighRun(
  spoken: readonly Spoken[],
  readAlong?: (position: number) => void,
): RunWording {
  const vocabulary = createVocabulary();
  const { number, size, numberOfStem } = createFacetNumbers(vocabulary);
  const statements: Statement[] = [];
  const lists = number(readAll(spoken, vocabulary, { statements, readAlong }));
  const voices = groupByVoice(spoken);
  const weigh = recordOf((facet): Weigh => {
    if (facet === 'letters') return weighAlike;
    const counts = countStatements(lists[facet], voices, size(facet));
    // Names and pairs of words have no word of reviews among them.
    const isProse = facet === 'stems' || facet === 'opening';
    return weighByCount(counts, isProse ? genericBy(stem => numberOfStem(stem, facet)) : new Set());
  });
  return {
    statements: statements.map((statement, index) => ({
      statement,
      ...recordOf(facet => weigh[facet](lists[facet], index)),
    })),
    weigh(text) {
      const reading = readText(text, vocabulary);
      const own = number([reading]);
      return {
        statement: reading.statement,
        ...recordOf(facet => weigh[facet](own[facet], 0)),
      };
    },
  };
}

/** What is read of a text beside its statement is not kept: it takes more room than the statement. */
function* readAll(
  spoken: readonly Spoken[],
  vocabulary: Vocabulary,
  {
    statements,
    readAlong,
  }: {
    readonly statements: Statement[];
    readonly readAlong: ((position: number) => void) | undefined;
  },
): Generator<Reading> {
  for (const [position, { text }] of spoken.entries()) {
    const reading = readText(text, vocabulary);
    statements.push(reading.statement);
    readAlong?.(position);
    yield reading;
  }
}

/**
 * Positions of what each reviewer said; of several reviewers the first counts. What one says again in the same words, of
 * another line, makes no word common.
 */
function groupByVoice(spoken: readonly Spoken[]): readonly (readonly number[])[] {
  const voices = new Map<string, Map<string, number>>();
  for (const [index, { text, reviewers }] of spoken.entries()) {
    const own = voices.get(reviewers[0] ?? '');
    if (own === undefined) voices.set(reviewers[0] ?? '', new Map([[text, index]]));
    else if (!own.has(text)) own.set(text, index);
  }
  return Array.from(voices.values(), own => [...own.values()]);
}

/** How many statements use each term, those of one voice counted up to the limit. */
function countStatements(
  { terms, ends }: TermLists,
  voices: readonly (readonly number[])[],
  size: number,
): Int32Array {
  const counts = new Int32Array(size);
  const told = new Uint8Array(size);
  for (const own of voices) {
    for (const index of own)
      for (let at = ends[index] as number; at < (ends[index + 1] as number); at += 1) {
        const term = terms[at] as number;
        if ((told[term] as number) >= loudest) continue;
        told[term] = (told[term] as number) + 1;
        counts[term] = (counts[term] as number) + 1;
      }
    for (const index of own)
      for (let at = ends[index] as number; at < (ends[index + 1] as number); at += 1)
        told[terms[at] as number] = 0;
  }
  return counts;
}

/** Numbers of the vocabulary of reviews, as far as the run uses it. */
function genericBy(numberOfStem: (stem: string) => number | null): ReadonlySet<number> {
  return new Set([...stems].map(numberOfStem).filter(number => number !== null));
}

type Weigh = (lists: TermLists, index: number) => TermVector;

/** `generic`: terms that stand in all reviews. */
function weighByCount(counts: Int32Array, generic: ReadonlySet<number>): Weigh {
  const weights = Float64Array.from(counts, (count, term) =>
    weightOfTerm(count, generic.has(term)),
  );
  return ({ terms, ends }, index) => {
    const [start, end] = [ends[index] as number, ends[index + 1] as number];
    let [squares, total] = [0, 0];
    for (let at = start; at < end; at += 1) {
      const weight = weights[terms[at] as number] ?? weightOfNew;
      squares += weight * weight;
      total += weight;
    }
    return { terms, start, end, weights, norm: Math.sqrt(squares), total };
  };
}

/** `count`: statements that use the term. */
function weightOfTerm(count: number, isGeneric: boolean): number {
  return Math.log(1 + common / (Math.max(count, 1) + (isGeneric ? common : 0)));
}

/** A term that the run does not hold weighs like one that a single statement uses. */
const weightOfNew = weightOfTerm(1, false);

/** Each term weighs 1. */
const weighAlike: Weigh = ({ terms, ends }, index) => {
  const [start, end] = [ends[index] as number, ends[index + 1] as number];
  const count = end - start;
  return { terms, start, end, weights: null, norm: Math.sqrt(count), total: count };
};

/** What two sets of terms have in common. */
export interface Shared {
  readonly count: number;
  /** Sum of the weights of the shared terms. */
  readonly weight: number;
  readonly cosine: number;
  /** Shared weight through the weight of the lighter side. */
  readonly containment: number;
}

const nothing: Shared = { count: 0, weight: 0, cosine: 0, containment: 0 };

/** How many terms it holds. */
export function sizeOf({ start, end }: TermVector): number {
  return end - start;
}

/** Both vectors must come from one run: a term weighs the same in both. */
export function shareOf(one: TermVector, other: TermVector): Shared {
  const { terms, end, weights } = one;
  const { terms: against, end: last } = other;
  let [left, right, count, weight, product] = [one.start, other.start, 0, 0, 0];
  while (left < end && right < last) {
    // Inside both arrays, so neither is absent.
    const term = terms[left] as number;
    const difference = term - (against[right] as number);
    if (difference === 0) {
      const each = weights === null ? 1 : (weights[term] ?? weightOfNew);
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
  const [left, right] = [new Set(one.statement.stems), new Set(other.statement.stems)];
  for (const [run] of one.text.matchAll(/[\p{L}\p{Nd}_$]+/gu)) {
    const name = run.toLowerCase().replaceAll('_', '');
    if (one.statement.identifiers.has(name) && other.statement.identifiers.has(name))
      names.set(name, names.get(name) ?? run);
    const stem = stemmer(run.toLowerCase());
    if (left.has(stem) && right.has(stem)) words.set(stem, words.get(stem) ?? run.toLowerCase());
  }
  for (const piece of left)
    if (/[^\p{Script=Latin}]/u.test(piece) && right.has(piece))
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
