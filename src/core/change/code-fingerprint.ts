/**
 * Fingerprints of code: what stands at a place, one short hash for each line, without line numbers and white space. A place is
 * found again by its fingerprint when lines above it come and go.
 */
import { findOccurrences } from '../text.ts';

/**
 * The lines of a place with one line above and one below, blank ones left out: `1f…8 >9a…0 ~77…c`. `>` marks the place itself,
 * `~` a line of hardly more than brackets.
 */
export type CodeFingerprint = string;

export interface FileFingerprint {
  /** One for each line that is not blank. */
  readonly fingerprints: readonly string[];
  /** Their line numbers, 1-based. */
  readonly lines: readonly number[];
}

/** Lines that a reviewer may be off and still mean the same code. */
export const nearby = 10;

/** Lines of a place that are fingerprinted, at most: a claim about a whole file is no place. */
const longestPlace = 10;

/** `hash` yields hex digits. */
export function fingerprintFile(text: string, hash: (text: string) => string): FileFingerprint {
  const fingerprinted = text
    .split('\n')
    .map((line, index) => ({ bare: line.replace(/\s+/g, ''), line: index + 1 }))
    .filter(({ bare }) => bare !== '');
  return {
    fingerprints: fingerprinted.map(
      ({ bare }) => `${isTelling(bare) ? '' : '~'}${hash(bare).slice(0, 8)}`,
    ),
    lines: fingerprinted.map(({ line }) => line),
  };
}

/** Null for an empty file. A place on a blank line is the line below it. */
export function fingerprintPlace(
  { fingerprints, lines }: FileFingerprint,
  line: number,
  endLine: number | null,
): CodeFingerprint | null {
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

interface FingerprintMatch {
  /** Line of the place now. */
  readonly line: number;
  /** The lines above and below stand there too. */
  readonly isWhole: boolean;
}

/**
 * Where a fingerprint stands in a file; of several places the one nearest to `near`. Null when its own lines stand nowhere in
 * this order.
 */
export function findFingerprint(
  file: FileFingerprint,
  code: CodeFingerprint,
  near: number | null,
): FingerprintMatch | null {
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
export function isGone(file: FileFingerprint, code: CodeFingerprint): boolean {
  return tellingOf(code).size > 0 && linesLeft(file, code).length === 0;
}

/** Lines of the file at which a telling line of the fingerprint stands, wherever that is. */
export function linesLeft(
  { fingerprints, lines }: FileFingerprint,
  code: CodeFingerprint,
): number[] {
  const telling = tellingOf(code);
  return lines.filter((_, index) => telling.has(fingerprints[index] ?? ''));
}

function tellingOf(code: CodeFingerprint): ReadonlySet<string> {
  return new Set(
    code
      .split(' ')
      .map(fingerprint => fingerprint.replace('>', ''))
      .filter(fingerprint => !fingerprint.startsWith('~')),
  );
}

function isTelling(bare: string): boolean {
  return /[\p{L}\p{Nd}].*[\p{L}\p{Nd}]/u.test(bare);
}

function firstAtLeast(lines: readonly number[], line: number): number {
  const found = lines.findIndex(each => each >= line);
  return found === -1 ? lines.length : found;
}
