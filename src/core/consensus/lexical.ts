/**
 * The `lexical` strategy: two findings are the same when the weight of what both say is large for what they say in all.
 * Wording decides, the place is evidence, and some differences are never bridged.
 */
import type { Finding } from '../finding.ts';
import type { Comparison } from '../ports.ts';
import { nameOtherNumbers, sayTheOpposite } from './guards.ts';
import type { Pair, SelectiveMatcher } from './matching.ts';
import { measureRarity, type Rarity } from './rarity.ts';
import { readWording, type Wording } from './terms.ts';
import { areDifferentFiles, fileOfFinding } from './words.ts';

interface Reading extends Wording {
  readonly weights: ReadonlyMap<string, number>;
  /** Sum of the weights. */
  readonly total: number;
  readonly file: string;
  readonly line: number | null;
}

/** Shared weight that is as much for as against: a fixed part, so that short texts must agree in nearly all they say, and a share of each side. */
const evidenceNeeded = (smaller: number, larger: number): number => 1.4 + 0.1 * smaller + 0.05 * larger;

/** Lines apart, at most or at least, that count as the same or another spot of a file, and what the shared weight is then worth. */
const nearby = { lines: 3, factor: 1.5 } as const;
const faraway = { lines: 40, factor: 0.75 } as const;

const threshold = 50;

const evenly: Rarity = () => 1;

export function createLexicalMatcher(): SelectiveMatcher {
  let readings = new WeakMap<Finding, Reading>();
  let rarity = evenly;
  const readingOf = (finding: Finding): Reading => {
    const known = readings.get(finding);
    if (known !== undefined) return known;
    const reading = readFinding(finding, rarity);
    readings.set(finding, reading);
    return reading;
  };
  return {
    name: 'lexical',
    version: '1',
    threshold,
    async prepare(findings) {
      readings = new WeakMap();
      rarity = measureRarity(findings.map(({ reviewer, text }) => ({ reviewer, terms: readWording(text).terms })));
    },
    compare: (one, other) => compareReadings(readingOf(one), readingOf(other)),
    pairs: findings => promisingPairs(findings.map(readingOf)),
  };
}

function readFinding(finding: Finding, rarity: Rarity): Reading {
  const wording = readWording(finding.text);
  const weights = new Map([...wording.terms].map(([term, weight]) => [term, weight * rarity(term)]));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return { ...wording, weights, total, file: fileOfFinding(finding), line: finding.location?.line ?? null };
}

function compareReadings(one: Reading, other: Reading): Comparison {
  const shared = sharedTerms(one, other);
  const weight = shared.reduce((sum, [, each]) => sum + each, 0);
  const score = scoreOf(one, other, weight);
  const apart = (reason: string, contradicts = false): Comparison => ({ same: false, score, reason, ...(contradicts ? { contradicts } : {}) });
  if (areDifferentFiles(one.file, other.file)) return apart('They name two different files.');
  if (nameOtherNumbers(one, other)) return apart('They name different numbers.');
  if (sayTheOpposite(one, other)) return apart('One says the opposite of the other.', true);
  const telling = shared.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 5).map(([term]) => term.replace(/^#/, ''));
  return { same: score >= threshold, score, reason: telling.length === 0 ? 'They share no words.' : `They share: ${telling.join(', ')}.` };
}

function sharedTerms(one: Reading, other: Reading): [string, number][] {
  const [fewer, more] = one.weights.size <= other.weights.size ? [one, other] : [other, one];
  return [...fewer.weights].flatMap(([term, weight]) => {
    const there = more.weights.get(term);
    return there === undefined ? [] : [[term, Math.min(weight, there)] as [string, number]];
  });
}

/** 50 where the evidence is as large as needed. Wordings with the same terms are 100: no evidence is missing. */
function scoreOf(one: Reading, other: Reading, shared: number): number {
  if (shared === 0) return 0;
  const isEqual = one.weights.size === other.weights.size && Math.abs(one.total + other.total - 2 * shared) < 1e-9;
  if (isEqual) return 100;
  const evidence = shared * placeFactor(one, other);
  const needed = evidenceNeeded(Math.min(one.total, other.total), Math.max(one.total, other.total));
  return Math.min(99, Math.round((100 * evidence) / (evidence + needed)));
}

function placeFactor(one: Reading, other: Reading): number {
  if (one.file === '' || one.file !== other.file || one.line === null || other.line === null) return 1;
  const distance = Math.abs(one.line - other.line);
  if (distance <= nearby.lines) return nearby.factor;
  return distance >= faraway.lines ? faraway.factor : 1;
}

/** Adds up what each wording shares with every later one, term by term, and names the pairs with half of what is needed. */
function* promisingPairs(readings: readonly Reading[]): Generator<Pair> {
  const holders = new Map<string, { readonly index: number; readonly weight: number }[]>();
  const shared = new Float64Array(readings.length);
  for (const [index, reading] of readings.entries()) {
    shared.fill(0);
    for (const [term, weight] of reading.weights) {
      const list = holders.get(term) ?? [];
      for (const holder of list) shared[holder.index] = (shared[holder.index] ?? 0) + Math.min(weight, holder.weight);
      list.push({ index, weight });
      holders.set(term, list);
    }
    for (let earlier = 0; earlier < index; earlier += 1) {
      const weight = shared[earlier] ?? 0;
      const total = readings[earlier]?.total ?? 0;
      const isEqual = weight > 0 && 2 * weight > reading.total + total - 1e-6;
      if (isEqual || 2 * weight >= evidenceNeeded(Math.min(total, reading.total), Math.max(total, reading.total))) yield [earlier, index];
    }
  }
}
