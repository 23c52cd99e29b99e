/** Claims that count no more, in few words: who dismissed what and why, and what is fixed. */
import type { RunRecord } from '../core/run.ts';
import { dismissalOf, termsOf } from './closed-claims.ts';
import { layHeading, type Page } from './page.ts';
import { isClosed } from './ranking.ts';
import { cut, hang, oneLine } from './terminal-text.ts';

const mostDismissed = 10;
const mostFixed = 4;

export function layDismissed(record: RunRecord, page: Page): string[] {
  const claims = record.claims.filter(isClosed);
  if (claims.length === 0) return [];
  const lines = claims.slice(0, mostDismissed).flatMap(claim => {
    const dismissal = dismissalOf(record, claim.id);
    return [cut(`  ${claim.id}  ${claim.severity}  ${oneLine(claim.text, 300)}`, page.measure), ...hang('    ', dismissal === null ? claim.state : `${oneLine(dismissal.reason, 200)}${termsOf(dismissal)}`, page.measure).map(line => page.colors.dim(line))];
  });
  const rest = claims.length - mostDismissed;
  return [...layHeading(page, `Dismissed (${claims.length})`), ...lines, ...(rest > 0 ? [`  … and ${rest} more`] : [])];
}

/** One line, whatever was fixed. */
export function layFixed({ fixed }: RunRecord, page: Page): string[] {
  if (fixed.length === 0) return [];
  const lead = `Fixed (${fixed.length})  `;
  const named = fixed.slice(0, mostFixed).map(({ id, text }) => `${id} ${oneLine(text, 60)}`).join(' · ');
  const line = cut(`${lead}${named}${fixed.length > mostFixed ? ' · …' : ''}`, page.width);
  return [`${page.colors.green(line.slice(0, lead.length))}${line.slice(lead.length)}`];
}
