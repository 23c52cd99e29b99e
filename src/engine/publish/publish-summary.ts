/** The one comment that tells the whole: written in place, with what must be known the next time unseen in its first line. */
import { type CodeHost, CodeHostError } from '../../core/ports/code-host.ts';
import { type SummaryState, summaryMarker, trimKnown } from '../../core/publish/marker.ts';
import { readOwn } from '../../core/publish/plan-publication.ts';
import { longestComment } from '../../core/publish/texts.ts';
import { createOnce, type Deeds, type PublishRequest, type Seen, viewOf } from './deeds.ts';

/** Characters that GitHub takes, less what a marker needs around its data. */
const longestBody = 65_400;

export async function publishSummary(
  request: PublishRequest,
  seen: Seen,
  posted: ReadonlySet<string>,
  deeds: Deeds,
): Promise<void> {
  const { host, texts } = request;
  const marker = summaryMarker(stateOf(request, seen, posted));
  const room = Math.min(longestComment, longestBody - marker.length);
  const body = `${marker}\n${texts.summary(viewOf(request, seen, posted, deeds.troubles), room)}`;
  const [before] = seen.own.summaries;
  if (before?.body === body) return;
  if (before !== undefined && (await isUpdated(host, before.id, body))) {
    deeds.updated += 1;
    return;
  }
  await createOnce(
    () => host.createComment(body),
    async () => readOwn(await host.readConversation()).summaries[0]?.id ?? null,
  );
  deeds.posted += 1;
}

/** False where somebody deleted it in the meantime. */
async function isUpdated(host: CodeHost, id: number, body: string): Promise<boolean> {
  try {
    await host.updateComment(id, body);
    return true;
  } catch (error) {
    if (error instanceof CodeHostError && error.code === 'missing') return false;
    throw error;
  }
}

/** What was posted before stays known, also where its comment is gone: that is how one that was deleted stays deleted. */
function stateOf(
  { checked }: PublishRequest,
  { settled, own }: Seen,
  posted: ReadonlySet<string>,
): SummaryState {
  const { run, head, created } = checked.handover;
  const before = own.posted.map(claim => settled.known.get(claim.id) ?? claim);
  const ids = new Set(before.map(({ id }) => id));
  const added = [...posted]
    .filter(id => !ids.has(id))
    .map(id => settled.known.get(id))
    .filter(claim => claim !== undefined);
  return { run, head, created, posted: [...before, ...added].map(trimKnown) };
}

/** Two that publish at once do not see each other's beginnings: each looks again and takes the later ones of its own account away. */
export async function removeDoubles(host: CodeHost, deeds: Deeds): Promise<void> {
  const own = readOwn(await host.readConversation());
  for (const { comment, replies } of own.doubles) {
    // Somebody answered there: it stays, and what they decided counts.
    if (replies.length > 0) continue;
    await host.deleteInline(comment);
    deeds.removed += 1;
  }
  for (const { id } of own.summaries.slice(1)) {
    await host.deleteComment(id);
    deeds.removed += 1;
  }
}
