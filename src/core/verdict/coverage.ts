/**
 * Who read what: one matrix of files and reviewers. The gate, the certificate, the electorate, the security rule and the
 * printed tables all read this one.
 */
import { type unshownIn, unshownWords } from '../change/unshown.ts';
import { isWithheld } from '../context/egress.ts';
import { outOfPrompt } from '../context/pack.ts';
import { groupsBy, present, sumOf } from '../groups.ts';
import { type FileKind, type ScopeFile, kindsOf, holdsPath } from '../languages/languages.ts';
import { countOf, toOneLine } from '../text.ts';
import type { Subject } from '../words/change.ts';
import type { Seat } from '../words/config.ts';
import type { Persona } from '../words/persona.ts';
import { type Cause, type FileReading, type Review, idsOf } from '../words/review.ts';
import { isReader, voicesOf } from '../words/runner.ts';
import type { Coverage } from './record.ts';

/** The one unit of a subject that has no files. */
export const questionUnit = '(question)';

/** What must be read by somebody. */
export function unitsOf(subject: Subject) {
  return subject.kind === 'question' ? [questionUnit] : subject.files.map(file => file.path);
}

/**
 * Does this reading count, so that the reviewer's silence about the file says something? Its review is complete or partial, and the
 * questions that it answered showed each unit of the file: after an answer that breaks off, the file was not read.
 */
export function counts(
  { status }: Pick<Review, 'status'>,
  { extent }: Pick<FileReading, 'extent'>,
) {
  return status !== 'failed' && extent === 'full';
}

export type CoverageMatrix = ReturnType<typeof coverageMatrix>;
type CoverageRow = CoverageMatrix[number];

interface MatrixRequest {
  readonly units: readonly string[];
  /** What cannot be shown of them to anybody; absent where all can. */
  readonly unshown?: ReturnType<typeof unshownIn>;
  readonly reviews: readonly Pick<Review, 'reviewer' | 'runner' | 'role' | 'status' | 'coverage'>[];
  readonly seats: readonly Pick<Seat, 'id' | 'persona'>[];
  /** What is known of the units that are files of a change; a unit that is not among them is in everybody's domain. */
  readonly files: readonly ScopeFile[];
}

export function coverageMatrix({ units, unshown, reviews, seats, files }: MatrixRequest) {
  const known = new Map(files.map(file => [file.path, file]));
  const readers = reviews.map(review => ({
    review,
    persona: seats.find(({ id }) => id === review.reviewer)?.persona ?? null,
    readings: new Map(review.coverage.map(reading => [reading.path, reading])),
  }));
  return units.map(path => {
    const file = known.get(path);
    return {
      path,
      /** In the order of the reviews. */
      cells: readers.map(({ review, persona, readings }) => ({
        ...readingOf(review, readings.get(path), unshown?.get(path)?.why ?? null),
        reviewer: review.reviewer,
        /** No check, whose silence says nothing. */
        isReader: isReader(review),
        /** Is the file in the domain of the reviewer, by the globs or the role of its persona? */
        isExpected: file === undefined || persona === null || isInDomain(persona, file),
      })),
    };
  });
}

/** `full` only where the reading counts. */
function readingOf(
  review: Pick<Review, 'status'>,
  reading: FileReading | undefined,
  unshown: string | null,
): Omit<FileReading, 'path'> {
  if (reading === undefined) return { extent: 'skipped', why: null };
  const { extent, why, from } = reading;
  if (extent === 'full' && unshown !== null) return { extent: 'partial', why: unshown };
  return extent === 'full' && !counts(review, reading)
    ? { extent: 'skipped', why: why ?? 'the reviewer did not answer' }
    : { extent, why, ...(from !== undefined && { from }) };
}

const domains: Readonly<Record<Persona['role'], readonly FileKind[] | 'everything'>> = {
  security: ['code', 'configuration', 'manifest'],
  'code-quality': ['code', 'configuration', 'manifest'],
  vulnerability: ['manifest', 'code'],
  documentation: ['documentation', 'public-api'],
  'user-persona': ['public-api', 'command-line', 'configuration', 'documentation'],
  language: 'everything',
  general: 'everything',
};

/** The globs of a persona say what its domain is; without any, its role does. */
export function isInDomain({ role, files }: Pick<Persona, 'role' | 'files'>, file: ScopeFile) {
  if (files.length > 0) return holdsPath(files, file.path);
  const domain = domains[role];
  if (domain === 'everything') return true;
  const kinds = kindsOf(file);
  return domain.some(kind => kinds.has(kind));
}

export function isReadBySomebody({ cells }: CoverageRow) {
  return named(counted(cells), 'full').length > 0;
}

/** Those of readers; where none is seated, the checks are all there is. */
function counted(cells: CoverageRow['cells']) {
  const readers = cells.filter(cell => cell.isReader);
  return readers.length === 0 ? cells : readers;
}

interface CertificateRequest {
  /** Bytes each unit takes as it is shown. */
  readonly bytesOf: (unit: string) => number;
  readonly excluded: Coverage['excluded'];
  readonly accepted?: NonNullable<Coverage['accepted']>;
}

/** The coverage as records hold it. `accounted` counts the bytes of units that somebody read. */
export function certify(
  matrix: CoverageMatrix,
  { bytesOf, excluded, accepted = [] }: CertificateRequest,
): Coverage {
  const bytes = (rows: CoverageMatrix) => sumOf(rows, ({ path }) => bytesOf(path));
  return {
    bytes: bytes(matrix),
    accounted: bytes(matrix.filter(isReadBySomebody)),
    files: matrix.map(({ path, cells }) => {
      const lacking = cells.find(({ extent }) => extent === 'partial')?.why ?? null;
      const kept = cells.flatMap(({ reviewer, from: run }) =>
        run === undefined ? [] : { reviewer, run },
      );
      return {
        path,
        by: named(counted(cells), 'full'),
        partiallyBy: named(cells, 'partial'),
        ...(lacking !== null && { lacking }),
        skippedBy: cells
          .filter(({ extent }) => extent === 'skipped')
          .map(({ reviewer, why }) => ({ reviewer, why: why ?? 'not said' })),
        ...(kept.length > 0 && { kept }),
      };
    }),
    excluded,
    ...(accepted.length > 0 && { accepted: [...accepted] }),
  };
}

function named(cells: CoverageRow['cells'], extent: FileReading['extent']) {
  return cells.filter(cell => cell.extent === extent).map(({ reviewer }) => reviewer);
}

/** `Y` read, `SKIP` in the domain and not read, `-` outside it. */
export function printCell({ extent, isExpected }: CoverageRow['cells'][number]) {
  if (extent === 'full') return 'Y';
  return isExpected && extent !== 'outside' ? 'SKIP' : '-';
}

// Who could have said something about a place: the reviewers whose silence counts.

/** Ids of the reviewers that are listened to for a file; for null, or a file that no one was shown, of the whole subject. */
/**
 * A completed review counts everywhere it read the file in full; a partial one only there, and never for the subject as
 * a whole. Beside readers no check counts. A path that no reviewer was given cannot make any of them leave: a made-up place must
 * not raise an agreement.
 */
export function electorateOf(panel: readonly Review[]) {
  const reviews = voicesOf(panel);
  const completed = idsOf(reviews.filter(({ status }) => status === 'complete'));
  const readers = new Map<string, Set<string>>();
  for (const review of reviews) {
    for (const { path, extent } of review.coverage) {
      const own = readers.get(path) ?? new Set();
      readers.set(path, counts(review, { extent }) ? own.add(review.reviewer) : own);
    }
  }
  return (path: string | null) => (path === null ? undefined : readers.get(path)) ?? completed;
}

// What nobody has read of a change yet, in one line, and the short command that goes on with it. Nothing is decided here.

/** `a1b2c3` of `20261121T221400Z-a1b2c3`: names a run wherever its whole id does. */
export function shortRunId(run: string) {
  return run.slice(run.lastIndexOf('-') + 1);
}

/** Opens a new budget for what is unread of the same change. */
export function continueCommand(run: string) {
  return `jury review --continue ${shortRunId(run)}`;
}

/** In the order of the subject. */
export function unreadIn({ files }: Pick<Coverage, 'files'>) {
  return files.filter(({ by }) => by.length === 0).map(({ path }) => path);
}

/** `Unread: 12 of 50 files (src/a.ts, src/b.ts and 10 more)`; null where somebody read every file. */
export function unreadLine(coverage: Pick<Coverage, 'files'>, noun = 'file') {
  const unread = unreadIn(coverage);
  const total = coverage.files.length;
  if (unread.length === 0) return null;
  // A question is read whole or not at all, and its name is in brackets already.
  if (unread[0] === questionUnit) return 'Unread: the question';
  return `Unread: ${unread.length} of ${countOf(total, noun)} (${nameFew(unread)})`;
}

/** `src/a.ts, src/b.ts and 10 more`: as many as one line holds. */
export function nameFew(names: readonly string[], most = 2) {
  if (names.length <= most + 1) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

/** What checks had to look at and did not, or not in full: what they say of the rest is no word about it. */
export function leftOutBy(checks: readonly string[], { files }: Pick<Coverage, 'files'>) {
  const left = files.flatMap(({ path, partiallyBy, skippedBy, lacking = 'read in part' }) =>
    [...skippedBy, ...partiallyBy.map(reviewer => ({ reviewer, why: lacking }))]
      .filter(({ reviewer }) => checks.includes(reviewer))
      .map(({ reviewer: check, why }) => ({ path, check, why })),
  );
  return groupsBy(left, ({ check, why }) => `${check}\0${why}`).map(those => {
    const [{ check, why }] = those;
    return { check, why, paths: those.map(({ path }) => path) };
  });
}

/**
 * The same in one line, since their silence is not to be taken for more than it is; and what the configuration or a flag excluded. None
 * where nothing was left out.
 */
export function leftOutLines({
  reviewers,
  coverage,
}: {
  readonly reviewers: readonly {
    readonly id: string;
    readonly runner: string;
    readonly role?: 'check';
  }[];
  readonly coverage: Pick<Coverage, 'files' | 'excluded'>;
}) {
  const checks = reviewers.filter(reviewer => !isReader(reviewer)).map(({ id }) => id);
  const [first, ...others] = leftOutBy(checks, coverage);
  const more = others.length === 0 ? '' : `, +${others.length} more`;
  const { excluded } = coverage;
  return present(
    first && `Not checked: ${first.check}: ${nameFew(first.paths)} (${first.why})${more}`,
    excluded.length > 0 &&
      `Excluded: ${countOf(excluded.length, 'file')} (${nameFew(excluded.map(({ path }) => path))})`,
  );
}

/** Longer lists of a report for people are cut; the whole of them stands in its table of files. */
const mostLines = 3;

/** The first lines of a kind, and how many more there are. */
export function firstLines(lines: readonly string[]) {
  return lines.length <= mostLines
    ? [...lines]
    : [...lines.slice(0, mostLines), `… and ${lines.length - mostLines} more`];
}

/** Whoever fails so is asked in no round of this run. */
export const unaskable: ReadonlySet<Cause> = new Set<Cause>(['outside', 'withheld', 'egress']);

/** Whoever fails so fails again until somebody has changed something on the machine; `jury doctor` tells what. */
const lacking = new Set<Cause>(['not-found', 'version', 'unsafe-cli', 'auth', 'isolation']);

/**
 * What helps where reviewers did not complete: a command, and what goes on behind it (`asks again who did not complete`). Nothing
 * where asking again would end as it did.
 */
export function stepsToAsk({
  run,
  reviewers,
}: {
  readonly run: string;
  readonly reviewers: readonly (Pick<Review, 'status'> & {
    readonly id: string;
    readonly cause: Cause | null;
  })[];
}) {
  const incomplete = reviewers.filter(({ status }) => status !== 'complete');
  const missing = incomplete.filter(({ cause }) => cause === null || !unaskable.has(cause));
  const resume = `jury resume ${run}`;
  if (incomplete.length > 0 && missing.length === 0) return [];
  const failAll = (isSo: (cause: Cause) => boolean) =>
    missing.length > 0 && missing.every(({ cause }) => cause !== null && isSo(cause));
  if (failAll(cause => lacking.has(cause))) {
    const [first, ...others] = missing.map(({ id }) => toOneLine(id));
    const who = others.length === 0 ? `${first ?? ''} lacks` : `these ${missing.length} lack`;
    return [
      { command: 'jury doctor', does: `tells what ${who}; jury init seats what is here` },
      { command: resume, does: `asks ${others.length === 0 ? 'it' : 'them'} once that is there` },
    ];
  }
  return [
    {
      command: resume,
      does: failAll(cause => cause === 'month')
        ? 'when the next month (UTC) has begun, or with a higher --max-cost-per-month, asks again who did not complete'
        : failAll(cause => cause === 'budget')
          ? 'with a higher --max-calls, --max-tokens or --max-cost asks again who did not complete'
          : 'asks again who did not complete',
    },
  ];
}

/** Reasons for which a file is unread in every round. */
const neverShown: ReadonlySet<string> = new Set([outOfPrompt, ...Object.values(unshownWords)]);

/** Could this reviewer be asked about the file in a later round? Not where it has read all there is to show of it, or may not see it. */
export function isReadable({ status }: Pick<Review, 'status'>, reading: FileReading) {
  const { extent, why } = reading;
  if (status === 'complete' || extent === 'full' || extent === 'outside') return false;
  return !isWithheld(why) && !neverShown.has(why ?? '');
}

/**
 * Why a round in which nobody was asked anything came to nothing, and what would help: one sentence. Null where nothing was left
 * to ask.
 */
export function describeStandstill(
  coverage: Pick<Coverage, 'files'>,
  reviews: readonly Pick<Review, 'reviewer' | 'status' | 'failure'>[],
  ceiling: string | null,
) {
  if (ceiling !== null)
    return `Nobody was asked: ${withoutStop(ceiling)}; a higher one goes on (--max-calls, --max-tokens, --max-cost).`;
  const unread = coverage.files.filter(({ by }) => by.length === 0);
  if (unread.length > 0) {
    const why = unread.flatMap(({ skippedBy }) => skippedBy.map(skipped => skipped.why))[0];
    return (
      `Nobody was asked: ${nameFew(unread.map(({ path }) => path))} cannot be read in any round ` +
      `(${why ?? 'in the domain of no reviewer'}); split what is too large, seat somebody who can read ` +
      'the rest, or leave it out with --exclude.'
    );
  }
  const waiting = reviews.filter(
    ({ status, failure }) =>
      status !== 'complete' && !(failure !== null && unaskable.has(failure.cause)),
  );
  return waiting.length === 0
    ? null
    : 'Nobody was asked: somebody has read every file, and ' +
        `${nameFew(waiting.map(({ reviewer }) => reviewer))} can read no more ` +
        `(${withoutStop(waiting[0]?.failure?.message ?? 'nothing is left that fits')}).`;
}

function withoutStop(sentence: string) {
  return sentence.replace(/\.$/, '');
}
