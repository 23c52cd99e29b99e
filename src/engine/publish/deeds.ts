/** What the steps of a publication have in common: what is wanted, what was seen, what is done. */
import type { Disposition } from '../../core/words/known-claim.ts';
import { type CodeHost, CodeHostError } from '../../core/ports/code-host.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import type { CheckedHandover } from '../../core/publish/handover.ts';
import type { OwnConversation, Publication } from '../../core/publish/plan-publication.ts';
import type { Settled } from '../../core/publish/settle.ts';
import type { PublicationTexts, SummaryView } from '../../core/publish/texts.ts';

export interface PublishRequest {
  readonly checked: CheckedHandover;
  readonly host: CodeHost;
  readonly matcher: Matcher;
  readonly texts: PublicationTexts;
  /** SHA-256 of a text, in hex. */
  readonly hash: (text: string) => string;
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

export interface Seen {
  readonly settled: Settled;
  readonly publication: Publication;
  readonly own: OwnConversation;
  readonly decisions: readonly Disposition[];
}

export function viewOf(
  { checked }: PublishRequest,
  { settled, publication, own }: Seen,
  posted: ReadonlySet<string>,
  troubles: readonly string[],
): SummaryView {
  return {
    record: settled.record,
    head: checked.handover.head,
    atLines: new Set([...posted, ...own.threads.map(thread => thread.marker.claim)]),
    fixed: settled.fixed,
    beyond: publication.beyond.length,
    deleted: publication.deleted.length,
    troubles,
  };
}

/** Creates it, and where the answer was lost looks for it before it is created a second time. */
export async function createOnce<Made>(
  create: () => Promise<Made>,
  find: () => Promise<Made | null>,
): Promise<Made> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof CodeHostError) || !error.mayBeDone) throw error;
    return (await find()) ?? create();
  }
}
