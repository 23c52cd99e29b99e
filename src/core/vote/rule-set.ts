/**
 * Rule sets: how counted stances become a decision, as named, versioned data that a team can copy and edit. All shares are
 * pairs of integers, so that no decision hangs on rounding.
 */
import { z } from 'zod';

/** `[2, 3]` is two thirds. */
const Share = z
  .tuple([z.int().nonnegative(), z.int().positive()], {
    error: 'must be a pair of whole numbers, such as [2, 3] for two thirds',
  })
  .refine(([part, whole]) => part <= whole, {
    error: ({ input }) =>
      `must not be more than the whole, as ${(input as readonly number[]).join('/')} is; write the part first, such as [2, 3] for two thirds`,
  });
export type Share = z.infer<typeof Share>;

/** `strict`: more than the share, ⌊share·base⌋ + 1; else at least the share, ⌈share·base⌉. */
const Threshold = z.strictObject({ share: Share, strict: z.boolean() });
export type Threshold = z.infer<typeof Threshold>;

const Parameters = z.strictObject({
  yeas: z.enum(['explicit', 'implicit_and_explicit']).describe('Whose endorsements are yeas.'),
  amends: z.enum(['abstention', 'counted']).describe('What a stance AMEND counts as.'),
  required: z
    .strictObject({
      of: z.enum(['roster', 'eligible']),
      simple: Threshold,
      constitutional: Threshold,
    })
    .describe(
      'Yeas needed, as a share of the roster or of the eligible votes (yeas, nays and amends).',
    ),
  quorum: z
    .strictObject({ simple: Share, constitutional: Share })
    .nullable()
    .describe('Eligible votes needed, as a share of the roster, rounded up; null: none.'),
  amend_tolerance: z
    .strictObject({ roster: Share, eligible: Share })
    .nullable()
    .describe(
      'Amends up to which a motion is ratified as it is: the smaller of two shares, each rounded up.',
    ),
  second_pass: z
    .strictObject({ defer_above: Share.nullable() })
    .nullable()
    .describe(
      'The vote on the amended motion; above this share of amends it is deferred for revision by hand.',
    ),
  low_risk: z
    .enum(['vote', 'fast_track'])
    .describe('Whether motions of low risk are voted on like any other or ratified at once.'),
});

export const RuleSet = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'must be of letters, digits, "_" and "-"'),
    version: z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9.+_-]{0,31}$/,
        'must be of letters, digits, ".", "+", "_" and "-"',
      ),
    parameters: Parameters,
  })
  .superRefine(({ parameters }, context) => {
    for (const { path, message } of contradictionsOf(parameters))
      context.addIssue({ code: 'custom', path: ['parameters', ...path], message });
  });
export type RuleSet = z.infer<typeof RuleSet>;

/** As every artifact names it. */
export function labelOf({ name, version }: RuleSet): string {
  return `${name}@${version}`;
}

/** The rule set as it applies where implicit endorsements are switched off; its version says so. */
export function withoutImplicit(rules: RuleSet): RuleSet {
  if (rules.parameters.yeas === 'explicit') return rules;
  return {
    ...rules,
    version: `${rules.version}+no-implicit`,
    parameters: { ...rules.parameters, yeas: 'explicit' },
  };
}

/** Votes needed of `base`. */
export function requiredOf(base: number, { share, strict }: Threshold): number {
  return strict ? roundedDown(base, share) + 1 : roundedUp(base, share);
}

/** ⌈share·base⌉ */
export function roundedUp(base: number, share: Share): number {
  const [part, whole] = share;
  return roundedDown(base, share) + ((base * part) % whole === 0 ? 0 : 1);
}

/** ⌊share·base⌋, without a fraction on the way. */
function roundedDown(base: number, [part, whole]: Share): number {
  const product = base * part;
  return (product - (product % whole)) / whole;
}

export function isAbove(count: number, base: number, [part, whole]: Share): boolean {
  return count * whole > base * part;
}

interface Contradiction {
  readonly path: readonly string[];
  readonly message: string;
}

function contradictionsOf({
  amends,
  required,
  quorum,
  amend_tolerance,
  second_pass,
}: z.infer<typeof Parameters>): Contradiction[] {
  const found: Contradiction[] = [];
  const refuse = (path: string, message: string): void =>
    void found.push({ path: path.split('.'), message });
  for (const kind of ['simple', 'constitutional'] as const) {
    const {
      share: [part, whole],
      strict,
    } = required[kind];
    if (part === 0 && !strict)
      refuse(`required.${kind}`, 'would ratify a motion without a single yea');
    if (part === whole && strict) refuse(`required.${kind}`, 'asks for more than all votes');
  }
  if (isLess(required.constitutional.share, required.simple.share))
    refuse(
      'required',
      'contradicts itself: constitutional motions would need fewer yeas than simple ones',
    );
  if (quorum && isLess(quorum.constitutional, quorum.simple))
    refuse(
      'quorum',
      'contradicts itself: constitutional motions would need fewer votes than simple ones',
    );
  if (amends === 'abstention' && amend_tolerance)
    refuse(
      'amend_tolerance',
      'contradicts "amends": "abstention": there are no amends to tolerate',
    );
  if (amends === 'abstention' && second_pass)
    refuse(
      'second_pass',
      'contradicts "amends": "abstention": there are no amends to vote on again',
    );
  if (amends === 'counted' && !amend_tolerance)
    refuse('amend_tolerance', 'is missing, but "amends" are counted');
  if (amends === 'counted' && !second_pass)
    refuse('second_pass', 'is missing, but "amends" are counted');
  return found;
}

function isLess([part, whole]: Share, [otherPart, otherWhole]: Share): boolean {
  return part * otherWhole < otherPart * whole;
}
