/**
 * Decisions of people about claims: finds the claim that is meant, makes the decision a record that stands on its own,
 * and tells what earlier decisions make of a claim of this run.
 */
import { distance } from 'fastest-levenshtein';
import { didYouMean, UserError } from '../../core/errors.ts';
import { claimsNamed, meantBy } from '../../core/run-files/finding-names.ts';
import { type Claim, claimNumbered } from '../../core/words/claim.ts';
import type { Run } from '../../core/words/run.ts';
import { rankOf } from '../../core/words/severity.ts';
import { findFingerprint, nearby, type Snapshot } from './code-fingerprint.ts';
import {
  type Disposition,
  isDismissal,
  type KnownClaim,
  latestByClaim,
} from '../../core/words/known-claim.ts';

export type Decision = Pick<Disposition, 'verdict' | 'reason' | 'scope' | 'until' | 'at'>;

export type DecidedThing = Pick<
  KnownClaim,
  'id' | 'text' | 'severity' | 'category' | 'path' | 'code'
>;

/** Throws `UserError`: a day that is past (`usage`), a scope that the claim does not have (`input`). */
export function decideAbout(
  claim: DecidedThing,
  { verdict, reason, scope, until, at }: Decision,
): Disposition {
  if (until !== null && until < at.slice(0, 10))
    throw new UserError(`--until: ${until} is past.`, { kind: 'usage' });
  if (scope === 'file' && claim.path === null)
    throw new UserError(`${claim.id} names no file, so that no file can be dismissed with it.`, {
      kind: 'input',
    });
  if (scope === 'category' && claim.category === null)
    throw new UserError(`${claim.id} names no category, so that none can be dismissed with it.`, {
      kind: 'input',
    });
  const { id, text, severity, category, path, code } = claim;
  return { claim: id, verdict, reason, scope, until, at, severity, category, path, code, text };
}

// The claim a person means by an id, by the beginning of one, or by a finding it holds.

/** Longer ones are taken for the beginning of an id. */
const fewestDigits = 4;

/**
 * `c-` may be left out. `run` is the one whose findings may be named, and whose claims a short number counts. Throws `UserError`
 * (kind `input`) with the nearest ids, or with the candidates when there are several: an id that a reviewer chose may look like
 * the beginning of that of a claim.
 */
export function findClaim(
  wanted: string,
  ids: readonly string[],
  run: Pick<Run, 'record' | 'reviews'> | null,
): string {
  const found = pickClaim(wanted, ids, run && { ...run.record, reviews: run.reviews });
  if (found !== null) return found;
  if (run !== null) refuseOther(wanted.trim(), run);
  throw new UserError(
    `There is no claim ${show(wanted)} in the latest run or in the memory of this project.`,
    { kind: 'input', hint: didYouMean(nearest(startOf(wanted).slice(0, 40), ids)) },
  );
}

/** The same among claims that no run holds. Throws `UserError` (kind `input`) in the same way. */
export function findFormedClaim(wanted: string, formed: Formed): Claim {
  const { claims } = formed;
  const ids = claims.map(({ id }) => id);
  const found = pickClaim(wanted, ids, formed);
  const claim = claims.find(({ id }) => id === found);
  if (claim !== undefined) return claim;
  const amount = claims.length;
  if (/^\d{1,3}$/.test(wanted.trim()) || amount === 0)
    throw new UserError(`There is no claim ${show(wanted)}.`, {
      kind: 'input',
      hint:
        amount === 0
          ? 'The findings form no claims.'
          : `The findings form ${amount === 1 ? '1 claim, number 1' : `${amount} claims, numbered 1 to ${amount}`}.`,
    });
  throw new UserError(`The findings form no claim ${show(wanted)}.`, {
    kind: 'input',
    hint: didYouMean(nearest(startOf(wanted).slice(0, 40), ids)),
  });
}

/** Claims with everything they can be named by. */
type Formed = Parameters<typeof claimNumbered>[1] & {
  readonly reviews: Parameters<typeof claimsNamed>[2];
};

/** Null where nothing is called so. Throws `UserError` where several are. */
function pickClaim(wanted: string, ids: readonly string[], formed: Formed | null): string | null {
  const typed = wanted.trim().toLowerCase();
  if (ids.includes(typed)) return typed;
  const numbered =
    formed !== null && typed.length < fewestDigits ? claimNumbered(typed, formed) : null;
  if (numbered !== null) return numbered.id;
  const begun = [...new Set(ids)]
    .filter(id => id.startsWith(startOf(typed)) && typed !== '' && typed !== 'c-')
    .sort();
  const holding = claimsNamed(wanted.trim(), formed?.claims ?? [], formed?.reviews)
    .map(({ id }) => id)
    .filter(id => !begun.includes(id));
  const matches = [...begun, ...holding];
  const [first] = matches;
  if (first !== undefined && matches.length === 1) return first;
  if (holding.length > 0)
    throw new UserError(`${show(wanted)} means ${matches.length} claims.`, {
      kind: 'input',
      hint: didYouMean(matches.slice(0, 5)),
    });
  if (matches.length > 1)
    throw new UserError(`${show(wanted)} is the beginning of ${matches.length} claims.`, {
      kind: 'input',
      hint: didYouMean(matches.slice(0, 5)),
    });
  return null;
}

function startOf(wanted: string): string {
  const typed = wanted.trim().toLowerCase();
  return typed.startsWith('c-') ? typed : `c-${typed}`;
}

/** What a run has of that name and is no claim: nobody can decide about it, or explain it. */
function refuseOther(wanted: string, run: Pick<Run, 'record' | 'reviews'>): void {
  const { kind } = meantBy(wanted, run);
  const what = {
    claim: null,
    unclear: null,
    review: 'is a reviewer',
    fixed: 'is a claim that is fixed',
    finding: 'is part of no claim: nothing counts it as a finding',
    engine: 'was found by Jury itself and is no claim of a reviewer',
  }[kind];
  if (what === null) return;
  throw new UserError(`${show(wanted)} ${what}.`, {
    kind: 'input',
    hint: `See "jury show ${run.record.run} ${wanted}".`,
  });
}

function nearest(start: string, ids: readonly string[]): string[] {
  return [...new Set(ids)]
    .map(id => ({ id, steps: distance(start, id) }))
    .sort((one, other) => one.steps - other.steps || (one.id < other.id ? -1 : 1))
    .slice(0, 3)
    .map(({ id }) => id);
}

function show(wanted: string): string {
  return JSON.stringify(wanted.slice(0, 60));
}

interface Judged {
  readonly claim: Claim;
  /** Id of the known claim it continues; null for one that nobody knew. */
  readonly known: string | null;
}

/** What earlier decisions of people make of a claim of this run: dismissed, accepted, or open. */
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

/**
 * Of a claim that nobody repeats: do people want it said no more? Then silence about it is no word about the code. `day`: today in
 * UTC.
 */
export function createSilenceJudge(
  dispositions: readonly Disposition[],
  day: string,
): (claim: Pick<DecidedThing, 'id' | 'severity' | 'category' | 'path'>) => boolean {
  const own = latestByClaim(dispositions);
  const holding = [...own.values()].filter(
    disposition => isDismissal(disposition) && isInTime(disposition, day),
  );
  return claim => {
    const decided = own.get(claim.id);
    if (decided !== undefined && !isDismissal(decided)) return false;
    return holding.some(
      ({ claim: id, scope, severity, path, category }) =>
        id === claim.id ||
        (rankOf(claim.severity) >= rankOf(severity) &&
          ((scope === 'file' && path === claim.path) ||
            (scope === 'category' && isSameCategory(category, claim.category)))),
    );
  };
}

/** `day`: today in UTC. */
export function isInTime({ until }: Pick<Disposition, 'until'>, day: string): boolean {
  return until === null || day <= until;
}

/** Category of the most severe finding that names one. */
export function categoryOf({ findings }: Pick<Claim, 'findings'>): string | null {
  const named = findings
    .filter(({ category }) => category !== null && category.trim() !== '')
    .toSorted((one, other) => rankOf(one.severity) - rankOf(other.severity));
  return named[0]?.category?.trim() ?? null;
}

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
  if (scope === 'category') return isSameCategory(category, categoryOf(claim));
  return (
    path !== null &&
    claim.location !== null &&
    (claim.location.path === path || claim.location.path === snapshot.currentPath(path, code))
  );
}

function isSameCategory(one: string | null, other: string | null): boolean {
  return one !== null && one.toLowerCase() === other?.toLowerCase();
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
