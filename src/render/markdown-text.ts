/**
 * Data on its way into a Markdown file: always inside a code span or a fenced block whose fence is longer than any run
 * of backticks in it. No image, link, HTML, mention or heading can come from data.
 */
import { makeVisible } from '../core/visible-text.ts';

/** One line in a code span; `–` for nothing. Line ends become spaces. */
export function code(text: string): string {
  const line = makeVisible(text.replace(/\r?\n|\t/g, ' ')).trim();
  if (line === '') return '–';
  const fence = '`'.repeat(longestRun(line) + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** A code span inside a table cell, where a bar would end the cell even in code. */
export function codeCell(text: string): string {
  return code(text).replaceAll('|', '\\|');
}

export function codeList(texts: readonly string[]): string {
  return texts.length === 0 ? '–' : texts.map(code).join(', ');
}

/**
 * A fenced block inside a block quote: every line of it starts with our own `>`, so that no line of data stands first on
 * a line, where a log reader might take it for a command.
 */
export function quoteBlock(text: string, indent = ''): string[] {
  const lines = makeVisible(text.replaceAll('\r\n', '\n')).split('\n');
  const fence = '`'.repeat(Math.max(3, lines.reduce((most, line) => Math.max(most, longestRun(line)), 0) + 1));
  return [fence, ...lines, fence].map(line => `${indent}> ${line}`);
}

export function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [titles, titles.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`);
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
