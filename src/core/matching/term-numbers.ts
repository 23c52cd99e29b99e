/** What the statements of a run are made of, as numbers: a term has the same number wherever in the run it stands. */
import type { Reading } from './words.ts';

/** Neighbours are words that stand side by side; letters are the runs of four letters in the words, numbered by their hash. */
const facets = ['stems', 'identifiers', 'neighbours', 'opening', 'letters'] as const;
export type Facet = (typeof facets)[number];

export interface TermNumbers {
  /** Grows with every term that was not met before. */
  readonly numbers: Readonly<Record<Exclude<Facet, 'letters'>, ReadonlyMap<string, number>>>;
  /** By facet what each reading holds of it: numbers ascending, each once. */
  number(readings: Iterable<Reading>): Readonly<Record<Facet, readonly Int32Array[]>>;
}

export function createTermNumbers(): TermNumbers {
  const numbers = {
    stems: new Map<string, number>(),
    identifiers: new Map<string, number>(),
    neighbours: new Map<string, number>(),
    opening: new Map<string, number>(),
  };
  const spelt = new Map<string, readonly number[]>();
  return {
    numbers,
    number(readings) {
      const lists = recordOf(createLists);
      for (const { statement, said, opening } of readings) {
        for (const stem of statement.stems) lists.stems.push(numberOf(stem, numbers.stems));
        for (const name of statement.identifiers)
          lists.identifiers.push(numberOf(name, numbers.identifiers));
        for (let at = 1; at < said.length; at += 1)
          if (said[at - 1] !== said[at])
            lists.neighbours.push(
              numberOf(`${said[at - 1] ?? ''} ${said[at] ?? ''}`, numbers.neighbours),
            );
        for (const stem of opening) lists.opening.push(numberOf(stem, numbers.opening));
        for (const word of statement.wording.words)
          for (const hash of lettersOf(word, spelt)) lists.letters.push(hash);
        for (const facet of facets) lists[facet].close();
      }
      return recordOf(facet => lists[facet].all());
    },
  };
}

export function recordOf<Value>(valueOf: (facet: Facet) => Value): Record<Facet, Value> {
  return {
    stems: valueOf('stems'),
    identifiers: valueOf('identifiers'),
    neighbours: valueOf('neighbours'),
    opening: valueOf('opening'),
    letters: valueOf('letters'),
  };
}

function numberOf(term: string, numbers: Map<string, number>): number {
  const known = numbers.get(term);
  if (known !== undefined) return known;
  numbers.set(term, numbers.size);
  return numbers.size - 1;
}

/** Words that are spelt once for a whole run, at most. */
const mostSpelt = 100_000;

/** Fowler, Noll and Vo's hash of each four UTF-16 units, a space before the word and behind it. */
function lettersOf(word: string, spelt: Map<string, readonly number[]>): readonly number[] {
  const known = spelt.get(word);
  if (known !== undefined) return known;
  const padded = ` ${word} `;
  const hashes: number[] = [];
  for (let start = 0; start + 4 <= padded.length; start += 1) {
    let hash = 0x811c9dc5;
    for (let index = start; index < start + 4; index += 1)
      hash = Math.imul(hash ^ padded.charCodeAt(index), 0x01000193);
    hashes.push(hash);
  }
  if (spelt.size < mostSpelt) spelt.set(word, hashes);
  return hashes;
}

/** Lists of numbers, ascending and each number once, in one array: arrays of their own would take twice the room. */
interface Lists {
  /** Into the list that is open. */
  push(number: number): void;
  /** Ends the list that is open and begins the next. */
  close(): void;
  all(): readonly Int32Array[];
}

function createLists(): Lists {
  let numbers = new Int32Array(1024);
  let end = 0;
  const ends = [0];
  return {
    push(number) {
      if (end === numbers.length) {
        const longer = new Int32Array(2 * end);
        longer.set(numbers);
        numbers = longer;
      }
      numbers[end] = number;
      end += 1;
    },
    close() {
      const start = ends.at(-1) ?? 0;
      end = start + sortOnce(numbers.subarray(start, end));
      ends.push(end);
    },
    all: () => ends.slice(1).map((last, list) => numbers.subarray(ends[list], last)),
  };
}

/** Sorts and moves the first of equal ones to the front; returns how many these are. */
function sortOnce(numbers: Int32Array): number {
  numbers.sort();
  let kept = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] as number;
    if (kept > 0 && number === numbers[kept - 1]) continue;
    numbers[kept] = number;
    kept += 1;
  }
  return kept;
}
