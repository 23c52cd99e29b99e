/** The report of a consensus review: the verdict, who said what and covered what, what nobody read, and the command that reviews it. */
import type { AgentRow, ConsensusReview } from '../core/verdict/panel-table.ts';
import { firstLines, nameFew } from '../core/verdict/onward.ts';
import type { Finding } from '../core/words/finding.ts';
import { causes, displayOf, type Review } from '../core/words/review.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import { severities } from '../core/words/severity.ts';
import { code, quoteBlock, tableOf } from '../core/safety/markdown-text.ts';
import { oneLine, pad, pathText, widthOf } from './terminal-text.ts';

/** The report of a protocol as its readers know it. Empty when the subject is no change. */
export function protocolLines({
  consensusReview: review,
  subject,
  claims,
  engineFindings = [],
}: RunRecord): string[] {
  if (review === undefined) return [];
  return [
    `═══ Consensus Review: ${oneLine(subject.title, 200)} ═══`,
    `Verdict: ${review.verdict}`,
    ...review.partial.map(pathText),
    ...firstLines(review.uncovered).map(pathText),
    ...firstLines(review.blocking).map(pathText),
    ...engineFindings.map(({ text }) => `  ❌ Engine: ${oneLine(text, 200)}`),
    ...review.agents
      .filter(({ verdict }) => verdict === 'VETO')
      .map(({ name, ground }) => `  ❌ ${name}: ${oneLine(ground ?? '', 160)}`),
    ...layAgents(review.agents),
    ...(review.agents.every(
      ({ verdict, critical, high, medium, low }) =>
        verdict !== null && critical + high + medium + low === 0,
    ) && claims.length + engineFindings.length === 0
      ? ['No issues found.']
      : []),
    ...fewGaps(review).map(pathText),
    ...review.agents
      .filter(({ cutoff_reason }) => cutoff_reason === 'budget')
      .map(
        ({ reviewer, skipped_files }) =>
          `Files not reviewed by ${reviewer}: ${nameFew(skipped_files.map(pathText), 3)}`,
      ),
    ...(review.follow_up === null ? [] : [review.follow_up]),
    review.fully_covered,
    ...(review.report === null ? [] : [`→ Full report: ${pathText(review.report)}`]),
  ];
}

function layAgents(agents: readonly AgentRow[]): string[] {
  const width = Math.max(13, ...agents.map(({ name }) => widthOf(oneLine(name, 40)))) + 2;
  const row = (
    name: string,
    verdict: string,
    figures: readonly string[],
    coverage: string,
  ): string =>
    `${pad(oneLine(name, 40), width)}${pad(verdict, 10)}${figures.map((figure, index) => pad(figure, index === 3 ? 3 : 4)).join('')}${coverage}`.trimEnd();
  const sum = (key: 'critical' | 'high' | 'medium' | 'low'): number =>
    agents.reduce((total, agent) => total + agent[key], 0);
  return [
    row('Agent', 'Verdict', ['C', 'H', 'M', 'L'], 'Coverage'),
    ...agents.map(agent => row(agent.name, verdictOf(agent), countsOf(agent), agent.coverage)),
    row('Total', '', [sum('critical'), sum('high'), sum('medium'), sum('low')].map(String), ''),
  ];
}

/** Whoever failed has no verdict, and no count either: nought would be one. */
function verdictOf({ verdict }: AgentRow): string {
  return verdict ?? 'ERROR';
}

function countsOf({ verdict, critical, high, medium, low }: AgentRow): string[] {
  return [critical, high, medium, low].map(count => (verdict === null ? '-' : String(count)));
}

/** The report file of a scope. Empty when the subject is no change. */
export function renderConsensusReview({ record, reviews }: Run): string {
  const review = record.consensusReview;
  if (review === undefined) return '';
  const vetoing = review.agents.filter(({ verdict }) => verdict === 'VETO');
  const sections = [
    [
      `# Consensus Review: ${code(record.subject.title)}`,
      '',
      `**Scope**: ${code(record.subject.title)}`,
      `**Date**: ${record.completedAt}`,
      `**Verdict**: ${review.verdict}`,
      `**Veto Agents**: ${vetoing.map(({ reviewer }) => code(reviewer)).join(', ') || 'none'}`,
    ],
    [
      '## Summary',
      '',
      ...tableOf(
        ['Agent', 'Verdict', 'C', 'H', 'M', 'L', 'Coverage'],
        review.agents.map(agent => [
          code(agent.name),
          verdictOf(agent),
          ...countsOf(agent),
          agent.coverage,
        ]),
      ),
    ],
    ...(vetoing.length === 0
      ? []
      : [['## Veto Issues', '', ...vetoing.flatMap(agent => vetoIssues(agent, reviews))]]),
    ...(record.engineFindings === undefined
      ? []
      : [
          [
            '## Engine Findings',
            '',
            ...record.engineFindings.map(({ text }) => `- **CRITICAL** ${code(text)}`),
          ],
        ]),
    ['## All Findings', '', ...reviews.flatMap(one => listFindings(one, record))],
    ['## Coverage', '', ...listCoverage(review)],
  ];
  return `${sections.map(lines => lines.join('\n').trimEnd()).join('\n\n')}\n`;
}

function vetoIssues(agent: AgentRow, reviews: Run['reviews']): string[] {
  const findings = reviews.find(({ reviewer }) => reviewer === agent.reviewer)?.findings ?? [];
  const grounds = findings.filter(
    ({ severity, isImprovement }) =>
      !isImprovement && (severity === 'critical' || severity === 'high'),
  );
  if (grounds.length === 0)
    return [`### [VETO] ${code(agent.ground ?? '')}`, '', `- Agent: ${code(agent.reviewer)}`, ''];
  return grounds.flatMap(finding => [
    `### [${finding.severity.toUpperCase()}] ${code(finding.text)}`,
    '',
    `- Agent: ${code(agent.reviewer)}`,
    `- File: ${code(placeOf(finding))}`,
    `- CWE: ${code(typeof finding.extra?.cwe === 'string' ? finding.extra.cwe : '')}`,
    ...(finding.evidence === null
      ? ['- Evidence: –']
      : ['- Evidence:', ...quoteBlock(finding.evidence, '  ')]),
    `- Fix: ${code(finding.recommendation ?? '')}`,
    '',
  ]);
}

function placeOf({ location }: Finding): string {
  return location === null
    ? ''
    : `${location.path}${location.line === null ? '' : `:${location.line}`}`;
}

function listFindings(review: Review, { claims }: RunRecord): string[] {
  const { reviewer, findings } = review;
  const agreed = new Set(
    claims
      .filter(({ supporters }) => supporters.length >= 2)
      .flatMap(claim => claim.findings.map(({ id }) => id)),
  );
  const counted = findings
    .filter(({ isImprovement }) => !isImprovement)
    .toSorted(
      (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
    );
  const lines = counted.map(
    finding =>
      `- **${finding.severity.toUpperCase()}** ` +
      `${code(finding.text)}${finding.location === null ? '' : ` at ${code(placeOf(finding))}`}${agreed.has(finding.id) ? ' (consensus)' : ''}`,
  );
  return [
    `### ${code(reviewer)}`,
    '',
    ...(lines.length === 0 ? [describeSilence(review)] : lines),
    '',
  ];
}

/** Only a complete review says something by finding nothing. */
function describeSilence(review: Review): string {
  if (review.status === 'complete') return 'No issues found.';
  const why = review.failure === null ? '' : `, ${causes[review.failure.cause].sentence}`;
  return (
    `${review.status === 'failed' ? 'There is no review' : 'Nothing found in what there is of the review'}: ` +
    `${displayOf(review)}${why}.`
  );
}

function isGap(line: string): boolean {
  return line.startsWith('Gap: ');
}

/** The suggestion after them stands once for all of them. */
function fewGaps({ gaps }: ConsensusReview): string[] {
  return [...firstLines(gaps.filter(isGap)), ...gaps.filter(line => !isGap(line))];
}

function listCoverage(review: ConsensusReview): string[] {
  return [
    ...review.partial.map(line => `- ${code(line)}`),
    ...firstLines(review.uncovered).map(line => `- ${code(line)}`),
    ...firstLines(review.blocking).map(line => `- ${code(line)}`),
    ...fewGaps(review).map(line => `- ${code(line)}`),
    ...(review.follow_up === null ? [] : [`- ${code(review.follow_up)}`]),
    `- ${review.fully_covered}`,
    '',
    ...tableOf(
      ['File', ...review.matrix.reviewers.map(code)],
      review.matrix.files.map(({ path, cells }) => [code(path), ...cells]),
    ),
  ];
}
