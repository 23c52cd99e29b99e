/** A review as the file `reviews/<agent>.md`: a Findings Index any tool can read, the details, and what the reviewer said. */
import { z } from 'zod';
import { summaryOf as summaryIn, summaryLimit } from '../../answers/index.ts';
import { floorPercent } from '../context/budget.ts';
import { usageError } from '../errors.ts';
import { by, groupBy, present } from '../groups.ts';
import { parseJson } from '../json.ts';
import { quoteBlock, readable } from '../safety/visible-text.ts';
import { cut, isBlank, toOneLine, countOf } from '../text.ts';
import { continueCommand, counts, isReadable } from '../verdict/coverage.ts';
import { type AgentRow, cutoffOf } from '../verdict/panel-table.ts';
import { VerdictFile, VerdictStatus } from '../verdict/record.ts';
import { answerStatusOf, countedFindings, standingOf } from '../verdict/review-status.ts';
import { Text } from '../words/fields.ts';
import {
  type Finding,
  bySeverity,
  countSeverities,
  indexLevelOf,
  placeText,
} from '../words/finding.ts';
import { type Research, type Review, causes, sourceRanks } from '../words/review.ts';

interface ReviewSource {
  /** Tells the file from those of other runs; null where the run has no id. */
  readonly runId: string | null;
  /** What the reviewer literally said; null when it is kept elsewhere only. JSON is not repeated. */
  readonly answer: string | null;
}

export function renderReviewFile(review: Review, { runId, answer }: ReviewSource) {
  const mark = runId === null ? [] : [`<!-- run-uuid: ${runId} -->`];
  const body = review.status === 'failed' ? renderStub(review) : renderFindings(review, answer);
  return [...mark, ...body, completionSignal, ''].join('\n');
}

function renderStub(review: Review) {
  return [
    '### Findings Index',
    'Verdict: error',
    '',
    `Agent failed to produce findings after retry. Error: ${readable(describeFailure(review))}`,
  ];
}

function renderFindings(review: Review, answer: string | null) {
  const { research } = review;
  const findings = countedFindings(review).toSorted(bySeverity);
  const improvements = review.findings.filter(({ isImprovement }) => isImprovement);
  const { claimed, computed } = standingOf(review);
  const isKnowledge = research !== undefined;
  return present(
    '### Findings Index',
    ...findings.map(renderEntry),
    `Verdict: ${claimed ?? computed}`,
    '',
    '### Summary',
    ...renderSummary(review, answer),
    '',
    ...(isKnowledge ? renderResearch(research, findings) : []),
    '### Issues Found',
    ...(isKnowledge ? [] : findings.flatMap(renderIssue)),
    (findings.length === 0 || isKnowledge) && '',
    '### Improvements',
    ...improvements.map(
      (finding, index) =>
        `${index + 1}. ${readable(indexIdOf(finding))}: ${readable(finding.text)}${renderPlace(finding)}`,
    ),
    '',
    ...(answer === null || review.format === 'json'
      ? []
      : ['### What the reviewer said', ...quoteBlock(answer.trimEnd()), '']),
  );
}

/** A bar would start another field. */
function field(text: string) {
  return readable(text.replaceAll('|', '¦'));
}

/** The blocks of research, as the researcher gave them, best rank first. */
function renderResearch({ sources, confidence, gaps }: Research, findings: readonly Finding[]) {
  const ranked = sources.toSorted(by(({ rank }) => sourceRanks.indexOf(rank)));
  return [
    '### Sources',
    ...ranked.map(
      ({ rank, id, title, address }) =>
        `- ${rank} | ${field(id)} | ${field(title)} | ${field(address)}`,
    ),
    '',
    '### Findings',
    ...findings.map(
      finding =>
        `- ${field(indexIdOf(finding))} | ${field(finding.text)} | ${field(finding.evidence ?? '')}`,
    ),
    '',
    '### Confidence',
    confidence ?? 'not stated',
    '',
    '### Gaps',
    ...(gaps.length === 0 ? ['None'] : gaps.map(gap => `- ${readable(gap)}`)),
    '',
  ];
}

/** A bar would start another field, and a quote end the section. */
function renderEntry(finding: Finding) {
  const named = finding.section ?? finding.location?.path ?? '';
  const section = isBlank(named) ? '' : field(named.replaceAll('"', "'"));
  return (
    `- ${indexLevelOf(finding.severity)} | ${field(indexIdOf(finding))} | "${section}" | ` +
    `${field(finding.text)}${renderPlace(finding)}`
  );
}

/** The id as it stands in the file, and as whoever reads the file gets it back. */
export function indexIdOf({ originalId }: Pick<Finding, 'originalId'>) {
  // What decorates an id at its ends is taken off by readers; a blank would make it prose.
  const plain = toOneLine(originalId)
    .replaceAll('|', '¦')
    .replace(/[\s"“”]+/g, '-')
    .replace(/^[-:*_`'()[\]{}<>\\]+|[-:*_`'()[\]{}<>\\]+$/g, '');
  return plain === '' ? 'unnamed' : plain;
}

function renderPlace({ location }: Finding) {
  if (location === null) return '';
  return ` — ${field(placeText(location))}`;
}

function renderSummary(review: Review, answer: string | null) {
  const { coverage, failure, status, unparsed } = review;
  const full = coverage.filter(({ extent }) => extent === 'full').length;
  const earlier = groupBy(
    coverage.flatMap(({ from }) => from ?? []),
    run => run,
  );
  const why = failure === null ? 'not everything was read' : causes[failure.cause].sentence;
  return present(
    readable(summaryOf(review, answer)),
    '',
    `Read in full: ${full} of ${countOf(coverage.length, 'unit')}.`,
    ...[...earlier].map(
      ([run, { length }]) =>
        `Of these ${length} in run ${readable(run)}, and not asked about again: not changed since.`,
    ),
    status === 'partial' && `Partial review: ${why}; its silence says nothing.`,
    unparsed.length > 0 && `Lines that could not be read as findings: ${unparsed.length}.`,
    ...review.notes.map(readable),
  );
}

/** Each a paragraph of its own: readers take the first place in a paragraph for that of the finding it names. */
function renderIssue(finding: Finding, index: number) {
  const { location, evidence, recommendation } = finding;
  const unfound = location?.anchoring === 'unanchored' ? ' (not found in the subject)' : '';
  const note = (location?.note ?? null) === null ? '' : ` (${readable(location?.note ?? '')})`;
  const facts = present(
    location !== null && `Place:${renderPlace(finding).replace(' —', '')}${unfound}${note}`,
    evidence !== null && `Evidence: ${readable(evidence)}`,
    recommendation !== null && `Recommendation: ${readable(recommendation)}`,
    ...finding.notes.map(said => `Note: ${readable(said)}`),
  );
  return [
    `${index + 1}. **${readable(indexIdOf(finding))}** ${indexLevelOf(finding.severity)} ` +
      `(${readable(finding.label)}): ${readable(finding.text)}`,
    ...facts.map(fact => `   - ${fact}`),
    '',
  ];
}

// The one line that says what a review came to.

/**
 * The reviewer's own closing `SUMMARY:` field, else the first sentence of its *Summary* section, else a count of the findings
 * with the most severe one, else `no findings`. For a failed review, why it failed. `answer` is what the reviewer literally
 * said; null when nobody kept it. At most 160 characters.
 */
export function summaryOf(review: Review, answer: string | null) {
  if (review.status === 'failed') return cut(describeFailure(review), summaryLimit);
  const own = answer === null ? '' : summaryIn(answer);
  return cut(toOneLine(own) || countsOf(review) || 'no findings', summaryLimit);
}

function describeFailure({ failure }: Review) {
  if (failure === null) return 'the review failed';
  return toOneLine(failure.message) || causes[failure.cause].sentence;
}

/** Empty when there are no findings. */
function countsOf(review: Review) {
  const findings = countedFindings(review).toSorted(bySeverity);
  const counts = [...groupBy(findings, ({ severity }) => indexLevelOf(severity))].map(
    ([level, { length }]) => `${level}x${length}`,
  );
  const [top] = findings;
  return top === undefined ? '' : `${counts.join(' ')}: ${toOneLine(top.text)}`;
}

/** The last line of a finished file. A file of another tool may carry its own. */
export const completionSignal = '<!-- jury:complete -->';

const signals = new Set([
  completionSignal,
  '<!-- flux-drive:complete -->',
  '<!-- flux-research:complete -->',
]);

/** Is the last line that holds anything a completion signal? */
export function hasSignal(text: string) {
  const trimmed = text.trimEnd();
  return signals.has(trimmed.slice(trimmed.lastIndexOf('\n') + 1).trim());
}

// The verdict file of a review: what reaches a caller that reads no prose. Computed from the findings by code, and read back
// whoever wrote it.

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
