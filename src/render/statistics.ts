/** What each reviewer cost and brought, a line each, and how far the confidence of claims can be trusted here. */
import { fewestDecisions, withRecalibration } from '../agreement/index.ts';
import { describeMonth } from '../core/spending/month.ts';
import type { Statistics } from '../core/printed/checks.ts';
import { count, money, shortCount } from './figures.ts';
import { layHeading, layTable, openPage, type Page, type RenderOptions } from './page.ts';
import type { Column } from './section.ts';
import { oneLine, wrap } from './terminal-text.ts';

type ReviewerStatistics = Statistics['reviewers'][number];

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
  { title: 'PRECISION' },
  { title: 'ONLY IT', align: 'right', leaves: 5 },
];

export function renderStatistics(statistics: Statistics, options: RenderOptions): string {
  const page = openPage(options);
  const { runs, claims, confirmed, rejected, month, reviewers } = statistics;
  if (reviewers.length === 0) return 'No runs yet. "jury review" starts one.\n';
  const lines = [
    ...layHeading(
      page,
      'Reviewers',
      `${count(runs, 'run')} kept, ${count(claims, 'claim')} known, ${confirmed} confirmed as real, ${rejected} dismissed as false`,
    ),
    ...layTable({ columns, rows: reviewers.map(rowOf) }, page),
    '',
    ...(month.calls === 0
      ? []
      : [...wrap(`This month: ${describeMonth(month, null)}.`, page.measure), '']),
    ...wrap(
      'PRECISION: real of those judged, with the 95 % interval. ONLY IT: claims nobody else supported, ' +
        'and how many of them are confirmed: what the panel would lose without the reviewer.',
      page.measure,
    ).map(line => page.colors.dim(line)),
    ...(confirmed + rejected === 0
      ? wrap(
          'Nothing is judged yet: "jury accept" and "jury dismiss" tell what is real.',
          page.measure,
        ).map(line => page.colors.dim(line))
      : []),
    ...layCalibration(statistics, page),
  ];
  return `${lines.join('\n')}\n`;
}

const curveColumns: readonly Column[] = [
  { title: 'CONFIDENCE' },
  { title: 'CLAIMS', align: 'right', leaves: 1 },
  { title: 'SAID', align: 'right' },
  { title: 'REAL' },
];

/** Nothing while nobody decided about a claim whose confidence is known. */
function layCalibration({ calibration }: Statistics, page: Page): string[] {
  const { bins, decisions } = calibration;
  if (decisions === 0) return [];
  const rows = bins.map(({ least, most, claims, stated, confirmed, interval }) => [
    `${percent(least)}–${percent(most)}`,
    String(claims),
    percent(stated),
    `${percent(confirmed)} (${percent(interval.low)}–${percent(interval.high)})`,
  ]);
  return [
    '',
    ...layHeading(
      page,
      'Confidence',
      `${count(decisions, 'decided claim')}: what was said of them, and how many are real`,
    ),
    ...layTable({ columns: curveColumns, rows }, page),
    '',
    ...wrap(correctionSentence(calibration), page.measure).map(line => page.colors.dim(line)),
  ];
}

function correctionSentence({
  decisions,
  confirmed,
  recalibration,
}: Statistics['calibration']): string {
  if (recalibration === null)
    return (
      `The confidence of this project is corrected by its own decisions from ${fewestDecisions.all} of ` +
      `them on, at least ${fewestDecisions.ofEachKind} real and ${fewestDecisions.ofEachKind} false; so ` +
      `far ${confirmed} are real and ${decisions - confirmed} false.`
    );
  const [low, middle, high] = [0.2, 0.5, 0.8].map(figure =>
    percent(withRecalibration(figure, recalibration)),
  );
  return (
    `${recalibration.decisions} decisions correct the confidence of new claims: where the model says ` +
    `20, 50 and 80%, it is shown as ${low ?? ''}, ${middle ?? ''} and ${high ?? ''}.`
  );
}

function rowOf(reviewer: ReviewerStatistics): string[] {
  const { completed, reviews, calls, tokens, cost, findings, claims, confirmed, rejected, alone } =
    reviewer;
  return [
    oneLine(reviewer.reviewer, 100),
    `${completed}/${reviews}`,
    String(calls),
    shortCount(tokens),
    cost === null ? '–' : money(cost),
    String(findings),
    String(claims),
    String(confirmed),
    String(rejected),
    precisionOf(reviewer),
    `${alone.claims} (${alone.confirmed})`,
  ];
}

function precisionOf({ precision, interval }: ReviewerStatistics): string {
  return precision === null
    ? '–'
    : `${percent(precision)} (${percent(interval.low)}–${percent(interval.high)})`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}
