/**
 * SARIF 2.1.0 (OASIS, with errata 01), held to the limits of GitHub code scanning. One run, one result for each claim and for each
 * other reason that keeps the run from being a pass: what was not reviewed never reads as clean.
 */
import type { Invocation, Log, Notification, Result } from 'sarif';
import { sarifMessage, sarifUri } from '../../core/safety/sarif-text.ts';
import { cut } from '../../core/text.ts';
import { exitCodeOf, sayOutcome } from '../../core/verdict/outcome.ts';
import { orderClaims } from '../../core/words/claim.ts';
import type { Run, RunRecord } from '../../core/words/run.ts';
import { printJson } from '../json.ts';
import { fingerprintClaims } from './fingerprint.ts';
import { otherReasons, type PlacedReason } from './places.ts';
import { ruleOfClaim, ruleOfReason } from './rules.ts';
import { createClaimResult, locate, rootId } from './sarif-result.ts';
import { createRuleList, type RuleList } from './sarif-rules.ts';
import { tellConditions } from './telling.ts';

/** GitHub refuses a run of more results. */
const mostResults = 25_000;
/** Of these that are no claims; with the claims there is one too many of nothing. */
const mostReasons = 1_000;

/** `exitCode`: that of the process, which is 130 where it was interrupted. */
export function renderSarif(
  { record, reviews }: Pick<Run, 'record' | 'reviews'>,
  exitCode: number = exitCodeOf(record.outcome),
): string {
  const rules = createRuleList();
  const allReasons = otherReasons(record);
  const reasons = allReasons.slice(0, mostReasons);
  const claims = orderClaims(record).filter(({ state }) => state !== 'fixed');
  const shown = claims.slice(0, mostResults - reasons.length);
  const ruled = shown.map(claim => ({ claim, rule: rules.add(ruleOfClaim(claim)) }));
  const ruleIds = new Map(ruled.map(({ claim, rule }) => [claim.id, rule.ruleId]));
  const resultOf = createClaimResult({
    record,
    reviews,
    results: shown.length,
    fingerprints: fingerprintClaims(record, ({ id }) => ruleIds.get(id) ?? ''),
  });
  const results = [
    ...reasons.map(placed => resultOfReason(placed, rules)),
    ...ruled.map(({ claim, rule }) => ({ ...rule, ...resultOf(claim) })),
  ];
  const leftOut = allReasons.length + claims.length - results.length;
  return printJson({
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Jury', ...versionOf(record), rules: rules.descriptors() } },
        automationDetails: { id: `jury/${sarifUri(record.command)}/${sarifUri(record.run)}` },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [rootId]: { description: { text: 'The top of the repository.' } } },
        invocations: [describeInvocation(record, exitCode, leftOut)],
        results,
        properties: describeSubject(record),
      },
    ],
  } satisfies Log);
}

/** Only what is a version by the rules of semantic versioning may be called one. */
function versionOf({ version }: RunRecord): { semanticVersion: string } | { version: string } {
  return /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version)
    ? { semanticVersion: version }
    : { version: sarifMessage(cut(version, 100)) };
}

function resultOfReason({ reason, place }: PlacedReason, rules: RuleList): Result {
  const { rule, effect, sentence, subject } = reason;
  return {
    ...rules.add(ruleOfReason(reason)),
    level: 'error',
    message: { text: `${effect}: ${sarifMessage(cut(sentence, 2_000))}` },
    locations: [locate(place)],
    partialFingerprints: {
      'juryReason/v1': sarifUri(`${rule}/${cut(subject, 500)}`),
    },
  };
}

/** A run that could not be decided was not successful, whatever it found. */
function describeInvocation(record: RunRecord, exitCode: number, leftOut: number): Invocation {
  const { outcome, reasons, startedAt, completedAt } = record;
  const isWhole = !reasons.some(({ effect }) => effect === 'INCOMPLETE');
  return {
    executionSuccessful: isWhole && exitCode === exitCodeOf(outcome),
    exitCode,
    exitCodeDescription: sarifMessage(sayOutcome(record)),
    ...(isTime(startedAt) && { startTimeUtc: startedAt }),
    ...(isTime(completedAt) && { endTimeUtc: completedAt }),
    toolExecutionNotifications: [
      ...notifyOfReviewers(record),
      ...tellConditions(record).map(sentence => notify('note', 'run-condition', sentence)),
      ...reasons
        .filter(({ effect }) => effect === 'INCOMPLETE')
        .map(({ rule, sentence }) => notify('error', `run-${rule}`, sentence)),
      ...(leftOut === 0
        ? []
        : [notify('warning', 'results-left-out', `${leftOut} more results are left out.`)]),
    ],
  };
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text);
}

function notifyOfReviewers({ reviewers }: RunRecord): Notification[] {
  return reviewers
    .filter(({ status }) => status !== 'complete')
    .map(({ id, status, display, message }) =>
      notify(
        status === 'failed' ? 'error' : 'warning',
        `reviewer-${status}`,
        `${id}: ${display}${message === null ? '' : `: ${message}`}`,
      ),
    );
}

function notify(level: Notification['level'], id: string, text: string): Notification {
  return { level, descriptor: { id }, message: { text: sarifMessage(cut(text, 2_000)) } };
}

function describeSubject({ run, subject }: RunRecord): Record<string, string | null> {
  return {
    run: visible(run),
    subject: visible(subject.title),
    base: visible(subject.base),
    head: visible(subject.head),
  };
}

function visible(text: string | null): string | null {
  return text === null ? null : sarifMessage(cut(text, 1_000));
}
