/** The consensus report: claims in three tiers, what the reviewers disagree on, and a count for each label; the same for programs. */
import {
  type Agreement,
  type Claim,
  placeOfClaim,
  countSupport,
  strength,
} from '../core/words/claim.ts';
import { groupBy, present } from '../core/groups.ts';
import { PrintedConsensus } from '../core/printed/votes.ts';
import { questionUnit } from '../core/verdict/coverage.ts';
import { modes, type ModeName } from '../core/words/mode.ts';
import { displayOf, reasonOf, type Review } from '../core/words/review.ts';
import type { RunRecord } from '../core/words/run.ts';
import {
  type LabelScale,
  bySeverity,
  countSeverities,
  placeText,
  rankOf,
} from '../core/words/finding.ts';
import { code, readable } from '../core/safety/visible-text.ts';
import { countedFindings } from '../core/verdict/review-status.ts';
import { stateOfCriterion } from '../core/verdict/verification.ts';
import { printJson } from './figures.ts';

export interface ConsensusReport extends Pick<RunRecord, 'strategy' | 'quorum' | 'verification'> {
  readonly mode: ModeName;
  /** The labels that were asked for with what they mean, heaviest first. */
  readonly scale: LabelScale;
  /** As the caller named them; null when none were given. */
  readonly commits: { readonly base: string; readonly head: string } | null;
  /** In display order; empty when nobody was called. */
  readonly reviews: readonly Review[];
  readonly claims: readonly Claim[];
  /** Run folder; null when there is none. */
  readonly folder: string | null;
}

/** Markdown. Nothing in the words of reviewers is a link, an image or markup. */
export function renderConsensusReport(report: ConsensusReport) {
  const { reviews, commits, claims } = report;
  const sections = [
    [modes[report.mode].title],
    present(
      `**Reviewers**: ${reviews.map(review => readable(`${review.reviewer} ${displayOf(review)}`)).join(', ') || 'none called'}`,
      commits !== null && `**Commits**: ${rangeOf(commits)}`,
    ),
    // In the order they are printed: tier, share, severity, support; the list given decides the rest.
    ...[...groupBy(claims.toSorted(compareClaims), headingOf)].map(([heading, members]) => [
      heading,
      ...members.flatMap(listClaim),
    ]),
    listDisagreements(claims),
    listCriteria(report.verification),
    ['## Summary', ...summaryLines(report)],
  ];
  return `${sections
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')}\n`;
}

function compareClaims(one: Claim, other: Claim) {
  return (
    strength[other.agreement] - strength[one.agreement] ||
    compareShares(one, other) ||
    bySeverity(one, other) ||
    other.supporters.length - one.supporters.length
  );
}

/** Larger share first; equal ones apart, because each distinct n/m has a heading of its own. */
function compareShares(one: Claim, other: Claim) {
  if (one.agreement !== 'majority' || other.agreement !== 'majority') return 0;
  return (
    countSupport(other) * one.electorate - countSupport(one) * other.electorate ||
    other.electorate - one.electorate
  );
}

function headingOf(claim: Claim) {
  const headings = {
    all: '## High Priority - All Reviewers Agree',
    majority: `## Medium Priority - Majority Flagged (${countSupport(claim)}/${claim.electorate})`,
    single: '## Consider - Single Reviewer Mentioned',
  };
  return headings[claim.agreement];
}

function listClaim(claim: Claim) {
  return [
    titleOf(claim),
    ...claim.findings.map(({ reviewer, text, location }) => {
      const isSame = placeText(location) === placeText(placeOfClaim(claim));
      return `  - ${readable(reviewer)}: "${readable(text)}"${isSame ? '' : placeBehind(text, location)}`;
    }),
  ];
}

function titleOf(claim: Claim) {
  return `- [${inBrackets(claim.label)}] ${readable(claim.text)}${placeBehind(claim.text, placeOfClaim(claim))}`;
}

/** ` (src/a.js:2)`; empty where there is none, or the words name it. */
function placeBehind(text: string, location: Claim['location']) {
  const place = placeText(location);
  return place === '' || text.includes(place) ? '' : ` (${readable(place)})`;
}

/** At the beginning of an item an `x` in brackets is a ticked box. */
function inBrackets(label: string) {
  const text = readable(label.toUpperCase());
  return /^x?$/i.test(text) ? code(text) : text;
}

function listDisagreements(claims: readonly Claim[]) {
  const conflicts = claims.flatMap(claim =>
    claim.severityConflict === null
      ? []
      : [titleOf(claim), `  - Severity: ${describeConflict(claim)}`],
  );
  const byId = new Map(claims.map(claim => [claim.id, claim]));
  const contradictions = claims.flatMap(claim =>
    claim.contradicts
      .filter(id => claim.id < id)
      .flatMap(id => {
        const opposite = byId.get(id);
        return opposite === undefined
          ? []
          : [titleOf(claim), `  - ${said(claim)}`, `  - Contradicted by ${said(opposite)}`];
      }),
  );
  return conflicts.length + contradictions.length === 0
    ? []
    : ['## Disagreements', ...conflicts, ...contradictions];
}

function said({ supporters, text }: Claim) {
  return `${supporters.map(readable).join(', ')}: "${readable(text)}"`;
}

/** Each reviewer with the own label of its most severe finding. */
function describeConflict({ severityConflict, findings }: Claim) {
  return Object.entries(severityConflict ?? {})
    .map(
      ([reviewer, severity]) =>
        `${readable(reviewer)} ${readable((labelOf(findings, reviewer, severity) ?? severity).toUpperCase())}`,
    )
    .join(', ');
}

function labelOf(findings: Claim['findings'], reviewer: string, severity: string) {
  return findings.find(finding => finding.reviewer === reviewer && finding.severity === severity)
    ?.label;
}

function listCriteria(verification: ConsensusReport['verification']) {
  if (verification === null) return [];
  return [
    `## Criteria - ${verification.result}`,
    ...verification.criteria.map(
      judged =>
        `- ${judged.criterion}: ` +
        [
          stateOfCriterion(judged),
          ...listVotes('PASS', judged.pass),
          ...listVotes('FAIL', judged.fail),
        ].join(' · '),
    ),
  ];
}

function listVotes(word: string, names: readonly string[]) {
  return names.length === 0 ? [] : [`${word} ${names.map(readable).join(', ')}`];
}

const issueNames: Readonly<Record<string, string>> = {
  CRITICAL: 'Critical issues',
  IMPORTANT: 'Important issues',
  SUGGESTION: 'Suggestions',
};

function summaryLines(report: ConsensusReport) {
  const counts = countLabels(report);
  const isUsual = [...report.scale.keys()].join() === Object.keys(issueNames).join();
  return [...counts].map(
    ([label, count]) => `- ${isUsual ? issueNames[label] : readable(label)}: ${count}`,
  );
}

/** Claims for each label that was asked for. One with another label counts for the next milder one, so that every claim is counted. */
function countLabels({ mode, scale, claims, verification }: ConsensusReport) {
  if (mode === 'verification') {
    const count = (result: 'pass' | 'fail') =>
      verification?.criteria.filter(criterion => criterion.result === result).length ?? 0;
    return new Map([
      ['PASS', count('pass')],
      ['FAIL', count('fail')],
    ]);
  }
  const counts = new Map([...scale.keys()].map(label => [label, 0]));
  for (const claim of claims) {
    const label = labelFor(claim, scale);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return counts;
}

function labelFor(claim: Claim, scale: LabelScale) {
  const own = claim.label.toUpperCase();
  if (scale.has(own)) return own;
  const labels = [...scale.keys()];
  return (
    labels.find(label => rankOf(scale.get(label) ?? 'low') >= rankOf(claim.severity)) ??
    labels.at(-1) ??
    own
  );
}

const tierNames = { all: 'high', majority: 'medium', single: 'consider' } as const satisfies Record<
  Agreement,
  string
>;

/**
 * `jury.consensus/1` with exactly the keys of its schema: one object, indented, ending with a line feed. Texts are what reviewers
 * wrote and untrusted.
 */
export function renderConsensusJson({ folder, ...report }: ConsensusReport) {
  const { mode, scale, reviews, claims } = report;
  return printJson(
    PrintedConsensus.parse({
      ...report,
      schema: 'jury.consensus/1',
      title: modes[mode].title.replace(/^# /, ''),
      severities: mode === 'verification' ? modes[mode].labels : [...scale.keys()],
      reviewers: reviews.map(review => ({
        ...review,
        name: review.reviewer,
        status: review.status === 'complete' ? 'ok' : (reasonOf(review) ?? 'unreadable'),
        status_text: displayOf(review),
        findings: countedFindings(review).length,
        // Null where one question held the whole.
        files_read: review.coverage.every(({ path }) => path === questionUnit)
          ? null
          : review.coverage.filter(({ extent }) => extent === 'full').map(({ path }) => path),
        duration_ms: review.durationMs,
        tokens_in: review.usage.inputTokens,
        tokens_out: review.usage.outputTokens,
        raw_path: folder === null ? null : `${folder}/raw/${review.reviewer}.txt`,
      })),
      claims: claims.map(claim => ({
        ...claim,
        ...placed(claim.location),
        tier: tierNames[claim.agreement],
        support: countSupport(claim),
        severity_conflict: claim.severityConflict,
        findings: claim.findings.map(finding => ({
          ...finding,
          ...placed(finding.location),
          original_id: finding.originalId,
        })),
      })),
      counts: countClaims(claims),
    }),
  );
}

function placed(location: Claim['location']) {
  return { file: location?.path ?? null, line: location?.line ?? null };
}

function countClaims(claims: readonly Claim[]) {
  const inTier = (tier: Agreement) => claims.filter(({ agreement }) => agreement === tier).length;
  return {
    high: inTier('all'),
    medium: inTier('majority'),
    consider: inTier('single'),
    by_severity: countSeverities(claims),
  };
}

/** As programs read it where no renderer acts on it: one tilde strikes nothing out, two do. */
function rangeOf({ base, head }: { readonly base: string; readonly head: string }) {
  const range = `${base}..${head}`;
  return /^[A-Za-z0-9./^-]+(?:~\d+)?[A-Za-z0-9./^-]*$/.test(range) &&
    !/\b[0-9a-f]{7,}\b|gh-\d|www\./i.test(range)
    ? range
    : `${readable(base)}..${readable(head)}`;
}
