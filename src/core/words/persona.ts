/** Who a reviewer is: a Markdown file with checked front matter, its body the instructions. */
import { z } from 'zod';
import { Severity } from './finding.ts';
import { Flag, Text, Texts, Whole, optional, preset } from './fields.ts';

/** A finding that has everything a criterion names is a veto. */
export const VetoCriterion = z
  .strictObject({
    severity: optional(Severity, 'Exactly this severity.'),
    category: optional(Text.min(1), 'Exactly this category.'),
    words: optional(z.array(Text.min(1)).min(1), 'All of these occur in the category.'),
    flags: optional(
      z.array(z.enum(['exploit_path', 'cve', 'direct', 'known_exploit'])).min(1),
      'All of these are set.',
    ),
  })
  .refine(criterion => Object.keys(criterion).length > 0, 'must name something');
export type VetoCriterion = z.infer<typeof VetoCriterion>;

export const PersonaFrontMatter = z.strictObject({
  name: Text.regex(/^[a-z0-9][a-z0-9-]{0,39}$/).describe(
    'Unique name; the file is called the same.',
  ),
  role: z
    .enum([
      'security',
      'vulnerability',
      'code-quality',
      'documentation',
      'user-persona',
      'language',
      'general',
    ])
    .describe('What the reviewer answers for; coverage rules ask for roles.'),
  focus: Text.min(1).describe('What it looks for, in one line.'),
  veto: preset(Flag, false, 'May its findings veto a change?'),
  criteria: optional(
    z.array(VetoCriterion),
    'Findings that are a veto, where it has that power; default: those of its role.',
  ),
  weight: optional(
    z.enum(['security', 'ordinary']),
    'security: what it finds critical or high is heard without a majority; default: by its role.',
  ),
  budget: preset(Whole.positive(), 6144, 'Base token budget before scaling.'),
  capability: preset(
    z.enum(['review', 'research', 'deliberation']),
    'review',
    'Kind of work it can be given.',
  ),
  files: preset(Texts, [], 'Globs of the files in its domain; empty means all.'),
  labels: optional(
    Texts,
    'Severity labels it is asked for, most severe first; default: those of the mode.',
  ),
});
export type PersonaFrontMatter = z.infer<typeof PersonaFrontMatter>;

export interface Persona extends PersonaFrontMatter {
  readonly instructions: string;
  /** A file of the project's own, not one that ships. */
  readonly isOwn?: boolean;
}

const securityRoles = new Set(['security', 'vulnerability']);

/** Is what it finds critical or high heard whatever a vote says? */
export function hasSecurityWeight({ weight, role }: Pick<Persona, 'weight' | 'role'>) {
  return weight === undefined ? securityRoles.has(role) : weight === 'security';
}

const criteriaByRole: Partial<Record<Persona['role'], readonly VetoCriterion[]>> = {
  security: [
    { severity: 'critical' },
    { severity: 'high', flags: ['exploit_path'] },
    { category: 'secrets' },
    { words: ['bypass', 'auth'] },
  ],
  vulnerability: [
    { severity: 'critical', flags: ['cve', 'direct'] },
    { severity: 'high', flags: ['cve', 'known_exploit'] },
    { category: 'dependency-confusion' },
  ],
  documentation: [
    'wrong-information',
    'missing-security-warning',
    'outdated',
    'broken-example',
    'missing-section',
  ].map(word => ({ words: [word] })),
};

/** Only what severity, category and flags can tell; the rest of the contract's criteria needs judgement and comes as a claimed veto. */
export function criteriaOf({
  criteria,
  role,
}: Pick<Persona, 'criteria' | 'role'>): readonly VetoCriterion[] {
  return criteria ?? criteriaByRole[role] ?? [];
}
