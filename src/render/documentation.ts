/** A page of the documentation for a terminal: plain lines that fit, links by their words. Reads the Markdown that our own pages are written in. */
import { hang, wrapLines } from './terminal-text.ts';

/** Code stands as it was written, but is broken where it is wider than `width`. */
export function renderDocumentation(markdown: string, width: number): string {
  return blocksOf(markdown)
    .map(block => renderBlock(block, width))
    .join('\n\n');
}

interface Block {
  readonly kind: 'heading' | 'text' | 'items' | 'table' | 'code';
  readonly lines: readonly string[];
}

function blocksOf(markdown: string): Block[] {
  const blocks: { kind: Block['kind']; lines: string[] }[] = [];
  let open: (typeof blocks)[number] | null = null;
  for (const line of markdown.split(/\r?\n/)) {
    const isFence = line.startsWith('```');
    if (open?.kind === 'code') {
      if (isFence) open = null;
      else open.lines.push(line);
      continue;
    }
    if (isFence) {
      blocks.push((open = { kind: 'code', lines: [] }));
      continue;
    }
    if (line.trim() === '') {
      open = null;
      continue;
    }
    const kind = kindOf(line);
    const continues =
      open !== null && (open.kind === kind || (kind === 'text' && open.kind === 'items'));
    if (open === null || !continues || kind === 'heading')
      blocks.push((open = { kind, lines: [] }));
    open.lines.push(line);
  }
  return blocks;
}

function kindOf(line: string): Block['kind'] {
  if (line.startsWith('#')) return 'heading';
  if (line.startsWith('|')) return 'table';
  return item.test(line) ? 'items' : 'text';
}

const item = /^(\s*)([-*]|\d+\.) +/;

function renderBlock({ kind, lines }: Block, width: number): string {
  return painters[kind](lines, width);
}

type Painter = (lines: readonly string[], width: number) => string;

const painters: Readonly<Record<Block['kind'], Painter>> = {
  heading: (lines, width) =>
    lines
      .map(line => withoutMarks(line.replace(/^#+ */, '')))
      .flatMap(title => [wrapLines(title, width), '─'.repeat(Math.min(title.length, width))])
      .join('\n'),
  code: (lines, width) => lines.map(line => wrapLines(`    ${line}`, width)).join('\n'),
  table: renderTable,
  items: (lines, width) =>
    itemsOf(lines)
      .flatMap(({ lead, text }) => hang(lead, withoutMarks(text), width))
      .join('\n'),
  text: (lines, width) => wrapLines(withoutMarks(lines.map(line => line.trim()).join(' ')), width),
};

function itemsOf(lines: readonly string[]): { lead: string; text: string }[] {
  const items: { lead: string; text: string }[] = [];
  for (const line of lines) {
    const [lead] = item.exec(line) ?? [];
    const last = items.at(-1);
    if (lead !== undefined) items.push({ lead, text: line.slice(lead.length) });
    else if (last !== undefined) last.text += ` ${line.trim()}`;
  }
  return items;
}

/** A row is its first cell, and below it the others: no terminal is as wide as the tables of a page. */
function renderTable(lines: readonly string[], width: number): string {
  const [head = [], ...rows] = lines.filter(line => !/^\|[\s:|-]+\|?$/.test(line)).map(cellsOf);
  return rows
    .flatMap(([first = '', ...cells]) => [
      ...hang('', first, width),
      ...cells.flatMap((cell, index) =>
        cell === ''
          ? []
          : hang('    ', cells.length > 1 ? `${head[index + 1] ?? ''}: ${cell}` : cell, width),
      ),
    ])
    .join('\n');
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map(cell => withoutMarks(cell.trim().replaceAll('\\|', '|')));
}

/** Links to other pages keep their words; those into the world keep their address too. */
function withoutMarks(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\((https?:[^)\s]+)\)/g, '$1 ($2)')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replaceAll('`', '');
}
