/** The full report as a Markdown file: everything every reviewer said, attributed, and proof of what was read. */
import type { Review } from '../core/review.ts';
import type { Run, RunRecord } from '../core/run.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import { count, duration, elapsed, money } from './figures.ts';
import { listClaims, listDismissed, listFindings, listFixed } from './markdown-claims.ts';
import { listCoverage } from './markdown-coverage.ts';
import { code, codeCell, codeList, quoteBlock, tableOf } from './markdown-text.ts';
import type { RenderOptions } from './page.ts';

export function renderMarkdown(run: Run, { isInterrupted = false }: Partial<RenderOptions> = {}): string {
  const { record, reviews } = run;
  const sections = [
    [`# Jury report: ${record.outcome}`, '', ...listFacts(record, exitCodeOf(record.outcome, isInterrupted))],
    section('Reasons', record.reasons.map(({ sentence }) => `- ${code(sentence)}`)),
    section('Warnings', record.subject.warnings.map(warning => `- ${code(warning)}`)),
    section('Panel', listPanel(record)),
    section('Criteria', listCriteria(record)),
    section('Coverage certificate', listCoverage(run)),
    section('Claims', listClaims(record)),
    section('Dismissed claims', listDismissed(record)),
    section('Fixed claims', listFixed(record)),
    section('Improvements', listFindings(reviews.flatMap(review => review.findings.filter(finding => finding.isImprovement)))),
    section('Unparsed lines', reviews.flatMap(listUnparsed)),
    section('Notes', reviews.flatMap(listNotes)),
    section('Usage', listUsage(record)),
  ];
  return `${sections.filter(lines => lines.length > 0).map(lines => lines.join('\n')).join('\n\n')}\n`;
}

/** A section without content is left out. */
function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines];
}

function listFacts(record: RunRecord, exitCode: number): string[] {
  const { subject, quorum, strategy } = record;
  const ends = subject.base === null && subject.head === null ? [] : [`- Base: ${code(subject.base ?? '')}, head: ${code(subject.head ?? '')}`];
  return [
    `- Subject: ${code(subject.title)}`,
    ...(subject.kind === 'change' ? [`- Size: ${count(subject.files, 'file')}, +${subject.additions} −${subject.deletions}`] : []),
    ...ends,
    `- Run: ${code(record.run)}${record.reused ? ' (answered from an earlier run: nothing has changed since)' : ''}`,
    `- Command: ${code(record.command)}, mode ${code(record.mode)}, Jury ${code(record.version)}`,
    `- Outcome: ${record.outcome}, exit code ${exitCode}`,
    `- Quorum: ${quorum.completed} of ${count(record.reviewers.length, 'reviewer')} completed, ${quorum.required} needed, ${quorum.met ? 'met' : 'not met'}`,
    `- Matching: ${code(strategy.name)}${strategy.threshold === null ? '' : `, threshold ${strategy.threshold}`}, version ${code(strategy.version)}`,
    `- Time: ${code(record.startedAt)} to ${code(record.completedAt)}`,
  ];
}

function listPanel({ reviewers }: RunRecord): string[] {
  const titles = ['Reviewer', 'Persona', 'Runner', 'Model', 'Status', 'Findings', 'Files read', 'Tokens', 'Time', 'Computed', 'Stated'];
  const rows = reviewers.map(reviewer => [
    `${codeCell(reviewer.id)}${reviewer.required ? ' (required)' : ''}`,
    codeCell(reviewer.persona),
    codeCell(reviewer.runner),
    codeCell(reviewer.model ?? ''),
    codeCell(reviewer.display),
    String(reviewer.findings),
    `${reviewer.filesReviewed} of ${reviewer.filesReviewed + reviewer.filesSkipped}`,
    `${reviewer.tokens.estimated ? '~' : ''}${reviewer.tokens.input + reviewer.tokens.output}`,
    duration(reviewer.durationMs),
    reviewer.verdict,
    codeCell(reviewer.statedVerdict ?? ''),
  ]);
  const troubles = reviewers.filter(reviewer => reviewer.message !== null && reviewer.message !== '').map(reviewer => `- ${code(reviewer.id)}: ${code(reviewer.message ?? '')}`);
  return [...tableOf(titles, rows), ...(troubles.length > 0 ? ['', ...troubles] : [])];
}

function listCriteria({ verification }: RunRecord): string[] {
  if (verification === null) return [];
  const rows = verification.criteria.map(criterion => [String(criterion.criterion), criterion.result, ...[criterion.pass, criterion.fail].map(names => codeList(names).replaceAll('|', '\\|'))]);
  return [`Result: ${verification.result}`, '', ...tableOf(['Criterion', 'Result', 'Pass', 'Fail'], rows)];
}

function listUnparsed({ reviewer, unparsed }: Review): string[] {
  return unparsed.length === 0 ? [] : [`- ${code(reviewer)}:`, '', ...quoteBlock(unparsed.join('\n'), '  ')];
}

function listNotes({ reviewer, notes, repairs, dropped }: Review): string[] {
  const left = Object.entries(dropped).filter(([, amount]) => amount > 0).map(([kind, amount]) => `${amount} ${kind}`);
  return [
    ...notes.map(note => `- ${code(reviewer)}: ${code(note)}`),
    ...(repairs.length === 0 ? [] : [`- ${code(reviewer)}: repaired while reading: ${codeList(repairs)}`]),
    ...(left.length === 0 ? [] : [`- ${code(reviewer)}: lines dropped: ${left.join(', ')}`]),
  ];
}

function listUsage({ usage, startedAt, completedAt }: RunRecord): string[] {
  const { details } = usage;
  const spent = elapsed(startedAt, completedAt);
  return [
    `- Calls: ${usage.calls}`,
    `- Tokens: ${usage.tokens} (${details.inputTokens} in, ${details.outputTokens} out, ${details.cachedTokens} cached)${details.estimated ? ', in part estimated' : ''}`,
    `- Cost: ${money(usage.cost)}`,
    ...(spent === null ? [] : [`- Time: ${duration(spent)}`]),
  ];
}
