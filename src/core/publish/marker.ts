/**
 * What Jury writes unseen into its own comments, so that it knows them again: which claim a thread is about and how that stands, and in
 * the summary what was posted ever. Read from comments of its own account alone: a marker in anybody else's words is a text.
 */
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { KnownClaim, lastState } from '../words/known-claim.ts';
import { cut } from '../text.ts';
import { CommitId } from '../words/pull-request.ts';
import { Text } from '../words/fields.ts';

/**
 * A claim as it stands on the host. `heard`: ISO time of the latest reply that was there when its code became what it is now; replies
 * up to then are about other code. Absent: there was none.
 */
export const PostedClaim = KnownClaim.extend({ heard: Text.optional() });
export type PostedClaim = z.infer<typeof PostedClaim>;

const Standing = z.enum(['open', 'fixed', 'dismissed']);
export type Standing = z.infer<typeof Standing>;

export interface ClaimMarker {
  readonly claim: string;
  readonly standing: Standing;
  /** Null where what was written cannot be read. */
  readonly known: PostedClaim | null;
}

const SummaryState = z.object({
  run: Text,
  head: CommitId,
  /** ISO time at which the handover was made: an older one of the same commit is not published any more. */
  created: z.iso.datetime(),
  /** Every claim that was ever posted at a line, whatever became of its thread; the oldest first. */
  posted: z.array(PostedClaim),
});
export type SummaryState = z.infer<typeof SummaryState>;

/** Makes a text short, of letters, digits, `-` and `_`; `unpack` yields null for what is no such thing. */
export interface Packer {
  readonly pack: (text: string) => string;
  readonly unpack: (packed: string) => string | null;
}

/** Characters of what is packed about one claim: a path or a name may be of any length. */
const longestKnown = 16_000;

/** Of what is packed of all. With a summary of full length the comment stays below what GitHub takes. */
export const longestState = 30_000;

/** The comment at a line. Nothing of its first line can end the comment of HTML that it is. `notice`: Markdown of one line, or none. */
export function inlineBody(
  { claim, standing, known }: ClaimMarker,
  notice: string | null,
  text: string,
  { pack }: Packer,
): string {
  const data = known === null ? '-' : pack(JSON.stringify(trimKnown(known)));
  const told = notice === null ? '' : `> **Jury:** ${notice}\n\n`;
  return `<!-- jury:claim ${claim} ${standing} ${data.length > longestKnown ? '-' : data} -->\n${told}${text}`;
}

/** Where not all of it fits, those that are fixed longest are forgotten first, then the oldest. */
export function summaryMarker({ posted, ...state }: SummaryState, { pack }: Packer): string {
  const known = posted.map(trimKnown);
  const inOrder = [...known.filter(isFixed), ...known.filter(claim => !isFixed(claim))];
  for (let left = 0; ; left += Math.ceil((inOrder.length - left) / 10)) {
    const kept = new Set(inOrder.slice(left));
    const data = pack(JSON.stringify({ ...state, posted: known.filter(one => kept.has(one)) }));
    if (data.length <= longestState || kept.size === 0) return `<!-- jury:summary ${data} -->`;
  }
}

const claimPattern = /^<!-- jury:claim (c-[0-9a-f]{10}) (open|fixed|dismissed) (-|[\w-]+) -->\n/;
const summaryPattern = /^<!-- jury:summary ([\w-]+) -->\n/;

/** Null where a comment is about no claim. */
export function readClaimMarker(body: string, packer: Packer): ClaimMarker | null {
  const [, claim, standing, data = ''] = claimPattern.exec(normal(body)) ?? [];
  if (claim === undefined) return null;
  const known = read(data, PostedClaim, packer);
  return { claim, standing: Standing.parse(standing), known: known?.id === claim ? known : null };
}

/** Null where a comment is no summary; `state` null where what was written in it cannot be read. */
export function readSummaryMarker(
  body: string,
  packer: Packer,
): { readonly state: SummaryState | null } | null {
  const data = summaryPattern.exec(normal(body))?.[1];
  return data === undefined ? null : { state: read(data, SummaryState, packer) };
}

function read<Schema extends z.ZodType>(
  data: string,
  schema: Schema,
  { unpack }: Packer,
): z.output<Schema> | null {
  return schema.safeParse(parseJson(unpack(data))).data ?? null;
}

/** What stands behind the marker, without a notice. */
export function withoutMarker(body: string): string {
  return normal(body)
    .replace(claimPattern, '')
    .replace(/^> \*\*Jury:\*\* .*\n\n/, '');
}

/** Hosts may give back other line ends than they got. */
function normal(body: string): string {
  return body.replaceAll('\r\n', '\n');
}

function isFixed(claim: PostedClaim): boolean {
  return lastState(claim) === 'fixed';
}

const longestText = 200;

/** As much of a claim as it takes to know it again: the whole of it would not fit for long. */
function trimKnown(claim: PostedClaim): PostedClaim {
  const { text, wordings, files, history, supporters, ...rest } = claim;
  return {
    ...rest,
    text: cut(text, longestText),
    wordings: wordings
      .filter(wording => wording.text !== text)
      .slice(-1)
      .map(wording => ({ ...wording, text: cut(wording.text, longestText) })),
    files: files.slice(0, 5),
    supporters: supporters.slice(0, 20),
    // The first and the latest: a run that is published again is taken out of it, and the claim must stay known.
    history: [...history.slice(0, 1), ...history.slice(1).slice(-1)].map(entry => ({
      ...entry,
      confidence: null,
    })),
  };
}
