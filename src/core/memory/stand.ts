/** What the decisions about claims come to on a day, as one text: it changes when one is made and when one runs out. */
import { isInTime } from './judgement.ts';
import { isDismissal, latestByClaim, type Disposition } from './known-claim.ts';

/** Acceptances alone change nothing; one that follows a dismissal ends it. */
export function standOf(dispositions: readonly Disposition[], day: string): string {
  const standing = [...latestByClaim(dispositions).values()].filter(disposition => isDismissal(disposition) && isInTime(disposition, day));
  return JSON.stringify(standing.map(({ claim, scope, verdict, reason, until }) => [claim, scope, verdict, reason, until].join('\n')).sort());
}
