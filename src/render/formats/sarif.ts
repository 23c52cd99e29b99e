/**
 * SARIF 2.1.0 (OASIS, with errata 01), held to the limits of GitHub code scanning. One run, one result for each claim and for each
 * other reason that keeps the run from being a pass: what was not reviewed never reads as clean.
 */
import type {
  Invocation,
  Location as SarifLocation,
  Log,
  Notification,
  ReportingDescriptor,
  Result,
} from 'sarif';
import { makeVisible, sarifLink, sarifMessage, sarifUri } from '../../core/safety/visible-text.ts';
import { type Claim, countSupport } from '../../core/words/claim.ts';
import type { CodeFrame } from '../../core/words/code-index.ts';
import type { Finding } from '../../core/words/finding.ts';
import { present } from '../../core/groups.ts';
import { cut } from '../../core/text.ts';
import { exitCodeOf, sayOutcome } from '../../core/verdict/outcome.ts';
import type { Run, RunRecord } from '../../core/words/run.ts';
import { printJson } from '../figures.ts';
import {
  type ClaimEntry,
  type ReasonEntry,
  claimEntries,
  dismissalsIn,
  fingerprintClaims,
  placeOn,
  reasonEntries,
  silentReviewers,
  tellConditions,
  tellDismissal,
} from './entries.ts';
import type { ReportRule } from './rules.ts';

/** GitHub refuses a run of more results. */
const mostResults = 25_000;
/** Of these that are no claims; with the claims there is one too many of nothing. */
const mostReasons = 1_000;
/** Rules that are told apart by what reviewers say; those that come later go under one name. */
const mostRules = 1_000;

/** `exitCode`: that of the process, which is 130 where it was interrupted. */
export function renderSarif(
  run: Pick<Run, 'record' | 'reviews'>,
  exitCode: number = exitCodeOf(run.record.outcome),
) {
  const { record } = run;
  const rules = new Map<string, { readonly rule: ReportRule; readonly ruleIndex: number }>();
  const ruleOf = (rule: ReportRule) => {
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
  const fingerprints = fingerprintClaims(record, ({ id }) => ruleIds.get(id) ?? '');
  const resultOf = createClaimResult(run, shown.length, fingerprints);
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
function versionOf({ version }: RunRecord) {
  return /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version)
    ? { semanticVersion: version }
    : { version: sarifMessage(cut(version, 100)) };
}

function resultOfReason({ reason, place, level }: ReasonEntry): Omit<Result, 'ruleId'> {
  return {
    level,
    message: { text: `${reason.effect}: ${sarifMessage(cut(reason.sentence, 2_000))}` },
    locations: [locate(place)],
    partialFingerprints: {
      'juryReason/v1': sarifUri(`${reason.rule}/${cut(reason.subject, 500)}`),
    },
  };
}

const otherRule = {
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
    toolExecutionNotifications: present(
      ...silentReviewers(record).map(({ status, sentence }) =>
        notify(status === 'failed' ? 'error' : 'warning', `reviewer-${status}`, sentence),
      ),
      ...tellConditions(record).map(sentence => notify('note', 'run-condition', sentence)),
      ...reasons
        .filter(({ effect }) => effect === 'INCOMPLETE')
        .map(({ rule, sentence }) => notify('error', `run-${rule}`, sentence)),
      leftOut > 0 && notify('warning', 'results-left-out', `${leftOut} more results are left out.`),
    ),
  };
}

function isTime(text: string) {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text);
}

function notify(level: Notification['level'], id: string, text: string): Notification {
  return { level, descriptor: { id }, message: { text: sarifMessage(cut(text, 2_000)) } };
}

function describeSubject({ run, subject }: RunRecord) {
  return {
    run: visible(run),
    subject: visible(subject.title),
    base: visible(subject.base),
    head: visible(subject.head),
  };
}

function visible(text: string | null) {
  return text === null ? null : sarifMessage(cut(text, 1_000));
}

// A claim as a result: where, how bad, who agrees and who does not, the other wordings beside it.

/** Characters of all texts together: GitHub takes ten megabytes, compressed. */
const room = 12_000_000;
/** GitHub shows a hundred locations of a result, of which the first is its own. */
const mostRelated = 99;
/** Characters of a result from which on there is room for the code it is about. */
const roomForCode = 8_000;
const longestText = 4_000;
const shortestText = 200;
const longestWording = 1_000;

/** Without its rule. `results`: how many claims there are to tell; the more, the shorter each. */
function createClaimResult(
  { record, reviews }: Pick<Run, 'record' | 'reviews'>,
  results: number,
  fingerprints: ReadonlyMap<string, string>,
): (entry: ClaimEntry) => Omit<Result, 'ruleId'> {
  const { frames = {} } = record;
  const share = Math.floor(room / Math.max(1, results));
  const longest = Math.max(shortestText, Math.min(longestText, Math.floor(share / 3)));
  const related = Math.max(1, Math.min(mostRelated, Math.floor(share / (3 * shortestText))));
  const said = new Map(reviews.flatMap(({ findings }) => findings.map(one => [one.id, one])));
  const dismissals = dismissalsIn(record);
  return ({ claim, effect, level, place, tell }) => {
    const others = otherWordings(claim, said, Math.min(longest, longestWording)).slice(0, related);
    const worth = claim.worth ?? claim.confidence;
    return {
      level,
      // 0 to 100, absent where no model computed what it is worth.
      ...(worth !== null && { rank: Math.round(1_000 * worth) / 10 }),
      message: { text: [...tell(longest).map(sarifMessage), ...linksTo(others)].join('\n\n') },
      locations: [locate(place, share < roomForCode ? undefined : frames[claim.id])],
      ...(others.length > 0 && {
        relatedLocations: others.map((wording, index) => ({
          id: index + 1,
          ...locate(placeOn(wording.location ?? claim.location, record)),
          message: { text: sarifMessage(wording.text) },
        })),
      }),
      partialFingerprints: {
        // The one of these that GitHub reads.
        primaryLocationLineHash: fingerprints.get(claim.id) ?? claim.id,
        'juryClaim/v1': claim.id,
      },
      ...(claim.state === 'dismissed' && {
        // A decision of a person, made here or in the baseline file of the team.
        suppressions: [
          {
            kind: 'external',
            status: 'accepted',
            justification: sarifMessage(tellDismissal(dismissals.get(claim.id), longestWording)),
          },
        ],
      }),
      properties: { ...factsOf(claim), blocks: effect !== null, state: claim.state },
    };
  };
}

const rootId = '%SRCROOT%';

/** `frame`: the lines around, for readers that have no code at hand. */
function locate({ path, line, endLine }: ClaimEntry['place'], frame?: CodeFrame): SarifLocation {
  return {
    physicalLocation: {
      artifactLocation: { uri: sarifUri(path), uriBaseId: rootId },
      region: { startLine: line, ...(endLine > line && { endLine }) },
      ...(frame !== undefined &&
        frame.first < line && {
          contextRegion: {
            startLine: frame.first,
            endLine: Math.max(endLine, frame.first + frame.lines.length - 1),
            snippet: { text: makeVisible(frame.lines.join('\n')) },
          },
        }),
    },
  };
}

/** What stands in the message already is left out; what denies the claim comes first. `location`: null where it is that of the claim. */
function otherWordings(
  { text, findings, against }: Claim,
  said: ReadonlyMap<string, Finding>,
  longest: number,
) {
  const told = findings.findIndex(finding => finding.text === text);
  return [
    ...against.map(({ reviewer, finding, statement }) => ({
      reviewer,
      text: `${reviewer} (denies it): ${cut(statement, longest)}`,
      location: said.get(finding)?.location ?? null,
    })),
    ...findings
      .filter((_, index) => index !== told)
      .map(({ reviewer, text: own, severity, location }) => ({
        reviewer,
        text: `${reviewer} (${severity}): ${cut(own, longest)}`,
        location,
      })),
  ];
}

const mostLinks = 12;

/** Readers show a related location only where the message leads to it. */
function linksTo(wordings: ReturnType<typeof otherWordings>) {
  const links = wordings
    .slice(0, mostLinks)
    .map(({ reviewer }, index) => sarifLink(cut(reviewer, 100), index + 1));
  return links.length === 0 ? [] : [`In other words: ${links.join(', ')}.`];
}

function factsOf(claim: Claim) {
  const { id, severity, agreement, electorate, against } = claim;
  return {
    claim: id,
    severity,
    agreement,
    supporters: countSupport(claim),
    electorate,
    denials: against.length,
    confidence: claim.confidence,
    matters: claim.matters,
  };
}
