/** How a dismissal is told in any report. */
import type { DismissedClaim } from '../core/memory/known-claim.ts';
import type { RunRecord } from '../core/run.ts';

export function dismissalOf({ dismissed }: Pick<RunRecord, 'dismissed'>, id: string): DismissedClaim | null {
  return dismissed.find(dismissal => dismissal.id === id) ?? null;
}

/** ` (tolerated, its whole file, until 2027-01-31)`; empty for a plain dismissal as false. */
export function termsOf({ verdict, scope, until, by, id }: DismissedClaim): string {
  const parts = [
    ...(verdict === 'tolerated' ? ['tolerated'] : []),
    ...(scope === 'claim' ? [] : [scope === 'file' ? 'its whole file' : 'its whole category']),
    ...(by === id ? [] : [`given for ${by}`]),
    ...(until === null ? [] : [`until ${until}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
