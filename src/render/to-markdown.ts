/**
 * Paints a description as Markdown that can be pasted into a pull request. Data stands in it as plain words; whatever of it
 * is no plain word (markup, an address, a mention, a reference, a path) stands in code, where it does nothing.
 */
import type { CodeFrame } from '../core/words/code-frame.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import type { Column, Line, Section, Span } from './section.ts';
import { cut, pathText } from './terminal-text.ts';
import { htmlOf } from './to-html.ts';

export function paintMarkdown(sections: readonly Section[]): string {
  return `${sections.map(section => paint(section).join('\n')).join('\n\n')}\n`;
}

function paint(section: Section): readonly string[] {
  switch (section.kind) {
    case 'title':
      return [`${'#'.repeat(section.level)} ${markdownOf(section.line.map(withoutTone))}`];
    case 'list':
      if (section.bullets) return section.items.map(item => `- ${markdownOf(item)}`);
      // Two blanks end a line without ending the paragraph.
      return section.items.map(
        (item, index) => `${markdownOf(item)}${index === section.items.length - 1 ? '' : '  '}`,
      );
    case 'table':
      return tableOf(
        section.columns.map(column => ({ ...column, title: words(column.title) })),
        section.rows.map(cells => cells.map(cell => markdownOf(cell))),
      );
    case 'quote':
      return quoteBlock(section.text);
    case 'frame':
      return quoteBlock(numbered(section.frame));
    case 'group':
    default:
      return paintGroup(section);
  }
}

/** A folded group is one that GitHub and GitLab fold. What stands between tags is read as HTML, and so is its head. */
function paintGroup({
  head,
  body,
  folded,
}: Extract<Section, { kind: 'group' }>): readonly string[] {
  const inner = body.flatMap(section => ['', ...paint(section)]);
  if (!folded) return [`**${markdownOf(head.map(withoutTone))}**`, ...inner];
  return [
    '<details>',
    `<summary>${htmlOf(head.map(inCode))}</summary>`,
    ...inner,
    '',
    '</details>',
  ];
}

/** Where the whole line is strong, no part of it is stronger. */
function withoutTone(piece: string | Span): string | Span {
  return typeof piece === 'string' ? piece : { ...piece, tone: null };
}

/** Hosts look for mentions and references in any text but code. */
function inCode(piece: string | Span): string | Span {
  return typeof piece === 'string' || piece.kind === 'ours' ? piece : { ...piece, kind: 'literal' };
}

function numbered({ first, lines, from, to }: CodeFrame): string {
  const width = String(first + lines.length - 1).length;
  return lines
    .map(
      (text, index) =>
        `${first + index >= from && first + index <= to ? '>' : ' '} ${String(first + index).padStart(width)} | ${text}`,
    )
    .join('\n');
}

function markdownOf(line: Line): string {
  return line
    .map(piece => (typeof piece === 'string' ? piece : paintSpan(piece)))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim();
}

function paintSpan({ text, kind, tone, cap }: Span): string {
  const isStrong =
    tone !== null && tone !== 'faint' && tone !== 'good' && tone !== 'poor' && tone !== 'bad';
  if (kind === 'ours') return isStrong ? `**${text}**` : text;
  return kind === 'literal' ? code(pathText(text)) : words(cap === null ? text : cut(text, cap));
}

/** Letters, digits, apostrophes, hyphens and marks of other scripts, with the marks of a sentence around them: nothing that any renderer acts on. */
const plainWord =
  /^["'(“‘]{0,2}[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}’'，。；：！？、（）「」《》-]*[\p{L}\p{M}\p{N}，。；：！？、（）「」《》])?[.,;:!?)"'”’%…]{0,3}$/u;

/** Figures, and marks that mean nothing to a renderer. */
const plainMark = /^(?:~?\d+(?:\.\d+)+[a-z%]{0,2}|[✓✗◐●○·–—])$/u;

/** A number that would start a list, and names that hosts turn into links: commits and `GH-1`, also as the beginning or a part of a word. */
const actingWord =
  /^["'(“‘]*(?:\d+[.)]+|[a-z]+-\d+)[.,;:!?)"'”’%…]*$|\b[0-9a-f]{7,}\b|gh-\d|www\./i;

/** Data on one line. What the reviewer put into code stays code; what is no plain word is put there. */
export function words(text: string): string {
  const line = makeVisible(text.replace(/\s+/g, ' ')).trim();
  if (line === '') return '–';
  const pieces: { readonly text: string; readonly isCode: boolean }[] = [];
  for (const token of line.match(/`[^` ](?:[^`]*[^` ])?`(?=[ .,;:!?)]|$)[.,;:!?)]*|[^ ]+/g) ?? []) {
    const own = /^`([^`]+)`([.,;:!?)]*)$/.exec(token);
    const last = pieces.at(-1);
    if (own !== null) pieces.push({ text: `${code(own[1] ?? '')}${own[2] ?? ''}`, isCode: false });
    else if (plainMark.test(token) || (plainWord.test(token) && !actingWord.test(token)))
      pieces.push({ text: token, isCode: false });
    else if (last?.isCode === true)
      pieces[pieces.length - 1] = { text: `${last.text} ${token}`, isCode: true };
    else pieces.push({ text: token, isCode: true });
  }
  return pieces.map(piece => (piece.isCode ? code(piece.text) : piece.text)).join(' ');
}

/** One line in a code span; `–` for nothing. Line ends become spaces. */
export function code(text: string): string {
  const line = makeVisible(text.replace(/\r?\n|\t/g, ' ')).trim();
  if (line === '') return '–';
  const fence = '`'.repeat(longestRun(line) + 1);
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
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
  const fence = '`'.repeat(
    Math.max(3, lines.reduce((most, line) => Math.max(most, longestRun(line)), 0) + 1),
  );
  return [fence, ...lines, fence].map(line => `${indent}> ${line}`);
}

/** Cells are Markdown already, but for their bars: one ends a cell even in code. */
export function tableOf(
  columns: readonly (string | Pick<Column, 'title' | 'align'>)[],
  rows: readonly (readonly string[])[],
): string[] {
  const titles = columns.map(column => (typeof column === 'string' ? column : column.title));
  const rules = columns.map(column =>
    typeof column !== 'string' && column.align === 'right' ? '---:' : '---',
  );
  const cells = rows.map(row => row.map(cell => cell.replaceAll('|', '\\|')));
  return [titles, rules, ...cells].map(row => `| ${row.join(' | ')} |`);
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
