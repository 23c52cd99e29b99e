/** Decisions of people about claims: how one is recorded, which of them hold, and what they make of a claim of a run. */
import { findFingerprint, nearby } from '../../core/change/code-fingerprint.ts';
import { UserError } from '../../core/errors.ts';
import type { Claim } from '../../core/words/claim.ts';
import {
  type Disposition,
  isDismissal,
  type KnownClaim,
  latestByClaim,
} from '../../core/words/known-claim.ts';
import { rankOf } from '../../core/words/severity.ts';
import type { Snapshot } from '../../core/change/snapshot.ts';

export type Decision = Pick<Disposition, 'verdict' | 'reason' | 'scope' | 'until' | 'at'>;

export type DecidedThing = Pick<
  KnownClaim,
  'id' | 'text' | 'severity' | 'category' | 'path' | 'code'
>;

/** Throws `UserError`: a day that is past (`usage`), a scope that the claim does not have (`input`). */
export function decideAbout(
  { id, text, severity, category, path, code }: DecidedThing,
  decision: Decision,
): Disposition {
  const { until, at, scope } = decision;
  if (until !== null && until < at.slice(0, 10))
    throw new UserError(`--until: ${until} is past.`, { kind: 'usage' });
  if (scope === 'file' && path === null)
    throw new UserError(`${id} names no file, so that no file can be dismissed with it.`, {
      kind: 'input',
    });
  if (scope === 'category' && category === null)
    throw new UserError(`${id} names no category, so that none can be dismissed with it.`, {
      kind: 'input',
    });
  return { ...decision, claim: id, severity, category, path, code, text };
}

/** The latest decision about each claim, without dismissals that have run out. `day`: today in UTC. */
export function decisionsOn(dispositions: readonly Disposition[], day: string): Disposition[] {
  return [...latestByClaim(dispositions).values()].filter(
    disposition => !isDismissal(disposition) || isInTime(disposition, day),
  );
}

function isInTime({ until }: Pick<Disposition, 'until'>, day: string): boolean {
  return until === null || day <= until;
}

/** What the decisions come to on a day, as one text. Acceptances alone change nothing; one that follows a dismissal ends it. */
export function standOf(dispositions: readonly Disposition[], day: string): string {
  const lines = decisionsOn(dispositions, day)
    .filter(isDismissal)
    .map(({ claim, scope, verdict, reason, until }) =>
      [claim, scope, verdict, reason, until].join('\n'),
    );
  return JSON.stringify(lines.sort());
}

/** The dismissal that holds for a claim; `known`: id of the known claim that it continues, null for a new one. */
export type Judge = (claim: Claim, known: string | null) => Disposition | null;

/**
 * A decision about the claim itself comes before those about its file or category, of which the oldest counts. A dismissal of the
 * claim holds as long as the code it was given for stands in the file; where that cannot be told, it does not hold.
 */
export function createJudge(
  dispositions: readonly Disposition[],
  snapshot: Snapshot,
  day: string,
): Judge {
  const holding = decisionsOn(dispositions, day);
  const wide = holding
    .filter(disposition => isDismissal(disposition) && disposition.scope !== 'claim')
    .sort((one, other) => compare(one.at, other.at) || compare(one.claim, other.claim));
  return (claim, known) => {
    const own = holding.find(disposition => disposition.claim === known);
    if (own !== undefined && !isDismissal(own)) return null;
    if (own !== undefined && (own.scope !== 'claim' || isSameCode(own, claim, snapshot)))
      return own;
    const { severity, location } = claim;
    const said = { severity, category: categoryOf(claim), path: location?.path ?? null };
    const pathOf = ({ path, code }: Disposition): string | null =>
      path === null ? null : snapshot.currentPath(path, code);
    return (
      wide.find(each => covers(each, said) || covers({ ...each, path: pathOf(each) }, said)) ?? null
    );
  };
}

/** Of a known claim that is not repeated: do people want it said no more? Then silence about it tells nothing of the code. */
export function createSilenceJudge(
  dispositions: readonly Disposition[],
  day: string,
): (claim: Pick<DecidedThing, 'id' | 'severity' | 'category' | 'path'>) => boolean {
  const holding = decisionsOn(dispositions, day);
  return claim => {
    const own = holding.find(disposition => disposition.claim === claim.id);
    if (own !== undefined) return isDismissal(own);
    return holding.some(disposition => isDismissal(disposition) && covers(disposition, claim));
  };
}

/** Category of the most severe finding that names one. */
export function categoryOf({ findings }: Pick<Claim, 'findings'>): string | null {
  const [named] = findings
    .filter(({ category }) => category !== null && category.trim() !== '')
    .toSorted((one, other) => rankOf(one.severity) - rankOf(other.severity));
  return named?.category?.trim() ?? null;
}

function isSameCode({ code, path }: Disposition, claim: Claim, snapshot: Snapshot): boolean {
  if (code === null) return true;
  const here = claim.location?.anchoring === 'unanchored' ? null : claim.location;
  const where = here?.path ?? (path === null ? null : snapshot.currentPath(path, code));
  const fingerprint = where === null ? null : snapshot.fingerprint(where);
  const line = here?.line ?? null;
  const standing = fingerprint === null ? null : findFingerprint(fingerprint, code, line);
  return standing?.isWhole === true && (line === null || Math.abs(line - standing.line) <= nearby);
}

/** Does a decision about a whole file or category take a claim with it? What is more severe than what was decided about is not. */
function covers(
  { scope, severity, path, category }: Disposition,
  claim: Pick<DecidedThing, 'severity' | 'category' | 'path'>,
): boolean {
  if (scope === 'claim' || rankOf(claim.severity) < rankOf(severity)) return false;
  return scope === 'file'
    ? path !== null && path === claim.path
    : category !== null && category.toLowerCase() === claim.category?.toLowerCase();
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
