/** Takes an answer apart by its headings. */
import { layOut } from './fences.ts';
import { readHeading } from './index-prose.ts';

/** Lines below each heading whose title is one of `names` (any level and letter case), up to the next heading. The first block of a name counts. */
export function readBlocks<Name extends string>(text: string, names: readonly Name[]): ReadonlyMap<Name, readonly string[]> {
  const blocks = new Map<Name, string[]>();
  let open: string[] | null = null;
  for (const line of statedLines(text)) {
    const heading = readHeading(line);
    if (heading === null) {
      open?.push(line);
      continue;
    }
    const title = heading.title.replace(/[*_`:]/g, '').trim().toLowerCase();
    const name = names.find(candidate => candidate.toLowerCase() === title);
    open = name === undefined || blocks.has(name) ? null : [];
    if (name !== undefined && open !== null) blocks.set(name, open);
  }
  return blocks;
}

/** An answer that stands in one fence as a whole is taken out of it; in other fences nothing is a heading. */
function statedLines(text: string): string[] {
  const { lines, fences } = layOut(text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
  const outside = lines.filter(({ fence }) => fence === null);
  const isWholeFence = fences.length === 1 && outside.every(line => line.text.trim() === '');
  return (isWholeFence ? lines.filter(({ fence }) => fence !== null).slice(1) : lines).map(line => (line.fence === null || isWholeFence ? line.text : `    ${line.text}`));
}

/** Items of a list: bullets or numbers in any of the usual forms, each with the indented lines below it. */
export function readItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    const item = /^\s{0,3}(?:[-*+•]|\d{1,3}[.)])\s+(\S.*)$/.exec(line.slice(0, 16_000))?.[1];
    if (item !== undefined) items.push(item);
    else if (line.trim() !== '' && items.length > 0 && /^\s/.test(line)) items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return items.slice(0, 1_000);
}
