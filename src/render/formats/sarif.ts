/**
 * SARIF 2.1.0 (OASIS, with errata 01), held to the limits of GitHub code scanning. One run, one result for each claim and for each
 * other reason that keeps the run from being a pass: what was not reviewed never reads as clean.
 */
import type { Invocation, Log, Notification, ReportingDescriptor, Result } from 'sarif';
import { sarifMessage, sarifUri } from '../../core/safety/sarif-text.ts';
import { cut } from '../../core/text.ts';
import { exitCodeOf, sayOutcome } from '../../core/verdict/outcome.ts';
import type { Run, RunRecord } from '../../core/words/run.ts';
import { printJson } from '../json.ts';
import { fingerprintClaims } from './fingerprint.ts';
import { claimEntries, type ReasonEntry, reasonEntries } from './entries.ts';
import type { ReportRule } from './rules.ts';
import { createClaimResult, locate, rootId } from './sarif-result.ts';
import { tellConditions } from './telling.ts';

/** GitHub refuses a run of more results. */
const mostResults = 25_000;
/** Of these that are no claims; with the claims there is one too many of nothing. */
const mostReasons = 1_000;
/** Rules that are told apart by what reviewers say; those that come later go under one name. */
const mostRules = 1_000;

/** `exitCode`: that of the process, which is 130 where it was interrupted. */
export function renderSarif(
  { record, reviews }: Pick<Run, 'record' | 'reviews'>,
  exitCode: number = exitCodeOf(record.outcome),
): string {
  const rules = new Map<string, { readonly rule: ReportRule; readonly ruleIndex: number }>();
  const ruleOf = (rule: ReportRule): Pick<Result, 'ruleId' | 'ruleIndex'> & { ruleId: string } => {
    const known = rules.get(rule.id);
    if (known === undefined && rules.size >= mostRules && rule !== otherRule)
      return ruleOf(otherRule);
    const { ruleIndex } = known ?? { ruleIndex: rules.size };
    rules.set(rule.id, { rule, ruleIndex });
    return { ruleId: rule.id, ruleIndex };
  };
  const allReasons = reasonEntries(record);
  const reasons = allReasons.slice(0, mostReasons);
  const claims = claimEntries(record, true);
  const shown = claims.slice(0, mostResults - reasons.length);
  const ruled = shown.map(entry => ({ entry, rule: ruleOf(entry.rule) }));
  const ruleIds = new Map(ruled.map(({ entry, rule }) => [entry.claim.id, rule.ruleId]));
  const resultOf = createClaimResult({
    record,
    reviews,
    results: shown.length,
    fingerprints: fingerprintClaims(record, ({ id }) => ruleIds.get(id) ?? ''),
  });
  const results = [
    ...reasons.map(entry => ({ ...ruleOf(entry.rule), ...resultOfReason(entry) })),
    ...ruled.map(({ entry, rule }) => ({ ...rule, ...resultOf(entry) })),
  ];
  const leftOut = allReasons.length + claims.length - results.length;
  return printJson({
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Jury',
            ...versionOf(record),
            rules: [...rules.values()].map(describeRule),
          },
        },
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

function resultOfReason({ reason, place, level }: ReasonEntry): Omit<Result, 'ruleId'> {
  const { rule, effect, sentence, subject } = reason;
  return {
    level,
    message: { text: `${effect}: ${sarifMessage(cut(sentence, 2_000))}` },
    locations: [locate(place)],
    partialFingerprints: { 'juryReason/v1': sarifUri(`${rule}/${cut(subject, 500)}`) },
  };
}

const otherRule: ReportRule = {
  id: 'other',
  title: 'Other',
  help: 'There are too many rules to name this one.',
  tags: [],
};

/** What is known of all results of a rule: how bad each is stands with the result. */
function describeRule({
  rule: { id, title, help, tags },
}: {
  readonly rule: ReportRule;
}): ReportingDescriptor {
  // `sql-injection` is `SqlInjection`.
  const words = id.match(/[\p{L}\p{N}]+/gu) ?? [];
  return {
    id,
    name: words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    shortDescription: { text: `${sarifMessage(title)}.` },
    fullDescription: { text: sarifMessage(help) },
    help: { text: sarifMessage(help) },
    defaultConfiguration: { level: 'warning' },
    ...(tags.length > 0 && { properties: { tags: [...tags] } }),
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
