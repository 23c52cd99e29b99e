/** What each reviewer cost and brought, a line each, and how far the confidence of claims can be trusted here. */
import {
  type DecidedConfidence,
  decidedConfidences,
  fewestDecisions,
  recalibrationOf,
  withRecalibration,
} from '../agreement/index.ts';
import { by, groupBy } from '../core/groups.ts';
import type { Statistics } from '../core/printed/checks.ts';
import type { ListedVote, UnfinishedRun } from '../core/printed/reports.ts';
import { describeMonth } from '../core/spending/month.ts';
import { countComplete } from '../core/verdict/outcome.ts';
import { type ProjectMemory, type Run, type RunRecord, latestByClaim } from '../core/words/run.ts';
import { type Review, addUsage, noUsage } from '../core/words/review.ts';
import { count, money, percent, shortCount } from './figures.ts';
import {
  type Column,
  data,
  lines,
  literal,
  part,
  remark,
  say,
  table,
  title,
  toned,
} from './section.ts';
import { type RenderOptions, paintTerminal } from './to-terminal.ts';

const columns: readonly Column[] = [
  { title: 'REVIEWER', least: 10, overflow: 'cut' },
  { title: 'REVIEWS', align: 'right', leaves: 2 },
  { title: 'CALLS', align: 'right', leaves: 1 },
  { title: 'TOKENS', align: 'right', leaves: 3 },
  { title: 'COST', align: 'right', leaves: 6 },
  { title: 'FINDINGS', align: 'right', leaves: 4 },
  { title: 'CLAIMS', align: 'right', leaves: 7 },
  { title: 'REAL', align: 'right' },
  { title: 'FALSE', align: 'right' },
  { title: 'PRECISION', least: 9 },
  { title: 'ONLY IT', align: 'right', leaves: 5 },
];

export function renderStatistics(statistics: Statistics, options: RenderOptions) {
  const { runs, claims, confirmed, rejected, month, reviewers, calibration } = statistics;
  if (reviewers.length === 0) return 'No runs yet. "jury review" starts one.\n';
  const sections = [
    title(
      1,
      `Reviewers  ${count(runs, 'run')} kept, ${count(claims, 'claim')} known, `,
      `${confirmed} confirmed as real, ${rejected} dismissed as false`,
    ),
    ...table(columns, reviewers.map(rowOf)),
    ...lines(
      month.calls > 0 && [data(`This month: ${describeMonth(month, null)}.`)],
      [
        remark(
          'PRECISION: real of those judged, with the 95 % interval. ONLY IT: claims nobody else supported, and how many of ' +
            'them are confirmed: what the panel would lose without the reviewer.',
        ),
      ],
      confirmed + rejected === 0 && [
        remark('Nothing is judged yet: "jury accept" and "jury dismiss" tell what is real.'),
      ],
    ),
    ...tellCalibration(calibration),
  ];
  return paintTerminal(sections, options);
}

const curveColumns: readonly (string | Column)[] = [
  'CONFIDENCE',
  { title: 'CLAIMS', align: 'right', leaves: 1 },
  { title: 'SAID', align: 'right' },
  'REAL',
];

/** Nothing while nobody decided about a claim whose confidence is known. */
function tellCalibration(calibration: Statistics['calibration']) {
  const { bins, decisions } = calibration;
  if (decisions === 0) return [];
  const heading = `${count(decisions, 'decided claim')}: what was said of them, and how many are real`;
  return [
    title(2, `Confidence  ${heading}`),
    ...table(
      curveColumns,
      bins.map(({ least, most, claims, stated, confirmed, interval }) => [
        spanOf(least, most),
        claims,
        percent(stated),
        `${percent(confirmed)} (${spanOf(interval.low, interval.high)})`,
      ]),
    ),
    ...lines([remark(correctionOf(calibration))]),
  ];
}

function correctionOf({ decisions, confirmed, recalibration }: Statistics['calibration']) {
  const { all, ofEachKind } = fewestDecisions;
  if (recalibration === null)
    return (
      `The confidence of this project is corrected by its own decisions from ${all} of them on, at least ${ofEachKind} ` +
      `real and ${ofEachKind} false; so far ${confirmed} are real and ${decisions - confirmed} false.`
    );
  const [low = '', middle = '', high = ''] = [0.2, 0.5, 0.8].map(figure =>
    percent(withRecalibration(figure, recalibration)),
  );
  return (
    `${recalibration.decisions} decisions correct the confidence of new claims: where the model says 20, 50 and 80 ` +
    `%, it is shown as ${low}, ${middle} and ${high}.`
  );
}

function rowOf(reviewer: Statistics['reviewers'][number]) {
  const { cost, precision, interval, alone } = reviewer;
  return [
    data(reviewer.reviewer, 100),
    `${reviewer.completed}/${reviewer.reviews}`,
    reviewer.calls,
    shortCount(reviewer.tokens),
    cost === null ? '–' : money(cost),
    reviewer.findings,
    reviewer.claims,
    reviewer.confirmed,
    reviewer.rejected,
    precision === null ? '–' : `${percent(precision)} (${spanOf(interval.low, interval.high)})`,
    `${alone.claims} (${alone.confirmed})`,
  ];
}

function spanOf(least: number, most: number) {
  return `${Math.round(100 * least)}–${percent(most)}`;
}

// What is counted: from the runs that are kept, and from everything that is remembered about claims.

export function computeStatistics(
  memory: ProjectMemory,
  runs: readonly Pick<Run, 'record' | 'reviews'>[],
): Omit<Statistics, 'month'> {
  const latest = latestByClaim(memory.dispositions);
  // Questions are not remembered: their claims are known from the runs alone.
  const said = [
    ...memory.claims.map(({ id, supporters }) => ({
      id,
      names: supporters.map(({ reviewer }) => reviewer),
    })),
    ...runs
      .flatMap(({ record }) => record.claims)
      .map(({ id, supporters }) => ({ id, names: supporters })),
  ];
  const claims = [...groupBy(said, ({ id }) => id)].map(([id, those]) => ({
    supporters: new Set(those.flatMap(({ names }) => names)),
    verdict: latest.get(id)?.verdict ?? null,
  }));
  // A review that a later run took over counts once.
  const distinct = new Map(
    runs
      .flatMap(({ reviews }) => reviews)
      .map(review => [`${review.reviewer}\n${review.startedAt}`, review]),
  );
  const reviews = groupBy(distinct.values(), ({ reviewer }) => reviewer);
  const names = new Set([...reviews.keys(), ...said.flatMap(one => one.names)]);
  return {
    schema: 'jury.stats/1',
    runs: runs.length,
    ...judged(claims),
    reviewers: [...names].sort().map(name =>
      describeReviewer(
        name,
        reviews.get(name) ?? [],
        claims.filter(({ supporters }) => supporters.has(name)),
      ),
    ),
    calibration: describeCalibration(decidedConfidences(memory)),
  };
}

interface SupportedClaim {
  supporters: ReadonlySet<string>;
  verdict: 'accepted' | 'rejected' | 'tolerated' | null;
}

function judged(claims: readonly SupportedClaim[]) {
  const having = (...verdicts: readonly SupportedClaim['verdict'][]) =>
    claims.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return {
    claims: claims.length,
    confirmed: having('accepted', 'tolerated'),
    rejected: having('rejected'),
  };
}

const bins = 5;

function describeCalibration(decided: readonly DecidedConfidence[]) {
  const byBin = groupBy(decided, ({ stated }) => Math.min(bins - 1, Math.floor(stated * bins)));
  return {
    decisions: decided.length,
    confirmed: confirmedOf(decided),
    bins: [...byBin]
      .toSorted(([one], [other]) => one - other)
      .map(([bin, own]) => ({
        least: bin / bins,
        most: (bin + 1) / bins,
        claims: own.length,
        stated: own.reduce((sum, { stated }) => sum + stated, 0) / own.length,
        confirmed: confirmedOf(own) / own.length,
        interval: wilsonInterval(confirmedOf(own), own.length),
      })),
    recalibration: recalibrationOf(decided),
  };
}

function confirmedOf(those: readonly DecidedConfidence[]) {
  return those.filter(({ isTrue }) => isTrue).length;
}

function describeReviewer(
  reviewer: string,
  reviews: readonly Review[],
  claims: readonly SupportedClaim[],
) {
  const usage = reviews.map(review => review.usage).reduce(addUsage, noUsage);
  const { confirmed, rejected } = judged(claims);
  const alone = judged(claims.filter(({ supporters }) => supporters.size === 1));
  return {
    reviewer,
    reviews: reviews.length,
    completed: reviews.filter(({ status }) => status === 'complete').length,
    calls: usage.calls,
    tokens: usage.inputTokens + usage.outputTokens,
    cost: usage.cost,
    findings: reviews
      .flatMap(({ findings }) => findings)
      .filter(({ isImprovement, from }) => !isImprovement && from === undefined).length,
    claims: claims.length,
    confirmed,
    rejected,
    precision: confirmed + rejected === 0 ? null : confirmed / (confirmed + rejected),
    interval: wilsonInterval(confirmed, confirmed + rejected),
    alone: { claims: alone.claims, confirmed: alone.confirmed },
  };
}

/** 97.5 % point of the standard normal distribution: 95 % lie between minus and plus this. */
const quantile = 1.959963984540054;

/**
 * 95 % interval of a share, 0 to 1, after Wilson, "Probable inference, the law of succession, and statistical inference",
 * Journal of the American Statistical Association 22 (1927), pages 209 to 212. Of nothing: everything from 0 to 1.
 */
export function wilsonInterval(hits: number, cases: number) {
  if (cases === 0) return { low: 0, high: 1 };
  const share = hits / cases;
  const square = quantile ** 2;
  const centre = (share + square / (2 * cases)) / (1 + square / cases);
  const half =
    (quantile / (1 + square / cases)) *
    Math.sqrt((share * (1 - share)) / cases + square / (4 * cases ** 2));
  return {
    low: hits === 0 ? 0 : Math.max(0, centre - half),
    high: hits === cases ? 1 : Math.min(1, centre + half),
  };
}

// The list of runs, newest first, one line each.

const runColumns: readonly Column[] = [
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
  const newest = [...records, ...unfinished]
    .toSorted(
      by(
        ({ startedAt }) => startedAt,
        ({ run }) => run,
      ),
    )
    .toReversed();
  const hints = unfinished.map(
    ({ resume }) => resume !== null && say`To go on: ${literal(resume)}`,
  );
  return paintTerminal(
    [
      ...table(runColumns, newest.map(lineOfRun)),
      ...lines(...hints),
      ...part('Votes on motions:', lines(...votes.map(lineOfVote))),
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

function lineOfRun(run: RunRecord | UnfinishedRun) {
  const isEnded = 'outcome' in run;
  const subject = isEnded ? run.subject.title : (run.title ?? '–');
  return [
    data(run.run, 40),
    whenOf(run.startedAt),
    // What its reviewers came to so far is known when it ends.
    ...(isEnded
      ? endOf(run)
      : [
          toned(run.state === 'running' ? 'strong' : 'poor', run.state.toUpperCase()),
          `–/${run.reviewers}`,
          '–',
        ]),
    data(subject, 200),
  ];
}

/** A plain question has no gate; by how many it was answered stands in the next column. */
function endOf({ outcome, imported, reviewers, claims }: RunRecord) {
  const word = outcome ?? 'ANSWERED';
  return [
    imported === undefined
      ? toned(tones[word], word)
      : toned('strong', `IMPORTED (${imported.said ?? 'ANSWERED'})`),
    `${countComplete(reviewers)}/${reviewers.length}`,
    claims.length,
  ];
}

/** `21 Nov 22:14`: the year stands in the run id beside it. */
function whenOf(startedAt: string) {
  const text = new Date(startedAt).toUTCString();
  return text === 'Invalid Date' ? '–' : `${text.slice(5, 11)} ${text.slice(17, 22)}`;
}
