/** The change as the memory sees it: files under their names of today, their code as fingerprints, and the lines that were shown. */
import { sha256 } from '../hash.ts';
import { holds, spanOf } from '../context/packing/line-range.ts';
import { addedLinesOf } from './patch.ts';
import type { Change, ChangedFile } from '../words/change.ts';
import { findOccurrences } from '../text.ts';

export type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>;

/** Reads only files that are asked about, and new or moved ones, where a remembered file may have gone. */
export async function takeSnapshot({
  change,
  read,
  paths,
}: {
  readonly change: Change;
  readonly read: (file: ChangedFile, side: 'new') => Promise<string | null>;
  /** Paths, of today or of before a rename, that claims are about. */
  readonly paths: ReadonlySet<string>;
}) {
  const files = new Map(change.files.map(file => [file.path, file]));
  const byOldPath = new Map(
    change.files
      .filter(file => file.status === 'renamed' && file.oldPath !== null)
      .map(file => [file.oldPath ?? '', file.path]),
  );
  const isWanted = (file: ChangedFile) =>
    paths.has(file.path) || paths.has(file.oldPath ?? file.path);
  const isLost = [...paths].some(path => !files.has(path) && !byOldPath.has(path));
  const fingerprints = new Map<string, FileFingerprint>();
  for (const file of change.files.filter(file => isWanted(file) || (isLost && isNew(file)))) {
    const text = await read(file, 'new');
    if (text !== null) fingerprints.set(file.path, fingerprintFile(text));
  }
  const arrivals = change.files.filter(isNew).map(file => file.path);
  return {
    /** The path that a remembered one has in this change; null when the change does not hold it. */
    currentPath: (path: string, code: CodeFingerprint | null) =>
      files.has(path) ? path : (byOldPath.get(path) ?? moveOf(code, arrivals, fingerprints)),
    /** Null when the new side is no text or was not asked for. */
    fingerprint: (path: string) => fingerprints.get(path) ?? null,
    /** Was this line of the new side in what reviewers got? */
    isShown: (path: string, line: number) =>
      files.get(path)?.hunks.some(hunk => holds(spanOf(hunk, 'new'), line)) ?? false,
    /** Did the change bring this line of the new side? Of whole files: all. */
    isAdded: (path: string, line: number) =>
      change.source === 'files' ||
      addedLinesOf(files.get(path) ?? { path, hunks: [] }).some(added => added.line === line),
    isDeleted: (path: string) => files.get(path)?.status === 'deleted',
  };
}

function isNew({ status }: ChangedFile) {
  return status === 'added' || status === 'renamed' || status === 'copied';
}

/** A file that was renamed between two runs is a new file to both: it is known by the code of the claim, if only one has it. */
function moveOf(
  code: CodeFingerprint | null,
  arrivals: readonly string[],
  fingerprints: ReadonlyMap<string, FileFingerprint>,
) {
  if (code === null || code.split(' ').filter(fingerprint => !fingerprint.includes('~')).length < 2)
    return null;
  const holders = arrivals.filter(path => {
    const fingerprint = fingerprints.get(path);
    return fingerprint !== undefined && findFingerprint(fingerprint, code, null)?.isWhole === true;
  });
  return holders.length === 1 ? (holders[0] ?? null) : null;
}

// Fingerprints of code: what stands at a place, one short hash for each line, without line numbers and white space. A place is
// found again by its fingerprint when lines above it come and go.

/**
 * The lines of a place with one line above and one below, blank ones left out: `1f…8 >9a…0 ~77…c`. `>` marks the place itself,
 * `~` a line of hardly more than brackets.
 */
type CodeFingerprint = string;

type FileFingerprint = ReturnType<typeof fingerprintFile>;

/** Lines that a reviewer may be off and still mean the same code. */
export const nearby = 3;

/** Lines of a place that are fingerprinted, at most: a claim about a whole file is no place. */
const longestPlace = 10;

export function fingerprintFile(text: string) {
  const fingerprinted = text
    .split('\n')
    .map((line, index) => ({ bare: line.replace(/\s+/g, ''), line: index + 1 }))
    .filter(({ bare }) => bare !== '');
  return {
    /** One for each line that is not blank. */
    fingerprints: fingerprinted.map(
      ({ bare }) =>
        `${/[\p{L}\p{Nd}].*[\p{L}\p{Nd}]/u.test(bare) ? '' : '~'}${sha256(bare).slice(0, 8)}`,
    ),
    /** Their line numbers, 1-based. */
    lines: fingerprinted.map(({ line }) => line),
  };
}

/** Null for an empty file. A place on a blank line is the line below it. */
export function fingerprintPlace(
  { fingerprints, lines }: FileFingerprint,
  line: number,
  endLine: number | null,
) {
  const first = Math.min(firstAtLeast(lines, line), fingerprints.length - 1);
  if (first < 0) return null;
  const end = Math.min(
    Math.max(first + 1, firstAtLeast(lines, (endLine ?? line) + 1)),
    first + longestPlace,
  );
  const own = fingerprints.slice(first, end).map(fingerprint => `>${fingerprint}`);
  const [above, below] = [
    fingerprints.slice(Math.max(0, first - 1), first),
    fingerprints.slice(end, end + 1),
  ];
  return [...above, ...own, ...below].join(' ');
}

/**
 * Where a fingerprint stands in a file now; of several places the one nearest to `near`. Null when its own lines stand nowhere in
 * this order. `isWhole`: the lines above and below stand there too.
 */
export function findFingerprint(file: FileFingerprint, code: CodeFingerprint, near: number | null) {
  const marked = code.split(' ');
  const own = marked.findIndex(fingerprint => fingerprint.startsWith('>'));
  const all = marked.map(fingerprint => fingerprint.replace('>', ''));
  const whole = findOccurrences(file.fingerprints, all).map(start => start + own);
  const bare = all.filter((_, index) => marked[index]?.startsWith('>'));
  const lines = (whole.length > 0 ? whole : findOccurrences(file.fingerprints, bare))
    .map(start => file.lines[start] ?? 0)
    .sort(
      (one, other) => Math.abs(one - (near ?? 0)) - Math.abs(other - (near ?? 0)) || one - other,
    );
  return lines[0] === undefined ? null : { line: lines[0], isWhole: whole.length > 0 };
}

/** No line of the fingerprint that tells anything stands in the file any more. False when none of its lines does tell. */
export function isGone(file: FileFingerprint, code: CodeFingerprint) {
  return tellingOf(code).size > 0 && linesLeft(file, code).length === 0;
}

/** Lines of the file at which a telling line of the fingerprint stands, wherever that is. */
export function linesLeft({ fingerprints, lines }: FileFingerprint, code: CodeFingerprint) {
  const telling = tellingOf(code);
  return lines.filter((_, index) => telling.has(fingerprints[index] ?? ''));
}

function tellingOf(code: CodeFingerprint) {
  return new Set(
    code
      .split(' ')
      .map(fingerprint => fingerprint.replace('>', ''))
      .filter(fingerprint => !fingerprint.startsWith('~')),
  );
}

function firstAtLeast(lines: readonly number[], line: number) {
  const found = lines.findIndex(each => each >= line);
  return found === -1 ? lines.length : found;
}
