/** What earlier decisions of people make of a claim of this run: dismissed, accepted, or open. */
import type { Claim } from '../words/claim.ts';
import { rankOf } from '../words/severity.ts';
import { findFingerprint, type Snapshot } from './code-fingerprint.ts';
import { type Disposition, isDismissal, latestByClaim } from './known-claim.ts';

interface Judged {
  readonly claim: Claim;
  /** Id of the known claim it continues; null for one that nobody knew. */
  readonly known: string | null;
}

export type Judge = (judged: Judged) => Disposition | null;

/**
 * A decision about the claim itself comes before those about its file or category. A dismissal of the claim holds as long
 * as the code it was given for stands in the file; where that cannot be told, it does not hold. `day`: today in UTC.
 */
export function createJudge(
  dispositions: readonly Disposition[],
  snapshot: Snapshot,
  day: string,
): Judge {
  const own = latestByClaim(dispositions);
  const wide = [...own.values()]
    .filter(
      disposition =>
        isDismissal(disposition) && disposition.scope !== 'claim' && isInTime(disposition, day),
    )
    .toSorted(byAge);
  return ({ claim, known }) => {
    const decided = known === null ? undefined : own.get(known);
    if (decided !== undefined && !isDismissal(decided)) return null;
    if (
      decided !== undefined &&
      isInTime(decided, day) &&
      (decided.scope !== 'claim' || isSameCode(decided, claim, snapshot))
    )
      return decided;
    return wide.find(disposition => covers(disposition, claim, snapshot)) ?? null;
  };
}

function isInTime({ until }: Pick<Disposition, 'until'>, day: string): boolean {
  return until === null || day <= until;
}

/** Category of the most severe finding that names one. */
export function categoryOf({ findings }: Pick<Claim, 'findings'>): string | null {
  const named = findings
    .filter(({ category }) => category !== null && category.trim() !== '')
    .toSorted((one, other) => rankOf(one.severity) - rankOf(other.severity));
  return named[0]?.category?.trim() ?? null;
}

/** Lines that a reviewer may be off and still mean the same code. */
const nearby = 10;

function isSameCode({ code, path }: Disposition, claim: Claim, snapshot: Snapshot): boolean {
  if (code === null) return true;
  const here = claim.location?.anchoring === 'unanchored' ? null : claim.location;
  const where = here?.path ?? (path === null ? null : snapshot.currentPath(path, code));
  const fingerprint = where === null ? null : snapshot.fingerprint(where);
  const standing =
    fingerprint === null ? null : findFingerprint(fingerprint, code, here?.line ?? null);
  if (standing === null || !standing.isWhole) return false;
  const line = here?.line ?? null;
  return line === null || Math.abs(line - standing.line) <= nearby;
}

function covers(
  { scope, severity, path, category, code }: Disposition,
  claim: Claim,
  snapshot: Snapshot,
): boolean {
  if (rankOf(claim.severity) < rankOf(severity)) return false;
  if (scope === 'category')
    return category !== null && categoryOf(claim)?.toLowerCase() === category.toLowerCase();
  return (
    path !== null &&
    claim.location !== null &&
    (claim.location.path === path || claim.location.path === snapshot.currentPath(path, code))
  );
}

function byAge(one: Disposition, other: Disposition): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  return one.claim < other.claim ? -1 : Number(one.claim > other.claim);
}

// What the decisions about claims come to on a day, as one text: it changes when one is made and when one runs out.

/** Acceptances alone change nothing; one that follows a dismissal ends it. */
export function standOf(dispositions: readonly Disposition[], day: string): string {
  const standing = [...latestByClaim(dispositions).values()].filter(
    disposition => isDismissal(disposition) && isInTime(disposition, day),
  );
  return JSON.stringify(
    standing
      .map(({ claim, scope, verdict, reason, until }) =>
        [claim, scope, verdict, reason, until].join('\n'),
      )
      .sort(),
  );
}
