/** Where a change is on the new side of its files, and what its added lines are. */
import type { ChangedFile, Hunk } from '../../change.ts';
import { toRuns, type LineRange } from './line-range.ts';

/** One hunk as the ladder sees it. Numbers are those of the new side. */
export interface ChangedPiece {
  readonly path: string;
  /** Lines that were added; where lines were only taken away, the ones beside the gap. */
  readonly changed: readonly LineRange[];
  /** Added lines only: they may name symbols. */
  readonly added: readonly number[];
  /** The whole hunk with its context. */
  readonly hunk: LineRange;
}

/** Empty for a file without text on the new side. */
export function piecesOf(file: ChangedFile): ChangedPiece[] {
  if (file.content !== 'text' || file.status === 'deleted') return [];
  return file.hunks.flatMap(hunk => pieceOf(file.path, hunk));
}

function pieceOf(path: string, hunk: Hunk): ChangedPiece[] {
  if (hunk.newLines === 0 && hunk.newStart === 0) return [];
  const first = Math.max(1, hunk.newStart);
  const last = Math.max(first, hunk.newStart + hunk.newLines - 1);
  const added: number[] = [];
  const gaps: number[] = [];
  // Git counts the line before the gap when a hunk leaves nothing behind.
  let line = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart;
  let run = { additions: 0, deletions: 0 };
  const endRun = (): void => {
    if (run.deletions > 0 && run.additions === 0) gaps.push(line);
    run = { additions: 0, deletions: 0 };
  };
  for (const text of hunk.lines) {
    if (text.startsWith('-')) run.deletions += 1;
    else if (text.startsWith('+')) {
      run.additions += 1;
      added.push(line);
      line += 1;
    } else if (!text.startsWith('\\')) {
      endRun();
      line += 1;
    }
  }
  endRun();
  const beside = gaps.flatMap(gap => [gap - 1, gap]).filter(number => number >= first && number <= last);
  const changed = toRuns([...new Set([...added, ...beside])].toSorted((one, other) => one - other));
  return changed.length === 0 ? [] : [{ path, changed, added, hunk: { start: first, end: last } }];
}
