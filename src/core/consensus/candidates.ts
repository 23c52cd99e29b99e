/**
 * Which statements of a run are worth comparing: those that share telling terms. Near-linear: a common term leads to a
 * bounded number of others, and a statement keeps a bounded number of partners.
 */
import type { Pair } from './matching.ts';
import type { TermVector, WeighedStatement } from './run-wording.ts';

/** A term that more statements share leads only to those that stand near in the list. */
const crowd = 128;
const nearInCrowd = 16;

/** Up to as many partners a statement keeps all; it can be kept by more. */
const mostPartners = 96;

/** Of more than that it keeps the best few, and of further ones those with this cosine at least. */
const bestPartners = 16;
const farthest = 0.25;

/** Nobody is a partner of a crowd with less. */
const leastCosine = 0.06;

/** Positions in the list, the smaller first, each pair once, ascending. Alike texts should stand near each other. */
export function candidatePairs(statements: readonly WeighedStatement[]): Pair[] {
  const indexes = [holdersOf(statements.map(each => each.stems)), holdersOf(statements.map(each => each.identifiers))] as const;
  const sizes = Float64Array.from(statements, ({ stems, identifiers }) => Math.hypot(stems.norm, identifiers.norm));
  const shared = new Float64Array(statements.length);
  const later: number[][] = statements.map(() => []);
  for (const [index, { stems, identifiers }] of statements.entries()) {
    const touched: number[] = [];
    addShared(index, { vector: stems, holders: indexes[0], shared, touched });
    addShared(index, { vector: identifiers, holders: indexes[1], shared, touched });
    for (const other of touched) shared[other] = (shared[other] ?? 0) / ((sizes[other] ?? 1) * (sizes[index] ?? 1));
    for (const other of strongest(touched, shared)) later[Math.min(index, other)]?.push(Math.max(index, other));
    for (const other of touched) shared[other] = 0;
  }
  return later.flatMap((list, index) => [...new Set(list)].sort((one, other) => one - other).map((other): Pair => [index, other]));
}

/** All of a few; of many those that are alike at all. */
function strongest(touched: readonly number[], cosines: Float64Array): readonly number[] {
  if (touched.length <= mostPartners) return touched;
  const near = touched.filter(other => (cosines[other] ?? 0) >= farthest);
  if (near.length >= bestPartners && near.length <= mostPartners) return near;
  const some = near.length > mostPartners ? near : touched.filter(other => (cosines[other] ?? 0) >= leastCosine);
  return some.sort((one, other) => (cosines[other] ?? 0) - (cosines[one] ?? 0) || one - other).slice(0, near.length > mostPartners ? mostPartners : bestPartners);
}

type Holders = ReadonlyMap<number, readonly number[]>;

function holdersOf(vectors: readonly TermVector[]): Holders {
  const holders = new Map<number, number[]>();
  for (const [index, { terms }] of vectors.entries()) {
    for (const term of terms) {
      const list = holders.get(term);
      if (list === undefined) holders.set(term, [index]);
      else list.push(index);
    }
  }
  return holders;
}

interface Search {
  readonly vector: TermVector;
  readonly holders: Holders;
  /** Sum by statement, of the squared weights of what it shares. */
  readonly shared: Float64Array;
  /** Statements whose sum is not 0. */
  readonly touched: number[];
}

function addShared(index: number, { vector, holders, shared, touched }: Search): void {
  for (const [position, term] of vector.terms.entries()) {
    const weight = (vector.weights[position] ?? 0) ** 2;
    const list = holders.get(term) ?? [];
    const [start, end] = around(index, list);
    for (let at = start; at < end; at += 1) {
      const other = list[at] ?? index;
      if (other === index) continue;
      if (shared[other] === 0) touched.push(other);
      shared[other] = (shared[other] ?? 0) + weight;
    }
  }
}

/** All of a short list; of a long one the part around the index. */
function around(index: number, list: readonly number[]): readonly [number, number] {
  if (list.length <= crowd) return [0, list.length];
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  return [Math.max(0, low - nearInCrowd), Math.min(list.length, low + nearInCrowd + 1)];
}
