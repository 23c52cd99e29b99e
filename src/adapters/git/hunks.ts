/** Reads the hunks of a unified diff by their line counts, so that no content can pass for a header. Linear. */
import type { Hunk } from '../../core/change.ts';

export interface ReadHunks {
  readonly hunks: Hunk[];
  /** Index of the first line that belongs to no hunk. */
  readonly next: number;
  readonly additions: number;
  readonly deletions: number;
  /** False when the text ends, or another kind of line stands, before a hunk has all its lines. */
  readonly complete: boolean;
}

const header = /^@@ -(\d{1,10})(?:,(\d{1,10}))? \+(\d{1,10})(?:,(\d{1,10}))? @@(?: (.*))?$/s;

/** Reads as many hunks as stand at `start`. */
export function readHunks(lines: readonly string[], start: number): ReadHunks {
  const hunks: Hunk[] = [];
  const counted = { additions: 0, deletions: 0 };
  let next = start;
  for (;;) {
    const opened = openHunk(lines[next]);
    if (opened === null) return { hunks, next, ...counted, complete: true };
    const body = readBody(lines, next + 1, opened.oldLines, opened.newLines);
    hunks.push({ ...opened, lines: body.lines });
    counted.additions += body.additions;
    counted.deletions += body.deletions;
    next = body.next;
    if (!body.complete) return { hunks, next, ...counted, complete: false };
  }
}

function openHunk(line: string | undefined): Omit<Hunk, 'lines'> | null {
  const match = line?.startsWith('@@') === true ? header.exec(line) : null;
  if (match === null) return null;
  const [, oldStart, oldLines = '1', newStart, newLines = '1', heading = ''] = match;
  return { oldStart: Number(oldStart), oldLines: Number(oldLines), newStart: Number(newStart), newLines: Number(newLines), heading };
}

function readBody(lines: readonly string[], start: number, oldLines: number, newLines: number) {
  const body: string[] = [];
  const left = { old: oldLines, new: newLines };
  let [additions, deletions, next] = [0, 0, start];
  for (; left.old > 0 || left.new > 0 || lines[next]?.startsWith('\\ ') === true; next++) {
    const line = lines[next];
    const kind = line === '' ? ' ' : line?.[0];
    if (kind === '+') additions++;
    else if (kind === '-') deletions++;
    // Mail programs strip the blank from an empty context line.
    if (kind === ' ' || kind === '-') left.old--;
    if (kind === ' ' || kind === '+') left.new--;
    const foreign = line === undefined || (kind !== ' ' && kind !== '+' && kind !== '-' && kind !== '\\');
    if (foreign || left.old < 0 || left.new < 0) return { lines: body, additions, deletions, next, complete: false };
    body.push(line === '' ? ' ' : line);
  }
  return { lines: body, additions, deletions, next, complete: true };
}
