/** Finds the claim a person means, and makes the decision about it into a record that stands on its own. */
import { distance } from 'fastest-levenshtein';
import { claimNumbered } from '../run-files/claim-order.ts';
import { didYouMean, UserError } from '../errors.ts';
import { claimsNamed } from '../run-files/finding-names.ts';
import type { RunRecord } from '../words/run.ts';
import type { Disposition, KnownClaim } from './known-claim.ts';

export interface Decision {
  readonly verdict: Disposition['verdict'];
  readonly reason: string;
  readonly scope: Disposition['scope'];
  readonly until: string | null;
  /** ISO time. */
  readonly at: string;
}

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
 * `c-` may be left out. `run` is the one whose findings may be named, and whose claims a short number counts. Throws `UserError` (kind `input`) with the
 * nearest ids, or with the candidates when there are several: an id that a reviewer chose may look like the beginning of
 * that of a claim.
 */
export function findClaim(
  wanted: string,
  ids: readonly string[],
  run: Pick<RunRecord, 'claims' | 'blocking'> | null,
): string {
  const typed = wanted.trim().toLowerCase();
  const start = typed.startsWith('c-') ? typed : `c-${typed}`;
  if (ids.includes(typed)) return typed;
  const numbered = run !== null && typed.length < fewestDigits ? claimNumbered(typed, run) : null;
  if (numbered !== null) return numbered.id;
  const begun = [...new Set(ids)]
    .filter(id => id.startsWith(start) && typed !== '' && typed !== 'c-')
    .sort();
  const holding = claimsNamed(wanted.trim(), run?.claims ?? [])
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
  throw new UserError(
    `There is no claim ${show(wanted)} in the latest run or in the memory of this project.`,
    { kind: 'input', hint: didYouMean(nearest(start.slice(0, 40), ids)) },
  );
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
