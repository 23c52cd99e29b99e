/** Decisions of people about claims: how one is recorded, which of them hold, and what they make of a claim of a run. */
import { findFingerprint, nearby, type Snapshot } from '../../core/change/snapshot.ts';
import { UserError } from '../../core/errors.ts';
import { compareTexts } from '../../core/text.ts';
import type { Claim } from '../../core/words/claim.ts';
import {
  type Disposition,
  isDismissal,
  type KnownClaim,
  latestByClaim,
} from '../../core/words/known-claim.ts';
import { rankOf, type Severity } from '../../core/words/severity.ts';

export type Decision = Pick<
  Disposition,
  'verdict' | 'reason' | 'scope' | 'until' | 'at' | 'sameAs'
>;

export type DecidedThing = Pick<
  KnownClaim,
  'id' | 'text' | 'severity' | 'category' | 'path' | 'code'
>;

/** Throws `UserError`: a day that is past (`usage`), a scope that the claim does not have, itself as `sameAs` (`input`). */
export function decideAbout(
  { id, text, severity, category, path, code }: DecidedThing,
  decision: Decision,
): Disposition {
  const { until, at, scope, sameAs } = decision;
  if (until !== null && until < at.slice(0, 10))
    throw new UserError(`--until: ${until} is past.`, { kind: 'usage' });
  if (scope !== 'claim' && { file: path, category }[scope] === null)
    throw new UserError(`${id} names no ${scope}, so that none can be dismissed with it.`, {
      kind: 'input',
    });
  if (sameAs === id) throw new UserError(`${id} cannot be the same as itself.`, { kind: 'input' });
  const reason = decision.reason || (sameAs ? `The same trouble as ${sameAs}` : '');
  return { ...decision, reason, claim: id, severity, category, path, code, text };
}

/** The latest decision about each claim, oldest first, without dismissals that have run out. `day`: today in UTC. */
export function decisionsOn(dispositions: readonly Disposition[], day: string): Disposition[] {
  return [...latestByClaim(dispositions).values()]
    .filter(each => !isDismissal(each) || each.until === null || day <= each.until)
    .sort((one, other) => compareTexts(one.at, other.at) || compareTexts(one.claim, other.claim));
}

/**
 * Those of the holding decisions that count for a claim of a run: that it is the same trouble as another one is a ground to dismiss
 * it only while that other one is there, open and as severe, so that the trouble itself stays. `open`: severity by id.
 */
export function decisionsFor(
  { severity }: Claim,
  holding: readonly Disposition[],
  open: ReadonlyMap<string, Severity>,
): Disposition[] {
  return holding.filter(({ sameAs }) => {
    const other = sameAs === undefined ? severity : open.get(sameAs);
    return other !== undefined && rankOf(other) <= rankOf(severity);
  });
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

/**
 * The dismissal that holds for a claim of a run. A decision about the claim itself comes before those about its file or category,
 * of which the oldest counts. A dismissal of the claim holds as long as the code it was given for stands in the file; where that
 * cannot be told, it does not hold. `known`: id of the known claim that it continues. `holding`: as `decisionsOn` yields them.
 */
export function dismissalOf(
  claim: Claim,
  known: string | undefined,
  holding: readonly Disposition[],
  snapshot: Snapshot,
): Disposition | null {
  const own = holding.find(each => each.claim === known);
  if (own && !isDismissal(own)) return null;
  if (own && (own.scope !== 'claim' || isSameCode(own, claim, snapshot))) return own;
  const { severity, location } = claim;
  const said = { severity, category: categoryOf(claim), path: location?.path ?? null };
  const isTaken = (each: Disposition) =>
    covers(each, said) || covers({ ...each, path: pathToday(each, snapshot) }, said);
  return holding.find(isTaken) ?? null;
}

/** Do people want a known claim said no more? Then silence about it tells nothing of the code. */
export function isUnwanted(claim: DecidedThing, holding: readonly Disposition[]): boolean {
  const own = holding.find(each => each.claim === claim.id);
  return own ? isDismissal(own) : holding.some(each => covers(each, claim));
}

/** Category of the most severe finding that names one. */
export function categoryOf({ findings }: Claim): string | null {
  const [named] = findings
    .filter(({ category }) => category !== null && category.trim() !== '')
    .toSorted((one, other) => rankOf(one.severity) - rankOf(other.severity));
  return named?.category?.trim() ?? null;
}

/** Null where the change does not hold the file. */
export function pathToday(
  { path, code }: Pick<DecidedThing, 'path' | 'code'>,
  snapshot: Snapshot,
): string | null {
  return snapshot.currentPath(path ?? '', code);
}

/** Where code stands in a file today, the place nearest to `near`; null where it does not, or where that cannot be told. */
export function findCode(
  snapshot: Snapshot,
  path: string | null,
  code: DecidedThing['code'],
  near: number | null,
): ReturnType<typeof findFingerprint> {
  const file = snapshot.fingerprint(path ?? '');
  return !file || code === null ? null : findFingerprint(file, code, near);
}

function isSameCode(decided: Disposition, { location }: Claim, snapshot: Snapshot) {
  if (decided.code === null) return true;
  const here = location?.anchoring === 'unanchored' ? null : location;
  const line = here?.line ?? null;
  const path = here?.path ?? pathToday(decided, snapshot);
  const standing = findCode(snapshot, path, decided.code, line);
  return standing?.isWhole === true && (line === null || Math.abs(line - standing.line) <= nearby);
}

/** Does a dismissal of a whole file or category take a claim with it? What is more severe than what was decided about is not. */
function covers(
  decided: Disposition,
  { severity, path, category }: Pick<DecidedThing, 'severity' | 'category' | 'path'>,
) {
  if (!isDismissal(decided) || rankOf(severity) < rankOf(decided.severity)) return false;
  if (decided.scope === 'file') return path !== null && path === decided.path;
  return (
    decided.scope === 'category' &&
    category !== null &&
    category.toLowerCase() === decided.category?.toLowerCase()
  );
}
