/**
 * What people decide below a comment of Jury's: `/jury dismiss REASON` and `/jury accept REASON` as the first line of a reply. Only the
 * words are read here; who may decide is asked of the host.
 */
import type { HostComment, Thread } from '../ports/code-host.ts';
import type { Disposition, KnownClaim } from '../words/known-claim.ts';
import { cut, toLine } from '../text.ts';
import { type ClaimMarker, readClaimMarker } from './marker.ts';

export interface OwnThread {
  readonly id: string;
  readonly isResolved: boolean;
  /** Id of the comment that it begins with, and its text. */
  readonly comment: number;
  readonly body: string;
  readonly marker: ClaimMarker;
  readonly replies: readonly HostComment[];
}

/** Threads that begin with a comment of the own account that has a marker of ours, oldest first. */
export function ownThreads(threads: readonly Thread[]): OwnThread[] {
  return threads
    .flatMap(({ id, isResolved, comments }) => {
      const [first, ...replies] = comments;
      const marker = first?.isOwn === true ? readClaimMarker(first.body) : null;
      return first === undefined || marker === null
        ? []
        : [{ id, isResolved, comment: first.id, body: first.body, marker, replies }];
    })
    .sort((one, other) => one.comment - other.comment);
}

export interface ReplyDecision {
  readonly claim: string;
  readonly verdict: 'accepted' | 'rejected';
  readonly reason: string;
  readonly by: string;
  readonly at: string;
}

/** A dismissal needs a reason. Replies of the own account decide nothing: they may hold words of a reviewer. */
export function decisionsIn({ marker, replies }: OwnThread): ReplyDecision[] {
  return replies.flatMap(({ body, isOwn, author, at }) => {
    const [, verb, rest = ''] =
      /^\/jury[ \t]+(dismiss|accept)(?:[ \t]+(.*))?$/.exec(firstLine(body)) ?? [];
    const reason = cut(toLine(rest), 500);
    if (isOwn || author === null || verb === undefined || (verb === 'dismiss' && reason === ''))
      return [];
    return [
      {
        claim: marker.claim,
        verdict: verb === 'dismiss' ? 'rejected' : 'accepted',
        reason,
        by: author,
        at,
      },
    ];
  });
}

function firstLine(body: string): string {
  return body.split(/\r?\n/, 1)[0]?.trimEnd() ?? '';
}

/** As the memory and the baseline file hold it. `claim`: as it was posted. */
export function toDisposition(
  { verdict, reason, by, at }: ReplyDecision,
  claim: KnownClaim,
): Disposition {
  const { id, text, severity, category, path, code } = claim;
  return {
    claim: id,
    verdict,
    reason: `${reason}${reason === '' ? '' : ' '}(${by})`,
    scope: 'claim',
    until: null,
    at,
    severity,
    category,
    path,
    code,
    text,
  };
}
