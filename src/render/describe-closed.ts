/** Claims that count no more: who dismissed what and why, and what is fixed. */
import type { DismissedClaim } from '../core/words/known-claim.ts';
import { type Claim, isClosed, orderClaims } from '../core/words/claim.ts';
import type { RunRecord } from '../core/words/run.ts';
import { placeText } from './place.ts';
import {
  data,
  list,
  literal,
  part,
  title,
  toned,
  type Detail,
  type Line,
  type Section,
} from './section.ts';

export function describeClosed(record: RunRecord, detail: Detail): readonly Section[] {
  const closed = orderClaims(record).filter(isClosed);
  const shown = detail === 'screen' ? closed.slice(0, mostClosed) : closed;
  const rest = closed.length - shown.length;
  return [
    ...part(
      `Dismissed (${closed.length})`,
      list([
        ...shown.map(claim => dismissed(claim, record)),
        ...(rest > 0 ? [[`… and ${rest} more`]] : []),
      ]),
    ),
    ...(detail === 'screen'
      ? fixedInShort(record)
      : part(`Fixed (${record.fixed.length})`, list(record.fixed.map(fixed)))),
  ];
}

const mostClosed = 10;
const mostFixed = 3;

function dismissed(claim: Claim, record: RunRecord): Line {
  const dismissal = dismissalOf(record, claim.id);
  const why =
    dismissal === null ? [claim.state] : [data(dismissal.reason, 200), termsOf(dismissal)];
  return [literal(claim.id), `  ${claim.severity}  `, data(claim.text, 120), ' – ', ...why];
}

function fixed({ id, severity, text, location, reason }: RunRecord['fixed'][number]): Line {
  return [
    literal(id),
    `  ${severity}  `,
    ...(location === null ? [] : [literal(placeText(location)), '  ']),
    data(text),
    ' – ',
    data(reason),
  ];
}

/** That something is fixed is good news, and good news is short. */
function fixedInShort({ fixed: claims }: RunRecord): readonly Section[] {
  const named = claims
    .slice(0, mostFixed)
    .flatMap(({ id, text }, index) => [
      index === 0 ? '  ' : ' · ',
      literal(id),
      ' ',
      data(text, 40),
    ]);
  return claims.length === 0
    ? []
    : [
        title(
          2,
          toned('good', `Fixed (${claims.length})`),
          ...named,
          claims.length > mostFixed ? ' · …' : '',
        ),
      ];
}

/** Null where nobody dismissed it. */
export function dismissalOf(
  { dismissed }: Pick<RunRecord, 'dismissed'>,
  id: string,
): DismissedClaim | null {
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
