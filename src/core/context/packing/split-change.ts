/** Divides a change that is too large for one pack: whole files where they fit, hunks where they do not, and parts of one hunk at last. */
import type { ChangedPiece } from './changed-lines.ts';
import { chunk, clip, type LineRange } from './line-range.ts';

export interface Share {
  /** Tokens of changed lines that one pack may begin with: the rest of it is for what they refer to. */
  readonly tokens: number;
  /** Places. */
  readonly pieces: number;
}

/** In their order. `tokensOf`: of some lines of a file. */
export function splitChange(pieces: readonly ChangedPiece[], share: Share, tokensOf: (path: string, range: LineRange) => number): ChangedPiece[][] {
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

function sizeOf({ path, changed }: ChangedPiece, tokensOf: (path: string, range: LineRange) => number): number {
  return changed.reduce((sum, range) => sum + tokensOf(path, range) + labelTokens, 0);
}

/** A hunk that is a pack's worth by itself. Its lines stay declared for all of its parts. */
function cutPiece(piece: ChangedPiece, most: number, tokensOf: (path: string, range: LineRange) => number): ChangedPiece[] {
  const tokens = sizeOf(piece, tokensOf);
  if (tokens <= most) return [piece];
  const lines = piece.changed.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  const perPart = Math.max(1, Math.floor((lines * most) / tokens));
  return piece.changed.flatMap(range => chunk(range, perPart)).map(range => ({ ...piece, changed: [range], added: piece.added.filter(line => clip({ start: line, end: line }, range) !== null) }));
}
