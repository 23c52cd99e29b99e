/** The subject of a review when it is a text: a design, a plan or a specification, its sections being the places. */
import { z } from 'zod';

export const Section = z.object({
  title: z.string(),
  /** 1 to 6. */
  level: z.int().min(1).max(6),
  /** 1-based line of the heading. */
  line: z.int().positive(),
});
export type Section = z.infer<typeof Section>;

export const DocumentFile = z.object({
  /** Relative to the folder that was named, or the name of the file itself; slashes. */
  path: z.string(),
  text: z.string(),
  bytes: z.int().nonnegative(),
  /** In order. Empty where there is no heading: then the lines alone are places. */
  sections: z.array(Section),
});
export type DocumentFile = z.infer<typeof DocumentFile>;

export const Document = z.object({
  kind: z.literal('document'),
  source: z.enum(['file', 'directory']),
  /** As the caller named it. */
  title: z.string(),
  files: z.array(DocumentFile),
  warnings: z.array(z.string()),
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
