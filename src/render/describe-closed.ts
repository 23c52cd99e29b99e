/** Claims that count no more: who dismissed what and why, and what is fixed. */
import { isClosed, orderClaims } from '../core/words/claim.ts';
import type { DismissedClaim } from '../core/words/known-claim.ts';
import type { RunRecord } from '../core/words/run.ts';
import { data, type Detail, list, literal, more, part, say, type Section } from './section.ts';
import { placeText } from '../core/words/finding.ts';

const mostClosed = 10;
const mostFixed = 3;

export function describeClosed(record: RunRecord, detail: Detail): readonly Section[] {
  const { fixed } = record;
  const closed = orderClaims(record).filter(isClosed);
  const shown = detail === 'screen' ? closed.slice(0, mostClosed) : closed;
  const dismissed = shown.map(({ id, severity, text, state }) => {
    const dismissal = dismissalOf(record, id);
    const why =
      dismissal === null ? [state] : say`${data(dismissal.reason, 200)}${[termsOf(dismissal)]}`;
    return say`${literal(id)}  ${[severity]}  ${data(text, 120)} – ${why}`;
  });
  return [
    ...part(
      `Dismissed (${closed.length})`,
      list([...dismissed, more(closed.length - shown.length)]),
    ),
    ...part(
      `Fixed (${fixed.length})`,
      list([
        ...(detail === 'screen' ? fixed.slice(0, mostFixed) : fixed).map(
          ({ id, severity, text, location, reason }) => {
            const place = location !== null && say`${literal(placeText(location))}  `;
            return say`${literal(id)}  ${[severity]}  ${place}${text} – ${reason}`;
          },
        ),
        detail === 'screen' ? more(fixed.length - mostFixed) : null,
      ]),
    ),
  ];
}

/** Null where nobody dismissed it. */
export function dismissalOf({ dismissed }: Pick<RunRecord, 'dismissed'>, id: string) {
  return dismissed.find(dismissal => dismissal.id === id) ?? null;
}

/** ` (tolerated, its whole file, until 2027-01-31)`; empty for a plain dismissal as false. */
export function termsOf({ verdict, scope, until, by, id }: DismissedClaim) {
  const terms = [
    verdict === 'tolerated' && 'tolerated',
    scope !== 'claim' && `its whole ${scope}`,
    by !== id && `given for ${by}`,
    until !== null && `until ${until}`,
  ].filter(term => term !== false);
  return terms.length === 0 ? '' : ` (${terms.join(', ')})`;
}
