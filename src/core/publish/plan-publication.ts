/** What is to be done on the host so that it tells what a settled run says: each claim once, whatever was posted before. */
import { type DismissedClaim, type FixedClaim, lastState } from '../words/known-claim.ts';
import type { Conversation, DiffPlace, PullFile } from '../ports/code-host.ts';
import { type Claim, isClosed, orderClaims } from '../words/claim.ts';
import type { RunRecord } from '../words/run.ts';
import { placeInDiff } from './diff-place.ts';
import { joinBrief, type PostedClaim } from './brief-claims.ts';
import { readSummaryMarker, type Standing, type SummaryState } from './marker.ts';
import { ownThreads, type OwnThread } from './replies.ts';
import type { Settled } from './settle.ts';

/** What of a conversation is our own. */
export interface OwnConversation {
  /** The first for each claim. */
  readonly threads: readonly OwnThread[];
  /** Threads about a claim that has one already. */
  readonly doubles: readonly OwnThread[];
  /** Oldest first: the first one stays. */
  readonly summaries: readonly { readonly id: number; readonly body: string }[];
  /** Of the oldest summary; null where there is none that can be read. */
  readonly state: SummaryState | null;
  /** What was ever posted at a line, as the summary and the threads tell it. */
  readonly posted: readonly PostedClaim[];
  /** ISO time of the latest reply; null where there is none. */
  readonly heard: string | null;
}

export function readOwn({ comments, threads: all }: Conversation): OwnConversation {
  const own = ownThreads(all);
  const first = new Map(own.toReversed().map(thread => [thread.marker.claim, thread]));
  const summaries = comments
    .filter(({ isOwn, body }) => isOwn && readSummaryMarker(body) !== null)
    .sort((one, other) => one.id - other.id);
  const state = readSummaryMarker(summaries[0]?.body ?? '')?.state ?? null;
  const posted = new Map(
    own.flatMap(({ marker: { known } }) => (known === null ? [] : [[known.id, known] as const])),
  );
  for (const claim of state?.posted ?? []) {
    const before = posted.get(claim.id);
    const isJoined = claim.isBrief === true && before !== undefined;
    posted.set(claim.id, isJoined ? joinBrief(claim, before) : claim);
  }
  return {
    threads: own.filter(thread => first.get(thread.marker.claim) === thread),
    doubles: own.filter(thread => first.get(thread.marker.claim) !== thread),
    summaries: summaries.map(({ id, body }) => ({ id, body })),
    state,
    posted: [...posted.values()],
    heard: latestOf(own),
  };
}

function latestOf(threads: readonly OwnThread[]): string | null {
  const times = threads.flatMap(({ replies }) => replies.map(({ at }) => at)).sort();
  return times.at(-1) ?? null;
}

export interface PlacedClaim {
  readonly claim: Claim;
  readonly place: DiffPlace;
}

/** What a thread is to say from now on. */
export interface Turn {
  readonly thread: OwnThread;
  readonly standing: Standing;
  /** Set for `fixed`. */
  readonly fixed: FixedClaim | null;
  /** Set for `dismissed`. */
  readonly dismissed: DismissedClaim | null;
}

export interface Publication {
  /** To be posted at a line, most important first. */
  readonly inline: readonly PlacedClaim[];
  /** Would have a line, and are too many. */
  readonly beyond: readonly Claim[];
  readonly turns: readonly Turn[];
  /** Have a thread already and keep it as it is. */
  readonly kept: number;
  /** Were posted once, and somebody has deleted the comment: it stays deleted. */
  readonly deleted: readonly Claim[];
}

/** Inline comments of one publication, at most: people stop reading before. */
const mostInline = 20;

export function planPublication(
  { record, fixed }: Settled,
  { threads, posted }: OwnConversation,
  files: readonly PullFile[],
  most = mostInline,
): Publication {
  const byPath = new Map(files.map(file => [file.path, file]));
  const threadOf = new Map(threads.map(thread => [thread.marker.claim, thread]));
  const known = new Set(posted.map(({ id }) => id));
  const open = orderClaims(record).filter(claim => !isClosed(claim));
  const placed = open
    .filter(claim => !threadOf.has(claim.id) && !known.has(claim.id) && isWorthALine(claim, record))
    .flatMap(claim => {
      const place = placeInDiff(claim, byPath);
      return place === null ? [] : [{ claim, place }];
    });
  const turns = turnsOf({ record, fixed: [...fixedBefore(posted), ...fixed] }, threads);
  return {
    inline: placed.slice(0, most),
    beyond: placed.slice(most).map(({ claim }) => claim),
    turns,
    kept: threads.length - turns.length,
    deleted: open.filter(({ id }) => known.has(id) && !threadOf.has(id)),
  };
}

/** What is known not to be worth a person's time stands in the summary alone. */
function isWorthALine({ id, act }: Claim, { blocking }: Pick<RunRecord, 'blocking'>): boolean {
  return act !== false || blocking.includes(id);
}

/** An earlier publication may have ended before it told so. */
function fixedBefore(posted: readonly PostedClaim[]): FixedClaim[] {
  return posted
    .filter(claim => lastState(claim) === 'fixed')
    .map(({ id, severity, text }) => ({
      id,
      severity,
      text,
      location: null,
      reason: 'An earlier run has shown it.',
    }));
}

/** A claim that is neither said nor shown to be fixed leaves its thread as it is: nobody has looked. */
function turnsOf(
  { record, fixed }: Pick<Settled, 'record' | 'fixed'>,
  threads: readonly OwnThread[],
): Turn[] {
  const said = new Map(record.claims.map(claim => [claim.id, claim]));
  const gone = new Map(fixed.map(claim => [claim.id, claim]));
  const dismissed = new Map(record.dismissed.map(claim => [claim.id, claim]));
  return threads.flatMap(thread => {
    const { claim: id, standing: before } = thread.marker;
    const claim = said.get(id);
    const standing: Standing =
      claim === undefined
        ? gone.has(id)
          ? 'fixed'
          : before
        : claim.state === 'dismissed'
          ? 'dismissed'
          : 'open';
    if (standing === before) return [];
    return [
      {
        thread,
        standing,
        fixed: standing === 'fixed' ? (gone.get(id) ?? null) : null,
        dismissed: standing === 'dismissed' ? (dismissed.get(id) ?? null) : null,
      },
    ];
  });
}
