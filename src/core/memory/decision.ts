/** Makes a decision of a person about a claim into a record that stands on its own. */
import { UserError } from '../errors.ts';
import type { Disposition, KnownClaim } from './known-claim.ts';

export interface Decision {
  readonly verdict: Disposition['verdict'];
  readonly reason: string;
  readonly scope: Disposition['scope'];
  readonly until: string | null;
  /** ISO time. */
  readonly at: string;
}

export type DecidedThing = Pick<KnownClaim, 'id' | 'text' | 'severity' | 'category' | 'path' | 'code'>;

/** Throws `UserError`: a day that is past (`usage`), a scope that the claim does not have (`input`). */
export function decideAbout(claim: DecidedThing, { verdict, reason, scope, until, at }: Decision): Disposition {
  if (until !== null && until < at.slice(0, 10)) throw new UserError(`--until: ${until} is past.`, { kind: 'usage' });
  if (scope === 'file' && claim.path === null) throw new UserError(`${claim.id} names no file, so that no file can be dismissed with it.`, { kind: 'input' });
  if (scope === 'category' && claim.category === null) throw new UserError(`${claim.id} names no category, so that none can be dismissed with it.`, { kind: 'input' });
  const { id, text, severity, category, path, code } = claim;
  return { claim: id, verdict, reason, scope, until, at, severity, category, path, code, text };
}
