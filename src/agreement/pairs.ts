/**
 * Which statements of a panel are worth comparing: those that share telling terms. Near-linear: a common term leads to a
 * bounded number of others, and a statement keeps a bounded number of partners.
 */
import type { Pair } from './matching.ts';
import { shareOf, type Statement, type Terms } from './statements.ts';
import { areDifferentFiles } from './wording/words.ts';

/** A term that more statements share tells them apart no more and leads to none. */
const crowd = 32;

/** A statement keeps as many partners, the likest; it can be kept by more. */
const mostPartners = 48;

/** Numbers of statements, the smaller first, each pair once, ascending; none of two different files. */
export function pairsAmong(statements: readonly Statement[]): Pair[] {
  const holders = [holdersOf(statements, 'stems'), holdersOf(statements, 'names')] as const;
  const norms = statements.map(({ stems, names }) => Math.hypot(stems.norm, names.norm));
  const shared = new Float64Array(statements.length);
  const pairs: number[] = [];
  const addPair = (one: number, other: number): void => {
    if (!areDifferentFiles(statements[one]?.file ?? '', statements[other]?.file ?? ''))
      // One number for each pair: numbers are told apart and sorted much faster than pairs.
      pairs.push(Math.min(one, other) * statements.length + Math.max(one, other));
  };
  for (const [index, { stems, names }] of statements.entries()) {
    const touched: number[] = [];
    addShared(index, stems, holders[0], shared, touched);
    addShared(index, names, holders[1], shared, touched);
    const norm = norms[index] as number;
    const cosineOf = (other: number): number =>
      (shared[other] as number) / ((norms[other] as number) * norm);
    for (const other of strongest(touched, cosineOf)) addPair(index, other);
    for (const other of touched) shared[other] = 0;
  }
  for (const [one, other] of pairsNearby(statements)) addPair(one, other);
  const codes = Float64Array.from(pairs).sort();
  return Array.from(
    codes.filter((code, at) => code !== codes[at - 1]),
    code => [Math.floor(code / statements.length), code % statements.length],
  );
}

/** By term, ascending. */
type Holders = ReadonlyMap<number, readonly number[]>;

function holdersOf(statements: readonly Statement[], facet: 'stems' | 'names'): Holders {
  const holders = new Map<number, number[]>();
  statements.forEach((statement, index) => {
    statement[facet].terms.forEach(term => {
      const list = holders.get(term);
      if (list === undefined) holders.set(term, [index]);
      else if (list.length <= crowd) list.push(index);
    });
  });
  return holders;
}

/**
 * Adds to `shared`, by statement, the squared weights of the terms it has in common with the one at `index`; `touched`
 * gets those whose sum was 0.
 */
function addShared(
  index: number,
  { terms, weightOf }: Terms,
  holders: Holders,
  shared: Float64Array,
  touched: number[],
): void {
  terms.forEach(term => {
    const list = holders.get(term) as readonly number[];
    if (list.length < 2 || list.length > crowd) return;
    const weight = weightOf(term) ** 2;
    list.forEach(other => {
      if (other === index) return;
      if (shared[other] === 0) touched.push(other);
      shared[other] = (shared[other] as number) + weight;
    });
  });
}

/** Of equal ones those first in the list. */
function strongest(
  touched: readonly number[],
  cosineOf: (other: number) => number,
): readonly number[] {
  if (touched.length <= mostPartners) return touched;
  const cosines = Float64Array.from(touched, cosineOf);
  const least = cosines.toSorted().at(-mostPartners) as number;
  const equal = touched.filter((_, at) => cosines[at] === least).sort((one, next) => one - next);
  return [...touched.filter((_, at) => (cosines[at] as number) > least), ...equal].slice(
    0,
    mostPartners,
  );
}

/** Lines apart, at most, of two about one place: worth comparing whatever the rest of the panel says in the same words. */
const nearby = 3;

/** In a crowd on a few lines each is compared with so many that follow. */
const mostFollowing = 32;

/** Those that share a word. Without a line there is no neighbour. */
function pairsNearby(statements: readonly Statement[]): Pair[] {
  const placed = statements
    .flatMap(({ finding: { location } }, index) =>
      location === null || location.line === null
        ? []
        : [{ index, line: location.line, file: `${location.side} ${location.path}` }],
    )
    .sort(
      (one, other) =>
        (one.file < other.file ? -1 : Number(one.file > other.file)) ||
        one.line - other.line ||
        one.index - other.index,
    );
  const pairs: Pair[] = [];
  for (const [at, one] of placed.entries())
    for (let next = at + 1; next <= at + mostFollowing; next += 1) {
      const other = placed[next];
      if (other?.file !== one.file || other.line - one.line > nearby) break;
      if (shareWord(statements[one.index], statements[other.index]))
        pairs.push([one.index, other.index]);
    }
  return pairs;
}

function shareWord(one: Statement | undefined, other: Statement | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    (shareOf(one.stems, other.stems).count > 0 || shareOf(one.names, other.names).count > 0)
  );
}
