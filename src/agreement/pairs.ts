/**
 * Which statements of a panel are worth comparing: those that share telling terms. Near-linear: a common term leads to a
 * bounded number of others, and a statement keeps a bounded number of partners.
 */
import type { Pair } from './matching.ts';
import { shareOf, type Statement, type Terms } from './statements.ts';

/** A term that more statements share tells them apart no more and leads to none. */
const crowd = 32;

/** A statement keeps as many partners, the likest; it can be kept by more. */
const mostPartners = 48;

/** Numbers of statements, the smaller first, each pair once, ascending. */
export function pairsAmong(statements: readonly Statement[]): Pair[] {
  const holders = [holdersOf(statements, 'stems'), holdersOf(statements, 'names')] as const;
  const norms = statements.map(({ stems, names }) => Math.hypot(stems.norm, names.norm));
  const shared = new Float64Array(statements.length);
  const pairs = new Set<number>();
  for (const [index, { stems, names }] of statements.entries()) {
    const touched: number[] = [];
    addShared(index, stems, holders[0], shared, touched);
    addShared(index, names, holders[1], shared, touched);
    const cosineOf = (other: number): number =>
      (shared[other] ?? 0) / ((norms[other] ?? 0) * (norms[index] ?? 0));
    for (const other of strongest(touched, cosineOf))
      // One number for each pair: numbers are told apart and sorted much faster than pairs.
      pairs.add(Math.min(index, other) * statements.length + Math.max(index, other));
    for (const other of touched) shared[other] = 0;
  }
  for (const [one, other] of pairsNearby(statements))
    pairs.add(Math.min(one, other) * statements.length + Math.max(one, other));
  return Array.from(Float64Array.from(pairs).sort(), code => [
    Math.floor(code / statements.length),
    code % statements.length,
  ]);
}

/** By term, ascending. */
type Holders = ReadonlyMap<number, readonly number[]>;

function holdersOf(statements: readonly Statement[], facet: 'stems' | 'names'): Holders {
  const holders = new Map<number, number[]>();
  for (const [index, statement] of statements.entries())
    for (const term of statement[facet].terms) {
      const list = holders.get(term);
      if (list === undefined) holders.set(term, [index]);
      else list.push(index);
    }
  for (const [term, { length }] of holders) if (length > crowd) holders.delete(term);
  return holders;
}

/**
 * Adds to `shared`, by statement, the squared weights of the terms it has in common with the one at `index`; `touched`
 * gets those whose sum was 0.
 */
function addShared(
  index: number,
  { terms, weights }: Terms,
  holders: Holders,
  shared: Float64Array,
  touched: number[],
): void {
  for (const [at, term] of terms.entries()) {
    const weight = (weights[at] as number) ** 2;
    for (const other of holders.get(term) ?? []) {
      if (other === index) continue;
      if (shared[other] === 0) touched.push(other);
      shared[other] = (shared[other] as number) + weight;
    }
  }
}

/** Of equal ones those first in the list. */
function strongest(
  touched: readonly number[],
  cosineOf: (other: number) => number,
): readonly number[] {
  if (touched.length <= mostPartners) return touched;
  return touched
    .map(other => ({ other, cosine: cosineOf(other) }))
    .sort((one, next) => next.cosine - one.cosine || one.other - next.other)
    .slice(0, mostPartners)
    .map(({ other }) => other);
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
  return placed.flatMap((one, at) =>
    placed
      .slice(at + 1, at + 1 + mostFollowing)
      .filter(other => other.file === one.file && other.line - one.line <= nearby)
      .filter(other => shareWord(statements[one.index], statements[other.index]))
      .map((other): Pair => [one.index, other.index]),
  );
}

function shareWord(one: Statement | undefined, other: Statement | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    shareOf(one.stems, other.stems).count + shareOf(one.names, other.names).count > 0
  );
}
