/**
 * What a run says once it is held against the pull request: claims that were posted keep the ids they were posted under, what people
 * decided in replies counts, and the outcome is computed anew from the reasons that are left. By the code of the memory, for which the
 * comments of the pull request stand in.
 */
import {
  type Disposition,
  type FixedClaim,
  KnownClaim,
  type PrintedRecord,
  type RememberedRun,
  type RunRecord,
  lastState,
} from '../words/run.ts';
import { rememberRun } from '../../agreement/index.ts';
import { findFingerprint, fingerprintFile, nearby } from '../change/snapshot.ts';
import type { Matcher } from '../ports/matcher.ts';
import type { PullFile } from '../ports/repository.ts';
import { decide, outcomeOf } from '../verdict/outcome.ts';
import type { Reason } from '../verdict/record.ts';
import { type Change, CommitId } from '../words/change.ts';
import type { Claim } from '../words/claim.ts';
import { z } from 'zod';
import { parseJson } from '../json.ts';
import { cut } from '../text.ts';
import { Text } from '../words/fields.ts';

interface SettleRequest {
  readonly record: PrintedRecord;
  readonly head: string;
  readonly base: string;
  /** As they were posted. */
  readonly known: readonly PostedClaim[];
  /** ISO time of the latest reply that was read; null where there is none. */
  readonly heard: string | null;
  readonly dispositions: readonly Disposition[];
  readonly files: readonly PullFile[];
  /** Texts of the head. */
  readonly texts: ReadonlyMap<string, string>;
  readonly matcher: Matcher;
}

export type Settled = Awaited<ReturnType<typeof settle>>;

export async function settle(request: SettleRequest) {
  const { record, known, files, texts, dispositions, matcher } = request;
  const open = record.claims.filter(({ state }) => state !== 'fixed');
  // A claim that the review itself knew again has the id it was posted under, in other words perhaps: they are taken for these.
  const claims = known.map(claim => {
    const same = open.find(({ id }) => id === claim.id);
    if (!same) return claim;
    return { ...claim, text: same.text, path: same.location?.path ?? null };
  });
  const reviews = record.reviewers.map(({ id, runner, status }) => ({
    reviewer: id,
    runner,
    status,
    coverage: record.coverage.files
      .filter(({ by }) => by.includes(id))
      .map(({ path }) => ({ path, extent: 'full' as const, why: null })),
  }));
  const remembered = await rememberRun(
    { claims, dispositions },
    {
      run: record.run,
      at: record.completedAt,
      change: changeOf(request),
      reviews,
      claims: open,
      families: new Map(),
      read: file => Promise.resolve(texts.get(file.path) ?? null),
      isDecided: after => outcomeOf(reasonsAfter(record, open, after)) !== 'INCOMPLETE',
      matcher,
    },
  );
  const settled = renamed(record, open, remembered);
  const said = new Set(settled.claims.map(({ id }) => id));
  const posted = new Set(known.map(({ id }) => id));
  // What the memory of the review closed counts too: it may have seen what no comment tells.
  const fixed = [
    // A list that is empty, or as long as GitHub's may be, tells nothing of what is not in it.
    ...(settled.outcome === 'INCOMPLETE' || files.length % 3_000 === 0
      ? []
      : leftBehind(known, files)),
    ...record.fixed,
    ...remembered.fixed,
  ].filter(({ id }) => posted.has(id) && !said.has(id));
  return {
    record: settled,
    /** Posted claims that are fixed, with how that is known. */
    fixed: [...new Map(fixed.map(claim => [claim.id, claim])).values()],
    /** What is to be known of each claim of the run, by id. */
    known: new Map(remembered.changed.map(claim => [claim.id, withCode(claim, request)])),
  };
}

/** The diff of the host as the change that a memory looks at. Ids and modes are unknown. */
function changeOf({ files, base, head }: SettleRequest): Change {
  const [oldId, oldMode] = ['0'.repeat(40), '000000'];
  const unknown = { oldMode, newMode: oldMode, oldId, newId: oldId, additions: 0, deletions: 0 };
  return {
    kind: 'change',
    source: 'range',
    base,
    head,
    title: '',
    warnings: [],
    files: files.map(file => ({ ...file, hunks: [...file.hunks], content: 'text', ...unknown })),
  };
}

/**
 * A claim keeps the code that it was posted about for as long as that stands there, and where nobody could look. Once it does not, no
 * reply that is there by then is about the code of now.
 */
function withCode(claim: KnownClaim, { known, heard, texts }: SettleRequest): PostedClaim {
  const before = known.find(({ id }) => id === claim.id);
  if (!before) return claim;
  const { code } = before;
  const text = texts.get(claim.path ?? '');
  const standing =
    code === null || text === undefined
      ? null
      : findFingerprint(fingerprintFile(text), code, claim.line);
  const stands =
    standing?.isWhole === true &&
    (claim.line === null || Math.abs(claim.line - standing.line) <= nearby);
  const isOther = !stands && claim.code !== null && claim.code !== code;
  const since = isOther ? (heard ?? undefined) : before.heard;
  return {
    ...claim,
    ...(!isOther && { code }),
    ...(since !== undefined && { heard: since }),
  };
}

/** Rules whose reasons are about a claim and end with its dismissal. A veto of a reviewer stands until a review hears of the decision. */
const rulesOfClaims: ReadonlySet<Reason['rule']> = new Set(['claim', 'vote', 'ungrounded']);

/** `before` and `after` are the same claims in the same order. */
function reasonsAfter(
  record: RunRecord,
  before: readonly Claim[],
  after: readonly Claim[],
): Reason[] {
  const becomes = new Map(before.map(({ id }, index) => [id, after[index]]));
  return record.reasons.flatMap(reason => {
    const claim = becomes.get(reason.subject);
    if (!claim || !rulesOfClaims.has(reason.rule)) return [reason];
    if (claim.state === 'dismissed') return [];
    return [
      {
        ...reason,
        subject: claim.id,
        sentence: reason.sentence.replaceAll(reason.subject, claim.id),
      },
    ];
  });
}

function renamed(
  { outcome, exitCode: _exitCode, reasons, ...record }: PrintedRecord,
  before: readonly Claim[],
  remembered: RememberedRun,
): RunRecord {
  // What the review dismissed by the decisions that it knew stays dismissed.
  const after = remembered.claims.map((claim, index) =>
    before[index]?.state === 'dismissed' ? { ...claim, state: 'dismissed' as const } : claim,
  );
  const names = new Map(before.map(({ id }, index) => [id, after[index]?.id ?? id]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const open = new Set(after.filter(({ state }) => state !== 'dismissed').map(({ id }) => id));
  const own = record.dismissed.map(one => ({ ...one, id: nameOf(one.id) }));
  const dismissed = [...remembered.dismissed, ...own].map(one => [one.id, one] as const);
  return decide(
    {
      ...record,
      claims: after,
      blocking: record.blocking.map(nameOf).filter(id => open.has(id)),
      dismissed: [...new Map(dismissed).values()],
      frames: Object.fromEntries(
        Object.entries(record.frames ?? {}).map(([id, frame]) => [nameOf(id), frame]),
      ),
    },
    reasonsAfter({ ...record, outcome, reasons }, before, after),
    { gate: outcome !== null },
  );
}

/** Nothing that was posted is about this pull request any more once it leaves the file alone. */
function leftBehind(known: readonly PostedClaim[], files: readonly PullFile[]): FixedClaim[] {
  const touched = new Set(files.flatMap(({ path, oldPath }) => [path, oldPath]));
  return known.flatMap(claim => {
    const { id, severity, text, path, line } = claim;
    const isClosed = ['fixed', 'dismissed'].includes(lastState(claim));
    if (path === null || isClosed || touched.has(path)) return [];
    const reason = 'The pull request does not touch its file any more.';
    return [{ id, severity, text, location: { path, line }, reason }];
  });
}

// What Jury writes unseen into its own comments, so that it knows them again: which claim a thread is about and how that stands,
// and in the summary what was posted ever. Read from comments of its own account alone: a marker in anybody else's words is a
// text.

/**
 * A claim as it stands on the host. `heard`: ISO time of the latest reply that was there when its code became what it is now; replies
 * up to then are about other code. Absent: there was none.
 */
const PostedClaim = KnownClaim.extend({ heard: Text.optional() });
export type PostedClaim = z.infer<typeof PostedClaim>;

const Standing = z.enum(['open', 'fixed', 'dismissed']);
type Standing = z.infer<typeof Standing>;

interface ClaimMarker {
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
type SummaryState = z.infer<typeof SummaryState>;

/** Makes a text short, of letters, digits, `-` and `_`; `unpack` yields null for what is no such thing. */
export interface Packer {
  readonly pack: (text: string) => string;
  readonly unpack: (packed: string) => string | null;
}

/** Characters of what is packed about one claim: a path or a name may be of any length. */
const longestKnown = 16_000;

/** Of what is packed of all. With a summary of full length the comment stays below what GitHub takes. */
const longestState = 30_000;

/** The comment at a line. Nothing of its first line can end the comment of HTML that it is. `notice`: Markdown of one line, or none. */
export function inlineBody(
  { claim, standing, known }: ClaimMarker,
  notice: string | null,
  text: string,
  { pack }: Packer,
) {
  const data = known ? pack(JSON.stringify(trimKnown(known))) : '-';
  const told = notice === null ? '' : `> **Jury:** ${notice}\n\n`;
  return `<!-- jury:claim ${claim} ${standing} ${data.length > longestKnown ? '-' : data} -->\n${told}${text}`;
}

/** Where not all of it fits, those that are fixed longest are forgotten first, then the oldest. */
export function summaryMarker({ posted, ...state }: SummaryState, { pack }: Packer) {
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
export function readSummaryMarker(body: string, packer: Packer) {
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
export function withoutMarker(body: string) {
  return normal(body)
    .replace(claimPattern, '')
    .replace(/^> \*\*Jury:\*\* .*\n\n/, '');
}

/** Hosts may give back other line ends than they got. */
function normal(body: string) {
  return body.replaceAll('\r\n', '\n');
}

function isFixed(claim: PostedClaim) {
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
