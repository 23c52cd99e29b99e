/** Who was asked, what became of it, who read what, and what nobody read. */
import { describeSkipped } from '../core/run-files/reading-notes.ts';
import { nameFew } from '../core/verdict/onward.ts';
import { isReader } from '../core/words/reader.ts';
import type { Review } from '../core/words/review.ts';
import type { Run, RunRecord, RunReviewer } from '../core/words/run.ts';
import { severities, type Severity } from '../core/words/severity.ts';
import { count, duration, shortCount } from './figures.ts';
import {
  data,
  joined,
  list,
  literal,
  part,
  remark,
  toned,
  type Column,
  type Detail,
  type Line,
  type Section,
  type Tone,
} from './section.ts';
import { pathText } from './terminal-text.ts';

/**
 * One row for each reviewer, and a sentence for each that did not complete. On a screen, beside reviewers that read, the checks that
 * found nothing share a line.
 */
export function describePanel({ record, reviews }: Run, detail: Detail): readonly Section[] {
  const judges = new Map(
    (record.consensusReview?.agents ?? []).map(agent => [agent.reviewer, agent]),
  );
  const quiet = detail === 'screen' ? quietChecks(record.reviewers, reviews) : [];
  const rows = record.reviewers
    .filter(({ id }) => !quiet.includes(id))
    .map(reviewer =>
      rowOf(
        reviewer,
        judges.get(reviewer.id) ?? null,
        reviews.find(review => review.reviewer === reviewer.id),
      ),
    );
  const withVerdict = judges.size > 0;
  const leave = <Cell>(cells: readonly Cell[]): readonly Cell[] =>
    cells.filter((_, index) => withVerdict || index !== verdictColumn);
  const troubles = record.reviewers.filter(
    ({ status, message }) => status !== 'complete' && message !== null && message !== '',
  );
  return [
    { kind: 'table', columns: leave(columns), rows: rows.map(leave) },
    ...list([
      ...(quiet.length === 0
        ? []
        : [[...joined(quiet), ': ', toned('good', '✓'), ' nothing found']]),
      ...troubles.map(({ id, message }) => [data(id, 40), ': ', data(message ?? '', 240)]),
      ...describeSkipped(record.reviewers).map(line => [data(line, 240)]),
    ]),
  ];
}

/** Two at least, and somebody else: one row is no shorter than one line, and a table of nobody tells nothing. */
function quietChecks(seats: readonly RunReviewer[], reviews: Run['reviews']): readonly string[] {
  const checks = seats.filter(seat => !isReader(seat));
  const quiet = checks.filter(
    ({ id, status, required }) =>
      status === 'complete' &&
      !required &&
      reviews.find(({ reviewer }) => reviewer === id)?.findings.length === 0,
  );
  return checks.length === seats.length || quiet.length < 2 ? [] : quiet.map(({ id }) => id);
}

const verdictColumn = 2;

const columns: readonly Column[] = [
  { title: 'REVIEWER', least: 10 },
  { title: 'STATUS', least: 12 },
  { title: 'VERDICT', leaves: 5 },
  { title: 'C', align: 'right' },
  { title: 'H', align: 'right' },
  { title: 'M', align: 'right', leaves: 7 },
  { title: 'L', align: 'right', leaves: 6 },
  { title: 'FILES', align: 'right', leaves: 4 },
  { title: 'TOKENS', align: 'right', leaves: 2 },
  { title: 'TIME', align: 'right', leaves: 3 },
  { title: 'ASKED', leaves: 1 },
];

type Judge = NonNullable<RunRecord['consensusReview']>['agents'][number];

const verdictWords = { VETO: 'veto', WARN: 'warn', OK: 'pass' } as const satisfies Record<
  NonNullable<Judge['verdict']>,
  string
>;
const statusTones: Readonly<Record<RunReviewer['status'], Tone>> = {
  complete: 'good',
  partial: 'poor',
  failed: 'bad',
};

/** Who failed has no verdict and no count: nought would be one. */
function rowOf(
  reviewer: RunReviewer,
  judge: Judge | null,
  review: Review | undefined,
): readonly Line[] {
  const {
    id,
    required,
    status,
    display,
    filesReviewed,
    filesSkipped,
    tokens,
    durationMs,
    model,
    runner,
  } = reviewer;
  const [files, spent] = [filesReviewed + filesSkipped, tokens.input + tokens.output];
  const isSilent = status === 'failed';
  return [
    [data(id, 100), required ? ' (required)' : ''],
    [{ ...data(display, 120), tone: statusTones[status] }],
    [judge === null || judge.verdict === null ? '–' : verdictWords[judge.verdict]],
    ...severities.map((severity): Line => [
      isSilent ? '–' : String(judge?.[severity] ?? countOf(review, severity)),
    ]),
    [files === 0 ? '–' : `${filesReviewed}/${files}`],
    [spent === 0 ? '–' : `${tokens.estimated ? '~' : ''}${shortCount(spent)}`],
    [duration(durationMs)],
    [data(model === null ? runner : `${runner} ${model}`, 40)],
  ];
}

function countOf(review: Review | undefined, severity: Severity): number {
  return (review?.findings ?? []).filter(
    finding => !finding.isImprovement && finding.severity === severity,
  ).length;
}

const mostReasons = 3;

/** Why nobody read it in full, file by file where they are few, else reason by reason; and what the configuration left out. */
export function describeUnread({
  coverage: { files, excluded, accepted = [] },
  subject,
}: RunRecord): readonly Section[] {
  const unread = files.filter(({ by }) => by.length === 0);
  const left = [
    { what: 'excluded', rules: excluded.map(({ pattern }) => pattern) },
    { what: 'accepted unread', rules: accepted.map(({ rule }) => rule) },
  ].flatMap(({ what, rules }): Line[] => {
    const some = [...new Set(rules)].slice(0, 5).join(', ');
    return rules.length === 0
      ? []
      : [[remark(`${count(rules.length, 'file')} ${what} by configuration: ${some}`, 400)]];
  });
  const noun = subject.kind === 'change' ? 'file' : 'part';
  const groups = groupByReason(unread);
  return [
    ...part(`Not read (${unread.length} of ${count(files.length, noun)})`, [
      ...list(
        groups
          .slice(0, mostReasons)
          .map(({ paths, why }) => [
            { ...literal(nameFew(paths)), tone: 'poor' as const },
            '  ',
            ...why,
          ]),
      ),
      ...list(
        groups.length > mostReasons
          ? [
              [
                `… and ${count(sumOf(groups.slice(mostReasons).map(({ paths }) => paths.length)), `more ${noun}`)}`,
              ],
            ]
          : [],
      ),
    ]),
    ...list(left, { bullets: false }),
  ];
}

interface UnreadGroup {
  readonly paths: string[];
  readonly why: Line;
}

/** Files that are unread for the same reasons stand together. */
function groupByReason(files: RunRecord['coverage']['files']): readonly UnreadGroup[] {
  const groups = new Map<string, UnreadGroup>();
  for (const file of files) {
    const key = [
      ...file.partiallyBy,
      file.lacking ?? '',
      ...file.skippedBy.flatMap(({ reviewer, why }) => [reviewer, why]),
    ].join('\0');
    const group = groups.get(key) ?? { paths: [], why: whyUnread(file) };
    group.paths.push(file.path);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

/** Reviewers that give the same reason stand together. */
function whyUnread({
  partiallyBy,
  skippedBy,
  lacking = 'read in part',
}: RunRecord['coverage']['files'][number]): Line {
  const byReason = new Map<string, string[]>();
  const partial = partiallyBy.map(reviewer => ({ reviewer, why: lacking }));
  for (const { reviewer, why } of [...partial, ...skippedBy])
    byReason.set(why, [...(byReason.get(why) ?? []), reviewer]);
  if (byReason.size === 0) return [remark('no reviewer got it')];
  return [...byReason].flatMap(([why, names], index) => [
    index === 0 ? '' : '; ',
    ...joined(names),
    ': ',
    remark(why, 160),
  ]);
}

/** For every file and reviewer how far it was read, and where that is not in full, why. */
export function describeCertificate({
  record: {
    coverage: { bytes, accounted, files, excluded, accepted = [] },
  },
  reviews,
}: Run): readonly Section[] {
  const read = files.filter(({ by }) => by.length > 0).length;
  const readings = reviews.map(
    review => new Map(review.coverage.map(reading => [reading.path, reading])),
  );
  const rows = files.map(({ path, by }) => [
    [literal(path)],
    [String(by.length)],
    ...readings.map((byPath): Line => {
      const { extent = 'not given', from } = byPath.get(path) ?? {};
      return from === undefined ? [extent] : [`${extent}, in run `, data(from, 40)];
    }),
  ]);
  const gaps = reviews.flatMap(({ reviewer, coverage }) =>
    coverage
      .filter(({ extent }) => extent !== 'full')
      .map(({ path, extent, why }) => [
        data(reviewer),
        ', ',
        literal(path),
        `: ${extent}`,
        ...(why === null ? [] : [', ', data(why)]),
      ]),
  );
  return [
    ...list(
      [
        [
          `${read} of ${count(files.length, 'file')} read in full by a reviewer that completed; ` +
            `${accounted} of ${count(bytes, 'byte')} accounted for.`,
        ],
      ],
      { bullets: false },
    ),
    ...(files.length === 0
      ? []
      : [
          {
            kind: 'table',
            columns: [
              { title: 'File' },
              { title: 'Read in full by', align: 'right' },
              ...reviews.map(({ reviewer }) => ({ title: pathText(reviewer) })),
            ],
            rows,
          } as const,
        ]),
    ...list(gaps),
    ...list(
      [
        ...excluded.map(({ path, pattern }) => ['excluded', path, pattern] as const),
        ...accepted.map(({ path, rule }) => ['accepted unread', path, rule] as const),
      ].map(([what, path, rule]) => [`${what}: `, literal(path), ' by ', literal(rule)]),
    ),
  ];
}
