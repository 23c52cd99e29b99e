/**
 * What a run says once it is held against the pull request: claims that were posted keep the ids they were posted under, what people
 * decided in replies counts, and the outcome is computed anew from the reasons that are left. By the code of the memory, for which the
 * comments of the pull request stand in.
 */
import {
  type Disposition,
  type FixedClaim,
  type KnownClaim,
  lastState,
  type RememberedRun,
} from '../words/known-claim.ts';
import { rememberRun } from '../../agreement/index.ts';
import { findFingerprint, fingerprintFile, nearby } from '../change/code-fingerprint.ts';
import type { Matcher } from '../ports/matcher.ts';
import type { PullFile } from '../ports/code-host.ts';
import { decide, outcomeOf } from '../verdict/outcome.ts';
import type { Reason } from '../verdict/record.ts';
import type { Claim } from '../words/claim.ts';
import type { PrintedRecord, RunRecord } from '../words/run.ts';
import { changeOf } from './diff-place.ts';
import type { PostedClaim } from './brief-claims.ts';

export interface SettleRequest {
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
  readonly hash: (text: string) => string;
}

export interface Settled {
  readonly record: RunRecord;
  /** Posted claims that are fixed, with how that is known. */
  readonly fixed: readonly FixedClaim[];
  /** What is to be known of each claim of the run, by id. */
  readonly known: ReadonlyMap<string, PostedClaim>;
}

export async function settle(request: SettleRequest): Promise<Settled> {
  const { record, known, files, texts } = request;
  const open = record.claims.filter(({ state }) => state !== 'fixed');
  const remembered = await rememberRun(
    { claims: known.map(claim => inWordsOf(claim, open)), dispositions: request.dispositions },
    {
      run: record.run,
      at: record.completedAt,
      change: changeOf(files, request),
      reviews: readingsOf(record),
      claims: open,
      families: new Map(),
      read: file => Promise.resolve(texts.get(file.path) ?? null),
      hash: request.hash,
      isDecided: claims => outcomeOf(reasonsAfter(record, open, claims)) !== 'INCOMPLETE',
      matcher: request.matcher,
    },
  );
  const settled = renamed(record, open, remembered);
  const fixed = fixedOf(record, remembered, known);
  return {
    record: settled,
    fixed:
      settled.outcome === 'INCOMPLETE'
        ? fixed
        : [...fixed, ...leftBehind(request, [...settled.claims, ...fixed])],
    known: new Map(remembered.changed.map(claim => [claim.id, withCode(claim, request)])),
  };
}

/**
 * A claim keeps the code that it was posted about for as long as that stands there, and where nobody could look. Once it does not, no
 * reply that is there by then is about the code of now.
 */
function withCode(
  claim: KnownClaim,
  { known, heard, texts, hash }: Pick<SettleRequest, 'known' | 'heard' | 'texts' | 'hash'>,
): PostedClaim {
  const before = known.find(({ id }) => id === claim.id);
  if (before === undefined) return claim;
  const { code, heard: heardBefore } = before;
  const text = claim.path === null ? undefined : texts.get(claim.path);
  const standing =
    code === null || text === undefined
      ? null
      : findFingerprint(fingerprintFile(text, hash), code, claim.line);
  const stands =
    standing !== null &&
    standing.isWhole &&
    (claim.line === null || Math.abs(claim.line - standing.line) <= nearby);
  if (stands || claim.code === null || claim.code === code)
    return { ...claim, code, ...(heardBefore !== undefined && { heard: heardBefore }) };
  return heard === null ? claim : { ...claim, heard };
}

/** A claim that the review itself knew again has the id it was posted under, in other words perhaps: they are taken for these. */
function inWordsOf(known: KnownClaim, claims: readonly Claim[]): KnownClaim {
  const same = claims.find(({ id }) => id === known.id);
  return same === undefined
    ? known
    : { ...known, text: same.text, path: same.location?.path ?? null };
}

/** Who completed, and which files it read in full. */
function readingsOf({
  reviewers,
  coverage,
}: RunRecord): Parameters<typeof rememberRun>[1]['reviews'] {
  return reviewers.map(({ id, runner, status }) => ({
    reviewer: id,
    runner,
    status,
    coverage: coverage.files
      .filter(({ by }) => by.includes(id))
      .map(({ path }) => ({ path, extent: 'full' as const, why: null })),
  }));
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
    if (claim === undefined || !rulesOfClaims.has(reason.rule)) return [reason];
    if (claim.state === 'dismissed') return [];
    const sentence = reason.sentence.replaceAll(reason.subject, claim.id);
    return [{ ...reason, subject: claim.id, sentence }];
  });
}

function renamed(
  record: PrintedRecord,
  before: readonly Claim[],
  remembered: RememberedRun,
): RunRecord {
  // What the review dismissed by the decisions that it knew stays dismissed.
  const after = remembered.claims.map((claim, index) => ({
    ...claim,
    state: before[index]?.state === 'dismissed' ? ('dismissed' as const) : claim.state,
  }));
  const names = new Map(before.map(({ id }, index) => [id, after[index]?.id ?? id]));
  const dismissed = new Set(after.filter(({ state }) => state === 'dismissed').map(({ id }) => id));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const own = record.dismissed.map(one => ({ ...one, id: nameOf(one.id) }));
  const told = new Set(own.map(({ id }) => id));
  const { outcome, exitCode: _exitCode, reasons: _reasons, ...rest } = record;
  return decide(
    {
      ...rest,
      claims: after,
      blocking: record.blocking.map(nameOf).filter(id => !dismissed.has(id)),
      dismissed: [...own, ...remembered.dismissed.filter(({ id }) => !told.has(id))],
      frames: Object.fromEntries(
        Object.entries(record.frames ?? {}).map(([id, frame]) => [nameOf(id), frame]),
      ),
    },
    reasonsAfter(record, before, after),
    { gate: outcome !== null },
  );
}

/** What the memory of the review closed counts too: it may have seen what no comment tells. */
function fixedOf(
  record: RunRecord,
  remembered: RememberedRun,
  known: readonly KnownClaim[],
): FixedClaim[] {
  const said = new Set(remembered.claims.map(({ id }) => id));
  const own = remembered.fixed.filter(({ id }) => known.some(claim => claim.id === id));
  const told = new Set(own.map(({ id }) => id));
  return [
    ...own,
    ...record.fixed.filter(
      ({ id }) => !told.has(id) && !said.has(id) && known.some(claim => claim.id === id),
    ),
  ];
}

/** Nothing that was posted is about this pull request any more once it leaves the file alone. `told`: said again, or fixed already. */
function leftBehind(
  { known, files }: SettleRequest,
  told: readonly { readonly id: string }[],
): FixedClaim[] {
  const ids = new Set(told.map(({ id }) => id));
  const touched = new Set(files.flatMap(({ path, oldPath }) => [path, oldPath]));
  return known.flatMap(claim => {
    const { id, severity, text, path, line } = claim;
    const isClosed = ['fixed', 'dismissed'].includes(lastState(claim));
    if (path === null || isClosed || ids.has(id) || touched.has(path)) return [];
    const reason = 'The pull request does not touch its file any more.';
    return [{ id, severity, text, location: { path, line }, reason }];
  });
}
