/** Takes verbatim echoes of the sent text out of an answer, so that nothing we wrote is read as something they found. */
import { findOccurrences } from './occurrences.ts';

/** Echoes are whole lines; blanks at line ends do not matter. `echoes` counts the removed copies. */
export function withoutEcho(text: string, sent: { readonly instructions: string; readonly prompt: string }): { readonly text: string; readonly echoes: number } {
  let lines = text.split('\n');
  let echoes = 0;
  for (const part of [sent.prompt, sent.instructions]) {
    const needle = contentLines(part);
    const starts = findOccurrences(lines.map(line => line.trimEnd()), needle);
    if (starts.length === 0) continue;
    const removed = removeRuns(lines, starts, needle.length);
    lines = removed.lines;
    echoes += removed.count;
  }
  return { text: echoes === 0 ? text : lines.join('\n'), echoes };
}

function contentLines(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map(line => line.trimEnd());
  const first = lines.findIndex(line => line !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(line => line !== '') + 1);
}

function removeRuns(lines: readonly string[], starts: readonly number[], length: number): { lines: string[]; count: number } {
  const kept: string[] = [];
  let from = 0;
  let count = 0;
  for (const start of starts) {
    if (start < from) continue;
    kept.push(...lines.slice(from, start));
    from = start + length;
    count += 1;
  }
  return { lines: [...kept, ...lines.slice(from)], count };
}
