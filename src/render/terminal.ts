/**
 * The report for somebody who lives in a terminal: the outcome first and last, then why, who was asked, what they
 * agree on, what nobody read, what it cost, and what to do next.
 */
import type { RunRecord, Run } from '../core/run.ts';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import { makeVisible } from '../core/visible-text.ts';
import { layConsensusReview } from './consensus-review.ts';
import { count, duration, elapsed, money, shortCount } from './figures.ts';
import { layHeading, openPage, type Page, type RenderOptions } from './page.ts';
import { isClosed } from './ranking.ts';
import { layClaims } from './terminal-claims.ts';
import { layDismissed, layFixed } from './terminal-closed.ts';
import { layCoverage } from './terminal-coverage.ts';
import { layPanel } from './terminal-panel.ts';
import { hang, oneLine, pathText, wrap } from './terminal-text.ts';

export function renderTerminal(run: Run, options: RenderOptions): string {
  const page = openPage(options);
  const { record } = run;
  const sections = [
    layOutcome(record, page),
    layWarnings(record, page),
    layConsensusReview(record),
    layPanel(record, page),
    layCriteria(record, page),
    layClaims(record, page),
    layDismissed(record, page),
    layFixed(record, page),
    layCoverage(record, page),
    [...layUsage(record, page), ...layImprovements(run, page)],
    layNextSteps(run, page),
    layClosing(record, page),
  ];
  return `${sections.filter(lines => lines.length > 0).map(lines => lines.join('\n')).join('\n\n')}\n`;
}

const mostReasons = 8;

function layOutcome(record: RunRecord, page: Page): string[] {
  const { subject } = record;
  const size = subject.kind === 'change' ? ` · ${count(subject.files, 'file')}, +${subject.additions} −${subject.deletions}` : '';
  const [first = '', ...others] = hang(`${outcomeMark(record)}  `, `${oneLine(subject.title, 200)}${size}`, page.measure);
  const coloured = `${paintOutcome(record, page, outcomeMark(record))}${page.colors.bold(first.slice(outcomeMark(record).length))}`;
  const reasons = record.reasons.slice(0, mostReasons).flatMap(({ sentence }) => hang('  - ', oneLine(sentence), page.measure));
  const rest = record.reasons.length - mostReasons;
  return [coloured, ...others.map(line => page.colors.bold(line)), ...reasons, ...(rest > 0 ? [`  … and ${count(rest, 'more reason')}`] : [])];
}

function outcomeMark({ outcome }: RunRecord): string {
  const marks: Record<RunRecord['outcome'], string> = { PASS: '✓ PASS', FAIL: '✗ FAIL', INCOMPLETE: '◐ INCOMPLETE' };
  return marks[outcome];
}

function paintOutcome({ outcome }: RunRecord, { colors }: Page, text: string): string {
  const paints: Record<RunRecord['outcome'], (text: string) => string> = { PASS: colors.green, FAIL: colors.red, INCOMPLETE: colors.yellow };
  return colors.bold(paints[outcome](text));
}

function layWarnings(record: RunRecord, page: Page): string[] {
  const reused = record.reused ? ['Answered from an earlier run: nothing has changed since.'] : [];
  const warnings = record.subject.warnings.slice(0, mostReasons).flatMap(warning => paintLead(hang('warning: ', oneLine(warning), page.measure), 'warning:', page.colors.yellow));
  return [...reused.flatMap(line => wrap(line, page.measure)), ...warnings];
}

function paintLead(lines: readonly string[], lead: string, paint: (text: string) => string): string[] {
  return lines.map((line, index) => (index === 0 ? `${paint(lead)}${line.slice(lead.length)}` : line));
}

function layCriteria({ verification }: RunRecord, page: Page): string[] {
  if (verification === null) return [];
  const votes = verification.criteria.flatMap(criterion => {
    const tally = `${count(criterion.pass.length, 'pass', 'passes')}, ${count(criterion.fail.length, 'fail')}`;
    return hang(`  ${criterion.criterion}. `, `${criterion.result} (${tally})`, page.measure);
  });
  return [...layHeading(page, 'Criteria', verification.result), ...votes];
}

function layUsage(record: RunRecord, page: Page): string[] {
  const { calls, tokens, cost, details } = record.usage;
  const about = details.estimated ? '~' : '';
  const split = `${shortCount(details.inputTokens)} in, ${shortCount(details.outputTokens)} out${details.cachedTokens > 0 ? `, ${shortCount(details.cachedTokens)} cached` : ''}`;
  const spent = elapsed(record.startedAt, record.completedAt);
  const figures = [count(calls, 'call'), `${about}${shortCount(tokens)} tokens (${split})`, money(cost), ...(spent === null ? [] : [duration(spent)])];
  return paintLead(hang('Usage  ', figures.join(' · '), page.measure), 'Usage', page.colors.bold);
}

function layImprovements({ reviews }: Run, page: Page): string[] {
  const amount = reviews.reduce((sum, review) => sum + review.findings.filter(finding => finding.isImprovement).length, 0);
  return amount === 0 ? [] : wrap(`${count(amount, 'suggested improvement')} in the full report`, page.measure).map(line => page.colors.dim(line));
}

function layNextSteps({ record, folder }: Run, page: Page): string[] {
  const first = record.blocking[0] ?? record.claims.find(claim => !isClosed(claim))?.id;
  const steps: [string, string][] = [];
  if (first !== undefined) steps.push([`jury show ${record.run} ${first}`, 'every word said about it']);
  const isWhole = record.quorum.met && record.reviewers.every(({ status }) => status === 'complete');
  if (record.outcome === 'INCOMPLETE' && !isWhole) steps.push([`jury resume ${record.run}`, 'asks again who did not complete']);
  const unread = record.coverage.files.find(({ by }) => by.length === 0);
  if (record.outcome === 'INCOMPLETE' && isWhole && unread !== undefined) steps.push([`--exclude ${shellWord(unread.path)}`, 'leaves out what no reviewer can read']);
  // Commands and the path stay whole, so that they can be copied.
  const commands = steps.map(([command, why]) => withRemark(`  ${command}`, why, page));
  return [...layHeading(page, 'Next'), ...commands, `  ${page.colors.dim('full report')} ${pathText(`${folder}/report.md`)}`];
}

/** Quoted where a shell would take it apart. */
function shellWord(path: string): string {
  return /^[\w./@%+,:-]+$/.test(path) ? path : `'${makeVisible(path).replaceAll("'", `'\\''`)}'`;
}

function withRemark(text: string, remark: string, page: Page): string {
  return text.length + remark.length + 3 <= page.width ? `${text}   ${page.colors.dim(remark)}` : text;
}

/** A long report ends below the fold: what counts is said once more where the eye is. */
function layClosing(record: RunRecord, page: Page): string[] {
  const open = record.claims.filter(claim => !isClosed(claim)).length;
  const claims = record.blocking.length > 0 ? `${count(open, 'claim')}, ${record.blocking.length} blocking` : count(open, 'claim');
  const panel = `${record.quorum.completed} of ${count(record.reviewers.length, 'reviewer')} completed`;
  const lines = hang(`${outcomeMark(record)}  `, `${claims} · ${panel} · exit ${exitCodeOf(record.outcome, page.isInterrupted)}`, page.measure);
  return paintLead(lines, outcomeMark(record), text => paintOutcome(record, page, text));
}
