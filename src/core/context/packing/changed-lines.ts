/** Where a change is on the new side of its files, what its added lines are, and how a change too large for one pack is split. */
import type { ChangedFile, Hunk } from '../../words/change.ts';
import { chunk, clip, type LineRange, toRuns } from './line-range.ts';

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
  const beside = gaps
    .flatMap(gap => [gap - 1, gap])
    .filter(number => number >= first && number <= last);
  const changed = toRuns([...new Set([...added, ...beside])].toSorted((one, other) => one - other));
  return changed.length === 0 ? [] : [{ path, changed, added, hunk: { start: first, end: last } }];
}

/** Divides a change that is too large for one pack: whole files where they fit, hunks where they do not, and parts of one hunk at last. */
interface Share {
  /** Tokens of changed lines that one pack may begin with: the rest of it is for what they refer to. */
  readonly tokens: number;
  /** Places. */
  readonly pieces: number;
}

/** In their order. `tokensOf`: of some lines of a file. */
export function splitChange(
  pieces: readonly ChangedPiece[],
  share: Share,
  tokensOf: (path: string, range: LineRange) => number,
): ChangedPiece[][] {
  const groups: ChangedPiece[][] = [];
  let group: ChangedPiece[] = [];
  let used = 0;
  for (const piece of pieces.flatMap(one => cutPiece(one, share.tokens, tokensOf))) {
    const tokens = sizeOf(piece, tokensOf);
    if (group.length > 0 && (used + tokens > share.tokens || group.length >= share.pieces)) {
      groups.push(group);
      group = [];
      used = 0;
    }
    group.push(piece);
    used += tokens;
  }
  return group.length === 0 ? groups : [...groups, group];
}

/** The label of an anchor and its summary. */
const labelTokens = 40;

function sizeOf(
  { path, changed }: ChangedPiece,
  tokensOf: (path: string, range: LineRange) => number,
): number {
  return changed.reduce((sum, range) => sum + tokensOf(path, range) + labelTokens, 0);
}

/** A hunk that is a pack's worth by itself. Its lines stay declared for all of its parts. */
function cutPiece(
  piece: ChangedPiece,
  most: number,
  tokensOf: (path: string, range: LineRange) => number,
): ChangedPiece[] {
  const tokens = sizeOf(piece, tokensOf);
  if (tokens <= most) return [piece];
  const lines = piece.changed.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  const perPart = Math.max(1, Math.floor((lines * most) / tokens));
  return piece.changed
    .flatMap(range => chunk(range, perPart))
    .map(range => ({
      ...piece,
      changed: [range],
      added: piece.added.filter(line => clip({ start: line, end: line }, range) !== null),
    }));
}
