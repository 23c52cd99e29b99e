/** What each reviewer cost and brought, a line each, and how far the confidence of claims can be trusted here. */
import { fewestDecisions, withRecalibration } from '../agreement/index.ts';
import type { Statistics } from '../core/printed/checks.ts';
import { describeMonth } from '../core/spending/month.ts';
import { count, money, percent, shortCount } from './figures.ts';
import { type Column, data, lines, remark, type Section, table, title } from './section.ts';
import { paintTerminal, type RenderOptions } from './to-terminal.ts';

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

export function renderStatistics(statistics: Statistics, options: RenderOptions): string {
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
          'PRECISION: real of those judged, with the 95 % interval. ONLY IT: claims nobody else supported, and how many of them are confirmed: what the panel would lose without the reviewer.',
        ),
      ],
      confirmed + rejected === 0 && [
        remark('Nothing is judged yet: "jury accept" and "jury dismiss" tell what is real.'),
      ],
    ),
    ...describeCalibration(calibration),
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
function describeCalibration(calibration: Statistics['calibration']): readonly Section[] {
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

function correctionOf({ decisions, confirmed, recalibration }: Statistics['calibration']): string {
  const { all, ofEachKind } = fewestDecisions;
  if (recalibration === null)
    return `The confidence of this project is corrected by its own decisions from ${all} of them on, at least ${ofEachKind} real and ${ofEachKind} false; so far ${confirmed} are real and ${decisions - confirmed} false.`;
  const [low = '', middle = '', high = ''] = [0.2, 0.5, 0.8].map(figure =>
    percent(withRecalibration(figure, recalibration)),
  );
  return `${recalibration.decisions} decisions correct the confidence of new claims: where the model says 20, 50 and 80 %, it is shown as ${low}, ${middle} and ${high}.`;
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

function spanOf(least: number, most: number): string {
  return `${Math.round(100 * least)}–${percent(most)}`;
}
