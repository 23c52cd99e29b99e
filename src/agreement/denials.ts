/**
 * Finds who denies what others say, whatever the matching strategy compares: at the same lines, and wherever the same thing
 * is spoken of.
 */
import type { Finding } from '../core/words/finding.ts';
import { contradict, mustStayApart, stanceOf } from './guards.ts';
import type { Pair } from './matching.ts';
import { areDifferentFiles, fileOfFinding } from './wording/words.ts';

/** Findings that one that denies is compared with, at most: at its place, and elsewhere by each thing that it names. */
const mostAtPlace = 32;
const mostByObject = 32;

/** Lines apart, at most, of two findings about one place. */
const nearby = 3;

/** Pairs of positions, the smaller first, each once. Time grows with the denials, not with the square of the list. */
export function findDenials(findings: readonly Finding[]): Pair[] {
  const denying = findings.flatMap((finding, index) => (isAnswer(finding) ? [index] : []));
  if (denying.length === 0) return [];
  const partners = createSearch(findings, denying);
  const files = findings.map(fileOfFinding);
  const areOpposed = (one: number, other: number): boolean => {
    const [left, right] = [findings[one], findings[other]];
    return (
      left !== undefined &&
      right !== undefined &&
      !areDifferentFiles(files[one] ?? '', files[other] ?? '') &&
      !mustStayApart(left, right) &&
      contradict(left, right)
    );
  };
  const found = new Map<number, Pair>();
  for (const one of denying) {
    for (const other of partners(one)) {
      const pair: Pair = [Math.min(one, other), Math.max(one, other)];
      const code = pair[0] * findings.length + pair[1];
      if (!found.has(code) && areOpposed(one, other)) found.set(code, pair);
    }
  }
  return [...found.values()].sort((one, other) => one[0] - other[0] || one[1] - other[1]);
}

/** Few findings say that all is well, or what should become of a thing. */
function isAnswer(finding: Finding): boolean {
  const { says, wants, fate } = stanceOf(finding);
  return says === 'denial' || wants !== null || fate === 'keep';
}

/** Lists only what those that `ask` can ask for: few of the places and of the things that all the findings name. */
function createSearch(
  findings: readonly Finding[],
  asking: readonly number[],
): (index: number) => Iterable<number> {
  const askers = asking.flatMap(index => findings[index] ?? []);
  const byPlace = emptyLists(askers.flatMap(placesAround));
  const byObject = emptyLists(askers.flatMap(asker => [...stanceOf(asker).objects]));
  for (const [index, finding] of findings.entries()) {
    byPlace.get(placeOf(finding) ?? '')?.push(index);
    for (const object of stanceOf(finding).objects) byObject.get(object)?.push(index);
  }
  return index => {
    const finding = findings[index];
    if (finding === undefined) return [];
    const partners = new Set<number>();
    for (const place of placesAround(finding))
      for (const other of around(byPlace.get(place), index, mostAtPlace)) partners.add(other);
    for (const object of stanceOf(finding).objects)
      for (const other of around(byObject.get(object), index, mostByObject)) partners.add(other);
    partners.delete(index);
    return partners;
  };
}

function emptyLists(keys: readonly string[]): ReadonlyMap<string, number[]> {
  return new Map(keys.map(key => [key, []]));
}

/** All of a short list; of a long one those that stand nearest. The list ascends. */
function around(list: readonly number[] = [], index: number, most: number): readonly number[] {
  if (list.length <= most) return list;
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  const start = Math.max(0, Math.min(low - (most >> 1), list.length - most));
  return list.slice(start, start + most);
}

function placeOf({ location }: Finding, shift = 0): string | null {
  if (location === null || location.line === null) return null;
  return `${location.line + shift}\n${location.path}`;
}

function placesAround(finding: Finding): string[] {
  return Array.from({ length: 2 * nearby + 1 }, (_, step) =>
    placeOf(finding, step - nearby),
  ).flatMap(place => place ?? []);
}
