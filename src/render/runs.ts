/** The list of runs, newest first, one line each. */
import type { RunRecord } from '../core/run.ts';
import { openPage, type RenderOptions } from './page.ts';
import { layTable, type Column } from './table.ts';
import { oneLine, pathText } from './terminal-text.ts';

export function renderRuns(records: readonly RunRecord[], options: RenderOptions): string {
  if (records.length === 0) return 'No runs yet. "jury review" starts one.\n';
  const page = openPage(options);
  const newest = [...records].sort((one, other) => compare(other.startedAt, one.startedAt) || compare(other.run, one.run));
  const paint = (text: string, row: number, column: number) => (column === outcomeColumn ? paintOutcome(newest[row], text, page.colors) : text);
  return `${layTable({ columns, rows: newest.map(rowOf), paint }, page).join('\n')}\n`;
}

export interface ListedVote {
  readonly run: string;
  readonly title: string;
  /** Absolute folder of the results; null: the vote never ended. */
  readonly artifacts: string | null;
  /** By what they count: `incomplete` motions above all. Null: the vote never ended. */
  readonly counts: Readonly<Record<string, number>> | null;
}

/** Votes on motions, one line each; empty when there are none. */
export function renderVotes(votes: readonly ListedVote[]): string {
  const lines = votes.map(({ run, title, artifacts, counts }) => `  ${oneLine(run, 40)}  ${artifacts === null ? 'UNFINISHED' : (counts?.incomplete ?? 0) > 0 ? 'INCOMPLETE' : 'ENDED'}  ${oneLine(title, 100)}${artifacts === null ? '' : `  ${pathText(artifacts)}`}`);
  return lines.length === 0 ? '' : `Votes on motions:\n${lines.join('\n')}\n`;
}

const outcomeColumn = 2;

const columns: readonly Column[] = [
  { title: 'RUN' },
  { title: 'WHEN (UTC)', leaves: 2 },
  { title: 'OUTCOME' },
  { title: 'PANEL', align: 'right', leaves: 3 },
  { title: 'CLAIMS', align: 'right', leaves: 4 },
  { title: 'SUBJECT', least: 12, overflow: 'cut', leaves: 5 },
];

function rowOf(record: RunRecord): string[] {
  const complete = record.reviewers.filter(reviewer => reviewer.status === 'complete').length;
  return [
    oneLine(record.run, 40),
    whenOf(record.startedAt),
    record.outcome,
    `${complete}/${record.reviewers.length}`,
    String(record.claims.length),
    oneLine(record.subject.title, 200),
  ];
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21 Nov 22:14`: the year stands in the run id beside it. */
function whenOf(startedAt: string): string {
  const parts = /^\d{4}-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(startedAt);
  return parts === null ? '–' : `${parts[2]} ${months[Number(parts[1]) - 1] ?? parts[1]} ${parts[3]}`;
}

function paintOutcome(record: RunRecord | undefined, text: string, { green, red, yellow }: ReturnType<typeof openPage>['colors']): string {
  if (record === undefined) return text;
  return { PASS: green, FAIL: red, INCOMPLETE: yellow }[record.outcome](text);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
