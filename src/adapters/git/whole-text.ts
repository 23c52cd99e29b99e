/** Texts and hunks of one side alone: a file that is new as a whole, or gone as a whole. */
import type { Hunk } from '../../core/change.ts';

const noNewline = '\\ No newline at end of file';

/** One hunk that adds every line; none for an empty text. */
export function addedHunks(text: string): Hunk[] {
  if (text === '') return [];
  const lines = text.split('\n').map(line => `+${line}`);
  const count = text.endsWith('\n') ? lines.length - 1 : lines.length;
  if (text.endsWith('\n')) lines.pop();
  else lines.push(noNewline);
  return [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: count, heading: '', lines }];
}

/** The text of hunks that hold nothing but lines of this sign. */
export function wholeText(hunks: readonly Hunk[], sign: '+' | '-'): string | null {
  const lines = hunks.flatMap(hunk => hunk.lines);
  if (lines.some(line => !line.startsWith(sign) && !line.startsWith('\\'))) return null;
  const text = lines.filter(line => line.startsWith(sign)).map(line => `${line.slice(1)}\n`).join('');
  return lines.at(-1)?.startsWith('\\') === true ? text.slice(0, -1) : text;
}

/** The new text, when every hunk stands in the old one at its stated line, word for word; else null. */
export function applyHunks(oldText: string, hunks: readonly Hunk[]): string | null {
  const old = oldText.split('\n');
  const pieces: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (start < at || start > old.length) return null;
    for (; at < start; at++) pieces.push(`${old[at] ?? ''}\n`);
    for (const line of hunk.lines) {
      if (line.startsWith('\\')) continue;
      if (!line.startsWith('+') && old[at++] !== line.slice(1)) return null;
      if (!line.startsWith('-')) pieces.push(`${line.slice(1)}\n`);
    }
  }
  const reachesEnd = at >= old.length || (at === old.length - 1 && old[at] === '');
  if (!reachesEnd) return pieces.join('') + old.slice(at).join('\n');
  return endsWithoutNewline(hunks, oldText) ? pieces.join('').slice(0, -1) : pieces.join('');
}

/** The mark belongs to the line before it: a last line that was only taken away says nothing about the new text. */
function endsWithoutNewline(hunks: readonly Hunk[], oldText: string): boolean {
  const lines = hunks.at(-1)?.lines ?? [];
  const last = lines.findLastIndex(line => line.startsWith('+') || line.startsWith(' '));
  return last === -1 ? !oldText.endsWith('\n') : lines[last + 1]?.startsWith('\\') === true;
}
