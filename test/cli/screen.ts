/** A stream that keeps a picture of what a terminal would show: the moves and erasures that a live display uses. */
import { Writable } from 'node:stream';

export interface Screen {
  readonly stream: Writable & {
    readonly isTTY: boolean;
    readonly columns: number;
    readonly rows: number;
  };
  /** Lines as a person sees them now, blank ones at the end left out. */
  readonly lines: () => string[];
  /** Everything that was written. */
  readonly written: () => string;
  /** How often something was written. */
  readonly writes: () => number;
}

// One piece of what is written: a control sequence, a line end, or a run of text.
const piecePattern = /\u001B\[(\??\d*)([A-Za-z])|(\n)|[^\u001B\n]+/g;

export function createScreen(columns: number, rows: number): Screen {
  const grid: string[] = [''];
  let [row, column, text, writes] = [0, 0, '', 0];
  const moves: Record<string, (amount: number) => void> = {
    A: amount => (row = Math.max(0, row - amount)),
    B: amount => (row += amount),
    G: amount => (column = amount - 1),
    K: amount => (grid[row] = amount === 2 ? '' : (grid[row] ?? '').slice(0, column)),
    h: () => undefined,
    l: () => undefined,
  };
  const show = (piece: string) => {
    grid[row] =
      `${(grid[row] ?? '').padEnd(column).slice(0, column)}${piece}${(grid[row] ?? '').slice(column + piece.length)}`;
    column += piece.length;
  };
  const write = (chunk: string) => {
    [text, writes] = [text + chunk, writes + 1];
    for (const [piece, amount, letter, lineEnd] of chunk.matchAll(piecePattern)) {
      if (lineEnd !== undefined) [row, column] = [row + 1, 0];
      else if (letter === undefined) show(piece);
      else if (moves[letter] === undefined)
        throw new Error(`the screen does not know ${JSON.stringify(piece)}`);
      else moves[letter](Number.parseInt(amount ?? '', 10) || (letter === 'K' ? 0 : 1));
      grid[row] ??= '';
    }
  };
  const stream = Object.assign(
    new Writable({
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => (write(chunk), done()),
    }),
    { isTTY: true, columns, rows },
  );
  return {
    stream,
    lines: () => grid.join('\n').trimEnd().split('\n'),
    written: () => text,
    writes: () => writes,
  };
}
