/**
 * The findings of a run as statements, and the pairs of them worth comparing. Two findings with the same words about the
 * same place are one statement with several reviewers.
 */
import type { Finding } from '../core/words/finding.ts';
import { keyOfText } from './grouping.ts';
import { place, type Placed } from './guards.ts';
import { polarityOf } from './polarity.ts';
import type { Pair } from './matching.ts';
import {
  type RunWording,
  shareOf,
  type TermVector,
  type WeighedStatement,
  weighRun,
} from './wording/run-wording.ts';
import { kindredPairs, type Remark, smallPanel } from './short-wordings.ts';

export interface PanelStatement extends Placed, Pick<Remark, 'isOneOfMany'> {
  readonly weighed: WeighedStatement;
  /** Positions in the list of findings, ascending. */
  readonly positions: readonly number[];
}

export interface Panel {
  readonly statements: readonly PanelStatement[];
  readonly run: RunWording;
  readonly pairs: readonly Pair[];
}

/** Statements and pairs come in an order that the order of the findings has no influence on. */
export function readPanel(findings: readonly Finding[]): Panel {
  const gathered = gatherStatements(findings);
  const run = weighRun(
    gathered.map(({ finding, reviewers }) => ({ text: finding.text, reviewers })),
    // Sooner or later each is asked where it stands.
    position => polarityOf((gathered[position] as (typeof gathered)[number]).finding),
  );
  const statements = gathered.map((each, index) => {
    // One statement was weighed for each.
    const weighed = run.statements[index] as WeighedStatement;
    const isOneOfMany = gathered.length > smallPanel;
    return {
      ...each,
      ...place(each.finding, each.reviewers, weighed.statement),
      weighed,
      isOneOfMany,
    };
  });
  return {
    statements,
    run,
    pairs: pairsAmong(statements),
  };
}

/** Positions in the list, the smaller first, each pair once, ascending. */
function pairsAmong(statements: readonly PanelStatement[]): Pair[] {
  const count = statements.length;
  const weighed = statements.map(each => each.weighed);
  const findings = statements.map(({ finding }) => finding);
  // One number for each pair: numbers sort much faster than pairs do.
  const codes: number[] = [];
  candidatePairs(weighed, (one, other) => codes.push(one * count + other));
  nearPairs(findings, (one, other) => {
    if (sharesWords(weighed[one], weighed[other])) codes.push(one * count + other);
  });
  for (const [one, other] of kindredPairs(statements)) codes.push(one * count + other);
  const sorted = Float64Array.from(codes).sort();
  const pairs: Pair[] = [];
  for (let at = 0; at < sorted.length; at += 1) {
    const code = sorted[at] as number;
    if (code !== sorted[at - 1]) pairs.push([Math.floor(code / count), code % count]);
  }
  return pairs;
}

/** Called with positions in the list, the smaller first. */
type TakePair = (one: number, other: number) => void;

function sharesWords(
  one: WeighedStatement | undefined,
  other: WeighedStatement | undefined,
): boolean {
  if (!one || !other) return false;
  return (
    shareOf(one.stems, other.stems).count > 0 ||
    shareOf(one.identifiers, other.identifiers).count > 0
  );
}

function gatherStatements(
  findings: readonly Finding[],
): Omit<PanelStatement, 'weighed' | 'statement' | 'file'>[] {
  const groups = new Map<string, number[]>();
  for (const [position, finding] of findings.entries()) {
    const key = keyOf(finding, position);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [position]);
    else group.push(position);
  }
  const keyed = [...groups].map(([key, positions]) => {
    const members = positions.map(position => findings[position] as Finding);
    const reviewers = [...new Set(members.map(({ reviewer }) => reviewer))].sort();
    // By reviewer and id, so that another order of the findings leads to the same representative.
    const finding = members.reduce((first, next) => (isBefore(next, first) ? next : first));
    return { key: `${key}\n${reviewers.join('\n')}`, finding, reviewers, positions };
  });
  return keyed.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
}

function isBefore(one: Finding, other: Finding): boolean {
  return one.reviewer < other.reviewer || (one.reviewer === other.reviewer && one.id < other.id);
}

/** A finding without words is like no other. */
function keyOf({ text, location, category, section }: Finding, position: number): string {
  const words = keyOfText(text.trim().toLowerCase());
  return JSON.stringify([
    words,
    location?.path,
    location?.line,
    location?.side,
    category,
    section,
    words === '' ? position : null,
  ]);
}

// Which statements of a run are worth comparing: those that share telling terms. Near-linear: a common term leads to a
// bounded number of others, and a statement keeps a bounded number of partners.

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

/** Alike texts should stand near each other. Takes a pair twice when each of the two keeps the other. */
function candidatePairs(statements: readonly WeighedStatement[], take: TakePair): void {
  const [stems, identifiers] = [
    indexOf(statements.map(each => each.stems)),
    indexOf(statements.map(each => each.identifiers)),
  ];
  const sizes = Float64Array.from(statements, each =>
    Math.hypot(each.stems.norm, each.identifiers.norm),
  );
  const shared = new Float64Array(statements.length);
  for (let index = 0; index < sizes.length; index += 1) {
    const touched: number[] = [];
    addShared(index, stems, shared, touched);
    addShared(index, identifiers, shared, touched);
    for (const other of touched)
      shared[other] =
        (shared[other] as number) / ((sizes[other] as number) * (sizes[index] as number));
    for (const other of strongest(touched, shared))
      take(Math.min(index, other), Math.max(index, other));
    for (const other of touched) shared[other] = 0;
  }
}

/** All of a few; of many those that are alike at all. */
function strongest(touched: readonly number[], cosines: Float64Array): readonly number[] {
  if (touched.length <= mostPartners) return touched;
  const near = touched.filter(other => (cosines[other] as number) >= farthest);
  if (near.length > mostPartners) return best(near, cosines, mostPartners);
  if (near.length >= bestPartners) return near;
  const some = touched.filter(other => (cosines[other] as number) >= leastCosine);
  return best(some, cosines, bestPartners);
}

/** Of equal ones those that stand first in the list of statements. Found by the value of the last, which is quicker than by sorting. */
function best(some: readonly number[], cosines: Float64Array, count: number): readonly number[] {
  if (some.length <= count) return some;
  const least = Float64Array.from(some, other => cosines[other] as number)
    .sort()
    .at(-count) as number;
  const above = some.filter(other => (cosines[other] as number) > least);
  const last = some.filter(other => cosines[other] === least).sort((one, other) => one - other);
  return [...above, ...last.slice(0, count - above.length)];
}

/** Who uses a term: the holders of term t stand from `starts[t]` to `starts[t + 1]`, ascending. */
interface TermIndex {
  readonly vectors: readonly TermVector[];
  readonly starts: Int32Array;
  readonly holders: Int32Array;
}

function indexOf(vectors: readonly TermVector[]): TermIndex {
  const most = vectors.reduce(
    (last, { terms, start, end }) =>
      end > start ? Math.max(last, terms[end - 1] as number) : last,
    -1,
  );
  const starts = new Int32Array(most + 2);
  for (const { terms, start, end } of vectors)
    for (let at = start; at < end; at += 1) {
      const next = (terms[at] as number) + 1;
      starts[next] = (starts[next] as number) + 1;
    }
  for (let term = 0; term <= most; term += 1)
    starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
  const holders = new Int32Array(starts[most + 1] ?? 0);
  const ends = starts.slice();
  for (const [index, { terms, start, end }] of vectors.entries())
    for (let at = start; at < end; at += 1) {
      const term = terms[at] as number;
      const place = ends[term] as number;
      holders[place] = index;
      ends[term] = place + 1;
    }
  return { vectors, starts, holders };
}

/**
 * Adds to `shared`, by statement, the squared weights of the terms it has in common with the one at `index`; `touched`
 * gets those whose sum was 0.
 */
function addShared(
  index: number,
  { vectors, starts, holders }: TermIndex,
  shared: Float64Array,
  touched: number[],
): void {
  const { terms, start: begin, end: finish, weights } = vectors[index] as TermVector;
  for (let position = begin; position < finish; position += 1) {
    const term = terms[position] as number;
    const weight = (weights?.[term] ?? 1) ** 2;
    const [first, last] = [starts[term] as number, starts[term + 1] as number];
    const isCrowd = last - first > crowd;
    const near = isCrowd ? positionOf(index, holders, first, last) : 0;
    const start = isCrowd ? Math.max(first, near - nearInCrowd) : first;
    const end = isCrowd ? Math.min(last, near + nearInCrowd + 1) : last;
    for (let at = start; at < end; at += 1) {
      const other = holders[at] as number;
      if (other === index) continue;
      if (shared[other] === 0) touched.push(other);
      shared[other] = (shared[other] as number) + weight;
    }
  }
}

/** The first position from `low` that holds the number or more; `high` when none does. */
function positionOf(number: number, ascending: Int32Array, low: number, high: number): number {
  let [least, most] = [low, high];
  while (least < most) {
    const middle = (least + most) >> 1;
    if ((ascending[middle] as number) < number) least = middle + 1;
    else most = middle;
  }
  return least;
}

// Statements about the same lines: worth comparing whatever the rest of the run says in the same words.

/** Lines apart, at most. */
const nearby = 3;

/** Of a crowd on a few lines each is compared with so many that follow. */
const mostFollowing = 32;

/** Takes each pair once. Findings without a line have no neighbours. */
function nearPairs(findings: readonly Finding[], take: TakePair): void {
  const placed = findings.flatMap(({ location }, index) =>
    location === null || location.line === null
      ? []
      : [{ index, line: location.line, key: `${location.side}\n${location.path}` }],
  );
  placed.sort(
    (one, other) => compare(one.key, other.key) || one.line - other.line || one.index - other.index,
  );
  for (const [position, one] of placed.entries()) {
    const end = Math.min(placed.length, position + 1 + mostFollowing);
    for (let next = position + 1; next < end; next += 1) {
      const other = placed[next] as (typeof placed)[number];
      if (other.key !== one.key || other.line - one.line > nearby) break;
      take(Math.min(one.index, other.index), Math.max(one.index, other.index));
    }
  }
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
