/**
 * The configuration: one schema that yields the type, the flags, the JSON Schema in `schema/` and the help text.
 * Strict with people: unknown keys are refused with the nearest known one.
 */
import { z } from 'zod';
import { Cover, ProgressiveSummarization } from '../context/budget.ts';
import { MotionsSettings } from './motions-settings.ts';
import {
  type CapSettings,
  Capability,
  type ModelCapability,
  agentNames,
  packCap,
  scopeClasses,
} from '../context/scope.ts';
import { UnshownKind } from './change.ts';
import { EgressRule, Guidelines, ProviderName } from './guideline.ts';
import { RequiredIsolation, SeatIsolation } from './isolation.ts';
import type { Persona } from './persona.ts';
import { analyserNames, clientNames, runnerNames } from './runner.ts';
import { processes } from '../process.ts';
import {
  actHelp,
  ActRule,
  configuredModes,
  coverHelp,
  FailRules,
  limits,
  ReviewerId,
  Strategy,
} from '../settings.ts';
import { Amount, Count, Flag, Seconds, Text, Texts, Whole, optional, preset } from './fields.ts';

/** A file names one of the built-in runners; an object may name one that its program brings besides (`configWith`). */
const AnyRunner: z.ZodType<string, string> = z.enum(runnerNames);

const AnalyserName = z.enum(analyserNames);
type AnalyserName = z.infer<typeof AnalyserName>;

const VariableName = Text.regex(/^[A-Za-z_][A-Za-z0-9_]*$/);
const Price = z.strictObject({
  input: Amount.nonnegative(),
  output: Amount.nonnegative(),
  cached: Amount.nonnegative().optional(),
});

/** US dollars for a million tokens. */
export type Price = z.infer<typeof Price>;

export const ReviewerConfig = z.strictObject({
  id: ReviewerId.describe('Unique; the name that findings carry.'),
  persona: preset(
    Text,
    'code-quality-reviewer',
    'A persona that ships with Jury, or the path of a persona file.',
  ),
  runner: AnyRunner.describe('How the persona is asked.'),
  command: optional(
    Texts.min(1),
    'runner command: program and arguments; those that start with ./ or ../ are relative to the configuration file.',
  ),
  role: optional(
    z.literal('check'),
    'runner command: it finds by rules, as a linter does; its silence says nothing and counts nowhere.',
  ),
  model: optional(
    Text,
    'Model to ask; for runner api as provider/model, the provider being anthropic, openai, google or openai-compatible.',
  ),
  baseUrl: optional(z.url(), "Endpoint to ask instead of the vendor's own."),
  provider: optional(
    ProviderName,
    'Who gets what it is shown, for the rules of egress; default: the vendor of its client or model, ' +
      'the host of its baseUrl, and for a program with the network nobody that is known.',
  ),
  apiKeyEnv: optional(
    VariableName,
    "Environment variable that holds the key; default: the vendor's usual one.",
  ),
  answers: optional(
    Text,
    'runner replay: a recorded answer, or a folder with one answer per turn; runner sarif: the report of a tool, in SARIF 2.1.0.',
  ),
  analyser: optional(AnalyserName, 'runner builtin: which analyser.'),
  executable: optional(
    Text,
    'CLI runners: absolute path of the program; default: looked up on PATH.',
  ),
  tools: optional(
    Flag,
    "true: it may use Jury's own read-only tools (search, reading lines, reporting findings one by " +
      `one, branches). Runners ${clientNames.join(', ')} and api; default: no tools at all.`,
  ),
  environment: preset(
    Texts,
    [],
    "Names of environment variables this reviewer's process may see besides the allow-list.",
  ),
  isolation: optional(
    SeatIsolation,
    'What the sandbox of a reviewer that is a program leaves it. Paths that start with ./, ../ or ~/ ' +
      'are relative to the configuration file or the home folder.',
  ),
  timeout: optional(
    Seconds,
    'Seconds for the whole call; default: the timeout of the configuration, else 120.',
  ),
  firstOutputTimeout: optional(
    Seconds,
    'Seconds until the first byte of output; default: the timeout.',
  ),
  idleTimeout: optional(Seconds, 'Seconds without any output; default: the timeout.'),
  required: preset(Flag, false, 'Its failure makes the run INCOMPLETE whatever the quorum.'),
  concurrency: optional(Whole.positive(), 'Calls at a time to this endpoint.'),
  family: optional(Text, 'Vendor family, when the model name does not tell.'),
  maxPromptBytes: optional(
    Whole.positive(),
    'Largest prompt to send; files that do not fit are listed as skipped.',
  ),
  context: optional(
    Whole.min(4_096),
    'Tokens its model takes at once, prompt and answer together; default: what is known of the model. ' +
      'Where it is known, budgets may grow.',
  ),
  price: optional(Price, 'US dollars for a million tokens.'),
});
export type ReviewerConfig = z.infer<typeof ReviewerConfig>;

const MotionsReviewer = ReviewerConfig.omit({
  id: true,
  persona: true,
  required: true,
  maxPromptBytes: true,
  context: true,
  analyser: true,
  role: true,
});
export type MotionsReviewer = z.infer<typeof MotionsReviewer>;

const MotionsEndpoint = z.strictObject({
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .describe('Endpoint to ask; an OpenAI-compatible one ends in /v1.'),
  concurrency: optional(
    Whole.positive(),
    'Calls at a time; one graphics card can mean 1. Default: the concurrency of the vote.',
  ),
  weight: preset(
    Amount.positive(),
    1,
    'Share of the calls, against the weights of the other endpoints.',
  ),
  model: optional(
    Text.min(1),
    'Model to ask there; default: that of the member, else of the reviewer.',
  ),
  apiKeyEnv: optional(
    VariableName,
    'Environment variable that holds the key; default: that of the reviewer.',
  ),
  price: optional(
    Price,
    'US dollars for a million tokens there, whatever model is asked; default: that of the reviewer.',
  ),
});

const MotionsConfig = MotionsSettings.extend({
  reviewer: optional(
    MotionsReviewer,
    'Who answers for the members with --real-agent; default: runner api at the endpoints, or at those of the roster.',
  ),
  endpoints: optional(
    z.array(MotionsEndpoint).min(1),
    'Endpoints that share the reviews; members with a base_url of their own use that.',
  ),
});

const EmbeddingConfig = z.strictObject({
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .describe('Endpoint: an OpenAI-compatible one ends in /v1, the one of Ollama in /api.'),
  model: Text.min(1).describe('Embedding model, as the endpoint names it.'),
  apiKeyEnv: optional(
    VariableName,
    'Environment variable that holds the key; default: no key is sent.',
  ),
  cut: preset(
    Amount.gt(0).max(1),
    0.8,
    'Cosine similarity from which two findings are the same; models differ.',
  ),
});
export type EmbeddingConfig = z.infer<typeof EmbeddingConfig>;

const JudgeConfig = z.strictObject({
  model: Text.min(1).describe('Model to ask, as provider/model like that of runner api.'),
  baseUrl: optional(z.url(), "Endpoint to ask instead of the vendor's own."),
  apiKeyEnv: optional(
    VariableName,
    "Environment variable that holds the key; default: the vendor's usual one.",
  ),
  timeout: preset(Seconds, 120, 'Seconds for each call.'),
  maxPairs: preset(
    Whole.positive(),
    40,
    'Pairs to ask about in one run, at most 40; those left over count as without a judge.',
  ),
  maxCalls: preset(Whole.positive(), 3, 'Calls in one run, at most 3.'),
  price: optional(Price, 'US dollars for a million tokens.'),
});
export type JudgeConfig = z.infer<typeof JudgeConfig>;

/** Whom the configuration wants asked about pairs of findings that wordings leave open. */
const JudgeChoice = z.union([z.enum(['auto', 'off']), JudgeConfig]);

/** Null: no model is. Only odds take an answer as evidence, so that other strategies have no use for a judge. */
export function judgeOf({
  strategy,
  judge = 'off',
}: {
  readonly strategy: Strategy;
  readonly judge?: z.infer<typeof JudgeChoice> | null | undefined;
}) {
  const isUsed = strategy === 'calibrated' || strategy === 'llm';
  return judge === 'off' || !isUsed ? null : judge;
}

const Tenths = Amount.min(0.1)
  .max(10)
  .refine(
    value => Math.abs(value * 10 - Math.round(value * 10)) < 1e-9,
    'must be a multiple of 0.1',
  );
const Cap = Whole.positive().max(1_000_000);

const PackConfig = z
  .strictObject({
    capabilities: preset(
      z.record(Text, Capability),
      {},
      'What each model is good at: fast_code, reasoning_high, reasoning_ultra, long_context or cheap_batch.',
    ),
    caps: preset(
      z.strictObject({
        Tiny: Cap.optional(),
        Small: Cap.optional(),
        Medium: Cap.optional(),
        Large: Cap.optional(),
      }),
      {},
      "Tokens of a planner's pack by class of scope; every other role has its share of them.",
    ),
    programs: preset(
      Flag,
      false,
      'Reviewers of runner command wait for the packs and are shown what stands around the change, as models are.',
    ),
    multipliers: preset(
      z.partialRecord(Capability, Tenths),
      {},
      'What each capability multiplies a cap by, in tenths.',
    ),
  })
  .refine(
    ({ caps, multipliers }) => keepsOrder({ plannerCaps: caps, multipliers }),
    'must leave fast_code below reasoning_high and that below reasoning_ultra, for every scope and role',
  );

/** True when every scope and role gets less for fast code than for high, and less for that than for ultra reasoning. */
function keepsOrder(settings: CapSettings) {
  const ordered: ModelCapability[] = ['fast_code', 'reasoning_high', 'reasoning_ultra'];
  return scopeClasses.every(scope =>
    agentNames.every(agent => {
      const [fast = 0, high = 0, ultra = 0] = ordered.map(capability =>
        packCap(scope, agent, capability, settings),
      );
      return fast < high && high < ultra;
    }),
  );
}

const AcceptRule = z.union(
  [z.strictObject({ kind: UnshownKind }), z.strictObject({ glob: Text.min(1) })],
  `must be a glob, or a kind of ${UnshownKind.options.join(', ')}`,
);
type AcceptRule = z.infer<typeof AcceptRule>;

export const defaultFailOn = ['single:critical', 'majority:high', 'check:high'];

export const Config = z.strictObject({
  $schema: Text.optional(),
  ...limits,
  reviewers: optional(
    z.array(ReviewerConfig).min(1),
    'The panel; default: the built-in reviewers.',
  ),
  checksOnly: preset(
    Flag,
    false,
    'Static checks alone may pass gates and pull requests where no reader is seated.',
  ),
  failOn: optional(
    FailRules,
    'Fail rules: tier:severity or worse; the tier check is what one check states about security on an added line.',
  ).meta({ default: defaultFailOn }),
  strategy: preset(Strategy, 'calibrated', 'How findings are matched.'),
  act: preset(ActRule, 'best', `${actHelp}.`),
  embedding: optional(EmbeddingConfig, 'Endpoint of strategy embedding.'),
  judge: optional(
    JudgeChoice,
    'Who is asked about pairs of findings that strategy calibrated leaves open: auto (a reviewer of the panel), a ' +
      'model of its own, or off, which is the default.',
  ),
  exclude: preset(
    z.array(Text.regex(/^[^!]/, 'must name what is left out: with ! that were all other files')),
    [],
    'Globs of files that are not reviewed; they are listed in the report.',
  ),
  accept: preset(
    z.array(AcceptRule),
    [],
    'What cannot be shown to reviewers and may pass unread, by kind or by glob; the report names it.',
  ),
  egress: preset(
    z.array(EgressRule),
    [],
    'Which files may go to which reviewers; the first rule that names a file counts, and one that none names goes to all.',
  ),
  guidelines: preset(
    Guidelines,
    [],
    'What the team wants reviewers to know: each entry a text for all files, or an object with paths, reviewers and a text or a file.',
  ),
  sensitiveFiles: preset(
    Texts,
    [],
    'Globs of files a security reviewer must read, besides the built-in rules.',
  ),
  progressive_summarization: optional(
    ProgressiveSummarization,
    'When a reviewer that runs short of tokens is asked for less.',
  ),
  isolation: optional(RequiredIsolation, 'What reviewers that are programs must be kept apart by.'),
  cover: optional(Cover, coverHelp),
  trust: preset(
    z.enum(['own', 'untrusted']),
    'own',
    'untrusted: answers need full evidence (nonce, file list), because the subject may talk to the reviewers.',
  ),
  unverifiedBlocker: preset(
    z.enum(['incomplete', 'warn']),
    'incomplete',
    'What a finding at the fail level without a checked place does to a pass.',
  ),
  timeout: optional(Seconds, 'Seconds for each reviewer that sets none of its own.'),
  concurrency: preset(Whole.positive(), 16, 'Reviewers asked at a time.'),
  retentionDays: preset(
    Count,
    7,
    'Older runs are removed when a new one starts, with their copies.',
  ),
  copies: preset(
    Flag,
    true,
    'Copies of reports, reviews, verdict files, packs and handoffs in .jury of the project, which Jury never reads.',
  ),
  protectedPaths: preset(
    Texts,
    ['docs/plans/*.md', 'docs/solutions/*.md'],
    'Globs of files whose findings are set aside and listed: plans and solutions are records, not code.',
  ),
  processes: optional(
    z.partialRecord(
      z.enum(processes.filter(({ panel }) => panel === 'processes').map(({ name }) => name)),
      z.strictObject({
        reviewers: optional(Texts.min(1), 'Reviewers to ask.'),
        stages: optional(
          z.array(Texts.min(1)).min(1),
          'The same in groups: a later one is asked only when those before it find something of weight or do not complete.',
        ),
      }),
    ),
    'Reviewers to use by process.',
  ),
  modes: optional(
    z.partialRecord(z.enum(configuredModes), z.strictObject({ reviewers: Texts.min(1) })),
    'Reviewers to use per mode of `jury ask`.',
  ),
  packs: optional(
    PackConfig,
    'Context packs: what models are good at, and how large a pack may be.',
  ),
  motions: optional(MotionsConfig, 'The formal vote of `jury motions`.'),
});
export type Config = z.infer<typeof Config>;

/** A configuration as a program writes it: what has a default may be left out. */
export type ConfigInput = z.input<typeof Config>;

let latest: { readonly names: string; readonly schema: typeof Config } | undefined;

/** The same schema for a program that brings runners of these names. Kept: making it takes longer than reading a configuration by it. */
export function configWith(runners: readonly string[]): typeof Config {
  if (runners.length === 0) return Config;
  const names = JSON.stringify(runners);
  if (latest?.names !== names) latest = { names, schema: extendedWith(runners) };
  return latest.schema;
}

function extendedWith(runners: readonly string[]) {
  const runner: z.ZodType<string, string> = z.enum([...runnerNames, ...runners]);
  const reviewers = z.array(ReviewerConfig.extend({ runner })).min(1).optional();
  return Config.extend({
    reviewers,
    motions: MotionsConfig.extend({
      reviewer: MotionsReviewer.extend({ runner }).optional(),
    }).optional(),
  });
}

/** Seconds a reviewer gets when nobody sets a limit. */
export const defaultTimeout = 120;

/** One seat on the panel: a checked reviewer with its persona read and its paths absolute. */
export interface Seat extends Omit<ReviewerConfig, 'persona' | 'timeout' | 'analyser'> {
  readonly persona: Persona;
  /** `sarif`: what a tool has reported already, which was configured as runner sarif. */
  readonly analyser?: AnalyserName | 'sarif' | undefined;
  /** Seconds. */
  readonly timeout: number;
  /** Folder that relative paths of this reviewer refer to: that of the configuration file. */
  readonly home: string;
  /** Most tokens of one answer, for runner `api`; absent: as its model has it. */
  readonly answerTokens?: number;
  /** Why it is not asked: what it is made of comes with the change under review. */
  readonly withheld?: string;
}
