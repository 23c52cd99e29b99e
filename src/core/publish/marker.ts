/**
 * What Jury writes unseen into its own comments, so that it knows them again: which claim a thread is about and how that stands, and in
 * the summary what was posted ever. Read from comments of its own account alone: a marker in anybody else's words is a text.
 */
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { type KnownClaim, lastState } from '../words/known-claim.ts';
import { cut } from '../text.ts';
import { CommitId } from '../words/pull-request.ts';
import { BriefClaims, packClaims, PostedClaim, unpackClaims } from './brief-claims.ts';

const standings = ['open', 'fixed', 'dismissed'] as const;
export type Standing = (typeof standings)[number];

export interface ClaimMarker {
  readonly claim: string;
  readonly standing: Standing;
  /** Null where what was written cannot be read. */
  readonly known: PostedClaim | null;
}

export const SummaryState = z.object({
  run: z.string(),
  head: CommitId,
  /** ISO time at which the handover was made: an older one of the same commit is not published any more. */
  created: z.iso.datetime(),
  /** Every claim that was ever posted at a line, whatever became of its thread; the oldest first. */
  posted: z.array(PostedClaim),
});
export type SummaryState = z.infer<typeof SummaryState>;

/** As it is written: where all of it does not fit, each claim in brief. */
const WrittenState = SummaryState.extend({ brief: BriefClaims.optional() }).transform(
  ({ brief, posted, ...rest }): SummaryState => ({
    ...rest,
    posted: [...posted, ...(brief === undefined ? [] : unpackClaims(brief))],
  }),
);

/** Characters of Base64 about one claim: a path or a name may be of any length. */
const longestKnown = 16_000;

/** The first line of a comment; nothing of it can end the comment of HTML that it is. */
export function claimMarker({ claim, standing, known }: ClaimMarker): string {
  const data = known === null ? '-' : encode(known);
  return `<!-- jury:claim ${claim} ${standing} ${data.length > longestKnown ? '-' : data} -->`;
}

export function summaryMarker(state: SummaryState): string {
  return `<!-- jury:summary ${encode(fit(state))} -->`;
}

const claimPattern = /^<!-- jury:claim (c-[0-9a-f]{10}) (open|fixed|dismissed) (-|[\w-]+) -->\n/;
const summaryPattern = /^<!-- jury:summary ([\w-]+) -->\n/;

/** Null where a comment is about no claim. */
export function readClaimMarker(body: string): ClaimMarker | null {
  const [, claim, standing, data = '-'] = claimPattern.exec(normal(body)) ?? [];
  if (claim === undefined) return null;
  const known = data === '-' ? null : PostedClaim.safeParse(decode(data));
  return {
    claim,
    standing: standings.find(word => word === standing) ?? 'open',
    known: known?.success === true && known.data.id === claim ? known.data : null,
  };
}

/** Null where a comment is no summary; `state` null where what was written in it cannot be read. */
export function readSummaryMarker(body: string): { readonly state: SummaryState | null } | null {
  const data = summaryPattern.exec(normal(body))?.[1];
  if (data === undefined) return null;
  const checked = WrittenState.safeParse(decode(data));
  return { state: checked.success ? checked.data : null };
}

/** What stands behind the marker, without a notice. */
export function withoutMarker(body: string): string {
  return normal(body)
    .replace(claimPattern, '')
    .replace(/^> \*\*Jury:\*\* .*\n\n/, '');
}

/** `notice`: Markdown of one line, or none. */
export function inlineBody(marker: ClaimMarker, notice: string | null, text: string): string {
  return `${claimMarker(marker)}\n${notice === null ? '' : `> **Jury:** ${notice}\n\n`}${text}`;
}

/** Hosts may give back other line ends than they got. */
function normal(body: string): string {
  return body.replaceAll('\r\n', '\n');
}

const longestText = 300;

/** As much of a claim as it takes to know it again: the whole of it would not fit for long. */
export function trimKnown(claim: PostedClaim): PostedClaim {
  const { text, wordings, files, history, answers: _answers, ...rest } = claim;
  return {
    ...rest,
    text: cut(text, longestText),
    wordings: wordings
      .filter(wording => wording.text !== text)
      .slice(-2)
      .map(wording => ({ ...wording, text: cut(wording.text, longestText) })),
    files: files.slice(0, 5),
    supporters: claim.supporters.slice(0, 20),
    // The first and the latest: a run that is published again is taken out of it, and the claim must stay known.
    history: [...history.slice(0, 1), ...history.slice(1).slice(-1)].map(entry => ({
      ...entry,
      confidence: null,
    })),
  };
}

/** Characters of Base64. With a summary of full length the comment stays below what GitHub takes. */
export const longestState = 30_000;

/** Where it grows too long, each is told in brief; then those that are fixed longest are forgotten first, then the oldest. */
function fit(state: SummaryState): z.input<typeof WrittenState> {
  if (encode(state).length <= longestState) return state;
  const inOrder = [
    ...state.posted.filter(isFixed),
    ...state.posted.filter(claim => !isFixed(claim)),
  ];
  const keep = (amount: number): z.input<typeof WrittenState> => {
    const kept = new Set(inOrder.slice(inOrder.length - amount));
    return { ...state, posted: [], brief: packClaims(state.posted.filter(one => kept.has(one))) };
  };
  let [fits, tooMany] = [0, inOrder.length + 1];
  while (tooMany - fits > 1) {
    const amount = Math.floor((fits + tooMany) / 2);
    if (encode(keep(amount)).length <= longestState) fits = amount;
    else tooMany = amount;
  }
  return keep(fits);
}

function isFixed(claim: KnownClaim): boolean {
  return lastState(claim) === 'fixed';
}

/** Base64 for addresses, of JSON in UTF-8. */
function encode(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Undefined for what is no such text. */
function decode(data: string): unknown {
  try {
    const bytes = atob(data.replaceAll('-', '+').replaceAll('_', '/'));
    return parseJson(new TextDecoder().decode(Uint8Array.from(bytes, one => one.charCodeAt(0))));
  } catch {
    return undefined;
  }
}
