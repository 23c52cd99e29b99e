/**
 * The subject of a review when it is a text: a design, a plan or a specification, its sections being the places; and the
 * slices of it that fit one prompt each.
 */
import { z } from 'zod';
import { delimit } from '../prompt/material.ts';
import { makeVisible } from '../safety/visible-text.ts';
import { Count, Text, Texts, Whole } from './fields.ts';

export const Section = z.object({
  title: Text,
  /** 1 to 6. */
  level: Whole.min(1).max(6),
  /** 1-based line of the heading. */
  line: Whole.positive(),
});
export type Section = z.infer<typeof Section>;

export const DocumentFile = z.object({
  /** As the caller would name it from where it stands: `docs/plan.md`; slashes. */
  path: Text,
  text: Text,
  bytes: Count,
  /** In order. Empty where there is no heading: then the lines alone are places. */
  sections: z.array(Section),
});
export type DocumentFile = z.infer<typeof DocumentFile>;

export const Document = z.object({
  kind: z.literal('document'),
  source: z.enum(['file', 'directory']),
  /** As the caller named it. */
  title: Text,
  /** What every path begins with: the folder as the caller named it. Absent where the caller stood in it. */
  folder: Text.exactOptional(),
  files: z.array(DocumentFile),
  warnings: Texts,
});
export type Document = z.infer<typeof Document>;

// Finds the headings of a Markdown text with their lines. Block structure only: what stands inside a line is not parsed.

/** More headings than this are no structure that anybody could name; such a text has lines only. */
const mostHeadings = 20_000;

/** Linear in the text. Headings in code, quotations and front matter are none. Null: there are too many of them. */
export async function readSections(text: string): Promise<Section[] | null> {
  if (countHeadingLines(text) > mostHeadings) return null;
  const { default: MarkdownIt } = await import('markdown-it');
  const parser = new MarkdownIt('commonmark');
  parser.core.ruler.enableOnly(['normalize', 'block']);
  // References and quotations hold no section of the document; leaving them out keeps hostile nesting cheap.
  parser.block.ruler.enableOnly([
    'code',
    'fence',
    'list',
    'html_block',
    'heading',
    'lheading',
    'paragraph',
  ]);
  const tokens = parser.parse(blankFrontMatter(text), {});
  return tokens.flatMap((token, index) => {
    const title = tokens[index + 1]?.content.trim() ?? '';
    if (token.type !== 'heading_open' || token.level !== 0 || token.map === null || title === '')
      return [];
    return [
      {
        title: title.replace(/\s+/g, ' ').slice(0, titleLimit),
        level: Number(token.tag.slice(1)),
        line: token.map[0] + 1,
      },
    ];
  });
}

const titleLimit = 300;

function countHeadingLines(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/^ {0,3}(?:#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)/gm)) count += 1;
  return count;
}

/** A line of dashes below text would make a heading of the last key. Lines keep their numbers. */
function blankFrontMatter(text: string): string {
  const front = /^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?=\r?\n|$)/.exec(text.slice(0, 100_000));
  return front === null ? text : front[0].replace(/[^\n]/g, '') + text.slice(front[0].length);
}

interface SlicePart {
  readonly path: string;
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** True when the part is the whole file. */
  readonly isWhole: boolean;
}

// Cuts documents into slices that fit one prompt each: at sections where it can, at lines where it must, and in the
// middle of a line only when that alone is too long.

export interface Slice {
  readonly parts: readonly SlicePart[];
  /** UTF-8. */
  readonly bytes: number;
}

/** In order, together every character exactly once. `limit` is in bytes of UTF-8 and at least 4. */
export function sliceDocument({ files }: Pick<Document, 'files'>, limit: number): Slice[] {
  const slices: { parts: SlicePart[]; bytes: number }[] = [];
  for (const file of files) {
    for (const block of blocksOf(file, limit)) {
      const last = slices.at(-1);
      if (last === undefined || last.bytes + block.bytes > limit)
        slices.push({ parts: [block.part], bytes: block.bytes });
      else {
        last.parts.push(block.part);
        last.bytes += block.bytes;
      }
    }
  }
  return slices.map(({ parts, bytes }) => ({ parts: joinNeighbours(parts, files), bytes }));
}

interface Block {
  readonly part: SlicePart;
  readonly bytes: number;
}

interface Piece {
  readonly text: string;
  readonly bytes: number;
  readonly line: number;
}

/** A section is a block; one that does not fit is several. */
function blocksOf(file: DocumentFile, limit: number): Block[] {
  if (file.bytes <= limit)
    return [toBlock(file.path, [{ text: file.text, bytes: file.bytes, line: 1 }])];
  const starts = new Set(file.sections.map(({ line }) => line));
  const blocks: Block[] = [];
  let open: Piece[] = [];
  let bytes = 0;
  const close = (): void => {
    if (open.length > 0) blocks.push(toBlock(file.path, open));
    open = [];
    bytes = 0;
  };
  let before = 0;
  for (const piece of piecesOf(file.text, limit)) {
    const startsSection = piece.line !== before && starts.has(piece.line);
    if (startsSection || bytes + piece.bytes > limit) close();
    open.push(piece);
    bytes += piece.bytes;
    before = piece.line;
  }
  close();
  return blocks;
}

/** Lines with their ends, those that are too long in pieces of the limit. */
function* piecesOf(text: string, limit: number): Generator<Piece> {
  let line = 1;
  for (let start = 0; start < text.length; line++) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline + 1;
    const whole = text.slice(start, end);
    // A UTF-16 unit is at most three bytes.
    if (whole.length * 3 <= limit || utf8Length(whole) <= limit)
      yield { text: whole, bytes: utf8Length(whole), line };
    else
      for (const part of cutLine(whole, Math.max(1, Math.floor(limit / 4))))
        yield { text: part, bytes: utf8Length(part), line };
    start = end;
  }
}

/** Never between the halves of a character. */
function* cutLine(line: string, units: number): Generator<string> {
  for (let start = 0; start < line.length;) {
    const wanted = Math.min(line.length, start + units);
    const splitsPair =
      wanted < line.length && wanted - start > 1 && /[\uD800-\uDBFF]/.test(line.charAt(wanted - 1));
    const end = splitsPair ? wanted - 1 : wanted;
    yield line.slice(start, end);
    start = end;
  }
}

function toBlock(path: string, pieces: readonly Piece[]): Block {
  const text = pieces.map(piece => piece.text).join('');
  const startLine = pieces[0]?.line ?? 1;
  const breaks = text.split('\n').length - 1;
  const endLine = startLine + breaks - (text.endsWith('\n') && breaks > 0 ? 1 : 0);
  return {
    part: { path, startLine, endLine, text, isWhole: false },
    bytes: pieces.reduce((sum, piece) => sum + piece.bytes, 0),
  };
}

/** Sections of one file that stand behind one another are shown as one piece of text. */
function joinNeighbours(parts: readonly SlicePart[], files: readonly DocumentFile[]): SlicePart[] {
  const groups: SlicePart[][] = [];
  for (const part of parts) {
    const group = groups.at(-1);
    if (group?.[0]?.path === part.path) group.push(part);
    else groups.push([part]);
  }
  const lengths = new Map(files.map(({ path, text }) => [path, text.length]));
  return groups.map(group => {
    const text = group.map(part => part.text).join('');
    const [first] = group;
    const path = first?.path ?? '';
    return {
      path,
      startLine: first?.startLine ?? 1,
      endLine: group.at(-1)?.endLine ?? 1,
      text,
      isWhole: text.length === lengths.get(path),
    };
  });
}

/** Bytes of a text in UTF-8; a lone surrogate counts as the replacement character it becomes. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    if (code < 0x800) bytes += 1;
    else if (code >= 0xd800 && code <= 0xdbff && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 2;
      index += 1;
    } else bytes += 2;
  }
  return bytes;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** One slice of a document as reviewers see it, with what it is a part of. */
interface SlicePrompt {
  readonly document: Pick<Document, 'title' | 'files'>;
  /** With their secrets masked. */
  readonly parts: readonly SlicePart[];
  /** 1-based. */
  readonly number: number;
  readonly total: number;
  /** What the document is for; null when nobody said. */
  readonly description: string | null;
  readonly fence: string;
}

export function renderSlice({
  document,
  parts,
  number,
  total,
  description,
  fence,
}: SlicePrompt): string {
  const lines = [
    '# Document Review Context',
    `**Document:** ${oneLine(document.title)}`,
    `**Purpose:** ${description === null || description.trim() === '' ? 'None provided' : makeVisible(description)}`,
    ...(document.files.length > 1 ? [`**Files:** ${document.files.length}`] : []),
    ...(total > 1
      ? [
          `**Part:** ${number} of ${total}. The document is too long for one reading; you get its parts one ` +
            'after the other. What is missing here may stand in another part: do not report it as missing.',
        ]
      : []),
  ];
  return [...lines, ...parts.map(part => `**${nameOf(part)}**\n${delimit(part.text, fence)}`)].join(
    '\n\n',
  );
}

function nameOf({ path, startLine, endLine, isWhole }: SlicePart): string {
  return isWhole ? oneLine(path) : `${oneLine(path)}, lines ${startLine}–${endLine}`;
}

function oneLine(text: string): string {
  return makeVisible(text).replace(/\s+/g, ' ').trim();
}
