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
