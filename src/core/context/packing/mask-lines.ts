/** Takes credentials out of a text line by line: every line stays where it was. */
import type { SecretSpan } from '../../ports.ts';

export const redacted = '[REDACTED]';

export interface MaskedLines {
  readonly lines: readonly string[];
  /** For each secret: the first and last line it stood on, 1-based. */
  readonly places: readonly { readonly start: number; readonly end: number }[];
}

/** `spans` are sorted and disjoint, as a `SecretScanner` returns them. */
export function maskLines(lines: readonly string[], text: string, spans: readonly SecretSpan[]): MaskedLines {
  if (spans.length === 0) return { lines, places: [] };
  const shown = [...lines];
  const starts = lineStarts(text);
  const places: { start: number; end: number }[] = [];
  // From the last one back: what stands before keeps its columns.
  for (const { start, end } of spans.toReversed()) {
    const first = lineAt(starts, start);
    const last = lineAt(starts, Math.max(start, end - 1));
    places.unshift({ start: first + 1, end: last + 1 });
    for (let line = last; line >= first; line -= 1) {
      const whole = shown[line] ?? '';
      const from = line === first ? start - (starts[line] ?? 0) : 0;
      const to = line === last ? end - (starts[line] ?? 0) : whole.length;
      shown[line] = whole.slice(0, from) + redacted + whole.slice(Math.min(to, whole.length));
    }
  }
  return { lines: shown, places };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
