/** What is to be done on the host so that it tells what a settled run says: each claim once, whatever was posted before. */
import { z } from 'zod';
import { holds, spanOf } from '../context/packing/line-range.ts';
import { parseJson } from '../json.ts';
import type { Annotation, CodeHost, HostComment, PullFile, Thread } from '../ports/repository.ts';
import { cut, toLine } from '../text.ts';
import { type Claim, isClosed, orderClaims } from '../words/claim.ts';
import {
  type DismissedClaim,
  type Disposition,
  type FixedClaim,
  type RunRecord,
  lastState,
} from '../words/run.ts';
import { type Packer, type Settled, readClaimMarker, readSummaryMarker } from './settle.ts';

/** What is said on the host, made by the rank that prints: Markdown in which no word of a reviewer does anything. */
export interface PublicationTexts {
  /** Of the check, one line. */
  title(record: RunRecord): string;
  /** At most so many characters; says how much is left out. */
  summary(view: SummaryView, longest: number): string;
  inline(claim: Claim, record: RunRecord): string;
  /** One line. */
  fixed(fixed: FixedClaim, head: string): string;
  dismissed(dismissed: DismissedClaim | null): string;
  /** Plain text, most important first, all of them. */
  annotations(record: RunRecord): readonly Annotation[];
}

/** What a summary tells besides the run. */
export interface SummaryView extends Pick<Settled, 'record' | 'fixed'> {
  readonly head: string;
  /** Ids of claims that stand at their line as well. */
  readonly atLines: ReadonlySet<string>;
  /** How many would have a line and are too many for one time. */
  readonly beyond: number;
  /** How many comments somebody deleted. */
  readonly deleted: number;
  /** One sentence each: what could not be published, and why. */
  readonly troubles: readonly string[];
}

/** What a thread is to say from now on. */
interface Turn {
  readonly thread: OwnThread;
  readonly standing: OwnThread['marker']['standing'];
  /** Set for what is fixed. */
  readonly fixed: FixedClaim | null;
}

/** Inline comments of one publication, at most: people stop reading before. */
const mostInline = 20;

export function planPublication(
  { record, fixed }: Settled,
  { threads, posted }: OwnConversation,
  files: readonly PullFile[],
) {
  const atLines = new Set(threads.map(({ marker }) => marker.claim));
  const known = new Set(posted.map(({ id }) => id));
  const open = orderClaims(record).filter(claim => !isClosed(claim));
  // What is known not to be worth a person's time stands in the summary alone.
  const placed = open
    .filter(({ id, act }) => act !== false || record.blocking.includes(id))
    .filter(({ id }) => !atLines.has(id) && !known.has(id))
    .flatMap(claim => {
      const place = placeInDiff(claim, files);
      return place ? [{ claim, place }] : [];
    });
  // An earlier publication may have ended before it told so.
  const before = posted
    .filter(claim => lastState(claim) === 'fixed')
    .map(claim => ({ ...claim, location: null, reason: 'An earlier run has shown it.' }));
  const said = new Map(record.claims.map(({ id, state }) => [id, state]));
  const gone = new Map([...before, ...fixed].map(claim => [claim.id, claim]));
  // A claim that is neither said nor shown to be fixed leaves its thread as it is: nobody has looked.
  const turns = threads.flatMap((thread): Turn[] => {
    const { claim, standing: now } = thread.marker;
    const state = said.get(claim);
    const left = state === undefined ? (gone.get(claim) ?? null) : null;
    const closed = state === 'dismissed' ? 'dismissed' : 'open';
    const standing = left ? 'fixed' : state === undefined ? now : closed;
    return standing === now ? [] : [{ thread, standing, fixed: left }];
  });
  return {
    /** To be posted at a line, most important first. */
    inline: placed.slice(0, mostInline),
    /** How many would have a line, and are too many. */
    beyond: Math.max(0, placed.length - mostInline),
    turns,
    /** How many were posted once, and somebody has deleted the comment: it stays deleted. */
    deleted: open.filter(({ id }) => known.has(id) && !atLines.has(id)).length,
  };
}

/**
 * Where a comment about a claim can stand in the diff of a pull request: GitHub takes lines of its hunks and no others. Null where no
 * line is known, the place was not found or is one of several, or the diff does not show it.
 */
function placeInDiff({ location }: Pick<Claim, 'location'>, files: readonly PullFile[]) {
  const { path, line = null, endLine = null, side = 'new', anchoring } = location ?? {};
  if (path === undefined || line === null) return null;
  if (anchoring !== 'exact' && anchoring !== 'moved') return null;
  const hunk = files
    .find(file => file.path === path)
    ?.hunks.map(one => spanOf(one, side))
    .find(span => holds(span, line));
  // Both ends of a range must lie in one hunk.
  return hunk
    ? { path, side, line, endLine: Math.min(Math.max(line, endLine ?? line), hunk.end) }
    : null;
}

// What of a conversation in a pull request is our own, and what people decide below our comments: `/jury dismiss REASON` and
// `/jury accept REASON` as the first line of a reply. Who may decide is asked of the host.

/** A thread that begins with a comment of the own account that has a marker of ours. */
interface OwnThread extends Pick<Thread, 'id' | 'isResolved'> {
  readonly comment: HostComment;
  readonly marker: NonNullable<ReturnType<typeof readClaimMarker>>;
  readonly replies: readonly HostComment[];
}

export type OwnConversation = ReturnType<typeof readOwn>;

export function readOwn(
  { comments, threads }: Awaited<ReturnType<CodeHost['readConversation']>>,
  packer: Packer,
  checks: readonly string[] = [],
) {
  const own = threads
    .flatMap(({ id, isResolved, comments: [comment, ...replies] }): OwnThread[] => {
      const marker = comment?.isOwn ? readClaimMarker(comment.body, packer) : null;
      return !comment || !marker ? [] : [{ id, isResolved, comment, marker, replies }];
    })
    .sort((one, other) => one.comment.id - other.comment.id);
  const first = new Map(own.toReversed().map(thread => [thread.marker.claim, thread]));
  const isFirst = (thread: OwnThread) => first.get(thread.marker.claim) === thread;
  const summaries = comments
    .filter(({ isOwn, body }) => isOwn && readSummaryMarker(body, packer) !== null)
    .sort((one, other) => one.id - other.id);
  const state = readSummaryMarker(summaries[0]?.body ?? '', packer)?.state ?? null;
  const told = [...own.flatMap(({ marker }) => marker.known ?? []), ...(state?.posted ?? [])];
  const times = own.flatMap(({ replies }) => replies.map(({ at }) => at)).sort();
  return {
    /** Keys of the checks at the head, the latest first. */
    checks,
    /** The first for each claim. */
    threads: own.filter(isFirst),
    /** Threads about a claim that has one already. */
    doubles: own.filter(thread => !isFirst(thread)),
    /** Oldest first: the first one stays. */
    summaries,
    /** Of the oldest summary; null where there is none that can be read. */
    state,
    /** What was ever posted at a line, as the summary and the threads tell it. */
    posted: [...new Map(told.map(claim => [claim.id, claim])).values()],
    /** ISO time of the latest reply; null where there is none. */
    heard: times.at(-1) ?? null,
  };
}

/**
 * Decisions about code that stands there, each as the memory and the baseline file hold it. A dismissal needs a reason. Replies of the
 * own account decide nothing: they may hold words of a reviewer.
 */
export function decisionsIn({ threads, doubles, posted }: OwnConversation) {
  const known = new Map(posted.map(claim => [claim.id, claim]));
  return [...threads, ...doubles].flatMap(({ marker, replies }) =>
    replies.flatMap(({ body, isOwn, author, at }) => {
      const [line = ''] = body.split(/\r?\n/, 1);
      const [, verb, rest = ''] =
        /^\/jury[ \t]+(dismiss|accept)(?:[ \t]+(.*))?$/.exec(line.trimEnd()) ?? [];
      const reason = cut(toLine(rest), 500);
      const claim = known.get(marker.claim);
      if (isOwn || author === null || verb === undefined || !claim) return [];
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

// What is uploaded as the results of Jury.

const OwnSarif = z.object({
  version: z.literal('2.1.0'),
  runs: z
    .array(z.object({ tool: z.object({ driver: z.object({ name: z.literal('Jury') }) }) }))
    .length(1),
});

/** Under the name of another tool it would close the alerts of that one. */
export function isOwnSarif(text: string) {
  return OwnSarif.safeParse(parseJson(text)).success;
}
