/**
 * The verdict file of a review: what reaches a caller that reads no prose. Computed from the findings by code, and read
 * back whoever wrote it.
 */
import { z } from 'zod';
import { floorPercent } from '../context/budget.ts';
import { usageError } from '../errors.ts';
import { parseJson } from '../json.ts';
import { counts } from '../verdict/coverage.ts';
import { continueCommand, isReadable } from '../verdict/onward.ts';
import { type AgentRow, cutoffOf } from '../verdict/panel-table.ts';
import { answerStatusOf, countedFindings, standingOf } from '../verdict/review-status.ts';
import { VerdictFile, VerdictStatus } from '../verdict/record.ts';
import { Text } from '../words/fields.ts';
import { countSeverities, placeText } from '../words/finding.ts';
import type { Review } from '../words/review.ts';
import { summaryOf } from './review-file.ts';

interface VerdictSource {
  /** Run id, or the caller's id; may be empty. */
  readonly sessionId: string;
  readonly now: Date;
  /** Path of the review file; null when there is none. */
  readonly detailPath: string | null;
  /** What the reviewer literally said, for its own summary; null when nobody kept it. */
  readonly answer: string | null;
  readonly hasVetoed?: boolean;
  /** Did the reviewer bring knowledge instead of findings? */
  readonly isResearch?: boolean;
}

export function toVerdictFile(
  review: Review,
  { sessionId, now, detailPath, answer, hasVetoed = false, isResearch = false }: VerdictSource,
): VerdictFile {
  const { status, claimed, computed, claim } = standingOf(review, hasVetoed);
  return checkVerdictFile({
    type: isResearch ? 'research' : 'verdict',
    status: isResearch ? answerStatusOf(review) : status,
    model: review.model ?? '',
    tokens_spent: review.usage.inputTokens + review.usage.outputTokens,
    files_changed: [],
    findings_count: countedFindings(review).length,
    summary: summaryOf(review, answer),
    detail_path: detailPath,
    timestamp: `${now.toISOString().slice(0, 19)}Z`,
    session_id: sessionId,
    claimed_verdict: claimed,
    computed_verdict: computed,
    claim,
    deviations: [...review.repairs],
  });
}

/** Throws `UserError` (kind `usage`) that names the argument when a value may not be written. */
function checkVerdictFile(file: unknown) {
  const checked = VerdictFile.safeParse(file);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw usageError(
    `Verdict file: ${issue?.path.join('.') || 'the whole'} cannot be written: ${issue?.message ?? z.prettifyError(checked.error)}.`,
    null,
    checked.error,
  );
}

/** The bytes of the file. */
export function renderVerdictFile(file: VerdictFile) {
  return `${JSON.stringify(checkVerdictFile(file), null, 2)}\n`;
}

/** In the order that counts are printed. UNKNOWN and MALFORMED are given by the reader, never written. */
const listedStatuses = [...VerdictStatus.options, 'UNKNOWN', 'MALFORMED'] as const;
// What a folder of verdict files says, whoever wrote them: nothing is dropped, and what cannot be read counts as
// trouble.

const calm = new Set(['CLEAN', 'COMPLETE']);

export type VerdictRow = ReturnType<typeof listVerdict>;

/** A verdict file with only what a listing needs; every other key may be missing or be of any kind. */
const Listed = z.looseObject({ status: Text });

type ReadFile = { readonly file: string } & (
  { readonly text: string } | { readonly problem: string }
);

/** A row of a listing, whatever a file holds. */
export function listVerdict(read: ReadFile) {
  /** Name of the file without `.json`. */
  const agent = read.file.slice(0, -'.json'.length);
  const checked = readListed(read);
  if (typeof checked === 'string')
    return {
      agent,
      listed: 'MALFORMED' as const,
      /** As written. */
      status: 'MALFORMED',
      /** Or what is wrong with the file. */
      summary: checked,
      findingsCount: null,
      /** As written; the file itself when it is malformed; null when it names none. */
      detailPath: read.file,
      tokens: 0,
      /** What is odd about `tokens_spent`; null when nothing. */
      tokensWarning: null,
      /** The whole content and the agent. */
      verdict: null,
    };
  const { status, summary, findings_count: count, detail_path: detail } = checked;
  return {
    agent,
    listed: VerdictStatus.safeParse(status).data ?? ('UNKNOWN' as const),
    status,
    summary: typeof summary === 'string' ? summary : (JSON.stringify(summary) ?? ''),
    findingsCount: typeof count === 'number' ? count : 0,
    detailPath: typeof detail === 'string' && detail !== '' ? detail : null,
    ...readTokens(checked.tokens_spent),
    verdict: { ...checked, agent },
  };
}

/** The verdict, or what is wrong with it. */
function readListed(read: ReadFile) {
  if (!('text' in read)) return read.problem;
  const parsed = parseJson(read.text);
  const { data } = Listed.safeParse(parsed);
  if (data !== undefined) return data;
  if (parsed === undefined) return 'not valid JSON';
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    ? 'no status'
    : 'not a JSON object';
}

export function needsAttention({ listed }: VerdictRow) {
  return !calm.has(listed);
}

/** Only the statuses that occur, in the order they are printed. */
export function countStatuses(
  rows: readonly VerdictRow[],
): ReadonlyMap<(typeof listedStatuses)[number], number> {
  const counts = listedStatuses.map(
    status => [status, rows.filter(({ listed }) => listed === status).length] as const,
  );
  return new Map(counts.filter(([, count]) => count > 0));
}

/** Exact, however large the figures are. */
export function sumTokens(rows: readonly VerdictRow[]) {
  return rows.reduce((total, { tokens }) => total + BigInt(tokens), 0n);
}

function readTokens(spent: unknown) {
  if (spent === undefined || spent === null) return { tokens: 0, tokensWarning: null };
  if (typeof spent !== 'number' || !Number.isFinite(spent))
    return { tokens: 0, tokensWarning: 'tokens_spent is no number and counts 0' };
  if (spent < 0) return { tokens: 0, tokensWarning: 'tokens_spent is negative and counts 0' };
  return Number.isInteger(spent)
    ? { tokens: spent, tokensWarning: null }
    : {
        tokens: Math.ceil(spent),
        tokensWarning: `tokens_spent is a fraction and counts ${Math.ceil(spent)}`,
      };
}

// A review in the keys of the reviewer output contract, counted by the engine whatever the reviewer says of itself.

/** Beside the keys of the review itself. `verdict` is given once the whole panel was heard. */
export function toAgentOutput(
  review: Review,
  row: AgentRow | null,
  run: string,
): Record<string, unknown> {
  const skipped = review.coverage
    .filter(({ extent }) => extent === 'skipped' || extent === 'partial')
    .map(({ path }) => path);
  const cutoff = cutoffOf(review);
  return {
    ...review.extra,
    ...review,
    agent: review.reviewer,
    partial: review.status === 'partial' || (review.status === 'failed' && cutoff === 'budget'),
    cutoff_reason: cutoff,
    ...spentOf(review),
    files_reviewed: review.coverage.filter(reading => counts(review, reading)).length,
    files_skipped: skipped.length,
    skipped_files: skipped,
    findings: describeAll(review),
    ...(row === null
      ? {}
      : {
          verdict: row.verdict,
          claimed_verdict: row.claimed,
          veto_downgraded: row.veto_downgraded,
        }),
    veto_reasons: review.vetoReasons ?? [],
    summary: countSeverities(countedFindings(review)),
    ...(cutoff === 'budget' && review.coverage.some(reading => isReadable(review, reading))
      ? { recommendation: `Re-run review with: ${continueCommand(run)}` }
      : {}),
  };
}

function spentOf({ spending }: Review) {
  if (spending === undefined) return { mode: 'full', skipped: { medium_count: 0, low_count: 0 } };
  const { mode, total, used, skipped } = spending;
  // Of a review that was kept whole nobody was given anything to spend.
  const isUnasked = total === 0;
  return {
    mode,
    budget_remaining_percent: isUnasked ? 100 : floorPercent(Math.max(0, total - used), total),
    budget_used_percent: isUnasked ? 0 : floorPercent(used, total),
    skipped,
  };
}

/** With the place as the contract spells it: `file` and `line`, or `file:line` where only grave things were asked for. */
function describeAll({ findings, spending }: Review) {
  const terse = new Set(spending?.terse);
  return findings.map(finding => {
    const place =
      finding.location === null ? {} : { file: finding.location.path, line: finding.location.line };
    const where = finding.location === null ? null : placeText(finding.location);
    const known = { ...finding.extra, ...finding, issue: finding.text };
    return terse.has(finding.id)
      ? { ...known, evidence: null, place: where }
      : { ...known, ...place, place: where };
  });
}
