/** What people with write access decided in replies to comments of ours; each account is asked about once. */
import type { Disposition } from '../../core/words/known-claim.ts';
import { type CodeHost, CodeHostError } from '../../core/ports/code-host.ts';
import type { OwnConversation } from '../../core/publish/plan-publication.ts';
import type { PostedClaim } from '../../core/publish/brief-claims.ts';
import { decisionsIn, type ReplyDecision, toDisposition } from '../../core/publish/replies.ts';

/** Accounts that are asked about, at most: a crowd of strangers must not spend the rate. */
const mostAccounts = 30;

export async function readDecisions(
  { threads, doubles, posted }: Pick<OwnConversation, 'threads' | 'doubles' | 'posted'>,
  host: CodeHost,
  note: (sentence: string) => void,
): Promise<Disposition[]> {
  const known = new Map(posted.map(claim => [claim.id, claim]));
  const rights = new Map<string, boolean>();
  const dispositions: Disposition[] = [];
  const mayWrite = async (login: string): Promise<boolean> => {
    if (rights.size >= mostAccounts) {
      note(
        `More than ${mostAccounts} accounts decide in replies; those of the others count for nothing.`,
      );
      return false;
    }
    try {
      return await host.mayWrite(login);
    } catch (error) {
      if (!(error instanceof CodeHostError) || error.code !== 'forbidden') throw error;
      note('Replies decide nothing: this token may not ask who has write access.');
      return false;
    }
  };
  for (const decision of [...threads, ...doubles].flatMap(decisionsIn)) {
    const claim = known.get(decision.claim);
    if (claim === undefined || isAboutOther(decision, claim)) continue;
    if (decision.verdict === 'rejected' && isUnseen(claim)) {
      note('A dismissal does not hold where the code of its claim cannot be looked at.');
      continue;
    }
    const { by } = decision;
    if (!rights.has(by)) rights.set(by, await mayWrite(by));
    if (rights.get(by) === true) dispositions.push(toDisposition(decision, claim));
  }
  return dispositions;
}

/** The reply was there when the claim came to be about the code of now. */
function isAboutOther({ at }: ReplyDecision, { heard }: PostedClaim): boolean {
  return heard !== undefined && at <= heard;
}

/** A dismissal without code would hold for whatever comes to stand there. */
function isUnseen({ code, line, side }: PostedClaim): boolean {
  return code === null && line !== null && side === 'new';
}
