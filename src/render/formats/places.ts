/** Where a report for machines puts a claim: every one of these formats wants a file, and most a line of it, whether one is known or not. */
import { type Location, placeText } from '../../core/words/finding.ts';
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
  const named = placeText(location);
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

export function topOf({ coverage }: RunRecord, path = coverage.files[0]?.path ?? noFile): Place {
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
