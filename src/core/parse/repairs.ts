/**
 * The closed list of repairs, named by the codes of the table of bad answers. Each takes something off; none adds
 * a character to what the reviewer wrote.
 */
import type { Layout } from './fences.ts';
import { stripAnsi } from './plain-text.ts';
import { reject, type Rejection, type Wrapping } from './reading.ts';

interface Cleaned {
  readonly text: string;
  readonly repairs: readonly string[];
}

/** Line ends and byte-order mark (A18), terminal colours (A16), thinking aloud (A9). */
export function clean(text: string): Cleaned {
  const steps: readonly [string, (text: string) => string][] = [
    ['A18', withPlainLineEnds],
    ['A16', stripAnsi],
    ['A9', withoutThinking],
  ];
  const repairs: string[] = [];
  let cleaned = text;
  for (const [repair, step] of steps) {
    const next = step(cleaned);
    if (next !== cleaned) repairs.push(repair);
    cleaned = next;
  }
  return { text: cleaned, repairs };
}

function withPlainLineEnds(text: string): string {
  return text.replace(/^\uFEFF+/, '').replace(/\r\n?/g, '\n');
}

const opening = /^[ \t]*<(think|thinking|reasoning|thought)>/gim;

/** Only tags at the start of a line: a finding may talk about them. What is opened and not closed goes to the end. */
function withoutThinking(text: string): string {
  if (!/<\/?(?:think|thinking|reasoning|thought)>/i.test(text)) return text;
  const kept: string[] = [];
  const headless = /^[ \t]*<\/(?:think|thinking|reasoning|thought)>[ \t]*$/im.exec(text);
  opening.lastIndex = 0;
  const firstOpening = opening.exec(text)?.index ?? Number.POSITIVE_INFINITY;
  // Some servers swallow the opening tag: everything before a lone closing one was thinking.
  let from = headless !== null && headless.index < firstOpening ? headless.index + headless[0].length : 0;
  const closing = new Map<string, number>();
  for (;;) {
    opening.lastIndex = from;
    const found = opening.exec(text);
    if (found?.[1] === undefined) break;
    kept.push(text.slice(from, found.index));
    from = endOfTag(text, found[1].toLowerCase(), opening.lastIndex, closing);
  }
  kept.push(text.slice(from));
  return kept.join('');
}

/** `closing` remembers that a tag is never closed again, so that it is searched for once. */
function endOfTag(text: string, tag: string, from: number, closing: Map<string, number>): number {
  if (closing.get(tag) === -1) return text.length;
  const pattern = new RegExp(`</${tag}>`, 'gi');
  pattern.lastIndex = from;
  const end = pattern.exec(text);
  if (end === null) closing.set(tag, -1);
  return end === null ? text.length : end.index + end[0].length;
}

/** What stands in fences (A1, A2), in a tag (A8), or behind HTML entities (A12); null when there is nothing to take off. */
export function unwrap(text: string, layout: Layout): Wrapping | Rejection | null {
  return unwrapFences(text, layout) ?? unwrapTag(text) ?? decodeEntities(text);
}

function unwrapFences(text: string, { fences }: Layout): Wrapping | Rejection | null {
  if (fences.length === 0) return null;
  if (fences.some(fence => !fence.isClosed)) return reject('truncated', 'The fence around the answer is never closed.');
  const texts = fences.map(fence => text.slice(fence.start, fence.end)).filter(inner => inner.trim() !== '');
  return texts.length === 0 ? null : { kind: 'wrapping', texts, repair: fences.length > 1 ? 'A6' : fences[0]?.mark === '`' ? 'A1' : 'A2' };
}

const tags: ReadonlySet<string> = new Set(['result', 'answer', 'output', 'response', 'review', 'final', 'final_answer']);

function unwrapTag(text: string): Wrapping | null {
  const open = /<([a-z_]{4,12})>/gi;
  for (let found = open.exec(text), tries = 0; found !== null && tries < 20; found = open.exec(text), tries += 1) {
    const tag = found[1] ?? '';
    if (!tags.has(tag.toLowerCase())) continue;
    const end = text.indexOf(`</${tag}>`, open.lastIndex);
    if (end !== -1) return { kind: 'wrapping', texts: [text.slice(open.lastIndex, end)], repair: 'A8' };
  }
  return null;
}

const entities: ReadonlyMap<string, string> = new Map([['quot', '"'], ['amp', '&'], ['lt', '<'], ['gt', '>'], ['apos', "'"], ['nbsp', ' '], ['vert', '|'], ['verbar', '|']]);

function decodeEntities(text: string): Wrapping | null {
  const decoded = text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities.get(name.toLowerCase()) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  return decoded === text ? null : { kind: 'wrapping', texts: [decoded], repair: 'A12' };
}
