/** Splits an answer into lines and says which of them stand in a fence or behind `> `: those are quotations, not statements. */

export interface Line {
  readonly text: string;
  /** Offsets in the text, without the line break. */
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** Index of the fence it belongs to, delimiters included; null outside. */
  readonly fence: number | null;
}

export interface Fence {
  /** Offsets of what stands between the delimiters. */
  readonly start: number;
  readonly end: number;
  readonly isClosed: boolean;
  readonly mark: '`' | '~';
}

export interface Layout {
  readonly lines: readonly Line[];
  readonly fences: readonly Fence[];
}

/** Expects line feeds only. */
export function layOut(text: string): Layout {
  const lines: Line[] = [];
  const open: { mark: string; start: number; end: number; isClosed: boolean }[] = [];
  let current: (typeof open)[number] | null = null;
  for (let start = 0, end = 0; start <= text.length; start = end + 1) {
    const newline = text.indexOf('\n', start);
    end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    const delimiter = delimiterOf(line);
    if (current === null && delimiter !== null) {
      current = { mark: delimiter.mark, start: Math.min(end + 1, text.length), end: text.length, isClosed: false };
      open.push(current);
      lines.push({ text: line, start, end, isQuoted: false, fence: open.length - 1 });
      continue;
    }
    const fence: number | null = current === null ? null : open.length - 1;
    lines.push({ text: line, start, end, isQuoted: fence === null && /^\s{0,3}>/.test(line), fence });
    if (current !== null && delimiter !== null && closes(delimiter, current.mark)) {
      Object.assign(current, { end: Math.max(current.start, start - 1), isClosed: true });
      current = null;
    }
  }
  return { lines, fences: open.map(({ mark, start, end, isClosed }) => ({ mark: mark.startsWith('`') ? '`' : '~', start, end, isClosed })) };
}

function delimiterOf(line: string): { readonly mark: string; readonly info: string } | null {
  if (line.length > 200 || !(line.includes('```') || line.includes('~~~'))) return null;
  const found = /^\s{0,3}(`{3,40}|~{3,40})\s{0,8}([\w+-]{0,40})\s*$/.exec(line);
  return found?.[1] === undefined ? null : { mark: found[1], info: found[2] ?? '' };
}

function closes(delimiter: { readonly mark: string; readonly info: string }, mark: string): boolean {
  return delimiter.info === '' && delimiter.mark.startsWith(mark);
}
