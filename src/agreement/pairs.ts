/**
 * Which statements of a panel are worth comparing: those that share telling terms. Near-linear: a common term leads to a
 * bounded number of others, and a statement keeps a bounded number of partners.
 */
import { holdersOf, type Pair } from './matching.ts';
import { groupsBy } from '../core/groups.ts';
import { shareOf, type Statement, type Terms } from './statements.ts';
import { areDifferentFiles } from './wording/words.ts';

/** A term that more statements share tells them apart no more and leads to none. */
const crowd = 32;

/** A statement keeps as many partners, the likest; it can be kept by more. */
const mostPartners = 48;

/** Numbers of statements, the smaller first, each pair once, ascending; none of two different files. */
export function pairsAmong(statements: readonly Statement[]): Pair[] {
  const [ofStems, ofNames] = [
    holdersOf(statements.map(({ stems }) => stems.terms)),
    holdersOf(statements.map(({ names }) => names.terms)),
  ];
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
    addShared(index, stems, ofStems, shared, touched);
    addShared(index, names, ofNames, shared, touched);
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

/**
 * Adds to `shared`, by statement, the squared weights of the terms it has in common with the one at `index`; `touched`
 * gets those whose sum was 0.
 */
function addShared(
  index: number,
  { terms, weightOf }: Terms,
  holders: ReadonlyMap<number, readonly number[]>,
  shared: Float64Array,
  touched: number[],
) {
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
function strongest(touched: readonly number[], cosineOf: (other: number) => number) {
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
function pairsNearby(statements: readonly Statement[]) {
  const placed = statements.flatMap((statement, index) => {
    const { location } = statement.finding;
    return !location || location.line === null
      ? []
      : [{ statement, index, line: location.line, file: `${location.side} ${location.path}` }];
  });
  return groupsBy(placed, ({ file }) => file).flatMap(group =>
    group
      .sort((one, other) => one.line - other.line)
      .flatMap((one, at) =>
        group
          .slice(at + 1, at + 1 + mostFollowing)
          .filter(({ line, statement }) => {
            if (line - one.line > nearby) return false;
            const { count } = shareOf(one.statement.stems, statement.stems);
            return count > 0 || shareOf(one.statement.names, statement.names).count > 0;
          })
          .map((other): Pair => [one.index, other.index]),
      ),
  );
}
