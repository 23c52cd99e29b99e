/**
 * What of a conversation in a pull request is our own, and what people decide below our comments: `/jury dismiss REASON` and
 * `/jury accept REASON` as the first line of a reply. Who may decide is asked of the host.
 */
import type { Conversation, HostComment, Thread } from '../ports/code-host.ts';
import type { Disposition } from '../words/known-claim.ts';
import { cut, toLine } from '../text.ts';
import {
  type ClaimMarker,
  type Packer,
  type PostedClaim,
  readClaimMarker,
  readSummaryMarker,
  type SummaryState,
} from './marker.ts';

/** A thread that begins with a comment of the own account that has a marker of ours. */
export interface OwnThread extends Pick<Thread, 'id' | 'isResolved'> {
  readonly comment: HostComment;
  readonly marker: ClaimMarker;
  readonly replies: readonly HostComment[];
}

export interface OwnConversation {
  /** The first for each claim. */
  readonly threads: readonly OwnThread[];
  /** Threads about a claim that has one already. */
  readonly doubles: readonly OwnThread[];
  /** Oldest first: the first one stays. */
  readonly summaries: readonly HostComment[];
  /** Of the oldest summary; null where there is none that can be read. */
  readonly state: SummaryState | null;
  /** What was ever posted at a line, as the summary and the threads tell it. */
  readonly posted: readonly PostedClaim[];
  /** ISO time of the latest reply; null where there is none. */
  readonly heard: string | null;
}

export function readOwn({ comments, threads }: Conversation, packer: Packer): OwnConversation {
  const own = threads
    .flatMap(({ id, isResolved, comments: [comment, ...replies] }): OwnThread[] => {
      const marker = comment?.isOwn === true ? readClaimMarker(comment.body, packer) : null;
      return comment === undefined || marker === null
        ? []
        : [{ id, isResolved, comment, marker, replies }];
    })
    .sort((one, other) => one.comment.id - other.comment.id);
  const first = new Map(own.toReversed().map(thread => [thread.marker.claim, thread]));
  const isFirst = (thread: OwnThread): boolean => first.get(thread.marker.claim) === thread;
  const summaries = comments
    .filter(({ isOwn, body }) => isOwn && readSummaryMarker(body, packer) !== null)
    .sort((one, other) => one.id - other.id);
  const state = readSummaryMarker(summaries[0]?.body ?? '', packer)?.state ?? null;
  const told = [...own.flatMap(({ marker }) => marker.known ?? []), ...(state?.posted ?? [])];
  const times = own.flatMap(({ replies }) => replies.map(({ at }) => at)).sort();
  return {
    threads: own.filter(isFirst),
    doubles: own.filter(thread => !isFirst(thread)),
    summaries,
    state,
    posted: [...new Map(told.map(claim => [claim.id, claim])).values()],
    heard: times.at(-1) ?? null,
  };
}

export interface ReplyDecision {
  readonly by: string;
  readonly claim: PostedClaim;
  /** As the memory and the baseline file hold it. */
  readonly disposition: Disposition;
}

/**
 * Decisions about code that stands there. A dismissal needs a reason. Replies of the own account decide nothing: they may hold words of
 * a reviewer.
 */
export function decisionsIn({ threads, doubles, posted }: OwnConversation): ReplyDecision[] {
  const known = new Map(posted.map(claim => [claim.id, claim]));
  return [...threads, ...doubles].flatMap(({ marker, replies }) =>
    replies.flatMap(({ body, isOwn, author, at }): ReplyDecision[] => {
      const [line = ''] = body.split(/\r?\n/, 1);
      const [, verb, rest = ''] =
        /^\/jury[ \t]+(dismiss|accept)(?:[ \t]+(.*))?$/.exec(line.trimEnd()) ?? [];
      const reason = cut(toLine(rest), 500);
      const claim = known.get(marker.claim);
      if (isOwn || author === null || verb === undefined || claim === undefined) return [];
      // The reply was there when the claim came to be about the code of now.
      if ((verb === 'dismiss' && reason === '') || at <= (claim.heard ?? '')) return [];
      const { id, text, severity, category, path, code } = claim;
      const disposition: Disposition = {
        claim: id,
        verdict: verb === 'dismiss' ? 'rejected' : 'accepted',
        reason: `${reason} (${author})`.trimStart(),
        scope: 'claim',
        until: null,
        at,
        severity,
        category,
        path,
        code,
        text,
      };
      return [{ by: author, claim, disposition }];
    }),
  );
}
