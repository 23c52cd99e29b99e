/** Walks a file to its Findings Index and takes the block apart: entries, verdict, and what is neither. */
import type { LabelScale } from '../severity.ts';
import { layOut, type Line } from './fences.ts';
import { readEntry, type Deviation, type EntryFields, type EntryLine } from './index-entry.ts';
import { readHeading } from './index-prose.ts';
import { isTableRow, isTableRule, readTableHeader, readTableRow, type TableHeader } from './index-table.ts';
import { isStatementOfNone } from './sieve.ts';
import { readVerdictLine, type VerdictLine } from './verdict-words.ts';

export interface BlockEntry {
  readonly fields: EntryFields;
  readonly raw: string;
}

export interface IndexBlock {
  /** Is there a heading of an index? */
  readonly hasIndex: boolean;
  readonly entries: readonly BlockEntry[];
  readonly unparsed: readonly string[];
  readonly undeclared: readonly string[];
  readonly dropped: { readonly placeholder: number; readonly template: number };
  readonly deviations: ReadonlySet<Deviation>;
  /** The one in the block, else the first one elsewhere that is understood, else the first. */
  readonly verdict: VerdictLine | null;
  /** All lines of the file that are no quotation. */
  readonly lines: readonly string[];
}

export function readIndexBlock(text: string, scale?: LabelScale): IndexBlock {
  const lines = statedLines(text);
  const start = lines.findIndex(isIndexHeading);
  const length = start === -1 ? 0 : lines.slice(start + 1).findIndex(line => readHeading(line) !== null);
  const end = length === -1 ? lines.length : start + 1 + length;
  const walk = startWalk(scale);
  if (start !== -1) {
    noteHeading(walk, lines, start);
    for (const line of lines.slice(start + 1, end)) takeLine(walk, line);
  }
  const verdict = walk.verdict ?? verdictOutside(start === -1 ? lines : [...lines.slice(0, start), ...lines.slice(end)], walk);
  noteVerdict(walk, verdict);
  return { hasIndex: start !== -1, entries: walk.entries, unparsed: walk.unparsed, undeclared: walk.undeclared, dropped: walk.dropped, deviations: walk.deviations, verdict, lines };
}

/** How many blocks of an index the text holds outside of fences and quotations. */
export function countIndexHeadings(text: string): number {
  return layOut(text).lines.filter(line => line.fence === null && !line.isQuoted && isIndexHeading(line.text)).length;
}

interface Walk {
  readonly scale: LabelScale | undefined;
  readonly entries: BlockEntry[];
  readonly unparsed: string[];
  readonly undeclared: string[];
  readonly dropped: { placeholder: number; template: number };
  readonly deviations: Set<Deviation>;
  header: TableHeader | null;
  verdict: VerdictLine | null;
}

function startWalk(scale: LabelScale | undefined): Walk {
  return { scale, entries: [], unparsed: [], undeclared: [], dropped: { placeholder: 0, template: 0 }, deviations: new Set(), header: null, verdict: null };
}

/** Lines in fences and quotations are talk about something, unless the whole file stands in one fence. */
function statedLines(text: string): string[] {
  const layout = layOut(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
  const outside = layout.lines.filter(line => line.fence === null && !line.isQuoted);
  const isWholeFence = layout.fences.length === 1 && outside.every(line => line.text.trim() === '');
  const lines: readonly Line[] = isWholeFence ? layout.lines.filter(line => line.fence !== null).slice(1, layout.fences[0]?.isClosed === true ? -1 : undefined) : outside;
  return lines.map(line => line.text);
}

function isIndexHeading(line: string): boolean {
  const heading = readHeading(line);
  return heading !== null && heading.level <= 4 && /^[*_`]*findings\s+index\b/i.test(heading.title);
}

function noteHeading(walk: Walk, lines: readonly string[], start: number): void {
  if (!/^### Findings Index\s*$/.test(lines[start] ?? '')) walk.deviations.add('heading-level');
  if (lines.slice(0, start).some(line => line.trim() !== '' && !/^\s*<!--.*-->\s*$/.test(line.slice(0, 400)))) walk.deviations.add('not-first-block');
}

function takeLine(walk: Walk, line: string): void {
  if (line.trim() === '' || /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line.slice(0, 200)) || /^\s*<!--/.test(line.slice(0, 200))) return;
  const verdict = readVerdictLine(line);
  if (verdict !== null) {
    walk.verdict ??= verdict;
    return;
  }
  if (isTableRow(line)) takeRow(walk, line);
  else takeItem(walk, line);
}

function takeRow(walk: Walk, line: string): void {
  if (isTableRule(line)) return;
  const header = readTableHeader(line);
  if (header !== null) {
    walk.header = header;
    return;
  }
  walk.deviations.add('table-row');
  takeEntry(walk, readTableRow(line, walk.header, walk.scale), line);
}

function takeItem(walk: Walk, line: string): void {
  const found = /^(\s*)([-*+](?![-*+])|\d{1,3}[.)](?=\s))?\s*(.*)$/s.exec(line);
  const [, indent = '', bullet = '', body = ''] = found ?? [];
  const entry = readEntry(body, walk.scale);
  // Without a bullet only what has all the looks of an entry is one.
  if (bullet === '' && (entry.kind !== 'entry' || entry.deviations.includes('missing-field'))) {
    walk.unparsed.push(line);
    return;
  }
  if (isStatementOfNone(body)) {
    walk.dropped.placeholder += 1;
    return;
  }
  if (entry.kind === 'entry' && (bullet !== '-' || indent !== '')) walk.deviations.add('bullet-style');
  takeEntry(walk, entry, line);
}

function takeEntry(walk: Walk, entry: EntryLine, raw: string): void {
  if (entry.kind === 'template') {
    walk.dropped.template += 1;
    walk.deviations.add('template-leftover');
  } else if (entry.kind === 'entry') {
    if (isStatementOfNone(entry.title)) {
      walk.dropped.placeholder += 1;
      return;
    }
    for (const code of entry.deviations) walk.deviations.add(code);
    walk.entries.push({ fields: entry, raw });
  } else {
    walk.deviations.add('prose-bullet');
    walk.unparsed.push(raw);
    if (entry.kind === 'undeclared') walk.undeclared.push(raw);
  }
}

function verdictOutside(lines: readonly string[], walk: Walk): VerdictLine | null {
  const found = lines.map(readVerdictLine).filter(line => line !== null);
  const verdict = found.find(line => line.verdict !== null) ?? found[0] ?? null;
  if (verdict !== null) walk.deviations.add('verdict-outside-block');
  return verdict;
}

function noteVerdict(walk: Walk, verdict: VerdictLine | null): void {
  if (verdict === null) walk.deviations.add('verdict-missing');
  else if (verdict.verdict === null) walk.deviations.add('verdict-unknown');
  if (verdict?.isDecorated === true) walk.deviations.add('verdict-decorated');
}
