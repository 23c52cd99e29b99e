/** The consensus report: claims in three tiers, what the reviewers disagree on, and a count for each label. */
import { agreementOf, type Agreement, type Claim } from '../core/claim.ts';
import { modes, type ModeName } from '../core/mode.ts';
import { displayOf, type Review } from '../core/review.ts';
import type { RunRecord } from '../core/run.ts';
import { rankOf, type LabelScale } from '../core/severity.ts';
import { makeVisible } from '../core/visible-text.ts';

export interface ConsensusReport {
  readonly mode: ModeName;
  /** The labels that were asked for with what they mean, heaviest first. */
  readonly scale: LabelScale;
  /** As the caller named them; null when none were given. */
  readonly commits: { readonly base: string; readonly head: string } | null;
  /** In display order; empty when nobody was called. */
  readonly reviews: readonly Review[];
  readonly strategy: RunRecord['strategy'];
  readonly quorum: RunRecord['quorum'];
  readonly claims: readonly Claim[];
  readonly verification: RunRecord['verification'];
  /** Run folder; null when there is none. */
  readonly folder: string | null;
}

/** Markdown. Words of reviewers stand in it as plain text: nothing in them is a link, an image or markup. */
export function renderConsensusReport(report: ConsensusReport): string {
  const { reviews, commits, claims } = report;
  const sections = [
    [modes[report.mode].title],
    [
      `**Reviewers**: ${reviews.map(review => plain(`${review.reviewer} ${displayOf(review)}`)).join(', ') || 'none called'}`,
      ...(commits === null ? [] : [`**Commits**: ${plain(commits.base)}..${plain(commits.head)}`]),
    ],
    ...[...tiersOf(claims)].map(([heading, members]) => [heading].concat(members.flatMap(listClaim))),
    listDisagreements(claims),
    listCriteria(report.verification),
    ['## Summary', ...summaryLines(report)],
  ];
  return `${sections.filter(lines => lines.length > 0).map(lines => lines.join('\n')).join('\n\n')}\n`;
}

/** Claims by heading, in the order they are printed: tier, share, severity, support; the list given decides the rest. */
function tiersOf(claims: readonly Claim[]): Map<string, Claim[]> {
  const tiers = new Map<string, Claim[]>();
  for (const claim of claims.toSorted(compareClaims)) {
    const members = tiers.get(headingOf(claim));
    if (members === undefined) tiers.set(headingOf(claim), [claim]);
    else members.push(claim);
  }
  return tiers;
}

const strength: Record<Agreement, number> = { all: 2, majority: 1, single: 0 };

function compareClaims(one: Claim, other: Claim): number {
  return strength[tierOf(other)] - strength[tierOf(one)] || compareShares(one, other) || rankOf(one.severity) - rankOf(other.severity) || other.supporters.length - one.supporters.length;
}

/** Larger share first; equal ones apart, because each distinct n/m has a heading of its own. */
function compareShares(one: Claim, other: Claim): number {
  if (tierOf(one) !== 'majority' || tierOf(other) !== 'majority') return 0;
  return other.supporters.length * one.electorate - one.supporters.length * other.electorate || other.electorate - one.electorate;
}

function tierOf({ supporters, electorate }: Claim): Agreement {
  return agreementOf(supporters.length, electorate);
}

function headingOf(claim: Claim): string {
  const headings: Record<Agreement, string> = {
    all: '## High Priority - All Reviewers Agree',
    majority: `## Medium Priority - Majority Flagged (${claim.supporters.length}/${claim.electorate})`,
    single: '## Consider - Single Reviewer Mentioned',
  };
  return headings[tierOf(claim)];
}

function listClaim(claim: Claim): string[] {
  return [titleOf(claim), ...claim.findings.map(({ reviewer, text }) => `  - ${plain(reviewer)}: "${plain(text)}"`)];
}

function titleOf({ label, text }: Claim): string {
  return `- [${plain(label).toUpperCase()}] ${plain(text)}`;
}

function listDisagreements(claims: readonly Claim[]): string[] {
  const conflicts = claims.flatMap(claim => (claim.severityConflict === null ? [] : [titleOf(claim), `  - Severity: ${describeConflict(claim)}`]));
  const byId = new Map(claims.map(claim => [claim.id, claim]));
  const contradictions = claims.flatMap(claim =>
    claim.contradicts.filter(id => claim.id < id).flatMap(id => {
      const opposite = byId.get(id);
      return opposite === undefined ? [] : [titleOf(claim), `  - ${said(claim)}`, `  - Contradicted by ${said(opposite)}`];
    }),
  );
  return conflicts.length + contradictions.length === 0 ? [] : ['## Disagreements', ...conflicts, ...contradictions];
}

function said({ supporters, text }: Claim): string {
  return `${supporters.map(plain).join(', ')}: "${plain(text)}"`;
}

/** Each reviewer with the own label of its most severe finding. */
function describeConflict({ severityConflict, findings }: Claim): string {
  return Object.entries(severityConflict ?? {})
    .map(([reviewer, severity]) => `${plain(reviewer)} ${plain(findings.find(finding => finding.reviewer === reviewer && finding.severity === severity)?.label ?? severity).toUpperCase()}`)
    .join(', ');
}

function listCriteria(verification: ConsensusReport['verification']): string[] {
  if (verification === null) return [];
  return [
    `## Criteria - ${verification.result}`,
    ...verification.criteria.map(({ criterion, result, pass, fail }) => `- ${criterion}: ${[result, ...listVotes('PASS', pass), ...listVotes('FAIL', fail)].join(' · ')}`),
  ];
}

function listVotes(word: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${word} ${names.map(plain).join(', ')}`];
}

const issueNames: Readonly<Record<string, string>> = { CRITICAL: 'Critical issues', IMPORTANT: 'Important issues', SUGGESTION: 'Suggestions' };

function summaryLines(report: ConsensusReport): string[] {
  const counts = countLabels(report);
  const isUsual = [...report.scale.keys()].join() === Object.keys(issueNames).join();
  return [...counts].map(([label, count]) => `- ${isUsual ? issueNames[label] : plain(label)}: ${count}`);
}

/** Claims for each label that was asked for. One with another label counts for the next milder one, so that every claim is counted. */
function countLabels({ mode, scale, claims, verification }: ConsensusReport): Map<string, number> {
  if (mode === 'verification') {
    const count = (result: 'pass' | 'fail'): number => verification?.criteria.filter(criterion => criterion.result === result).length ?? 0;
    return new Map([['PASS', count('pass')], ['FAIL', count('fail')]]);
  }
  const counts = new Map([...scale.keys()].map(label => [label, 0]));
  for (const claim of claims) {
    const label = labelFor(claim, scale);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return counts;
}

function labelFor(claim: Claim, scale: LabelScale): string {
  const own = claim.label.toUpperCase();
  if (scale.has(own)) return own;
  const labels = [...scale.keys()];
  return labels.find(label => rankOf(scale.get(label) ?? 'low') >= rankOf(claim.severity)) ?? labels.at(-1) ?? own;
}

/** One line without markup that acts: no tag, image, link or bare address; hidden characters are shown. */
function plain(text: string): string {
  return makeVisible(text.replace(/\s+/g, ' ').trim())
    .replace(/<(?=[A-Za-z/!?])/g, '\\<')
    .replace(/!\[/g, '!\\[')
    .replace(/\](?=[([])/g, '\\]')
    .replace(/(?<=[A-Za-z]):\/\//g, ':\\/\\/')
    .replace(/\bwww\./gi, found => `${found.slice(0, -1)}\\.`);
}
