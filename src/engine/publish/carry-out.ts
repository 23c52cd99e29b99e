/** Carries out what a publication plans. Each part on its own: a token that may write comments and no checks leaves comments. */
import { sha256 } from '../../core/hash.ts';
import type { Handover } from '../../core/github/parcel.ts';
import {
  type CodeHost,
  CodeHostError,
  type Conclusion,
  type InlineComment,
} from '../../core/ports/repository.ts';
import {
  type OwnConversation,
  type PublicationTexts,
  type SummaryView,
  isOwnSarif,
  type planPublication,
  readOwn,
} from '../../core/publish/plan.ts';
import {
  inlineBody,
  type Packer,
  type Settled,
  summaryMarker,
  withoutMarker,
} from '../../core/publish/settle.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import { present } from '../../core/groups.ts';
import { bytesOf } from '../../core/text.ts';
import type { Outcome } from '../../core/verdict/record.ts';

export interface PublishRequest {
  readonly handover: Handover;
  readonly host: CodeHost;
  readonly matcher: Matcher;
  readonly texts: PublicationTexts;
  readonly packer: Packer;
  readonly uploadsSarif: boolean;
  /** Look and plan, and write nothing. */
  readonly isDry: boolean;
}

/** What was done, counted while it is done. */
export interface Deeds {
  posted: number;
  updated: number;
  resolved: number;
  reopened: number;
  /** Threads and summaries that were there twice and are no more. */
  removed: number;
  /** One sentence each: what could not be done. */
  readonly troubles: string[];
  /** One sentence each: what was done otherwise than one would think. */
  readonly notes: string[];
}

/** What was seen of the pull request, and what is to be done about it. */
interface Seen {
  readonly own: OwnConversation;
  readonly settled: Settled;
  readonly plan: ReturnType<typeof planPublication>;
}

export function isHost(error: unknown, ...codes: CodeHostError['code'][]) {
  return error instanceof CodeHostError && codes.includes(error.code);
}

/** What is being carried out. */
interface Work extends PublishRequest, Seen {
  /** Ids of claims that were posted by now, also where a later one fails. */
  posted: Set<string>;
  deeds: Deeds;
}

const steps: readonly (readonly [what: string, act: (work: Work) => Promise<void>])[] = [
  ['The comments at lines', postInline],
  ['The threads', turnThreads],
  ['The check', publishCheck],
  ['The summary', publishSummary],
  ['What is there twice', removeTwice],
];

export async function carryOut(request: PublishRequest, seen: Seen, deeds: Deeds) {
  const work: Work = { ...request, ...seen, posted: new Set(), deeds };
  for (const [what, act] of steps)
    try {
      await act(work).catch(async (error: unknown) => {
        // It may stand there: whoever looks again does the rest.
        if (!(error instanceof CodeHostError && error.mayBeDone)) throw error;
        await act({ ...work, own: await look(work) });
      });
    } catch (error) {
      if (!(error instanceof CodeHostError)) throw error;
      deeds.troubles.push(`${what}: ${error.message}`);
    }
  const { sarif, parcel } = request.handover;
  if (!request.uploadsSarif || sarif === null) return;
  try {
    if (isOwnSarif(sarif)) await request.host.uploadSarif(parcel.head, sarif);
    else deeds.notes.push('The SARIF file was not uploaded: it is none of Jury.');
  } catch (error) {
    // Code scanning is switched on or is not; that is for the owner to say, and fails nothing.
    if (!(error instanceof CodeHostError)) throw error;
    deeds.notes.push(`The SARIF file was not uploaded: ${error.message}`);
  }
}

/** Whoever may not read checks knows of none. */
export async function look({ host, packer, handover }: PublishRequest): Promise<OwnConversation> {
  const checks = await host.checkKeys(handover.parcel.head, checkName).catch((error: unknown) => {
    if (!isHost(error, 'forbidden', 'missing')) throw error;
    return [];
  });
  return readOwn(await host.readConversation(), packer, checks);
}

async function postInline(work: Work) {
  const { host, handover, texts, packer, own, settled, plan, posted, deeds } = work;
  const note = (id: string) => {
    posted.add(id);
    deeds.posted += 1;
  };
  const refused: string[] = [];
  const send = async (some: readonly (readonly [string, InlineComment])[]) => {
    if (some.length === 0) return;
    try {
      await host.createInline(
        handover.parcel.head,
        some.map(([, comment]) => comment),
      );
      for (const [id] of some) note(id);
    } catch (error) {
      if (!isHost(error, 'refused')) throw error;
      // One place that the host does not take refuses them all, and it does not say which.
      if (some.length > 1) for (const one of some) await send([one]);
      else refused.push(...some.map(([id]) => id));
    }
  };
  const there = new Set(own.threads.map(({ marker }) => marker.claim));
  const left = plan.inline.filter(({ claim: { id } }) => !posted.has(id));
  for (const { claim } of left) if (there.has(claim.id)) note(claim.id);
  await send(
    left
      .filter(({ claim: { id } }) => !there.has(id))
      .map(({ claim, place }) => {
        const { id } = claim;
        const body = inlineBody(
          { claim: id, standing: 'open', known: settled.known.get(id) ?? null },
          null,
          texts.inline(claim, settled.record),
          packer,
        );
        return [id, { ...place, body }] as const;
      }),
  );
  if (refused.length > 0)
    deeds.notes.push(
      `${refused.length} of the comments at lines ${refused.length === 1 ? 'was' : 'were'} refused by the host ` +
        `and ${refused.length === 1 ? 'stands' : 'stand'} in the summary alone: ${nameSome(refused)}.`,
    );
}

/**
 * The thread first and its comment last: the marker in it says that all is done, so that a publication that ends in between is done
 * again. Where the token may not resolve a thread, the comment tells whoever reads it.
 */
async function turnThreads(work: Work) {
  const { host, texts, packer, handover, settled, plan, deeds } = work;
  const dismissals = new Map(settled.record.dismissed.map(one => [one.id, one]));
  let [barred, gone] = [0, 0];
  const refused = [];
  for (const { thread, standing, fixed } of plan.turns) {
    const { claim } = thread.marker;
    const known = settled.known.get(claim) ?? thread.marker.known;
    const isResolved = standing !== 'open';
    const notice = fixed
      ? texts.fixed(fixed, handover.parcel.head)
      : isResolved
        ? texts.dismissed(dismissals.get(claim) ?? null)
        : null;
    try {
      if (thread.isResolved !== isResolved) {
        // Where the first one is forbidden, all of them are.
        if (barred === 0)
          await host.setResolved(thread.id, isResolved).catch((error: unknown) => {
            if (!isHost(error, 'forbidden')) throw error;
            barred = 1;
          });
        else barred += 1;
        if (barred === 0) deeds[isResolved ? 'resolved' : 'reopened'] += 1;
      }
      await host.updateComment(
        thread.comment,
        inlineBody({ claim, standing, known }, notice, withoutMarker(thread.comment.body), packer),
      );
      deeds.updated += 1;
    } catch (error) {
      if (isHost(error, 'missing')) gone += 1;
      else if (isHost(error, 'refused')) refused.push(claim);
      else throw error;
    }
  }
  if (gone > 0)
    deeds.notes.push(
      `${count(gone, 'comment was', 'comments were')} deleted while this was published.`,
    );
  if (refused.length > 0)
    deeds.troubles.push(
      `${count(refused.length, 'comment', 'comments')} could not be changed, the host refuses it: ${nameSome(refused)}.`,
    );
  if (barred > 0)
    deeds.notes.push(
      `${count(barred, 'thread says', 'threads say')} how the claim stands and could not be resolved or opened: ` +
        'GitHub wants contents: write for that.',
    );
}

/** Two that publish at once do not see each other's beginnings. Where somebody answered a comment it stays. */
async function removeTwice(work: Work) {
  const { host, packer, own, deeds } = work;
  if (deeds.posted === 0 && own.doubles.length === 0 && own.summaries.length < 2) return;
  const { doubles, summaries } = readOwn(await host.readConversation(), packer);
  for (const comment of [
    ...doubles.flatMap(({ comment, replies }) => (replies.length > 0 ? [] : comment)),
    ...summaries.slice(1),
  ]) {
    await host.deleteComment(comment);
    deeds.removed += 1;
  }
}

function count(amount: number, one: string, more: string) {
  return `${amount} ${amount === 1 ? one : more}`;
}

function nameSome(ids: readonly string[]) {
  return ids.slice(0, 5).join(', ');
}

const checkName = 'Jury';

/** Only a pass is one: what is incomplete asks for somebody, and keeps a required check from being met. */
const conclusions: Readonly<Record<Outcome, Conclusion>> = {
  PASS: 'success',
  FAIL: 'failure',
  INCOMPLETE: 'action_required',
};

/** A run that was published has its check; the same run after a decision gets a new one, which stands in place of the old. */
async function publishCheck(work: Work) {
  const { host, texts, handover, own, deeds } = work;
  const { record } = work.settled;
  const { head, pull, created } = handover.parcel;
  const conclusion = conclusions[record.outcome ?? 'INCOMPLETE'];
  const all = texts.annotations(record);
  // GitHub takes no more in one call, and a reader sees no more.
  const annotations = all.slice(0, 50);
  const key = `jury/${pull}@${created}/${record.run}/${sha256(JSON.stringify([conclusion, annotations])).slice(0, 16)}`;
  if (own.checks[0] === key) return;
  const left = all.length - annotations.length;
  const view = viewOf(
    work,
    present(...deeds.troubles, left > 0 && `${left} more annotations are left out.`),
  );
  await host.createCheck({
    name: checkName,
    head,
    key,
    conclusion,
    title: texts.title(record),
    // A character takes three bytes at most, so that the last one fits.
    summary:
      [longestComment, mostCheckBytes / 2, mostCheckBytes / 3]
        .map(longest => texts.summary(view, longest))
        .find(text => bytesOf(text) <= mostCheckBytes) ?? '',
    annotations,
  });
  deeds.posted += 1;
}

/** Characters of a comment. GitHub takes 65,536, and what Jury writes unseen is no part of these. */
const longestComment = 60_000;

/** Characters that GitHub takes, less what a marker needs around its data. */
const longestBody = 65_400;

/** Bytes of UTF-8 of the summary of a check. GitHub takes 65,535, and says characters where it counts bytes. */
const mostCheckBytes = 64_800;

/** The one comment that tells the whole: written in place, with what must be known the next time unseen in its first line. */
async function publishSummary(work: Work) {
  const { host, texts, handover, packer, own, posted, deeds } = work;
  const { known, record } = work.settled;
  const { head, created } = handover.parcel;
  // What was posted before stays known, also where its comment is gone: that is how one that was deleted stays deleted.
  const before = new Map(own.posted.map(claim => [claim.id, claim]));
  const told = [...new Set([...before.keys(), ...posted])].flatMap(
    id => known.get(id) ?? before.get(id) ?? [],
  );
  const marker = summaryMarker({ run: record.run, head, created, posted: told }, packer);
  const room = Math.min(longestComment, longestBody - marker.length);
  const body = `${marker}\n${texts.summary(viewOf(work, deeds.troubles), room)}`;
  const [first] = own.summaries;
  if (first?.body === body) return;
  try {
    if (!first) throw new CodeHostError('missing', 'There is none yet.');
    await host.updateComment(first, body);
    deeds.updated += 1;
  } catch (error) {
    // Somebody may have deleted it in the meantime.
    if (!isHost(error, 'missing')) throw error;
    await host.createComment(body);
    deeds.posted += 1;
  }
}

function viewOf(
  { handover, settled, plan, own, posted }: Work,
  troubles: readonly string[],
): SummaryView {
  return {
    record: settled.record,
    fixed: settled.fixed,
    head: handover.parcel.head,
    atLines: new Set([...posted, ...own.threads.map(({ marker }) => marker.claim)]),
    beyond: plan.beyond,
    deleted: plan.deleted,
    troubles,
  };
}
