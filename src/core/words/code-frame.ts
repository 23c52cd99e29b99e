/** The lines around the place of a claim, for a report that shows what is meant. */
import { z } from 'zod';
import { splitLines } from '../text.ts';
import type { Subject } from './change.ts';
import type { Claim } from './claim.ts';
import type { Location } from './finding.ts';
import { Texts, Whole } from './fields.ts';

export const CodeFrame = z.object({
  /** 1-based number of the first of `lines`. */
  first: Whole.positive(),
  /** Text of the subject, credentials replaced. Untrusted. */
  lines: Texts,
  /** The lines that are meant, first and last. */
  from: Whole.positive(),
  to: Whole.positive(),
});
export type CodeFrame = z.infer<typeof CodeFrame>;

export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** Lines shown before and after those that are meant; of a long range only its beginning is shown. */
const around = 1;
const mostMeant = 4;
const longestLine = 200;

/** A place that was not found, or that may be several, has no frame. */
export function canBeFramed({ location }: Pick<Claim, 'location'>) {
  return (
    location !== null &&
    location.line !== null &&
    (location.anchoring === 'exact' || location.anchoring === 'moved')
  );
}

/** What the subject shows of one side of a file, in order; of a change these are the lines of its hunks. */
export function linesOf(
  subject: Subject,
  path: string,
  side: Location['side'],
): readonly NumberedLine[] {
  if (subject.kind === 'question') return [];
  if (subject.kind === 'document')
    return splitLines(subject.files.find(file => file.path === path)?.text ?? '').map(
      (text, index) => ({ number: index + 1, text }),
    );
  const [other, start] =
    side === 'new' ? (['-', 'newStart'] as const) : (['+', 'oldStart'] as const);
  return (subject.files.find(file => file.path === path)?.hunks ?? []).flatMap(hunk => {
    const shown = hunk.lines.filter(line => !line.startsWith(other) && !line.startsWith('\\'));
    return shown.map((line, index) => ({
      number: hunk[start] + index,
      text: line.slice(1).replace(/\r$/, ''),
    }));
  });
}

/** Null when the line is not among those that are shown. */
export function cutFrame(
  lines: readonly NumberedLine[],
  { line, endLine }: Pick<Location, 'line' | 'endLine'>,
): CodeFrame | null {
  const at = lines.findIndex(({ number }) => number === line);
  if (line === null || at === -1) return null;
  const to = Math.min(Math.max(endLine ?? line, line), line + mostMeant - 1);
  const near = lines
    .slice(Math.max(0, at - around), at + mostMeant + around)
    .filter(({ number }) => number >= line - around && number <= to + around);
  return {
    first: near[0]?.number ?? line,
    lines: near.map(({ text }) => text.slice(0, longestLine)),
    from: line,
    to,
  };
}
