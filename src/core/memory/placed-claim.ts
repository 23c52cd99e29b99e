/** A known claim at the place it has today, and what that place says about its being one with a claim of the run. */
import type { Claim } from '../claim.ts';
import { rankOf } from '../severity.ts';
import { findPrint } from './code-print.ts';
import type { KnownClaim } from './known-claim.ts';
import type { Sight } from './sight.ts';

export interface PlacedClaim {
  readonly known: KnownClaim;
  /** Null when it never named a file. */
  readonly path: string | null;
  readonly line: number | null;
  /** The code of the place stands where `line` says. */
  readonly isStanding: boolean;
}

/** Null when its file is not in the change: nothing of this run can be it. */
export function placeAgain(known: KnownClaim, sight: Sight): PlacedClaim | null {
  if (known.path === null) return { known, path: null, line: null, isStanding: false };
  const path = sight.currentPath(known.path, known.code);
  if (path === null) return known.line === null ? { known, path: known.path, line: null, isStanding: false } : null;
  const print = known.code === null ? null : sight.print(path);
  const standing = print === null || known.code === null ? null : findPrint(print, known.code, known.line);
  return { known, path, line: standing?.line ?? known.line, isStanding: standing !== null };
}

/** Lines that count as one spot, and as another one. */
export const nearby = 3;
const faraway = 40;

/** The same words about a far place, while the code of the first one stands where it was, are another claim. */
export function mayBeOne({ location }: Claim, { path, line, isStanding }: PlacedClaim): boolean {
  if (location === null || path === null) return true;
  const isElsewhere = isStanding && line !== null && location.line !== null && linesFrom(location, line) >= faraway;
  return location.path === path && !isElsewhere;
}

/** Lines between a place and a line; 0 within it. */
export function linesFrom({ line, endLine }: NonNullable<Claim['location']>, other: number): number {
  const first = line ?? other;
  return other < first ? first - other : Math.max(0, other - Math.max(first, endLine ?? first));
}

const worth = { sameCode: 0.6, near: 0.3, elsewhere: -0.6, sameSeverity: 0.1, farSeverity: -0.3, sameCategory: 0.3 } as const;

/** Set by hand, in log-odds: the place counts for less than the words, because two issues may stand on one line. */
export function besideWording(claim: Claim, { known, path, line, isStanding }: PlacedClaim): number {
  const apart = path === null || claim.location?.path !== path || claim.location.line === null || line === null ? null : linesFrom(claim.location, line);
  const ranks = Math.abs(rankOf(claim.severity) - rankOf(known.severity));
  const severity = ranks === 0 ? worth.sameSeverity : ranks >= 2 ? worth.farSeverity : 0;
  const isSameCategory = known.category !== null && claim.findings.some(({ category }) => category?.trim().toLowerCase() === known.category?.trim().toLowerCase());
  return worthOfPlace(apart, isStanding) + severity + (isSameCategory ? worth.sameCategory : 0);
}

/** `apart`: lines between the two; null when one names none. */
function worthOfPlace(apart: number | null, isStanding: boolean): number {
  if (apart === null) return 0;
  if (apart <= 1 && isStanding) return worth.sameCode;
  if (apart <= nearby) return worth.near;
  return apart >= faraway ? worth.elsewhere : 0;
}
