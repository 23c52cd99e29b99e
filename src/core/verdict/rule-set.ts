/**
 * Rule sets of an outcome: which judges are heard and what their reasons do, as named, versioned data in `rules/outcome/`.
 * Protocols and flags name them; no decision asks for a flag.
 */
import { z } from 'zod';
import { Severity, severities } from '../words/finding.ts';
import type { Agreement } from '../words/claim.ts';
import { Count, Flag, Text, Whole } from '../words/fields.ts';

const Share = z
  .tuple([Count, Whole.positive()])
  .refine(([part, whole]) => part <= whole, 'must not be more than the whole');
const Effect = z.enum(['FAIL', 'INCOMPLETE', 'none']);

const severityWords = severities.join('|');

/** `never`, a severity (any tier), `tier:severity`, or `check:severity`, which was called `analyser`. */
export const failRulePattern = new RegExp(
  `^(never|((all|majority|single|check|analyser):)?(${severityWords}))$`,
);

const Parameters = z.strictObject({
  /** Is there a gate to pass? A plain question has none: it is answered, or it is not. */
  gate: Flag.default(true),
  /** Do fail rules hold? `when_set`: where the caller sets some. */
  claims: z.enum(['always', 'when_set', 'never']),
  /** Fail rules that hold besides those of the configuration. */
  fails: z.array(Text.regex(failRulePattern)).default([]),
  /** Must a reviewer that reads be seated? `any`: checks alone may pass. */
  reader: z.enum(['needed', 'any']).default('any'),
  vetoes: z.strictObject({
    /** What a veto does to the run; `none`: it is shown as advice. */
    effect: Effect,
    /** Does every warning of a reviewer count as a veto? */
    warnings: Flag,
    /** Are checks heard? They find; they do not judge. */
    analysers: Flag,
  }),
  security: z.strictObject({
    /** What a sensitive file that nobody of security read does to the run. */
    effect: Effect,
    /** `asked`: where no security reviewer is seated, readers that were asked about it do. */
    when: z.enum(['always', 'asked']),
  }),
  /** Who must be heard: so many as the quorum says, or everybody. */
  completion: z.enum(['quorum', 'everybody']),
  /** Share of the readers of a file that a finding needs to be heard; null: none. Grave findings about security are heard always. */
  vote: Share.nullable(),
});

export const OutcomeRules = z.strictObject({
  name: Text.regex(/^[a-z][a-z+-]*$/),
  version: Text,
  parameters: Parameters,
});
export type OutcomeRules = z.infer<typeof OutcomeRules>;

/** A flag that changes a rule set: only what it changes is written down. */
export const RuleChange = z.strictObject({
  name: Text.regex(/^[a-z][a-z-]*$/),
  version: Text,
  changes: z.strictObject({ vetoes: Parameters.shape.vetoes.partial() }),
});
type RuleChange = z.infer<typeof RuleChange>;

/** `veto+strict`: the rule set with what the flags change, in their order. */
export function withChanges(rules: OutcomeRules, changes: readonly RuleChange[]): OutcomeRules {
  const vetoes = { ...rules.parameters.vetoes };
  for (const { changes: changed } of changes) Object.assign(vetoes, changed.vetoes);
  return {
    ...rules,
    name: [rules.name, ...changes.map(({ name }) => name)].join('+'),
    parameters: { ...rules.parameters, vetoes },
  };
}

export interface RuleChoice {
  /** The rule set, then the flags that change it. */
  readonly names: readonly [string, ...string[]];
  /** Did the caller set fail rules? */
  readonly hasFailRules: boolean;
  /** Must a reader be seated? Absent: as the rule set says. */
  readonly reader?: 'needed' | 'any' | undefined;
}

/** Settled before anybody is asked: `when_set` becomes one of the others. */
export function settleRules(
  rules: OutcomeRules,
  { hasFailRules, reader }: Omit<RuleChoice, 'names'>,
): OutcomeRules {
  const { parameters } = rules;
  const isSet = hasFailRules ? 'always' : 'never';
  const claims = parameters.claims === 'when_set' ? isSet : parameters.claims;
  return { ...rules, parameters: { ...parameters, claims, reader: reader ?? parameters.reader } };
}

interface FailRule {
  /** The weakest agreement that counts: `majority` is met by `all` too. */
  readonly agreement: Agreement;
  /** The mildest severity that counts. */
  readonly severity: Severity;
  /** `check`: counts what a check states about security on an added line. They look for different things: no two can agree. */
  readonly by?: 'check';
}

/** `never` yields no rule. The text must match `failRulePattern`. */
export function parseFailRules(rules: readonly string[]): readonly FailRule[] {
  return rules
    .filter(rule => rule !== 'never')
    .map(rule => {
      const [tier, severity] = rule.includes(':') ? rule.split(':') : ['single', rule];
      if (tier === 'check' || tier === 'analyser')
        return { agreement: 'single', severity: Severity.parse(severity), by: 'check' };
      return { agreement: tier as Agreement, severity: Severity.parse(severity) };
    });
}

/** What of the configuration decides beside the rule set. */
export interface Policy {
  readonly failOn: readonly FailRule[];
  /** Readers that must be heard. At least 1. */
  readonly quorum: number;
  /** Did nobody set it, so that it is more than half of them? */
  readonly isUsual?: boolean;
  /** What becomes of a claim that would fail the run and rests on a place nobody found, or was voted down. */
  readonly unverifiedBlocker: 'incomplete' | 'warn';
  /** Are checks alone enough where no reader is seated, whatever the rule set says? */
  readonly checksOnly?: boolean;
}
