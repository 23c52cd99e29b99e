/** The list of runs, newest first, one line each. */
import type { ListedVote, UnfinishedRun } from '../core/printed/reports.ts';
import type { RunRecord } from '../core/words/run.ts';
import { layTable, openPage, type RenderOptions } from './page.ts';
import type { Column } from './section.ts';
import { oneLine, pathText } from './terminal-text.ts';

/** `unfinished` are those under way or killed, which stand among the others; below, how to go on with them. */
export function renderRuns(
  records: readonly RunRecord[],
  options: RenderOptions,
  unfinished: readonly UnfinishedRun[] = [],
): string {
  if (records.length + unfinished.length === 0) return 'No runs yet. "jury review" starts one.\n';
  const page = openPage(options);
  const newest = [...records.map(toRow), ...unfinished.map(toUnfinishedRow)].sort(
    (one, other) => compare(other.startedAt, one.startedAt) || compare(other.run, one.run),
  );
  const paint = (text: string, row: number, column: number) =>
    column === outcomeColumn ? paintOutcome(newest[row]?.outcome, text, page.colors) : text;
  const hints = unfinished.flatMap(({ resume }) =>
    resume === null ? [] : [`To go on: ${oneLine(resume, 60)}`],
  );
  return `${[...layTable({ columns, rows: newest.map(({ cells }) => [...cells]), paint }, page), ...hints].join('\n')}\n`;
}

/** Votes on motions, one line each; empty when there are none. */
export function renderVotes(votes: readonly ListedVote[]): string {
  const lines = votes.map(
    ({ run, title, artifacts, counts }) =>
      `  ${oneLine(run, 40)}  ` +
      `${artifacts === null ? 'UNFINISHED' : (counts?.incomplete ?? 0) > 0 ? 'INCOMPLETE' : 'ENDED'}  ` +
      `${oneLine(title, 100)}${artifacts === null ? '' : `  ${pathText(artifacts)}`}`,
  );
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

interface Row {
  readonly run: string;
  readonly startedAt: string;
  readonly outcome: keyof ReturnType<typeof outcomePaints>;
  readonly cells: readonly string[];
}

function toRow({ run, startedAt, outcome, imported, reviewers, claims, subject }: RunRecord): Row {
  const complete = reviewers.filter(({ status }) => status === 'complete').length;
  const word = wordOf(outcome);
  return {
    run,
    startedAt,
    outcome: imported === undefined ? word : 'IMPORTED',
    cells: [
      oneLine(run, 40),
      whenOf(startedAt),
      imported === undefined ? word : `IMPORTED (${wordOf(imported.said)})`,
      `${complete}/${reviewers.length}`,
      String(claims.length),
      oneLine(subject.title, 200),
    ],
  };
}

/** A plain question has no gate; by how many it was answered stands in the next column. */
function wordOf(outcome: RunRecord['outcome']) {
  return outcome ?? 'ANSWERED';
}

/** What its reviewers came to so far is known when it ends. */
function toUnfinishedRow({ run, startedAt, state, reviewers, title }: UnfinishedRun): Row {
  const outcome = stateWords[state];
  return {
    run,
    startedAt,
    outcome,
    cells: [
      oneLine(run, 40),
      whenOf(startedAt),
      outcome,
      `–/${reviewers}`,
      '–',
      title === null ? '–' : oneLine(title, 200),
    ],
  };
}

const stateWords = {
  running: 'RUNNING',
  unfinished: 'UNFINISHED',
  unreadable: 'UNREADABLE',
} as const;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21 Nov 22:14`: the year stands in the run id beside it. */
function whenOf(startedAt: string): string {
  const parts = /^\d{4}-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(startedAt);
  return parts === null
    ? '–'
    : `${parts[2]} ${months[Number(parts[1]) - 1] ?? parts[1]} ${parts[3]}`;
}

function paintOutcome(outcome: Row['outcome'] | undefined, text: string, colors: Colors): string {
  return outcome === undefined ? text : outcomePaints(colors)[outcome](text);
}

type Colors = ReturnType<typeof openPage>['colors'];

function outcomePaints({ green, red, yellow }: Colors) {
  return {
    PASS: green,
    ANSWERED: green,
    FAIL: red,
    INCOMPLETE: yellow,
    UNFINISHED: yellow,
    UNREADABLE: yellow,
    RUNNING: (text: string) => text,
    IMPORTED: (text: string) => text,
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
