/** The report of a consensus review: the verdict, who said what and covered what, what nobody read, and the command that reviews it. */
import type { AgentRow, ConsensusReview } from '../core/verdict/panel-table.ts';
import { firstLines, nameFew } from '../core/verdict/coverage.ts';
import { causes, displayOf, type Review } from '../core/words/review.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import { countedFindings } from '../core/verdict/review-status.ts';
import { bySeverity, placeText, severities } from '../core/words/finding.ts';
import { code, quoteBlock, tableOf } from '../core/safety/visible-text.ts';
import { data, lines, literal, say, type Section, title, toned } from './section.ts';
import { oneLine, pad, widthOf } from './figures.ts';
import { present } from '../core/groups.ts';

/** The report of a protocol as its readers know it. Empty when the subject is no change, and for who asked for no protocol. */
export function describeProtocol({
  consensusReview: review,
  subject,
  claims,
  engineFindings = [],
}: RunRecord): readonly Section[] {
  if (review === undefined || [null, 'review', 'gates'].includes(review.rules)) return [];
  const { agents, partial, uncovered, blocking, report } = review;
  const sums = severities.map(key => agents.reduce((total, agent) => total + agent[key], 0));
  const isQuiet =
    agents.every(({ verdict }) => verdict !== null) && sums.every(amount => amount === 0);
  const below = [
    isQuiet && claims.length + engineFindings.length === 0 && 'No issues found.',
    ...fewGaps(review),
    ...agents
      .filter(({ cutoff_reason }) => cutoff_reason === 'budget')
      .map(
        ({ reviewer, skipped_files }) =>
          `Files not reviewed by ${reviewer}: ${nameFew(skipped_files, 3)}`,
      ),
    review.follow_up,
    review.fully_covered,
    report !== null && `→ Full report: ${report}`,
  ];
  return [
    title(2, '═══ Consensus Review: ', data(subject.title, 200), ' ═══'),
    ...lines(
      [`Verdict: ${review.verdict}`],
      ...[...partial, ...firstLines(uncovered), ...firstLines(blocking)].map(line => [
        literal(line),
      ]),
      ...engineFindings.map(({ text }) => say`${vetoMark}Engine: ${data(text, 200)}`),
      ...vetoing(review).map(
        ({ name, ground }) => say`${vetoMark}${data(name, 40)}: ${data(ground ?? '', 160)}`,
      ),
    ),
    ...lines(...layAgents(agents, sums).map(row => [literal(row)])),
    ...lines(...below.map(line => typeof line === 'string' && [literal(line)])),
  ];
}

const vetoMark = toned('bad', '  ❌ ');

/** In the columns of the specification: whoever reads them by their places finds them there. */
function layAgents(agents: readonly AgentRow[], sums: readonly number[]) {
  const width = Math.max(13, ...agents.map(({ name }) => widthOf(oneLine(name, 40)))) + 2;
  return [
    columns,
    ...agents.map(agent => [agent.name, ...figuresOf(agent)]),
    ['Total', '', ...sums.map(String)],
  ].map(([name = '', verdict = '', ...cells]) =>
    [
      pad(oneLine(name, 40), width),
      pad(verdict, 10),
      ...cells.map((cell, index) => pad(cell, [4, 4, 4, 3, 0][index] ?? 0)),
    ]
      .join('')
      .trimEnd(),
  );
}

function vetoing({ agents }: ConsensusReview) {
  return agents.filter(({ verdict }) => verdict === 'VETO');
}

const columns = ['Agent', 'Verdict', 'C', 'H', 'M', 'L', 'Coverage'];

/** Whoever failed has no verdict, and no count either: nought would be one. */
function figuresOf(agent: AgentRow) {
  const { verdict, coverage } = agent;
  return [
    verdict ?? 'ERROR',
    ...severities.map(severity => (verdict === null ? '-' : String(agent[severity]))),
    coverage,
  ];
}

/** The report file of a scope. Empty when the subject is no change. */
export function renderConsensusReview({ record, reviews }: Run) {
  const { consensusReview: review, engineFindings, subject, completedAt } = record;
  if (review === undefined) return '';
  const vetoes = vetoing(review);
  const sections = present(
    [
      `# Consensus Review: ${code(subject.title)}`,
      '',
      `**Scope**: ${code(subject.title)}`,
      `**Date**: ${completedAt}`,
      `**Verdict**: ${review.verdict}`,
      `**Veto Agents**: ${vetoes.map(({ reviewer }) => code(reviewer)).join(', ') || 'none'}`,
    ],
    [
      '## Summary',
      '',
      ...tableOf(
        columns,
        review.agents.map(agent => [code(agent.name), ...figuresOf(agent)]),
      ),
    ],
    vetoes.length > 0 && [
      '## Veto Issues',
      '',
      ...vetoes.flatMap(agent => vetoIssues(agent, reviews)),
    ],
    engineFindings !== undefined && [
      '## Engine Findings',
      '',
      ...engineFindings.map(({ text }) => `- **CRITICAL** ${code(text)}`),
    ],
    ['## All Findings', '', ...reviews.flatMap(one => listFindings(one, record))],
    ['## Coverage', '', ...listCoverage(review)],
  );
  return `${sections.map(lines => lines.join('\n').trimEnd()).join('\n\n')}\n`;
}

function vetoIssues(agent: AgentRow, reviews: Run['reviews']) {
  const grounds = reviews
    .filter(({ reviewer }) => reviewer === agent.reviewer)
    .flatMap(countedFindings)
    .filter(({ severity }) => severity === 'critical' || severity === 'high');
  if (grounds.length === 0)
    return [`### [VETO] ${code(agent.ground ?? '')}`, '', `- Agent: ${code(agent.reviewer)}`, ''];
  return grounds.flatMap(({ severity, text, location, extra, evidence, recommendation }) => [
    `### [${severity.toUpperCase()}] ${code(text)}`,
    '',
    `- Agent: ${code(agent.reviewer)}`,
    `- File: ${code(placeText(location))}`,
    `- CWE: ${code(typeof extra?.cwe === 'string' ? extra.cwe : '')}`,
    ...(evidence === null ? ['- Evidence: –'] : ['- Evidence:', ...quoteBlock(evidence, '  ')]),
    `- Fix: ${code(recommendation ?? '')}`,
    '',
  ]);
}

function listFindings(review: Review, { claims }: RunRecord) {
  const agreed = new Set(
    claims
      .filter(({ supporters }) => supporters.length >= 2)
      .flatMap(({ findings }) => findings.map(({ id }) => id)),
  );
  const lines = countedFindings(review)
    .toSorted(bySeverity)
    .map(({ id, severity, text, location }) => {
      const place = location === null ? '' : ` at ${code(placeText(location))}`;
      return `- **${severity.toUpperCase()}** ${code(text)}${place}${agreed.has(id) ? ' (consensus)' : ''}`;
    });
  return [
    `### ${code(review.reviewer)}`,
    '',
    ...(lines.length === 0 ? [describeSilence(review)] : lines),
    '',
  ];
}

/** Only a complete review says something by finding nothing. */
function describeSilence(review: Review) {
  if (review.status === 'complete') return 'No issues found.';
  const why = review.failure === null ? '' : `, ${causes[review.failure.cause].sentence}`;
  return (
    `${review.status === 'failed' ? 'There is no review' : 'Nothing found in what there is of the review'}: ` +
    `${displayOf(review)}${why}.`
  );
}

function isGap(line: string) {
  return line.startsWith('Gap: ');
}

/** The suggestion after them stands once for all of them. */
function fewGaps({ gaps }: ConsensusReview) {
  return [...firstLines(gaps.filter(isGap)), ...gaps.filter(line => !isGap(line))];
}

function listCoverage(review: ConsensusReview) {
  const { partial, uncovered, blocking, follow_up, matrix } = review;
  return [
    ...present(
      ...partial,
      ...firstLines(uncovered),
      ...firstLines(blocking),
      ...fewGaps(review),
      follow_up,
    ).map(line => `- ${code(line)}`),
    `- ${review.fully_covered}`,
    '',
    ...tableOf(
      ['File', ...matrix.reviewers.map(code)],
      matrix.files.map(({ path, cells }) => [code(path), ...cells]),
    ),
  ];
}
