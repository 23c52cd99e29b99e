/** Which claims of a run stand at one place, and which say the same about different places. */
import type { Claim } from '../words/claim.ts';
import { pairsSharing } from '../matching/matching.ts';
import { overlapOfWords, words } from '../matching/words.ts';

/** Claim id → ids of the other claims at the same line of the same file, or of the same section where no line is known. */
export function neighbours(claims: readonly Claim[]): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const claim of claims) {
    const place = placeOf(claim);
    if (place === null) continue;
    const here = places.get(place);
    if (here === undefined) places.set(place, [claim.id]);
    else here.push(claim.id);
  }
  return new Map(
    claims.map(claim => [
      claim.id,
      (places.get(placeOf(claim) ?? '') ?? [])
        .slice(0, mostLinks + 1)
        .filter(id => id !== claim.id)
        .slice(0, mostLinks),
    ]),
  );
}

/** Percent of the words of one that stand in the other, from which two wordings are the same issue: the cut of the overlap strategy. */
const sameWords = 60;

/** Ids listed with a claim, at most: more of them help nobody, and a flood must not be squared. */
const mostLinks = 50;

/** A word that more claims use tells nothing apart. */
const commonWord = 64;

/** Claim id → ids of claims with the same wording at another place. Claims that would be one if they stood at one place. */
export function crossReferences(claims: readonly Claim[]): ReadonlyMap<string, readonly string[]> {
  const sets = claims.map(({ text }) => words(text));
  const frequency = new Map<string, number>();
  for (const set of sets)
    for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const telling = sets.map(set =>
    [...set].filter(word => (frequency.get(word) ?? 0) <= commonWord),
  );
  const references = new Map<string, string[]>();
  for (const [one, other] of pairsSharing(telling, telling)) {
    const [left, right, leftWords, rightWords] = [
      claims[one],
      claims[other],
      sets[one],
      sets[other],
    ];
    if (
      left === undefined ||
      right === undefined ||
      leftWords === undefined ||
      rightWords === undefined ||
      !differInPlace(left, right)
    )
      continue;
    if (
      Math.max(overlapOfWords(leftWords, rightWords), overlapOfWords(rightWords, leftWords)) <
      sameWords
    )
      continue;
    link(references, left.id, right.id);
    link(references, right.id, left.id);
  }
  return references;
}

function link(references: Map<string, string[]>, from: string, to: string): void {
  const list = references.get(from) ?? [];
  if (list.length < mostLinks && !list.includes(to)) list.push(to);
  references.set(from, list);
}

function differInPlace(one: Claim, other: Claim): boolean {
  const [left, right] = [placeOf(one), placeOf(other)];
  return left !== null && right !== null && left !== right;
}

function placeOf({ location, findings }: Claim): string | null {
  if (location !== null && location.line !== null) return `${location.line}:${location.path}`;
  const section = findings.find(finding => finding.section !== null)?.section ?? null;
  return section === null || section.trim() === '' ? null : `§${section.trim().toLowerCase()}`;
}
