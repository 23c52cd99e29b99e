/** Who a reviewer is: a Markdown file with checked front matter, its body the instructions. */
import { z } from 'zod';

export const PersonaFrontMatter = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/).describe('Unique name; the file is called the same.'),
  role: z.enum(['security', 'vulnerability', 'code-quality', 'documentation', 'user-persona', 'language', 'general']).describe('What the reviewer answers for; coverage rules ask for roles.'),
  focus: z.string().min(1).describe('What it looks for, in one line.'),
  veto: z.boolean().default(false).describe('May its findings veto a change?'),
  budget: z.int().positive().default(6144).describe('Base token budget before scaling.'),
  capability: z.enum(['review', 'research', 'deliberation']).default('review').describe('Kind of work it can be given.'),
  files: z.array(z.string()).default([]).describe('Globs of the files in its domain; empty means all.'),
  labels: z.array(z.string()).optional().describe('Severity labels it is asked for, most severe first; default: those of the mode.'),
});
export type PersonaFrontMatter = z.infer<typeof PersonaFrontMatter>;

export interface Persona extends PersonaFrontMatter {
  readonly instructions: string;
  /** A file of the project's own, not one that ships. */
  readonly isOwn?: boolean;
}
