/**
 * The encoder of Markdown, for every file and table that people or hosts may render. Data stands in it as plain words;
 * whatever of it is no plain word (markup, an address, a mention, a reference, a path) stands in code, where it does nothing.
 */
import { makeVisible, visibleName } from './visible-text.ts';

/**
 * Letters, digits, apostrophes, hyphens and marks of other scripts, with the marks of a sentence around them: nothing that any
 * renderer acts on.
 */
const plainWord =
  /^["'(“‘]{0,2}[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}’'，。；：！？、（）「」《》-]*[\p{L}\p{M}\p{N}，。；：！？、（）「」《》])?[.,;:!?)"'”’%…]{0,3}$/u;

/** Figures, and marks that mean nothing to a renderer. */
const plainMark = /^(?:~?\d+(?:\.\d+)+[a-z%]{0,2}|[✓✗◐●○·–—])$/u;

/**
 * A number that would start a list, and names that hosts turn into links: commits and `GH-1`, also as the beginning or a part of
 * a word.
 */
const actingWord =
  /^["'(“‘]*(?:\d+[.)]+|[a-z]+-\d+)[.,;:!?)"'”’%…]*$|\b[0-9a-f]{7,}\b|gh-\d|www\./i;

/** An id, a path with its line, an identifier: single marks between letters and digits, which neither stress nor link. */
const plainName =
  /^["'(“‘]{0,2}[\p{L}\p{N}]+(?:[-._/:][\p{L}\p{M}\p{N}]+)*(?:\(\))?[.,;:!?)"'”’%…]{0,3}$/u;

const listNumber = /^["'(“‘]*\d+[.)]+$/;

/** Alone between words; at the beginning of a line some of them start a block. */
const operator = /^(?:[-+=<>&/]|[<>=!]=|===|!==|->|=>|&&)$/;

/** As `actingWord`, but for ids that only a tracker makes links of: ours look like them. */
const actingName = /\b[0-9a-f]{7,}\b|gh-\d|www\./i;

/** Data on one line, `–` for nothing. What the reviewer put into code stays code; what is no plain word is put there. */
export function words(text: string) {
  return encode(text, token => plainWord.test(token) && !actingWord.test(token));
}

/** The same for files that programs read back: ids, paths, names and operators that no renderer acts on stay as they are. */
export function readable(text: string) {
  return encode(
    text,
    (token, isFirst) =>
      ((plainWord.test(token) || plainName.test(token)) &&
        !actingName.test(token) &&
        !(isFirst && listNumber.test(token))) ||
      (!isFirst && operator.test(token)),
  );
}

function encode(text: string, isPlain: (token: string, isFirst: boolean) => boolean) {
  const line = makeVisible(text.replace(/\s+/g, ' ')).trim();
  if (line === '') return '–';
  const pieces: { readonly text: string; readonly isCode: boolean }[] = [];
  for (const token of line.match(/`[^` ](?:[^`]*[^` ])?`(?=[ .,;:!?)]|$)[.,;:!?)]*|[^ ]+/g) ?? []) {
    const own = /^`([^`]+)`([.,;:!?)]*)$/.exec(token);
    const last = pieces.at(-1);
    if (own) pieces.push({ text: `${code(own[1] ?? '')}${own[2] ?? ''}`, isCode: false });
    else if (plainMark.test(token) || isPlain(token, !last))
      pieces.push({ text: token, isCode: false });
    else if (last?.isCode)
      pieces[pieces.length - 1] = { text: `${last.text} ${token}`, isCode: true };
    else pieces.push({ text: token, isCode: true });
  }
  return pieces.map(piece => (piece.isCode ? code(piece.text) : piece.text)).join(' ');
}

/** A path or an id, blanks and all, in a code span: only what is invisible is replaced. */
export function codePath(path: string) {
  return code(visibleName(path));
}

/** One line in a code span; `–` for nothing. Line ends become spaces. */
export function code(text: string) {
  const line = makeVisible(text.replace(/\r?\n|\t/g, ' ')).trim();
  if (line === '') return '–';
  const fence = '`'.repeat(longestRun(line) + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/**
 * A fenced block inside a block quote: every line of it starts with our own `>`, so that no line of data stands first on
 * a line, where a log reader might take it for a command.
 */
export function quoteBlock(text: string, indent = '') {
  const lines = makeVisible(text.replaceAll('\r\n', '\n')).split('\n');
  const fence = '`'.repeat(
    Math.max(3, lines.reduce((most, line) => Math.max(most, longestRun(line)), 0) + 1),
  );
  return [fence, ...lines, fence].map(line => `${indent}> ${line}`);
}

interface TableColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** Cells are Markdown already, but for their bars: one ends a cell even in code. */
export function tableOf(
  columns: readonly (string | TableColumn)[],
  rows: readonly (readonly string[])[],
) {
  const titles = columns.map(column => (typeof column === 'string' ? column : column.title));
  const rules = columns.map(column =>
    typeof column !== 'string' && column.align === 'right' ? '---:' : '---',
  );
  const cells = rows.map(row =>
    row.map(cell =>
      cell.replace(
        /(\\*)\|/g,
        (_, slashes: string) => `${slashes}${slashes.length % 2 === 0 ? '' : '\\'}\\|`,
      ),
    ),
  );
  return [titles, rules, ...cells].map(row => `| ${row.join(' | ')} |`);
}

function longestRun(text: string) {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
