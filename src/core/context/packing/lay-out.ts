/** Merges and cuts the ranges of each file so that none overlaps and none is longer than an excerpt may be. */
import { nameOf, type Candidate, type Placed } from './candidate.ts';
import { chunk, lengthOf, overlaps, subtract, union, type LineRange } from './line-range.ts';
import { longestExcerpt } from './local-pack.ts';

type Ranged = Placed & { readonly range: LineRange };

/** Lines between two ranges that cost less than a label of their own. */
const smallGap = 2;

/** `gap`: ranges with at most so many lines between them become one. */
export function layOut(candidates: readonly Candidate[], gap = smallGap): Placed[] {
  const pointers = new Map<string, Placed>();
  const files = new Map<string, Placed[]>();
  for (const candidate of candidates.toSorted(closestFirst)) {
    const { path, range } = candidate;
    if (path === null || range === null) {
      if (!pointers.has(nameOf(candidate))) pointers.set(nameOf(candidate), candidate);
      continue;
    }
    const placed = files.get(path) ?? [];
    files.set(path, place({ ...candidate, range }, placed, gap));
  }
  return [...[...files.values()].flat(), ...pointers.values()].toSorted(inPackOrder);
}

function closestFirst(one: Candidate, other: Candidate): number {
  return one.distance - other.distance || other.needed - one.needed || (one.range?.start ?? 0) - (other.range?.start ?? 0);
}

/** The new list of the file. What is there already is closer to the change and keeps its place. */
function place(candidate: Ranged, placed: readonly Placed[], gap: number): Placed[] {
  let merged = candidate;
  let others = [...placed];
  for (let found = findMergeable(merged.range, others, gap); found !== undefined; found = findMergeable(merged.range, others, gap)) {
    merged = combine(found, merged);
    others = others.filter(one => one !== found);
  }
  const taken = others.flatMap(one => (one.range === null ? [] : [one.range]));
  const parts = subtract(merged.range, taken).flatMap(part => chunk(part, longestExcerpt));
  return [...others, ...parts.map(part => ({ ...merged, range: part }))];
}

/** Ranges that touch are one when the result is short enough. */
function findMergeable(range: LineRange, placed: readonly Placed[], gap: number): Ranged | undefined {
  const near = { start: range.start - gap - 1, end: range.end + gap + 1 };
  return placed.find((one): one is Ranged => one.range !== null && overlaps(one.range, near) && lengthOf(union(one.range, range)) <= longestExcerpt);
}

function combine(one: Ranged, other: Ranged): Ranged {
  const closer = one.distance <= other.distance ? one : other;
  return { ...closer, kind: one.kind === 'code' || other.kind === 'code' ? 'code' : closer.kind, range: union(one.range, other.range), needed: one.needed + other.needed, name: closer.name, core: [...one.core, ...other.core], summary: closer.summary };
}

const kindOrder: Readonly<Record<Candidate['kind'], number>> = { code: 0, test: 1, kb: 2, decision: 3, artifact: 4 };

/** Code, test, kb, decision, artifact; within a kind by distance, path, first line. */
export function inPackOrder(one: Candidate, other: Candidate): number {
  return kindOrder[one.kind] - kindOrder[other.kind] || one.distance - other.distance || compareText(one.path ?? one.ref ?? '', other.path ?? other.ref ?? '') || (one.range?.start ?? 0) - (other.range?.start ?? 0);
}

/** What goes first when it must: the farthest; then artifacts before code; then what nobody needs; then the largest. */
export function inEvictionOrder(one: Candidate & { readonly tokens: number }, other: Candidate & { readonly tokens: number }): number {
  return other.distance - one.distance || kindOrder[other.kind] - kindOrder[one.kind] || one.needed - other.needed || other.tokens - one.tokens || compareText(nameOf(other), nameOf(one));
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
