/** What is left of a Markdown report when everything that data may say is taken out of it. */

/** Lines that start with none of our own marks. */
export function sentencesOf(markdown: string): string[] {
  return markdown.split('\n').filter(line => !/^ *[#\->|`]/.test(line));
}

/** The report without its code spans and fenced blocks, read the way CommonMark reads them. */
export function skeleton(markdown: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const opened = /^ *> (`{3,})$/.exec(line)?.[1] ?? null;
    if (fence === null && opened !== null) {
      fence = opened;
      lines.push('FENCED');
    } else if (fence === null) lines.push(withoutSpans(line));
    else if (opened === fence) fence = null;
    else if (!/^ *>/.test(line)) throw new Error(`a block was left open before: ${line}`);
  }
  return lines.join('\n');
}

function withoutSpans(line: string): string {
  let rest = line;
  let kept = '';
  for (;;) {
    const opening = /`+/.exec(rest);
    if (opening === null) return kept + rest;
    const behind = rest.slice(opening.index + opening[0].length);
    const closing = new RegExp(`(?<!\`)${opening[0]}(?!\`)`).exec(behind);
    if (closing === null) throw new Error(`a code span was left open: ${line}`);
    const inside = behind.slice(0, closing.index);
    if (line.startsWith('|') && /(?<!\\)\|/.test(inside))
      throw new Error(`a bar ends the cell: ${line}`);
    kept += `${rest.slice(0, opening.index)}CODE`;
    rest = behind.slice(closing.index + opening[0].length);
  }
}
