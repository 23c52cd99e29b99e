/**
 * The findings of a panel as statements: two findings with the same words about the same place are one, said by several
 * reviewers. What a statement is made of is told by sorted sets of terms, so that two are compared by one walk over both.
 * A term is the hash of its text. It weighs by how few of the panel's statements use it.
 */
import { groupsBy } from '../core/groups.ts';
import type { Finding } from '../core/words/finding.ts';
import { polarityOf } from './polarity.ts';
import { keyOfText } from './selection.ts';
import {
  fileOfFinding,
  hashOf,
  kindsOf,
  longestText,
  mixed,
  namesShown,
  openingOf,
  reviewWords,
  type Word,
  wordsOfWording,
} from './wording/words.ts';

/** A set of terms, ascending, each with its weight. */
export interface Terms {
  readonly terms: readonly number[];
  readonly weightOf: (term: number) => number;
  /** Root of the sum of squares of the weights. */
  readonly norm: number;
  readonly total: number;
}

/** Names are those of code, alone and with the word behind; neighbours are words side by side. */
type Facet = 'stems' | 'names' | 'neighbours' | 'opening';

export interface Statement extends Readonly<Record<Facet, Terms>> {
  readonly finding: Finding;
  readonly reviewers: readonly string[];
  /** Positions in the list of findings, ascending. */
  readonly positions: readonly number[];
  /** Empty where neither the place nor the text names one. */
  readonly file: string;
  /** Numbers of the kinds of trouble that its words touch. */
  readonly kinds: readonly number[];
  /** Those it states, as they are written. */
  readonly numbers: ReadonlySet<string>;
}

/** A panel weighs what is said later by the same counts. */
export interface StatementReader {
  readonly statements: readonly Statement[];
  read(finding: Finding): Statement;
}

/** Statements come in an order that the order of the findings has no influence on. */
export function readStatements(findings: readonly Finding[]): StatementReader {
  const gathered = gather(findings);
  const drafts = gathered.map(({ finding }) => {
    // Here, where its words are at hand for both.
    polarityOf(finding);
    return readTerms(finding.text);
  });
  const voices = groupByVoice(gathered);
  const stems = weigherOf('stems', drafts, voices);
  const names = weigherOf('names', drafts, voices);
  const neighbours = weigherOf('neighbours', drafts, voices);
  const opening = weigherOf('opening', drafts, voices);
  const complete = (said: Said, draft: Draft) => ({
    ...said,
    ...draft,
    file: fileOfFinding(said.finding),
    stems: stems(draft),
    names: names(draft),
    neighbours: neighbours(draft),
    opening: opening(draft),
  });
  return {
    statements: gathered.map((said, index) => complete(said, drafts[index] as Draft)),
    read: finding =>
      complete({ finding, reviewers: [finding.reviewer], positions: [] }, readTerms(finding.text)),
  };
}

type Said = Pick<Statement, 'finding' | 'reviewers' | 'positions'>;

function gather(findings: readonly Finding[]): Said[] {
  const placed = findings.map((finding, position) => ({
    finding,
    position,
    key: keyOf(finding, position),
    voice: `${finding.reviewer}\n${finding.id}`,
  }));
  return groupsBy(placed, ({ key }) => key)
    .map(members => {
      // By reviewer and id, so that another order of the findings leads to the same representative; who complains comes first.
      const [{ key, finding }] = members.toSorted(
        (one, other) => complains(other) - complains(one) || compare(one.voice, other.voice),
      ) as typeof members;
      const reviewers = [...new Set(members.map(({ finding: { reviewer } }) => reviewer))].sort();
      const positions = members.map(({ position }) => position);
      const said: Said = { finding, reviewers, positions };
      return { said, key: `${key}\n${reviewers.join('\n')}` };
    })
    .sort((one, other) => compare(one.key, other.key))
    .map(({ said }) => said);
}

function complains({ finding }: Pick<Said, 'finding'>) {
  return Number(polarityOf(finding).isComplaint === true);
}

function compare(one: string, other: string) {
  return one < other ? -1 : Number(one > other);
}

/** A finding without words is like no other. */
function keyOf({ text, location, category, section }: Finding, position: number) {
  const words = keyOfText(text.trim().toLowerCase());
  const place = [location?.path, location?.line, location?.side, category, section];
  return JSON.stringify([words, ...place, words === '' ? position : null]);
}

type Draft = Readonly<Record<Facet, readonly number[]>> & Pick<Statement, 'kinds' | 'numbers'>;

function readTerms(text: string): Draft {
  const read = text.slice(0, longestText);
  // First, as it mostly has the words that were read last.
  const opening = openingOf(read);
  const words = wordsOfWording(text);
  const stems = [];
  const names = namesShown(read).map(name => hashOf(`#${name}`));
  const neighbours: number[] = [];
  const numbers = new Set<string>();
  let before: Word | null = null;
  for (const word of words) {
    stems.push(...word.stems);
    if (word.isName) names.push(word.term);
    if (word.isNumber) numbers.add(word.lower);
    if (before && before.term !== word.term) {
      const both = mixed(before.term, word.term);
      neighbours.push(both);
      // A name together with the word behind it, so that one name in common is not yet a whole subject.
      if (before.isName) names.push(both);
    }
    before = word;
  }
  return {
    stems: setOf(stems),
    names: setOf(names),
    neighbours: setOf(neighbours),
    opening: setOf(opening),
    kinds: kindsOf(words),
    numbers,
  };
}

function setOf(terms: readonly number[]): readonly number[] {
  const distinct: number[] = [];
  new Int32Array(terms).sort().forEach((term, at, sorted) => {
    if (term !== sorted[at - 1]) distinct.push(term);
  });
  return distinct;
}

/**
 * Positions of what each reviewer said; of several reviewers the first counts. What one says again in the same words, of
 * another line, makes no word common.
 */
function groupByVoice(said: readonly Said[]) {
  const voices = new Map<string, Map<string, number>>();
  for (const [index, { finding, reviewers }] of said.entries()) {
    const voice = reviewers[0] ?? '';
    const own = voices.get(voice) ?? new Map<string, number>();
    voices.set(voice, own);
    if (!own.has(finding.text)) own.set(finding.text, index);
  }
  return Array.from(voices.values(), own => [...own.values()]);
}

/** Statements of one reviewer that count for a term, at most: one loud voice must not make the words of the others common. */
const loudest = 8;

/** A term of so many statements weighs ln 2. A word that all reviews use is taken to be in as many others. */
const common = 40;

function weigherOf(
  facet: Facet,
  drafts: readonly Draft[],
  voices: readonly (readonly number[])[],
): (draft: Draft) => Terms {
  const counts = new Map<number, number>();
  for (const own of voices) {
    const told = new Map<number, number>();
    for (const index of own)
      drafts[index]?.[facet].forEach(term => {
        const times = (told.get(term) ?? 0) + 1;
        told.set(term, times);
        if (times <= loudest) counts.set(term, (counts.get(term) ?? 0) + 1);
      });
  }
  // Names and pairs of words have no word of reviews among them.
  if (facet === 'stems' || facet === 'opening')
    for (const term of reviewWords) counts.set(term, (counts.get(term) ?? 1) + common);
  const weightOf = (term: number) => Math.log(1 + common / (counts.get(term) ?? 1));
  return ({ [facet]: terms }) => {
    let [squares, total] = [0, 0];
    for (let at = 0; at < terms.length; at += 1) {
      const weight = weightOf(terms[at] as number);
      squares += weight * weight;
      total += weight;
    }
    return { terms, weightOf, norm: Math.sqrt(squares), total };
  };
}

/** What two sets of terms have in common. */
export interface Shared {
  readonly count: number;
  /** Sum of the weights of the shared terms. */
  readonly weight: number;
  readonly cosine: number;
  /** Shared weight through the weight of the lighter side. */
  readonly containment: number;
}

const nothing = { count: 0, weight: 0, cosine: 0, containment: 0 };

export function shareOf(one: Terms, other: Terms): Shared {
  let [left, right, count, weight, product] = [0, 0, 0, 0, 0];
  while (left < one.terms.length && right < other.terms.length) {
    const [a, b] = [one.terms[left] as number, other.terms[right] as number];
    if (a === b) {
      const own = one.weightOf(a);
      count += 1;
      weight += own;
      product += own * own;
    }
    if (a <= b) left += 1;
    if (b <= a) right += 1;
  }
  if (count === 0) return nothing;
  return {
    count,
    weight,
    cosine: product / (one.norm * other.norm),
    containment: weight / Math.min(one.total, other.total),
  };
}
