/**
 * The `lexical` strategy: two findings are the same when the weight of what both say is large for what they say in all.
 * Wording decides, the place is evidence, and some differences are never bridged.
 */
import type { Finding } from '../finding.ts';
import type { Comparison } from '../ports.ts';
import { canTurn, nameOtherNumbers, sayTheOpposite } from './guards.ts';
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
  readonly canTurn: boolean;
}

/** Shared weight that is as much for as against: a fixed part, so that short texts must agree in nearly all they say, and a share of each side. */
const evidenceNeeded = (smaller: number, larger: number): number => 1.4 + 0.1 * smaller + 0.05 * larger;

/** Lines apart, at most or at least, that count as the same or another spot of a file, and what the shared weight is then worth. */
const nearby = { lines: 3, factor: 1.5 } as const;
const faraway = { lines: 40, factor: 0.75 } as const;

const threshold = 50;

const evenly: Rarity = () => 1;

export function createLexicalMatcher(): SelectiveMatcher {
  const wordings = new WeakMap<Finding, Wording>();
  let readings = new WeakMap<Finding, Reading>();
  let rarity = evenly;
  const wordingOf = (finding: Finding): Wording => {
    const wording = wordings.get(finding) ?? readWording(finding.text);
    wordings.set(finding, wording);
    return wording;
  };
  const readingOf = (finding: Finding): Reading => {
    const known = readings.get(finding);
    if (known !== undefined) return known;
    const reading = readFinding(finding, wordingOf(finding), rarity);
    readings.set(finding, reading);
    return reading;
  };
  return {
    name: 'lexical',
    version: '2',
    threshold,
    async prepare(findings) {
      readings = new WeakMap();
      rarity = measureRarity(findings.map(finding => ({ reviewer: finding.reviewer, terms: wordingOf(finding).terms })));
    },
    compare: (one, other) => compareReadings(readingOf(one), readingOf(other)),
    pairs: findings => promisingPairs(findings.map(readingOf)),
  };
}

function readFinding(finding: Finding, wording: Wording, rarity: Rarity): Reading {
  const weights = new Map([...wording.terms].map(([term, weight]) => [term, weight * rarity(term)]));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return { ...wording, weights, total, file: fileOfFinding(finding), line: finding.location?.line ?? null, canTurn: canTurn(wording) };
}

function compareReadings(one: Reading, other: Reading): Comparison {
  const score = scoreOf(one, other, sharedWeight(one, other));
  if (areDifferentFiles(one.file, other.file)) return { same: false, score, reason: 'They name two different files.' };
  if (nameOtherNumbers(one, other)) return { same: false, score, reason: 'They name different numbers.' };
  if ((one.canTurn || other.canTurn) && sayTheOpposite(one, other)) return { same: false, score, contradicts: true, reason: 'One says the opposite of the other.' };
  return score >= threshold ? { same: true, score, reason: `Both say: ${sharedWords(one, other).join(', ')}.` } : { same: false, score, reason: 'They share too little of what they say.' };
}

/** The smaller weight of each shared term, added up in the order of the terms, so that both directions give the same sum. */
function sharedWeight(one: Reading, other: Reading): number {
  const isFewer = one.weights.size < other.weights.size || (one.weights.size === other.weights.size && one.total <= other.total);
  const [fewer, more] = isFewer ? [one, other] : [other, one];
  let sum = 0;
  for (const [term, weight] of fewer.weights) sum += Math.min(weight, more.weights.get(term) ?? 0);
  return sum;
}

/** The heaviest words that both say, as stems. */
function sharedWords(one: Reading, other: Reading): string[] {
  const weigh = (word: string): number => one.weights.get(word) ?? 0;
  const shared = [...one.words].filter(word => other.words.has(word));
  return shared.sort((a, b) => weigh(b) - weigh(a) || (a < b ? -1 : 1)).slice(0, 5).map(word => word.replace(/^#/, ''));
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
  const holders = new Map<string, { readonly indexes: number[]; readonly weights: number[] }>();
  const shared = new Float64Array(readings.length);
  for (const [index, reading] of readings.entries()) {
    shared.fill(0);
    for (const [term, weight] of reading.weights) {
      const list = holders.get(term) ?? { indexes: [], weights: [] };
      for (const [at, holder] of list.indexes.entries()) shared[holder] = (shared[holder] ?? 0) + Math.min(weight, list.weights[at] ?? 0);
      list.indexes.push(index);
      list.weights.push(weight);
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
