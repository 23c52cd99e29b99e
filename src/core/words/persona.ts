/** Who a reviewer is: a Markdown file with checked front matter, its body the instructions. */
import { z } from 'zod';
import { Severity } from './finding.ts';
import { Flag, Text, Texts, Whole } from './fields.ts';

/** A finding that has everything a criterion names is a veto. */
const VetoCriterion = z
  .strictObject({
    /** Exactly this severity, and this category. */
    severity: Severity.optional(),
    category: Text.min(1).optional(),
    /** All of these occur in the category. */
    words: z.array(Text.min(1)).min(1).optional(),
    /** All of these are set. */
    flags: z
      .array(z.enum(['exploit_path', 'cve', 'direct', 'known_exploit']))
      .min(1)
      .optional(),
  })
  .refine(criterion => Object.keys(criterion).length > 0, 'must name something');
type VetoCriterion = z.infer<typeof VetoCriterion>;

export const PersonaFrontMatter = z.strictObject({
  /** Unique; the file is called the same. */
  name: Text.regex(/^[a-z0-9][a-z0-9-]{0,39}$/),
  /** What the reviewer answers for; coverage rules ask for roles. */
  role: z.enum([
    'security',
    'vulnerability',
    'code-quality',
    'documentation',
    'user-persona',
    'language',
    'general',
  ]),
  /** What it looks for, in one line. */
  focus: Text.min(1),
  /** May its findings veto a change? */
  veto: Flag.default(false),
  /** Findings that are a veto, where it has that power; default: those of its role. */
  criteria: z.array(VetoCriterion).optional(),
  /** `security`: what it finds critical or high is heard without a majority; default: by its role. */
  weight: z.enum(['security', 'ordinary']).optional(),
  /** Base token budget before scaling. */
  budget: Whole.positive().default(6144),
  /** Kind of work it can be given. */
  capability: z.enum(['review', 'research', 'deliberation']).default('review'),
  /** Globs of the files in its domain; empty means all. */
  files: Texts.default([]),
});
type PersonaFrontMatter = z.infer<typeof PersonaFrontMatter>;

export interface Persona extends PersonaFrontMatter {
  readonly instructions: string;
  /** A file of the project's own, not one that ships. */
  readonly isOwn?: boolean;
}

/** Is what it finds critical or high heard whatever a vote says? */
export function hasSecurityWeight({ weight, role }: Pick<Persona, 'weight' | 'role'>) {
  return weight === undefined
    ? ['security', 'vulnerability'].includes(role)
    : weight === 'security';
}
