/** What people with write access decided in replies to comments of ours; each account is asked about once. */
import type { Disposition } from '../../core/memory/known-claim.ts';
import type { CodeHost } from '../../core/ports/code-host.ts';
import type { OwnConversation } from '../../core/publish/plan-publication.ts';
import { decisionsIn, toDisposition } from '../../core/publish/replies.ts';

/** Accounts that are asked about, at most: a crowd of strangers must not spend the rate. */
const mostAccounts = 30;

export async function readDecisions(
  { threads, doubles, posted }: Pick<OwnConversation, 'threads' | 'doubles' | 'posted'>,
  host: CodeHost,
): Promise<Disposition[]> {
  const known = new Map(posted.map(claim => [claim.id, claim]));
  const rights = new Map<string, boolean>();
  const dispositions: Disposition[] = [];
  for (const decision of [...threads, ...doubles].flatMap(decisionsIn)) {
    const claim = known.get(decision.claim);
    if (claim === undefined) continue;
    const { by } = decision;
    if (!rights.has(by)) rights.set(by, rights.size < mostAccounts && (await host.mayWrite(by)));
    if (rights.get(by) === true) dispositions.push(toDisposition(decision, claim));
  }
  return dispositions;
}
