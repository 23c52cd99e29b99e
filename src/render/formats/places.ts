/** Where a report for machines puts a claim: every one of these formats wants a file, and most a line of it, whether one is known or not. */
import { isToldByClaim } from '../../core/verdict/reasons.ts';
import type { Claim } from '../../core/words/claim.ts';
import type { Location } from '../../core/words/finding.ts';
import type { RunRecord } from '../../core/words/run.ts';

export interface Place {
  readonly path: string;
  /** 1-based, of the new side. */
  readonly line: number;
  readonly endLine: number;
  /** What is untrue of it, in a sentence; null where it is the place that was named. */
  readonly note: string | null;
}

/**
 * A place of the old side keeps its file and loses its line, one that was not found keeps neither: a reader would be sent to a line
 * that has nothing to do with it. They go to the top of the file, or of the first file of the subject, and the note says so.
 */
export function placeOn(location: Location | null, { coverage }: RunRecord): Place {
  const first = pathIn(coverage.files[0]?.path ?? noFile);
  if (location === null) return top(first, 'It names no place.');
  const { path, line, endLine, side, anchoring } = location;
  const named = line === null ? path : `${path}:${line}`;
  if (anchoring === 'unanchored') return top(first, `It names ${named}, which was not found.`);
  const inside = pathIn(path);
  if (line === null) return top(inside, 'It names no line.');
  if (side === 'old') return top(inside, `It is about line ${line} before the change.`);
  return {
    path: inside,
    line,
    endLine: Math.max(line, endLine ?? line),
    note:
      inside !== path
        ? `It is about ${named}, outside of the project.`
        : anchoring === 'ambiguous'
          ? 'The place is one of several that are alike.'
          : null,
  };
}

function topOf({ coverage }: RunRecord, path = coverage.files[0]?.path ?? noFile): Place {
  return top(pathIn(path), null);
}

/**
 * A document may lie anywhere. No reader may take its path for one of the repository, and some refuse a whole report that leads out
 * of it: of such a path the name of the file is left.
 */
function pathIn(path: string): string {
  const leadsOut = /^$|^[\\/]|^[A-Za-z]:[\\/]|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path);
  const names = path.split(/[\\/]/).filter(name => name !== '' && name !== '..');
  return leadsOut ? `(outside)/${names.at(-1) ?? 'file'}` : path;
}

/** Of a question there are no files. */
const noFile = '.';

function top(path: string, note: string | null): Place {
  return { path, line: 1, endLine: 1, note };
}

export interface PlacedReason {
  readonly reason: RunRecord['reasons'][number];
  readonly place: Place;
}

/**
 * What keeps the run from being a pass besides the claims that fail it, which are told as claims. Each at the place it is about: what
 * Jury found itself has a line, a claim its place, a file its top; everything else is put at the top of the first file.
 */
export function otherReasons(record: RunRecord): readonly PlacedReason[] {
  const claims = new Map(record.claims.map(({ id, location }) => [id, location]));
  const paths = new Set(record.coverage.files.map(({ path }) => path));
  const found = new Map(
    record.engineFindings?.map(({ path, line, text }) => [`${path}\n${text}`, line]),
  );
  return record.reasons
    .filter(reason => !isToldByClaim(reason))
    .map(reason => {
      const { subject, sentence } = reason;
      if (claims.has(subject))
        return { reason, place: placeOn(claims.get(subject) ?? null, record) };
      const line = found.get(`${subject}\n${sentence}`) ?? null;
      const place = paths.has(subject) ? topOf(record, subject) : topOf(record);
      return { reason, place: line === null ? place : { ...place, line, endLine: line } };
    });
}

/** Claims that somebody can still do something about. */
export function isOpen({ state }: Pick<Claim, 'state'>): boolean {
  return state !== 'fixed' && state !== 'dismissed';
}
