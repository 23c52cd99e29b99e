/** Rung 1: every changed hunk, with the first lines of the functions and classes around it. */
import type { Definition } from '../../../code-index.ts';
import { lineCandidate, type Candidate } from '../candidate.ts';
import type { ChangedPiece } from '../changed-lines.ts';
import type { CodeView } from '../code-view.ts';
import { headerEnd } from '../declaration.ts';
import type { LineRange } from '../line-range.ts';

/** Lines shown above and below a change where they belong to the same definition. */
const surroundings = 3;

export function nearbyCode(pieces: readonly ChangedPiece[], view: CodeView, linesOf: (path: string) => readonly string[]): Candidate[] {
  return pieces.flatMap(piece => {
    const lines = linesOf(piece.path);
    return [...piece.changed.map(range => lineCandidate(piece.path, surround(range, piece.path, view, lines), 0, { needed: 1, core: [range] })), ...headersOf(piece, view, lines)];
  });
}

/** Never out of the definition that holds the lines, nor into another one. */
function surround(range: LineRange, path: string, view: CodeView, lines: readonly string[]): LineRange {
  const definitions = view.definitionsIn(path);
  const top = innermost(definitions, range.start);
  const bottom = innermost(definitions, range.end);
  const before = definitions.filter(({ endLine }) => endLine < range.start).map(({ endLine }) => endLine + 1);
  const behind = definitions.filter(({ startLine }) => startLine > range.end).map(({ startLine }) => startLine - 1);
  let start = Math.max(1, range.start - surroundings, top?.startLine ?? 1, ...before.slice(-1));
  let end = Math.min(lines.length, range.end + surroundings, bottom?.endLine ?? lines.length, ...behind.slice(0, 1));
  while (start < range.start && (lines[start - 1] ?? '').trim() === '') start += 1;
  while (end > range.end && (lines[end - 1] ?? '').trim() === '') end -= 1;
  return { start: Math.min(start, range.start), end: Math.max(end, range.end) };
}

function innermost(definitions: readonly Definition[], line: number): Definition | undefined {
  return definitions.findLast(({ startLine, endLine }) => startLine <= line && line <= endLine);
}

function headersOf({ path, changed }: ChangedPiece, view: CodeView, lines: readonly string[]): Candidate[] {
  const around = new Set(changed.flatMap(({ start, end }) => [...view.enclosing(path, start), ...view.enclosing(path, end)]).filter(({ kind }) => kind !== 'constant' && kind !== 'module'));
  return [...around].map(({ startLine, endLine, name }) => lineCandidate(path, { start: startLine, end: headerEnd(lines, startLine, endLine) }, 1, { name, needed: 1 }));
}
