/**
 * The subject of a review when it is a text: a design, a plan or a specification, its sections being the places; and the
 * slices of it that fit one prompt each.
 */
import { z } from 'zod';
import { delimit, makeVisible } from '../safety/visible-text.ts';
import { bytesOf, toOneLine } from '../text.ts';
import { Count, Text, Texts, Whole } from './fields.ts';
import { present } from '../groups.ts';

const Section = z.object({
  title: Text,
  /** 1-based line of the heading. */
  line: Whole.positive(),
});
export type Section = z.infer<typeof Section>;

const DocumentFile = z.object({
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
export async function readSections(text: string) {
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
        line: token.map[0] + 1,
      },
    ];
  });
}

const titleLimit = 300;

function countHeadingLines(text: string) {
  let count = 0;
  for (const _ of text.matchAll(/^ {0,3}(?:#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)/gm)) count += 1;
  return count;
}

/** A line of dashes below text would make a heading of the last key. Lines keep their numbers. */
function blankFrontMatter(text: string) {
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
    let line = 1;
    for (const block of blocksOf(file, limit)) {
      const bytes = bytesOf(block);
      let slice = slices.at(-1);
      if (slice === undefined || slice.bytes + bytes > limit)
        slices.push((slice = { parts: [], bytes: 0 }));
      const before = slice.parts.at(-1)?.path === file.path ? slice.parts.pop() : undefined;
      const text = (before?.text ?? '') + block;
      const breaks = block.split('\n').length - 1;
      slice.bytes += bytes;
      slice.parts.push({
        path: file.path,
        startLine: before?.startLine ?? line,
        endLine: line + breaks - (block.endsWith('\n') ? 1 : 0),
        text,
        isWhole: text.length === file.text.length,
      });
      line += breaks;
    }
  }
  return slices;
}

/** The file, else a section each; one that does not fit is several. */
function blocksOf({ text, bytes, sections }: DocumentFile, limit: number) {
  if (bytes <= limit) return [text];
  const starts = new Set(sections.map(({ line }) => line));
  // A character is at most four bytes.
  const longest = new RegExp(`.{1,${Math.floor(limit / 4)}}`, 'gsu');
  const blocks: string[] = [];
  let room = 0;
  for (const [index, line] of text.split(/(?<=\n)/).entries()) {
    if (starts.has(index + 1)) room = 0;
    for (const piece of bytesOf(line) <= limit ? [line] : (line.match(longest) ?? [])) {
      const size = bytesOf(piece);
      const open = size <= room ? (blocks.pop() ?? '') : '';
      room = (open === '' ? limit : room) - size;
      blocks.push(open + piece);
    }
  }
  return blocks;
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

export function renderSlice({ document, parts, number, total, description, fence }: SlicePrompt) {
  const lines = present(
    '# Document Review Context',
    `**Document:** ${toOneLine(document.title)}`,
    `**Purpose:** ${description === null || description.trim() === '' ? 'None provided' : makeVisible(description)}`,
    document.files.length > 1 && `**Files:** ${document.files.length}`,
    total > 1 &&
      `**Part:** ${number} of ${total}. The document is too long for one reading; you get its parts one ` +
        'after the other. What is missing here may stand in another part: do not report it as missing.',
  );
  return [...lines, ...parts.map(part => `**${nameOf(part)}**\n${delimit(part.text, fence)}`)].join(
    '\n\n',
  );
}

function nameOf({ path, startLine, endLine, isWhole }: SlicePart) {
  return isWhole ? toOneLine(path) : `${toOneLine(path)}, lines ${startLine}–${endLine}`;
}
