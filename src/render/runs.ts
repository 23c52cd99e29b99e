/** The list of runs, newest first, one line each. */
import type { ListedVote, UnfinishedRun } from '../core/printed/reports.ts';
import type { RunRecord } from '../core/words/run.ts';
import {
  type Column,
  data,
  lines,
  literal,
  say,
  table,
  title,
  type Tone,
  toned,
} from './section.ts';
import { paintTerminal, type RenderOptions } from './to-terminal.ts';
import { countComplete } from '../core/verdict/outcome.ts';

const columns: readonly Column[] = [
  { title: 'RUN' },
  { title: 'WHEN (UTC)', leaves: 2 },
  { title: 'OUTCOME' },
  { title: 'PANEL', align: 'right', leaves: 3 },
  { title: 'CLAIMS', align: 'right', leaves: 4 },
  { title: 'SUBJECT', least: 12, overflow: 'cut', leaves: 5 },
];

/** `unfinished` are those under way or killed, which stand among the others; below, how to go on with them; then votes on motions. */
export function renderRuns(
  records: readonly RunRecord[],
  options: RenderOptions,
  unfinished: readonly UnfinishedRun[] = [],
  votes: readonly ListedVote[] = [],
) {
  if (records.length + unfinished.length + votes.length === 0)
    return 'No runs yet. "jury review" starts one.\n';
  const newest = [...records.map(toRow), ...unfinished.map(toUnfinishedRow)].sort(
    (one, other) => compare(other.startedAt, one.startedAt) || compare(other.run, one.run),
  );
  const rows = newest.map(({ run, startedAt, state, tone, panel, claims, subject }) => [
    data(run, 40),
    whenOf(startedAt),
    toned(tone, state),
    panel,
    claims,
    data(subject ?? '–', 200),
  ]);
  const hints = unfinished.map(
    ({ resume }) => resume !== null && say`To go on: ${literal(resume)}`,
  );
  return paintTerminal(
    [
      ...table(columns, rows),
      ...lines(...hints),
      ...(votes.length === 0
        ? []
        : [title(2, 'Votes on motions:'), ...lines(...votes.map(lineOfVote))]),
    ],
    options,
  );
}

function lineOfVote({ run, title: session, artifacts, counts }: ListedVote) {
  const ended = (counts?.incomplete ?? 0) > 0 ? 'INCOMPLETE' : 'ENDED';
  const state = artifacts === null ? 'UNFINISHED' : ended;
  const where = artifacts !== null && say`  ${literal(artifacts)}`;
  return say`${data(run, 40)}  ${[state]}  ${data(session, 100)}${where}`;
}

const tones = { PASS: 'good', FAIL: 'bad', INCOMPLETE: 'poor', ANSWERED: 'good' } as const;

/** A plain question has no gate; by how many it was answered stands in the next column. */
function toRow({ run, startedAt, outcome, imported, reviewers, claims, subject }: RunRecord) {
  const word = outcome ?? 'ANSWERED';
  return {
    run,
    startedAt,
    state: imported === undefined ? word : `IMPORTED (${imported.said ?? 'ANSWERED'})`,
    tone: imported === undefined ? tones[word] : ('strong' as Tone),
    panel: `${countComplete(reviewers)}/${reviewers.length}`,
    claims: String(claims.length),
    subject: subject.title as string | null,
  };
}

/** What its reviewers came to so far is known when it ends. */
function toUnfinishedRow({ run, startedAt, state, reviewers, title: subject }: UnfinishedRun) {
  return {
    run,
    startedAt,
    state: state.toUpperCase(),
    tone: state === 'running' ? ('strong' as Tone) : ('poor' as Tone),
    panel: `–/${reviewers}`,
    claims: '–',
    subject,
  };
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21 Nov 22:14`: the year stands in the run id beside it. */
function whenOf(startedAt: string) {
  const [, month = '', day, time] = /^\d{4}-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(startedAt) ?? [];
  return day === undefined ? '–' : `${day} ${months[Number(month) - 1] ?? month} ${time}`;
}

function compare(one: string, other: string) {
  return one < other ? -1 : Number(one > other);
}
