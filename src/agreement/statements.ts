/**
 * The findings of a panel as statements: two findings with the same words about the same place are one, said by several
 * reviewers. What a statement is made of is told by sorted sets of terms, so that two are compared by one walk over both.
 * A term is the hash of its text. It weighs by how few of the panel's statements use it.
 */
import { by, groupsBy } from '../core/groups.ts';
import { type Finding, rankOf } from '../core/words/finding.ts';
import { polarityOf } from './polarity.ts';
import table from './weaknesses.json' with { type: 'json' };
import {
  type Word,
  fileOfFinding,
  hashOf,
  kindsOf,
  longestText,
  mixed,
  namesShown,
  openingOf,
  plainOf,
  reviewWords,
  wordsIn,
  wordsOfWording,
} from './wording/words.ts';

/** A set of terms, ascending, each with its weight. */
export interface Terms {
  readonly terms: readonly number[];
  readonly weights: readonly number[];
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

/** Statements come in an order that the order of the findings has no influence on. */
export function readStatements(findings: readonly Finding[]) {
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
  const complete = (said: Said, draft: Draft): Statement => ({
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
    /** A panel weighs what is said later by the same counts. */
    read: (finding: Finding) =>
      complete({ finding, reviewers: [finding.reviewer], positions: [] }, readTerms(finding.text)),
  };
}

type Said = Pick<Statement, 'finding' | 'reviewers' | 'positions'>;

function gather(findings: readonly Finding[]) {
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
        by(
          ({ finding }) => polarityOf(finding).isComplaint !== true,
          ({ voice }) => voice,
        ),
      ) as typeof members;
      const reviewers = [...new Set(members.map(({ finding: { reviewer } }) => reviewer))].sort();
      const positions = members.map(({ position }) => position);
      const said: Said = { finding, reviewers, positions };
      return { said, key: `${key}\n${reviewers.join('\n')}` };
    })
    .sort(by(({ key }) => key))
    .map(({ said }) => said);
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

function setOf(terms: readonly number[]) {
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
  return ({ [facet]: terms }) => {
    const weights = terms.map(term => Math.log(1 + common / (counts.get(term) ?? 1)));
    let [squares, total] = [0, 0];
    weights.forEach(weight => {
      squares += weight * weight;
      total += weight;
    });
    return { terms, weights, norm: Math.sqrt(squares), total };
  };
}

const nothing = { count: 0, cosine: 0, containment: 0 };

/** What two sets of terms have in common. `containment`: shared weight through the weight of the lighter side. */
export function shareOf(one: Terms, other: Terms) {
  let [left, right, count, weight, product] = [0, 0, 0, 0, 0];
  while (left < one.terms.length && right < other.terms.length) {
    const [a, b] = [one.terms[left] as number, other.terms[right] as number];
    if (a === b) {
      const own = one.weights[left] as number;
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
    cosine: product / (one.norm * other.norm),
    containment: weight / Math.min(one.total, other.total),
  };
}

// Troubles of code that reviewers have words for: what is wrong, what comes of it, what puts it right. Two remarks that share
// hardly a word can still speak of one trouble. Words and no patterns, so that reading takes time in proportion to the text. In the
// table `two_words` are side by side.

/** Words that are side by side in one term, at most. */
const longestTerm = 3;

const readings = new WeakMap<Pick<Finding, 'text'>, ReadonlySet<string>>();

/**
 * 0 to 1: how far two remarks speak of one weakness, each in words of its own: those of both are left out, for they may be
 * what the two are about and no more. The cosine of what they speak of. Symmetric.
 */
export function kinshipOf(one: Pick<Finding, 'text'>, other: Pick<Finding, 'text'>) {
  const [left, right] = [one, other].map(remark => {
    const terms = readings.get(remark) ?? termsIn(plainOf(remark.text));
    readings.set(remark, terms);
    return terms;
  }) as [ReadonlySet<string>, ReadonlySet<string>];
  const mine = leaningOf([...left].filter(term => !right.has(term)));
  const theirs = leaningOf([...right].filter(term => !left.has(term)));
  let product = 0;
  for (const [name, weight] of mine) product += weight * (theirs.get(name) ?? 0);
  return product && product / Math.hypot(...mine.values()) / Math.hypot(...theirs.values());
}

/**
 * By name of the weakness how much is told of it: 1 for a word that is told of one weakness alone; a few words of one together tell more
 * than each by itself.
 */
export function weaknessesIn(text: string) {
  return leaningOf(termsIn(plainOf(text)));
}

export const securityWeaknesses: ReadonlySet<string> = new Set(Object.keys(table.security));

function leaningOf(terms: Iterable<string>) {
  const sums = new Map<string, number>();
  for (const term of terms) {
    const told = weaknessesBy().get(term) ?? [];
    for (const name of told) sums.set(name, (sums.get(name) ?? 0) + 1 / Math.sqrt(told.length));
  }
  return new Map(Array.from(sums, ([name, sum]) => [name, sum ** 2]));
}

let index: ReadonlyMap<string, readonly string[]> | undefined;

/** By term. Made when first needed: most runs have no lone remarks. */
function weaknessesBy() {
  if (index) return index;
  const made = new Map<string, string[]>();
  for (const [name, words] of Object.values(table).flatMap(Object.entries<string>))
    for (const word of words.split(' ')) {
      const term = stemsIn(word).join('_');
      made.set(term, [...(made.get(term) ?? []), name]);
    }
  return (index = made);
}

function termsIn(text: string) {
  const stems = stemsIn(text);
  return new Set(
    stems.flatMap((_, start) =>
      Array.from({ length: longestTerm }, (__, more) =>
        stems.slice(start, start + more + 1).join('_'),
      ),
    ),
  );
}

function stemsIn(text: string) {
  return wordsIn(text).words.flatMap(({ pieces }) => pieces);
}

// Who takes part in matching when there is too much to compare. Grouping costs the square of what it is given, so the places are
// shared out evenly: a reviewer that says 10,000 things cannot take those of one that says three.

/** Findings compared with each other in one run, at most, by a matcher that compares all: eight reviewers with 250 each. */
export const roomForAll = 2_000;

/** Of one reviewer, at most, once there are more than that: a part of the capacity. */
const largestPart = 1 / 4;

/** What is said again in the same words of the same place goes with the first time. Never empty. */
type Bundle = readonly [Finding, ...Finding[]];

export interface Selection {
  /** Matched, each by its first finding; in the order given. */
  readonly matched: readonly Bundle[];
  /** Compared with nothing: each forms a claim of its own. */
  readonly apart: readonly Bundle[];
}

/**
 * Everything is matched one by one while there is room. Otherwise repetitions are bundled, and the reviewers are given places in
 * turn, each for the most severe that it says and that has none yet.
 */
export function selectForMatching(findings: readonly Finding[], capacity = roomForAll): Selection {
  if (findings.length <= capacity)
    return { matched: findings.map(finding => [finding]), apart: [] };
  const bundles = groupsBy(findings, ({ text, category, location }) =>
    JSON.stringify([keyOfText(text), category, location?.path, location?.line]),
  );
  const bundleOf = new Map(bundles.flatMap(bundle => bundle.map(each => [each, bundle] as const)));
  const turns = groupsBy(
    findings.toSorted(by(({ severity }) => rankOf(severity))),
    ({ reviewer }) => reviewer,
  )
    .flatMap(own =>
      [...new Set(own.map(finding => bundleOf.get(finding) as Bundle))]
        .slice(0, capacity * largestPart)
        .map((bundle, turn) => ({ bundle, turn })),
    )
    .sort(by(({ turn }) => turn));
  const chosen = new Set([...new Set(turns.map(({ bundle }) => bundle))].slice(0, capacity));
  return {
    matched: bundles.filter(bundle => chosen.has(bundle)),
    apart: bundles.filter(bundle => !chosen.has(bundle)),
  };
}

/** What a person can be told of findings that were compared with nothing; null when all were compared. */
export function describeUncompared(apart: number, all: number, capacity = roomForAll) {
  return apart === 0
    ? null
    : `${apart} of ${all} findings were compared with no other, because there is room for ${capacity}: ` +
        'of each reviewer the most severe come first. They form claims by their exact words alone.';
}

/** Characters of a text that tell it from others by themselves. */
const longestKey = 4_000;

/**
 * Equal for equal texts. Of a long one the beginning, its length and a hash of the rest: the keys of many long texts would take as
 * much room again as the texts, and the built-in maps tell long texts of one length apart in quadratic time.
 */
function keyOfText(text: string) {
  return text.length <= longestKey
    ? text
    : `${text.slice(0, longestKey)}${text.length} ${hashOf(text.slice(longestKey))}`;
}
