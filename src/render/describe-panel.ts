/** Who was asked, what became of it, who read what, and what nobody read. */
import { countSeverities, severities } from '../core/words/finding.ts';
import { groupBy } from '../core/groups.ts';
import { describeSkipped } from '../core/run-files/brief-line.ts';
import { leftOutBy, nameFew } from '../core/verdict/coverage.ts';
import { countedFindings, sayRecorded } from '../core/verdict/review-status.ts';
import { isReader, kindOf } from '../core/words/runner.ts';
import type { Review } from '../core/words/review.ts';
import type { Run, RunRecord, RunReviewer } from '../core/words/run.ts';
import { count, duration, pathText, shortCount } from './figures.ts';
import {
  type Column,
  data,
  type Detail,
  joined,
  type Line,
  lines,
  list,
  literal,
  part,
  remark,
  say,
  type Section,
  table,
  type Tone,
  toned,
} from './section.ts';
import { countComplete } from '../core/verdict/outcome.ts';

/**
 * One row for each reviewer, and a sentence for each that did not complete. On a screen, beside reviewers that read, the checks that
 * found nothing share a line.
 */
export function describePanel({ record, reviews }: Run, detail: Detail): readonly Section[] {
  const { reviewers, consensusReview: { agents = [] } = {} } = record;
  const quiet = detail === 'screen' ? quietChecks(reviewers, reviews) : [];
  const leave = <Cell>(cells: readonly Cell[]) =>
    cells.filter((_, index) => agents.length > 0 || index !== verdictColumn);
  const rows = reviewers
    .filter(({ id }) => !quiet.includes(id))
    .map(reviewer =>
      leave(
        rowOf(
          reviewer,
          agents.find(agent => agent.reviewer === reviewer.id),
          reviews.find(review => review.reviewer === reviewer.id),
        ),
      ),
    );
  return [
    ...table(leave(columns), rows),
    ...list([
      quiet.length > 0 && say`${joined(quiet)}: ${toned('good', '✓')} nothing found`,
      ...reviewers.map(
        ({ id, status, message }) =>
          status !== 'complete' &&
          (message ?? '') !== '' &&
          say`${data(id, 40)}: ${data(message ?? '', 240)}`,
      ),
      ...describeSkipped(reviewers).map(line => [data(line, 240)]),
    ]),
  ];
}

/** Two at least, and somebody else: one row is no shorter than one line, and a table of nobody tells nothing. */
function quietChecks(seats: readonly RunReviewer[], reviews: Run['reviews']) {
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
function rowOf(reviewer: RunReviewer, judge: Judge | undefined, review: Review | undefined) {
  const { required, status, filesReviewed, filesSkipped, tokens, model, runner } = reviewer;
  const [files, spent] = [filesReviewed + filesSkipped, tokens.input + tokens.output];
  const verdict = judge?.verdict ?? null;
  return [
    [data(reviewer.id, 100), required ? ' (required)' : ''],
    { ...data(reviewer.display, 120), tone: statusTones[status] },
    verdict === null ? '–' : verdictWords[verdict],
    ...severities.map(severity =>
      status === 'failed'
        ? '–'
        : (judge ?? countSeverities(countedFindings(review ?? { findings: [] })))[severity],
    ),
    files === 0 ? '–' : `${filesReviewed}/${files}`,
    spent === 0 ? '–' : `${tokens.estimated ? '~' : ''}${shortCount(spent)}`,
    duration(reviewer.durationMs),
    data(model === null ? runner : `${runner} ${model}`, 40),
  ];
}

const mostReasons = 3;

/** Why nobody read it in full, file by file where they are few, else reason by reason; and what the configuration left out. */
export function describeUnread({
  coverage: { files, excluded, accepted = [] },
  subject,
}: RunRecord): readonly Section[] {
  const unread = files.filter(({ by }) => by.length === 0);
  const noun = subject.kind === 'change' ? 'file' : 'part';
  // Files that are unread for the same reasons stand together.
  const groups = [...groupBy(unread, file => plainText(whyUnread(file))).values()];
  const rest = groups.slice(mostReasons).flat().length;
  return [
    ...part(`Not read (${unread.length} of ${count(files.length, noun)})`, [
      ...list(
        groups.slice(0, mostReasons).map(members => {
          const paths = literal(nameFew(members.map(({ path }) => path)), 'poor');
          return say`${paths}  ${members.slice(0, 1).flatMap(whyUnread)}`;
        }),
      ),
      ...list([rest > 0 && [`… and ${count(rest, `more ${noun}`)}`]]),
    ]),
    ...lines(
      leftBy(
        'excluded',
        excluded.map(({ pattern }) => pattern),
      ),
      leftBy(
        'accepted unread',
        accepted.map(({ rule }) => rule),
      ),
    ),
  ];
}

function leftBy(what: string, rules: readonly string[]) {
  const some = [...new Set(rules)].slice(0, 5).join(', ');
  return (
    rules.length > 0 && [
      remark(`${count(rules.length, 'file')} ${what} by configuration: ${some}`, 400),
    ]
  );
}

type CoveredFile = RunRecord['coverage']['files'][number];

/** Each reviewer that did not read it in full, by the reason. */
function reasonsOf({ partiallyBy, skippedBy, lacking = 'read in part' }: CoveredFile) {
  const all = [...partiallyBy.map(reviewer => ({ reviewer, why: lacking })), ...skippedBy];
  return [...groupBy(all, ({ why }) => why)];
}

function whyUnread(file: CoveredFile) {
  const reasons = reasonsOf(file);
  if (reasons.length === 0) return [remark('no reviewer got it')];
  return reasons.flatMap(([why, those], index) => [
    index === 0 ? '' : '; ',
    ...say`${joined(those.map(({ reviewer }) => reviewer))}: ${remark(why, 160)}`,
  ]);
}

/** A line without its looks, to be compared. */
function plainText(line: Line) {
  return line.map(piece => (typeof piece === 'string' ? piece : piece.text)).join('');
}

/** For every file and reviewer how far it was read, and where that is not in full, why. */
export function describeCertificate({ record, reviews }: Run): readonly Section[] {
  const { bytes, accounted, files, excluded, accepted = [] } = record.coverage;
  const read = files.filter(({ by }) => by.length > 0).length;
  return [
    ...lines([
      `${read} of ${count(files.length, 'file')} read in full by a reviewer that completed; `,
      `${accounted} of ${count(bytes, 'byte')} accounted for.`,
    ]),
    ...table(
      [
        'File',
        { title: 'Read in full by', align: 'right' },
        ...reviews.map(({ reviewer }) => pathText(reviewer)),
      ],
      files.map(({ path, by }) => [
        literal(path),
        by.length,
        ...reviews.map(({ coverage }) => {
          const { extent = 'not given', from } =
            coverage.find(reading => reading.path === path) ?? {};
          return from === undefined ? extent : say`${[extent]}, in run ${data(from, 40)}`;
        }),
      ]),
    ),
    ...list(
      reviews.flatMap(({ reviewer, coverage }) =>
        gapsIn(coverage).map(gap => say`${reviewer}, ${gap}`),
      ),
    ),
    ...list([
      ...excluded.map(
        ({ path, pattern }) => say`excluded: ${literal(path)} by ${literal(pattern)}`,
      ),
      ...accepted.map(
        ({ path, rule }) => say`accepted unread: ${literal(path)} by ${literal(rule)}`,
      ),
    ]),
  ];
}

/** What a reviewer did not read in full. */
export function gapsIn(coverage: Review['coverage']): readonly Line[] {
  return coverage
    .filter(({ extent }) => extent !== 'full')
    .map(
      ({ path, extent, why }) =>
        say`${literal(path)}${[`: ${extent}`]}${why !== null && say`, ${data(why, 200)}`}`,
    );
}

// Who looked at it, and what of it was passed over.

/** Who read it, or that nobody did but checks. Where nobody did, or there is no gate, the outcome says so. */
export function readOf({ outcome, reviewers, quorum, subject }: RunRecord) {
  const readers = reviewers.filter(isReader);
  if (outcome === null || readers.length === 0) return '';
  if (readers.every(({ runner }) => kindOf(runner) === 'recording'))
    return ` · ${completedOf(readers, 'answer')}, recorded`;
  return ` · ${subject.kind === 'question' ? 'answered' : 'read'} by ${completedOf(readers, 'reviewer')}${neededOf(quorum)}`;
}

const mostPassedOver = 3;

/** Static checks look for patterns: whether the change does what it should, they do not read. */
export function checksOf({
  reviewers,
  quorum,
  subject,
  coverage,
}: RunRecord): readonly (Line | false)[] {
  const checks = reviewers.filter(reviewer => !isReader(reviewer));
  const recorded = sayRecorded(reviewers);
  if (checks.length === 0) return recorded === null ? [] : [[data(recorded)]];
  const isAlone = checks.length === reviewers.length;
  const warning =
    isAlone && subject.kind === 'change'
      ? 'No AI reviewer is seated: logic was not reviewed.'
      : recorded;
  const gaps = leftOutBy(
    checks.map(({ id }) => id),
    coverage,
  );
  return [
    say`${`${completedOf(checks, 'static check')} completed${isAlone ? neededOf(quorum) : ''}.`}${warning !== null && say` ${warning}`}`,
    ...gaps.slice(0, mostPassedOver).map(({ check, paths, why }) => {
      const files = paths.length === 1 ? '' : `${count(paths.length, 'file')}, `;
      return say`${toned('poor', 'not checked:')} ${check}${[` left out ${files}`]}${literal(nameFew(paths))} (${why})`;
    }),
    gaps.length > mostPassedOver && [
      `… and ${count(gaps.length - mostPassedOver, 'more gap')}, named in the full report.`,
    ],
  ];
}

function neededOf({ met, required }: RunRecord['quorum']) {
  return met ? '' : `, ${required} needed`;
}

function completedOf(seats: readonly RunReviewer[], noun: string) {
  return `${countComplete(seats)} of ${count(seats.length, noun)}`;
}
