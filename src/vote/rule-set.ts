/**
 * Rule sets: how counted stances become a decision, as named, versioned data that a team can copy and edit. All shares are
 * pairs of integers, so that no decision hangs on rounding.
 */
import { z } from 'zod';
import { Count, Flag, Text, Whole } from '../core/words/fields.ts';

/** `[2, 3]` is two thirds. */
const Share = z
  .tuple([Count, Whole.positive()], {
    error: 'must be a pair of whole numbers, such as [2, 3] for two thirds',
  })
  .refine(([part, whole]) => part <= whole, {
    error: ({ input }) =>
      `must not be more than the whole, as ${(input as readonly number[]).join('/')} is; write the part first, such as ` +
      '[2, 3] for two thirds',
  });
export type Share = z.infer<typeof Share>;

/** `strict`: more than the share, ⌊share·base⌋ + 1; else at least the share, ⌈share·base⌉. */
const Threshold = z.strictObject({ share: Share, strict: Flag });
export type Threshold = z.infer<typeof Threshold>;

const Parameters = z.strictObject({
  /** Whose endorsements are yeas. */
  yeas: z.enum(['explicit', 'implicit_and_explicit']),
  /** What a stance AMEND counts as. */
  amends: z.enum(['abstention', 'counted']),
  /** Yeas needed, as a share of the roster or of the eligible votes (yeas, nays and amends). */
  required: z.strictObject({
    of: z.enum(['roster', 'eligible']),
    simple: Threshold,
    constitutional: Threshold,
  }),
  /** Eligible votes needed, as a share of the roster, rounded up; null: none. */
  quorum: z.strictObject({ simple: Share, constitutional: Share }).nullable(),
  /** Amends up to which a motion is ratified as it is: the smaller of two shares, each rounded up. */
  amend_tolerance: z.strictObject({ roster: Share, eligible: Share }).nullable(),
  /** The vote on the amended motion; above this share of amends it is deferred for revision by hand. */
  second_pass: z.strictObject({ defer_above: Share.nullable() }).nullable(),
  /** Whether motions of low risk are voted on like any other or ratified at once. */
  low_risk: z.enum(['vote', 'fast_track']),
});

export const RuleSet = z
  .strictObject({
    name: Text.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'must be of letters, digits, "_" and "-"'),
    version: Text.regex(
      /^[A-Za-z0-9][A-Za-z0-9.+_-]{0,31}$/,
      'must be of letters, digits, ".", "+", "_" and "-"',
    ),
    parameters: Parameters,
  })
  .superRefine(({ parameters }, context) => {
    for (const [path, message] of contradictionsOf(parameters))
      context.addIssue({ code: 'custom', path: ['parameters', ...path.split('.')], message });
  });
export type RuleSet = z.infer<typeof RuleSet>;

/** As every artifact names it. */
export function labelOf({ name, version }: RuleSet) {
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
export function requiredOf(base: number, { share, strict }: Threshold) {
  return strict ? Math.floor((base * share[0]) / share[1]) + 1 : roundedUp(base, share);
}

/** ⌈share·base⌉. The quotient of two whole numbers below 2^53 is never rounded to a whole one that it is not. */
export function roundedUp(base: number, [part, whole]: Share) {
  return Math.ceil((base * part) / whole);
}

export function isAbove(count: number, base: number, [part, whole]: Share) {
  return count * whole > base * part;
}

/** Each with the parameter it is about. */
function* contradictionsOf({
  amends,
  required,
  quorum,
  amend_tolerance,
  second_pass,
}: z.infer<typeof Parameters>): Generator<readonly [path: string, message: string]> {
  for (const kind of ['simple', 'constitutional'] as const) {
    const { share, strict } = required[kind];
    if (share[0] === 0 && !strict)
      yield [`required.${kind}`, 'would ratify a motion without a single yea'];
    if (share[0] === share[1] && strict) yield [`required.${kind}`, 'asks for more than all votes'];
  }
  for (const [path, what, simple, constitutional] of [
    ['required', 'yeas', required.simple.share, required.constitutional.share],
    ['quorum', 'votes', quorum?.simple, quorum?.constitutional],
  ] as const)
    if (simple && constitutional && constitutional[0] * simple[1] < simple[0] * constitutional[1])
      yield [
        path,
        `contradicts itself: constitutional motions would need fewer ${what} than simple ones`,
      ];
  for (const [path, given, use] of [
    ['amend_tolerance', amend_tolerance, 'tolerate'],
    ['second_pass', second_pass, 'vote on again'],
  ] as const) {
    if (amends === 'abstention' && given)
      yield [path, `contradicts "amends": "abstention": there are no amends to ${use}`];
    if (amends === 'counted' && !given) yield [path, 'is missing, but "amends" are counted'];
  }
}
