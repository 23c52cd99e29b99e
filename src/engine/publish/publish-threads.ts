/** Comments at lines: posted once for each claim, told to be fixed or dismissed, resolved and opened again. */
import { CodeHostError, type InlineComment } from '../../core/ports/code-host.ts';
import { inlineBody, trimKnown, withoutMarker } from '../../core/publish/marker.ts';
import { type PlacedClaim, readOwn, type Turn } from '../../core/publish/plan-publication.ts';
import type { Deeds, PublishRequest, Seen } from './deeds.ts';

/** `posted` gets the ids of claims that have a thread by now, also where a later one fails. */
export async function postInline(
  request: PublishRequest,
  seen: Seen,
  posted: Set<string>,
  deeds: Deeds,
): Promise<void> {
  const { host, checked } = request;
  const { head } = checked.handover;
  const wanted = seen.publication.inline.map(placed => ({
    id: placed.claim.id,
    comment: toComment(placed, request, seen),
  }));
  const note = (ids: readonly string[]): void => {
    for (const id of ids) posted.add(id);
    deeds.posted += ids.length;
  };
  if (wanted.length === 0) return;
  try {
    await host.createInline(
      head,
      wanted.map(({ comment }) => comment),
    );
    return note(wanted.map(({ id }) => id));
  } catch (error) {
    if (!(error instanceof CodeHostError) || !(error.code === 'refused' || error.mayBeDone))
      throw error;
    // After an answer that was lost the comments may stand there: those that do are not sent again.
    if (error.mayBeDone) {
      const there = new Set(
        readOwn(await host.readConversation()).threads.map(thread => thread.marker.claim),
      );
      note(wanted.map(({ id }) => id).filter(id => there.has(id)));
    }
  }
  // One place that the host does not take refuses them all, and it does not say which.
  const refused: string[] = [];
  for (const { id, comment } of wanted.filter(one => !posted.has(one.id))) {
    try {
      await host.createInline(head, [comment]);
      note([id]);
    } catch (error) {
      if (!(error instanceof CodeHostError) || error.code !== 'refused') throw error;
      refused.push(id);
    }
  }
  if (refused.length > 0)
    deeds.notes.push(
      `${refused.length} of the comments at lines ${refused.length === 1 ? 'was' : 'were'} refused by the host ` +
        `and ${refused.length === 1 ? 'stands' : 'stand'} in the summary alone: ${nameSome(refused)}.`,
    );
}

function toComment(
  { claim, place }: PlacedClaim,
  { texts }: PublishRequest,
  { settled }: Seen,
): InlineComment {
  const known = settled.known.get(claim.id) ?? null;
  const marker = {
    claim: claim.id,
    standing: 'open' as const,
    known: known === null ? null : trimKnown(known),
  };
  return { ...place, body: inlineBody(marker, null, texts.inline(claim, settled.record)) };
}

/**
 * The thread first and its comment last: the marker in it says that all is done, so that a publication that ends in between is done
 * again. Where the token may not resolve a thread, the comment tells whoever reads it.
 */
export async function turnThreads(
  request: PublishRequest,
  { settled, publication }: Seen,
  deeds: Deeds,
): Promise<void> {
  const { host } = request;
  let [barred, gone] = [0, 0];
  const refused: string[] = [];
  const setResolved = async (thread: string, isResolved: boolean): Promise<void> => {
    try {
      // Where the first one is forbidden, all of them are.
      if (barred === 0) await host.setResolved(thread, isResolved);
    } catch (error) {
      if (!(error instanceof CodeHostError) || error.code !== 'forbidden') throw error;
      barred += 1;
      return;
    }
    if (barred > 0) barred += 1;
    else deeds[isResolved ? 'resolved' : 'reopened'] += 1;
  };
  for (const turn of publication.turns) {
    const { thread, standing } = turn;
    const known = settled.known.get(thread.marker.claim) ?? thread.marker.known;
    const marker = {
      claim: thread.marker.claim,
      standing,
      known: known === null ? null : trimKnown(known),
    };
    const isResolved = standing !== 'open';
    try {
      if (thread.isResolved !== isResolved) await setResolved(thread.id, isResolved);
      await host.updateInline(
        thread.comment,
        inlineBody(marker, noticeOf(turn, request), withoutMarker(thread.body)),
      );
      deeds.updated += 1;
    } catch (error) {
      if (!(error instanceof CodeHostError)) throw error;
      if (error.code === 'missing') gone += 1;
      else if (error.code === 'refused') refused.push(marker.claim);
      else throw error;
    }
  }
  if (gone > 0)
    deeds.notes.push(
      `${gone} ${gone === 1 ? 'comment was' : 'comments were'} deleted while this was published.`,
    );
  if (refused.length > 0)
    deeds.troubles.push(
      `${refused.length} ${refused.length === 1 ? 'comment' : 'comments'} could not be changed, ` +
        `the host refuses it: ${nameSome(refused)}.`,
    );
  if (barred > 0)
    deeds.notes.push(
      `${barred} ${barred === 1 ? 'thread says' : 'threads say'} how the claim stands and could not be resolved or opened: ` +
        'GitHub wants contents: write for that.',
    );
}

function noticeOf(
  { standing, fixed, dismissed }: Turn,
  { texts, checked }: PublishRequest,
): string | null {
  if (standing === 'fixed' && fixed !== null) return texts.fixed(fixed, checked.handover.head);
  return standing === 'dismissed' ? texts.dismissed(dismissed) : null;
}

function nameSome(ids: readonly string[]): string {
  return ids.slice(0, 5).join(', ');
}
