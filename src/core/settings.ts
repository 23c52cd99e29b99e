/** Settings that a configuration keeps and a request may give for one run: one schema each, for the key, the flag and the help text. */
import { z } from 'zod';
import { failRulePattern } from './verdict/rule-set.ts';
import { severities } from './words/finding.ts';
import { Amount, Text, Whole, optional } from './words/fields.ts';

/** Strategies that need nothing but the findings. */
export const pureStrategies = ['overlap', 'calibrated'] as const;
export type PureStrategy = (typeof pureStrategies)[number];

/** The others ask an endpoint, which must be configured. */
export const Strategy = z.enum([...pureStrategies, 'embedding', 'llm']);
export type Strategy = z.infer<typeof Strategy>;

/** When a claim is marked as worth a person's time. */
export const ActRule = Text.regex(
  /^(?:best|one-in-(?:[2-9]|[1-9]\d{1,2}))$/,
  'must be best, or one-in-N with N from 2 to 999 such as one-in-4',
);
export type ActRule = z.infer<typeof ActRule>;

/** What `act` says, as flag and as key. */
export const actHelp =
  "Which claims are marked as worth a person's time: best (misses and false alarms weigh alike), or " +
  'one-in-N (at most one in N false or a trifle, by what was measured)';

export const FailRules = z
  .array(
    Text.regex(
      failRulePattern,
      `must be never, a severity (${severities.join(', ')}), or tier:severity such as majority:critical`,
    ),
  )
  .min(1, 'must name one; where nothing fails it is never');

/** Optional in a request, and in a configuration but for those that have a default there. */
export const limits = {
  quorum: optional(
    Whole.positive(),
    'Readers that must be heard before the gate may say PASS; default: more than half of those seated',
  ),
  maxCalls: optional(Whole.positive(), 'Ceiling of reviewer calls in a run'),
  maxTokens: optional(Whole.positive(), 'Ceiling of tokens in a run'),
  maxCost: optional(Amount.positive(), 'Ceiling in US dollars'),
  maxCostPerMonth: optional(
    Amount.positive(),
    'Ceiling in US dollars of all runs and votes of the project in a calendar month (UTC)',
  ),
} as const;

/** What `cover` says, as flag and as key. */
export const coverHelp =
  'How far budgets grow where the windows of the models are known: all (each file by every reader in ' +
  'whose domain it is), once (each file by one), risk (not at all, what matters most first); default: ' +
  'all where one question holds the change and the ceilings allow it, else each file by two readers';

/** Keys of the configuration that name reviewers for `jury ask`, and for changes. */
export const configuredModes = [
  'general',
  'debugging',
  'architecture',
  'verification',
  'code-review',
] as const;

/** Agent names double as file names; anything else is refused before anything is written. */
export const ReviewerId = Text.regex(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
  'must start with a letter or digit and hold only letters, digits, ".", "_" and "-", at most 100 of them',
);
