/**
 * Who read what: one matrix of files and reviewers. The gate, the certificate, the electorate, the security rule and the
 * printed tables all read this one.
 */
import picomatch from 'picomatch';
import type { Unshown } from '../change/unshown.ts';
import type { Subject } from '../words/change.ts';
import type { Seat } from '../words/config.ts';
import { kindsOf, type FileKind, type ScopeFile } from '../languages/languages.ts';
import type { Persona } from '../words/persona.ts';
import { isReader, voicesOf } from '../words/runner.ts';
import type { FileReading, Review } from '../words/review.ts';
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

interface CoverageCell {
  readonly reviewer: string;
  /** No check, whose silence says nothing. */
  readonly isReader: boolean;
  /** `full` only where the reading counts. */
  readonly extent: FileReading['extent'];
  readonly why: string | null;
  /** The earlier run in which it was read; absent where it was read in this one. */
  readonly from?: string;
  /** Is the file in the domain of the reviewer, by the globs or the role of its persona? */
  readonly isExpected: boolean;
}

export interface CoverageRow {
  readonly path: string;
  /** In the order of the reviews. */
  readonly cells: readonly CoverageCell[];
}

export type CoverageMatrix = readonly CoverageRow[];

interface MatrixRequest {
  readonly units: readonly string[];
  /** What cannot be shown of them to anybody; absent where all can. */
  readonly unshown?: Unshown;
  readonly reviews: readonly Pick<Review, 'reviewer' | 'runner' | 'role' | 'status' | 'coverage'>[];
  readonly seats: readonly Pick<Seat, 'id' | 'persona'>[];
  /** What is known of the units that are files of a change; a unit that is not among them is in everybody's domain. */
  readonly files: readonly ScopeFile[];
}

export function coverageMatrix({
  units,
  unshown,
  reviews,
  seats,
  files,
}: MatrixRequest): CoverageMatrix {
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
      cells: readers.map(({ review, persona, readings }) => ({
        ...readingOf(review, readings.get(path), unshown?.get(path)?.why ?? null),
        reviewer: review.reviewer,
        isReader: isReader(review),
        isExpected: file === undefined || persona === null || isInDomain(persona, file),
      })),
    };
  });
}

function readingOf(
  review: Pick<Review, 'status'>,
  reading: FileReading | undefined,
  unshown: string | null,
): Pick<CoverageCell, 'extent' | 'why' | 'from'> {
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
  if (files.length > 0) return picomatch([...files], { dot: true })(file.path);
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
  const bytes = (rows: CoverageMatrix) => rows.reduce((sum, { path }) => sum + bytesOf(path), 0);
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

function named(cells: CoverageRow['cells'], extent: CoverageCell['extent']) {
  return cells.filter(cell => cell.extent === extent).map(({ reviewer }) => reviewer);
}

/** `Y` read, `SKIP` in the domain and not read, `-` outside it. */
export function printCell({ extent, isExpected }: CoverageCell) {
  if (extent === 'full') return 'Y';
  return isExpected && extent !== 'outside' ? 'SKIP' : '-';
}

// Who could have said something about a place: the reviewers whose silence counts.

/** Ids of the reviewers that are listened to for a file; for null, or a file that no one was shown, of the whole subject. */
type Electorate = (path: string | null) => ReadonlySet<string>;

/**
 * A completed review counts everywhere it read the file in full; a partial one only there, and never for the subject as
 * a whole. Beside readers no check counts. A path that no reviewer was given cannot make any of them leave: a made-up place must
 * not raise an agreement.
 */
export function electorateOf(panel: readonly Review[]): Electorate {
  const reviews = voicesOf(panel);
  const completed = new Set(
    reviews.filter(({ status }) => status === 'complete').map(({ reviewer }) => reviewer),
  );
  const readers = new Map<string, Set<string>>();
  for (const review of reviews) {
    for (const { path, extent } of review.coverage) {
      const own = readers.get(path) ?? new Set();
      readers.set(path, counts(review, { extent }) ? own.add(review.reviewer) : own);
    }
  }
  return path => (path === null ? undefined : readers.get(path)) ?? completed;
}
