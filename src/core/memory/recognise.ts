/**
 * Which claims of a run continue claims that are known: judged by the wordings, through the same port that forms claims,
 * and by the place. One to one, the strongest first, whatever the order of the lists.
 */
import type { Claim } from '../claim.ts';
import type { Matcher } from '../ports.ts';
import type { KnownClaim } from './known-claim.ts';
import { linesFrom, mayBeOne, nearby, placeAgain, type PlacedClaim } from './placed-claim.ts';
import { tiesBetween, type Tie } from './resemblance.ts';
import type { Sight } from './sight.ts';

export interface RecogniseRequest {
  readonly claims: readonly Claim[];
  readonly known: readonly KnownClaim[];
  readonly sight: Sight;
  readonly matcher: Matcher;
}

export interface Recognised {
  readonly known: KnownClaim;
  /** In words, for whoever asks why. */
  readonly reason: string;
}

/** By the id of the claim in this run. A claim in another file, unless that was renamed, is another claim. */
export async function recogniseClaims({ claims, known, sight, matcher }: RecogniseRequest): Promise<ReadonlyMap<string, Recognised>> {
  const recognised = new Map<string, Recognised>();
  const placed = known.map(claim => placeAgain(claim, sight)).filter(placedClaim => placedClaim !== null).toSorted((one, other) => compare(one.known.id, other.known.id));
  const link = (tie: Tie): void => {
    if (recognised.has(tie.claim.id) || taken.has(tie.placed.known.id)) return;
    taken.add(tie.placed.known.id);
    recognised.set(tie.claim.id, { known: tie.placed.known, reason: tie.reason });
  };
  const taken = new Set<string>();
  for (const tie of sameWords(claims, placed)) link(tie);
  const openClaims = claims.filter(claim => !recognised.has(claim.id));
  const openKnown = placed.filter(each => !taken.has(each.known.id));
  const ties = await tiesBetween(openClaims, openKnown, matcher);
  const holding = ties.filter(tie => tie.strength >= 0 || (tie.strength >= -worthOfBeingAlone && isAlone(tie, claims, placed)));
  for (const tie of holding.sort(byStrength)) link(tie);
  return recognised;
}

/** Word for word the same about the same file: nothing is to be weighed. Where two are, the nearer line goes first. */
function sameWords(claims: readonly Claim[], placed: readonly PlacedClaim[]): Tie[] {
  const twins = new Map<string, PlacedClaim[]>();
  for (const each of placed.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))) {
    const key = keyOf(each.known.text, each.path);
    const list = twins.get(key);
    if (list === undefined) twins.set(key, [each]);
    else list.push(each);
  }
  const ties = claims.flatMap(claim => nearestTwins(claim, twins.get(keyOf(claim.text, claim.location?.path ?? null)) ?? []).filter(each => mayBeOne(claim, each)).map(each => ({
    claim, placed: each, strength: -linesApart(claim, each), reason: 'The same words about the same file.',
  })));
  return ties.sort(byStrength);
}

/** Known claims of one wording that a claim is compared with, on either side of its line. */
const mostTwins = 25;

function nearestTwins({ location }: Claim, twins: readonly PlacedClaim[]): readonly PlacedClaim[] {
  if (twins.length <= mostTwins) return twins;
  const at = twins.findIndex(({ line }) => (line ?? 0) >= (location?.line ?? 0));
  const middle = at === -1 ? twins.length : at;
  return twins.slice(Math.max(0, middle - mostTwins), middle + mostTwins);
}

function keyOf(text: string, path: string | null): string {
  return `${path ?? ''}\n${text.trim().toLowerCase()}`;
}

/** Where one of the two names no line, further than any. */
function linesApart({ location }: Claim, { line }: PlacedClaim): number {
  const own = location?.line ?? null;
  return own === null || line === null ? 1_000_000 : Math.abs(own - line);
}

/** Ties are settled by the ids, so that no order of the lists matters. */
function byStrength(one: Tie, other: Tie): number {
  return other.strength - one.strength || compare(one.claim.id, other.claim.id) || compare(one.placed.known.id, other.placed.known.id);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Log-odds. */
const worthOfBeingAlone = 0.5;

/** Somebody who said one thing about these lines then, and says one thing about them now, has most likely found other words for it. */
function isAlone({ claim, placed }: Tie, claims: readonly Claim[], all: readonly PlacedClaim[]): boolean {
  const line = placed.line ?? 0;
  const own = claim.location;
  if (!placed.isStanding || own === null || own.line === null || linesFrom(own, line) > nearby) return false;
  const here = (path: string | null, other: number | null): boolean => path === placed.path && other !== null && Math.abs(other - line) <= nearby;
  const isLone = (reviewer: string): boolean =>
    placed.known.supporters.some(supporter => supporter.reviewer === reviewer) &&
    claims.filter(each => each.supporters.includes(reviewer) && here(each.location?.path ?? null, each.location?.line ?? null)).length === 1 &&
    all.filter(each => here(each.path, each.line) && each.known.supporters.some(supporter => supporter.reviewer === reviewer)).length === 1;
  return claim.supporters.some(isLone);
}
