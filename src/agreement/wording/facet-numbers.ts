/**
 * What the statements of a run are made of, by facet: a term has the same number wherever in the run it stands, counted
 * from 0 in the order of appearance, so that numbers lead into arrays.
 */
import { numberOf, type Reading, type Vocabulary } from './words.ts';

/** Neighbours are words that stand side by side; letters are the runs of four letters in the words, numbered by their hash. */
export type Facet = 'stems' | 'identifiers' | 'neighbours' | 'opening' | 'letters';

export function recordOf<Value>(valueOf: (facet: Facet) => Value): Record<Facet, Value> {
  return {
    stems: valueOf('stems'),
    identifiers: valueOf('identifiers'),
    neighbours: valueOf('neighbours'),
    opening: valueOf('opening'),
    letters: valueOf('letters'),
  };
}

/** Lists of terms one behind the other, which take half the room of arrays of their own. In each a term stands once, ascending. */
export interface TermLists {
  readonly terms: Int32Array;
  /** List i stands from `ends[i]` to `ends[i + 1]`. */
  readonly ends: readonly number[];
}

export interface FacetNumbers {
  /** By facet what each reading holds of it. */
  number(readings: Iterable<Reading>): Readonly<Record<Facet, TermLists>>;
  /** How many numbers were given so far. */
  size(facet: Exclude<Facet, 'letters'>): number;
  /** Null for a stem that was not met. */
  numberOfStem(stem: string, facet: 'stems' | 'opening'): number | null;
}

export function createFacetNumbers({ terms }: Vocabulary): FacetNumbers {
  const numbers = {
    stems: createRanks(),
    opening: createRanks(),
    identifiers: new Map<string, number>(),
    neighbours: createPairRanks(),
  };
  return {
    number(readings) {
      const lists = recordOf(createLists);
      const open = Object.values(lists);
      for (const { statement, said, scraps, opening } of readings) {
        let before = -1;
        for (const { term, stems, letters } of said) {
          for (const stem of stems) lists.stems.push(numbers.stems.numberOf(stem));
          if (before !== -1 && before !== term)
            lists.neighbours.push(numbers.neighbours.numberOf(before, term));
          before = term;
          lists.letters.pushAll(letters);
        }
        for (const scrap of scraps) lists.stems.push(numbers.stems.numberOf(scrap));
        for (const stem of opening) lists.opening.push(numbers.opening.numberOf(stem));
        for (const name of statement.identifiers)
          lists.identifiers.push(numberOf(name, numbers.identifiers));
        for (const list of open) list.close();
      }
      return recordOf(facet => lists[facet].all());
    },
    size: facet => numbers[facet].size,
    numberOfStem(stem, facet) {
      const term = terms.get(stem);
      return term === undefined ? null : numbers[facet].known(term);
    },
  };
}

/** Numbers the terms of a vocabulary anew, by the order in which they are asked for. */
interface Ranks {
  readonly size: number;
  numberOf(term: number): number;
  /** Null for a term that was not asked for. */
  known(term: number): number | null;
}

function createRanks(): Ranks {
  const ranks: number[] = [];
  let size = 0;
  return {
    get size() {
      return size;
    },
    numberOf(term) {
      // Filled up, because an array with holes is slow.
      while (ranks.length <= term) ranks.push(-1);
      if (ranks[term] === -1) {
        ranks[term] = size;
        size += 1;
      }
      return ranks[term] ?? 0;
    },
    known: term => (ranks[term] === undefined || ranks[term] === -1 ? null : ranks[term]),
  };
}

/** Numbers pairs of terms by the order in which they are asked for. */
interface PairRanks {
  readonly size: number;
  numberOf(one: number, other: number): number;
}

/** A table with open addressing: the keys of a map would have to be made of both, and are slow as strings and as large numbers. */
function createPairRanks(): PairRanks {
  const ones: number[] = [];
  const others: number[] = [];
  // What stands in a slot is a number and 1; 0: it is free.
  let slots = new Int32Array(1024);
  const slotOf = (one: number, other: number): number => {
    const mixed = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & (slots.length - 1);
    for (let taken = slots[slot] as number; taken !== 0; taken = slots[slot] as number) {
      if (ones[taken - 1] === one && others[taken - 1] === other) break;
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  };
  const grow = (): void => {
    slots = new Int32Array(4 * slots.length);
    for (const [number, one] of ones.entries())
      slots[slotOf(one, others[number] as number)] = number + 1;
  };
  return {
    get size() {
      return ones.length;
    },
    numberOf(one, other) {
      const slot = slotOf(one, other);
      const known = slots[slot] as number;
      if (known !== 0) return known - 1;
      const size = ones.push(one);
      others.push(other);
      slots[slot] = size;
      if (2 * size > slots.length) grow();
      return size - 1;
    },
  };
}

interface Lists {
  /** Into the list that is open. */
  push(number: number): void;
  pushAll(all: readonly number[]): void;
  /** Ends the list that is open and begins the next. */
  close(): void;
  all(): TermLists;
}

function createLists(): Lists {
  let numbers = new Int32Array(1024);
  let [start, end] = [0, 0];
  const ends = [0];
  const makeRoom = (count: number): void => {
    while (end + count > numbers.length) {
      const longer = new Int32Array(2 * numbers.length);
      longer.set(numbers);
      numbers = longer;
    }
  };
  return {
    push(number) {
      if (end === numbers.length) makeRoom(1);
      numbers[end] = number;
      end += 1;
    },
    pushAll(all) {
      makeRoom(all.length);
      for (let at = 0; at < all.length; at += 1) numbers[end + at] = all[at] as number;
      end += all.length;
    },
    close() {
      end = start + sortOnce(numbers.subarray(start, end));
      ends.push(end);
      start = end;
    },
    all: () => ({ terms: numbers, ends }),
  };
}

/** Sorts and moves the first of equal ones to the front; returns how many these are. */
function sortOnce(numbers: Int32Array): number {
  if (numbers.length > fewNumbers) numbers.sort();
  else sortFew(numbers);
  let kept = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] as number;
    if (kept > 0 && number === numbers[kept - 1]) continue;
    numbers[kept] = number;
    kept += 1;
  }
  return kept;
}

/** The built-in sort takes longer to call than so few numbers take to sort. */
const fewNumbers = 32;

/** By insertion. */
function sortFew(numbers: Int32Array): void {
  for (let at = 1; at < numbers.length; at += 1) {
    const number = numbers[at] as number;
    let place = at;
    while (place > 0 && (numbers[place - 1] as number) > number) {
      numbers[place] = numbers[place - 1] as number;
      place -= 1;
    }
    numbers[place] = number;
  }
}
