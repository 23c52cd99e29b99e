/** Who was asked, and what became of it: one row per reviewer, and a sentence for each that did not complete. */
import type { RunRecord, RunReviewer } from '../core/run.ts';
import { duration, shortCount } from './figures.ts';
import { layHeading, type Page } from './page.ts';
import { layTable, type Column } from './table.ts';
import { hang, oneLine } from './terminal-text.ts';

export function layPanel(record: RunRecord, page: Page): string[] {
  const { completed, required } = record.quorum;
  const rows = record.reviewers.map(reviewer => rowOf(reviewer));
  const paint = (text: string, row: number, column: number) => paintCell(text, record.reviewers[row], column, page);
  return [
    ...layHeading(page, 'Panel', `${completed} of ${record.reviewers.length} completed, ${required} needed`),
    ...layTable({ columns, rows, paint }, page),
    ...record.reviewers.flatMap(reviewer => layTrouble(reviewer, page)),
  ];
}

const statusColumn = 1;

const columns: readonly Column[] = [
  { title: 'REVIEWER', least: 10 },
  { title: 'STATUS', least: 12 },
  { title: 'FINDINGS', align: 'right', leaves: 6 },
  { title: 'FILES', align: 'right', leaves: 5 },
  { title: 'TOKENS', align: 'right', leaves: 3 },
  { title: 'TIME', align: 'right', leaves: 4 },
  { title: 'VERDICT', leaves: 2 },
  { title: 'ASKED', leaves: 1 },
];

function rowOf(reviewer: RunReviewer): string[] {
  const tokens = reviewer.tokens.input + reviewer.tokens.output;
  const files = reviewer.filesReviewed + reviewer.filesSkipped;
  return [
    `${oneLine(reviewer.id, 100)}${reviewer.required ? ' (required)' : ''}`,
    oneLine(reviewer.display, 120),
    String(reviewer.findings),
    files === 0 ? '–' : `${reviewer.filesReviewed}/${files}`,
    tokens === 0 ? '–' : `${reviewer.tokens.estimated ? '~' : ''}${shortCount(tokens)}`,
    duration(reviewer.durationMs),
    reviewer.verdict,
    oneLine(reviewer.model === null ? reviewer.runner : `${reviewer.runner} ${reviewer.model}`, 40),
  ];
}

function paintCell(text: string, reviewer: RunReviewer | undefined, column: number, { colors }: Page): string {
  if (column !== statusColumn || reviewer === undefined) return text;
  const paints: Record<RunReviewer['status'], (text: string) => string> = { complete: colors.green, partial: colors.yellow, failed: colors.red };
  return paints[reviewer.status](text);
}

function layTrouble(reviewer: RunReviewer, page: Page): string[] {
  if (reviewer.status === 'complete' || reviewer.message === null || reviewer.message === '') return [];
  return hang(`  ${oneLine(reviewer.id, 20)}: `, oneLine(reviewer.message, 240), page.measure).map(line => page.colors.dim(line));
}
