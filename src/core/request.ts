/** What a caller may ask for: one schema each, from which the type, the flags, the help text and a tool's input all come. */
import { z } from 'zod';
import { Complexity, Cover, Isolation } from './context/budget.ts';
import { defaultChangedLinesMin } from './integrity/added-lines.ts';
import { gateNames } from './integrity/integrity.ts';
import { PullNumber, PullRequest } from './words/pull-request.ts';
import {
  actHelp,
  ActRule,
  coverHelp,
  FailRules,
  limits,
  ReviewerId,
  Strategy,
  usualFailRules,
  verifyHelp,
  VerifyLevel,
} from './settings.ts';
import { Protocol } from './verdict/rule-set.ts';
import { VerdictFile } from './verdict/verdict-file.ts';
import { modeNames } from './words/mode.ts';
import type { LabelScale } from './words/severity.ts';

const Seconds = z.number().positive();

/** Those that may be named without a configuration. */
const usualReviewers = [
  'secrets',
  'javascript',
  'patterns',
  'diff',
  'claude',
  'codex',
  'gemini',
  'opencode',
];

/** What every question to a panel has in common. */
const PanelRequest = z.strictObject({
  reviewers: z
    .array(z.string())
    .min(1)
    .optional()
    .describe(`Reviewers to ask, by id; also ${usualReviewers.join(', ')}`)
    .meta({ value: 'LIST', alias: 'agents', usual: usualReviewers }),
  require: z
    .array(z.string())
    .optional()
    .describe('Reviewers that must complete (repeatable)')
    .meta({ value: 'NAME' }),
  quorum: limits.quorum.meta({ value: 'N' }),
  strategy: Strategy.optional().describe('How findings are matched').meta({ value: 'NAME' }),
  act: ActRule.optional().describe(actHelp).meta({ value: 'RULE' }),
  config: z
    .string()
    .optional()
    .describe('Configuration file; default: jury.config.yaml or .json, found upwards')
    .meta({ value: 'FILE' }),
  timeout: Seconds.optional().describe('Seconds for each reviewer').meta({ value: 'SECONDS' }),
  maxCalls: limits.maxCalls.meta({ value: 'N' }),
  maxTokens: limits.maxTokens.meta({ value: 'N' }),
  maxCost: limits.maxCost.meta({ value: 'USD' }),
  maxCostPerMonth: limits.maxCostPerMonth.meta({ value: 'USD' }),
  failOn: FailRules.min(1)
    .optional()
    .describe('Fail rules: never, a severity, or all:, majority:, single: or check: and a severity')
    .meta({ value: 'RULES', usual: usualFailRules }),
  fresh: z
    .boolean()
    .default(false)
    .describe('Ask anew about everything, whatever earlier runs answered'),
});

export const ReviewRequest = PanelRequest.extend({
  range: z
    .string()
    .optional()
    .describe(
      'A..B or A...B, what B adds since it left A; one commit; staged; unstaged; a path; default: what is not committed, else what the branch adds, else the last commit',
    )
    .meta({ positional: true, value: 'RANGE' }),
  paths: z
    .array(z.string())
    .default([])
    .describe(
      'Behind a revision: only these files, folders or globs of the change; paths alone: whole files, of folders all',
    )
    .meta({ positional: true, value: 'PATH', afterDashes: true }),
  separated: z
    .boolean()
    .default(false)
    .describe('The range is a revision and the paths are paths, as with --: nothing is guessed')
    .meta({ internal: true }),
  usual: z
    .boolean()
    .default(false)
    .describe('The paths are of the change that is usual where none is named')
    .meta({ internal: true }),
  exact: z
    .boolean()
    .default(false)
    .describe('Compare the two trees of a range as they are, not from the merge base'),
  base: z.string().min(1).optional().describe('As A of A..B').meta({ value: 'REV' }),
  head: z.string().min(1).optional().describe('As B of A..B; default: HEAD').meta({ value: 'REV' }),
  rules: z
    .literal('gates')
    .optional()
    .describe('The rule set, where it is not that of a review')
    .meta({ internal: true }),
  reader: z
    .enum(['needed', 'any'])
    .optional()
    .describe('Must a reader be seated? Default: as the rule set says')
    .meta({ internal: true }),
  staged: z.boolean().default(false).describe('Review what is staged against HEAD'),
  worktree: z.boolean().default(false).describe('Review the working tree against HEAD'),
  untracked: z
    .boolean()
    .default(true)
    .describe('Leave out of uncommitted work the files that git does not track'),
  patch: z
    .string()
    .optional()
    .describe('Review a patch file; - reads standard input')
    .meta({ value: 'FILE' }),
  pr: PullNumber.optional()
    .describe(
      'Review a pull request of origin, or GITHUB_REPOSITORY, on GitHub; fetched, not checked out',
    )
    .meta({ value: 'N' }),
  pull: PullRequest.optional()
    .describe('A pull request that is known already, as the event of a workflow tells it')
    .meta({ internal: true }),
  files: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Review whole files, by path, folder or glob')
    .meta({ value: 'GLOB', variadic: true }),
  plan: z
    .string()
    .optional()
    .describe('File with the plan or requirements the change is judged against')
    .meta({ value: 'FILE' }),
  description: z
    .string()
    .optional()
    .describe('What the change is meant to do, for the reviewers')
    .meta({ value: 'TEXT' }),
  exclude: z
    .array(z.string())
    .optional()
    .describe('Globs of files to leave out; the report lists them')
    .meta({ value: 'GLOB' }),
  complexity: Complexity.optional()
    .describe(
      'How complex the change is: sizes the budgets and leaves out reviewers that a simpler one does not need',
    )
    .meta({ value: 'WORD' }),
  cover: Cover.optional().describe(coverHelp).meta({ value: 'WORD' }),
  readers: z
    .int()
    .positive()
    .optional()
    .describe('Readers of each file where one question does not hold the change; default: 2')
    .meta({ value: 'N' }),
  protocol: Protocol.optional()
    .describe(
      'How the verdicts of the reviewers decide: veto, aad (independent drafts), vote (two thirds of ' +
        'the readers); default: fail rules decide, vetoes count besides',
    )
    .meta({ value: 'NAME' }),
  strict: z.boolean().default(false).describe('Every warning of a reviewer counts as a veto'),
  ignoreVetos: z
    .boolean()
    .default(false)
    .describe('Show vetoes as advice; the security coverage still counts'),
  isolation: Isolation.default('auto')
    .describe(
      'One ledger of tokens for all reviewers, or one for each; auto: by the size of the change',
    )
    .meta({ value: 'WORD' }),
  deliberate: z
    .boolean()
    .default(false)
    .describe(
      'Put claims that few support to the vote of the other reviewers, and contested ones to a panel',
    ),
  verify: VerifyLevel.optional().describe(verifyHelp).meta({ value: 'WORD' }),
  untrusted: z
    .boolean()
    .default(false)
    .describe("The change is somebody else's: demand full evidence from every reviewer"),
  continue: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Go on with this run (id, beginning of one, or latest): open a new budget for what is unread of ' +
        'its change; of the other flags only ceilings are taken',
    )
    .meta({ value: 'RUN' }),
});
export type ReviewRequest = z.input<typeof ReviewRequest>;

export const AskRequest = PanelRequest.extend({
  prompt: z
    .string({ error: 'Say what to ask, in quotes, or - to read it from standard input' })
    .min(1)
    .describe('The question; - reads standard input')
    .meta({ positional: true, value: 'PROMPT' }),
  mode: z
    .enum(['general', 'debugging', 'architecture', 'verification'])
    .default('general')
    .describe('What kind of answer is asked for')
    .meta({ value: 'MODE' }),
  context: z.string().optional().describe('Background for the reviewers').meta({ value: 'TEXT' }),
  contextFile: z.string().optional().describe('File with the background').meta({ value: 'FILE' }),
  severities: z
    .array(z.string())
    .optional()
    .describe("Labels to use instead of the mode's, most severe first")
    .meta({ value: 'A,B,C' }),
});
export type AskRequest = z.input<typeof AskRequest>;

export const ClaimsRequest = z.strictObject({
  files: z
    .array(z.string())
    .min(1, 'Name at least one file')
    .describe(
      'Files with findings (SARIF, or JSON with "findings"), runs (latest, an id, a folder); - reads standard input',
    )
    .meta({ positional: true, value: 'FILE' }),
  strategy: Strategy.optional()
    .describe('How findings are matched; default: that of the configuration')
    .meta({ value: 'NAME' }),
  act: ActRule.optional().describe(actHelp).meta({ value: 'RULE' }),
  threshold: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe('Percent from which two findings are the same, for strategies overlap and embedding')
    .meta({ value: 'N' }),
  config: z
    .string()
    .optional()
    .describe('Configuration file; default: jury.config.yaml or .json, found upwards')
    .meta({ value: 'FILE' }),
});
export type ClaimsRequest = z.input<typeof ClaimsRequest>;

export const VerifyRequest = z.strictObject({
  range: z
    .string()
    .optional()
    .describe('A..B, A...B, one commit or a branch; default: the last commit')
    .meta({ positional: true, value: 'RANGE' }),
  staged: z.boolean().default(false).describe('Verify what is staged against HEAD'),
  worktree: z.boolean().default(false).describe('Verify the working tree against HEAD'),
  coverage: z
    .string()
    .optional()
    .describe('Coverage report in the lcov format')
    .meta({ value: 'FILE' }),
  changedLinesMin: z
    .number()
    .min(0)
    .max(1)
    .default(defaultChangedLinesMin)
    .describe('Share of the changed lines that tests must run')
    .meta({ value: 'SHARE' }),
  gate: z
    .array(z.string())
    .default([])
    .describe(
      `Result of a gate of the project: ${gateNames.join(', ')}, each =pass, =fail or =not_run`,
    )
    .meta({ value: 'NAME=RESULT' }),
  exempt: z
    .array(z.string())
    .default([])
    .describe('A finding that is meant, with the reason')
    .meta({ value: 'FINDING=REASON' }),
  evidence: z
    .string()
    .optional()
    .describe('Check an evidence file: which recommendations are proven')
    .meta({ value: 'FILE' }),
});
export type VerifyRequest = z.input<typeof VerifyRequest>;

const background = {
  context: z.string().optional().describe('Background for the reviewers').meta({ value: 'TEXT' }),
  contextFile: z.string().optional().describe('File with the background').meta({ value: 'FILE' }),
} as const;

export const DocumentRequest = PanelRequest.extend({
  path: z
    .string({ error: 'Name the document, or a folder of Markdown files' })
    .min(1)
    .describe('A design, plan or specification; of a folder, its Markdown files')
    .meta({ positional: true, value: 'FILE|DIR' }),
  description: z
    .string()
    .optional()
    .describe('What the document is for, for the reviewers')
    .meta({ value: 'TEXT' }),
  allStages: z
    .boolean()
    .default(false)
    .describe('Ask the reviewers of every stage, whatever the first ones find'),
  untrusted: z
    .boolean()
    .default(false)
    .describe("The document is somebody else's: demand full evidence from every reviewer"),
});
export type DocumentRequest = z.input<typeof DocumentRequest>;

export const ResearchRequest = PanelRequest.extend({
  question: z
    .string({ error: 'Say what to find out, in quotes, or - to read it from standard input' })
    .min(1)
    .describe('The question; - reads standard input')
    .meta({ positional: true, value: 'QUESTION' }),
  ...background,
});
export type ResearchRequest = z.input<typeof ResearchRequest>;

export const BrainstormRequest = PanelRequest.extend({
  topic: z
    .string({ error: 'Say what it is about, in quotes, or - to read it from standard input' })
    .min(1)
    .describe('The topic; - reads standard input')
    .meta({ positional: true, value: 'TOPIC' }),
  ...background,
});
export type BrainstormRequest = z.input<typeof BrainstormRequest>;

/** Without a range: what is staged, what is not and what is new, as one diff. `run` judges an existing run and asks nobody. */
export const GatesRequest = PanelRequest.extend({
  ...ReviewRequest.pick({
    exact: true,
    base: true,
    head: true,
    untracked: true,
    patch: true,
    plan: true,
    description: true,
    exclude: true,
    complexity: true,
    cover: true,
    readers: true,
    untrusted: true,
    separated: true,
  }).shape,
  range: z
    .string()
    .optional()
    .describe('A..B, A...B, one commit or a branch; default: what is not committed')
    .meta({ positional: true, value: 'RANGE' }),
  paths: z
    .array(z.string())
    .default([])
    .describe('Only these files, folders or globs of the change')
    .meta({ positional: true, value: 'PATH', afterDashes: true }),
  run: z
    .string()
    .optional()
    .describe('Judge this run (id, beginning of one, or latest) and ask nobody')
    .meta({ value: 'RUN' }),
});
export type GatesRequest = z.input<typeof GatesRequest>;

/** Nobody is asked: the answers lie in a folder. */
export const CollectRequest = z.strictObject({
  dir: z
    .string()
    .min(1)
    .describe('Folder with a file <agent>.md of each agent')
    .meta({ positional: true, value: 'DIR' }),
  expect: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Agents that were sent; one without a file counts as failed')
    .meta({ value: 'LIST' }),
  subject: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'What they looked at, and where their places are looked up; default: the working tree',
    )
    .meta({ value: 'RANGE|PATH', variadic: true }),
  ...PanelRequest.pick({
    require: true,
    quorum: true,
    strategy: true,
    act: true,
    config: true,
    failOn: true,
    fresh: true,
  }).shape,
});
export type CollectRequest = z.input<typeof CollectRequest>;

const { type: VerdictType, status: VerdictStatus } = VerdictFile.shape;

/** The verdict of one agent, for whoever keeps no more of it. */
export const VerdictRequest = z.strictObject({
  agent: ReviewerId.describe('Its name, and that of the file').meta({ value: 'NAME' }),
  status: VerdictStatus.describe('What it came to').meta({ value: 'STATUS' }),
  summary: VerdictFile.shape.summary
    .describe('One line of at most 160 characters')
    .meta({ value: 'TEXT' }),
  type: VerdictType.default('verdict').describe('What the agent did').meta({ value: 'TYPE' }),
  model: z.string().default('').describe('Model that answered').meta({ value: 'MODEL' }),
  tokens: VerdictFile.shape.tokens_spent
    .default(0)
    .describe('Tokens it spent, in and out')
    .meta({ value: 'N' }),
  findings: VerdictFile.shape.findings_count
    .default(0)
    .describe('Findings in its file')
    .meta({ value: 'N' }),
  files: z.array(z.string()).default([]).describe('Files it changed').meta({ value: 'LIST' }),
  detail: z.string().min(1).optional().describe('Its own file').meta({ value: 'FILE' }),
  session: z.string().default('').describe('Id of the run or the session').meta({ value: 'ID' }),
  phase: z.string().optional().describe('Phase of the work').meta({ value: 'WORD' }),
  dir: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of the verdict files; default: .jury/verdicts of the project')
    .meta({ value: 'DIR' }),
});
export type VerdictRequest = z.input<typeof VerdictRequest>;

/** What `multi-consensus` asks for once its own arguments are read. */
export const ConsensusRequest = z.strictObject({
  mode: z.enum(modeNames),
  /** Full ids of two commits; null when the question is about no change. */
  commits: z
    .strictObject({ base: z.string(), head: z.string(), isUnchanged: z.boolean() })
    .nullable(),
  description: z.string().nullable(),
  /** Text of the plan or requirements. */
  requirements: z.string().nullable(),
  /** Null in a code review only. */
  prompt: z.string().nullable(),
  context: z.string().nullable(),
  /** Labels instead of those of the mode. */
  scale: z.custom<LabelScale>(value => value instanceof Map).nullable(),
  strategy: Strategy.nullable(),
  /** Seconds for each reviewer that sets none of its own. */
  timeout: z.number().positive().nullable(),
  fresh: z.literal(true).default(true),
});
export type ConsensusRequest = z.input<typeof ConsensusRequest>;

export const GroundRequest = z.strictObject({
  dir: z
    .string()
    .min(1)
    .describe('Folder with findings.json and the files of the agents')
    .meta({ positional: true, value: 'DIR' }),
  strict: z.boolean().default(false).describe('Any ungrounded entry or warning is a violation'),
});
export type GroundRequest = z.input<typeof GroundRequest>;

/** What a run that goes on may be given in place of what it began with. A ceiling is of the whole run: what it has spent counts. */
export const Ceilings = z.strictObject({
  timeout: Seconds.optional().describe('Seconds for each reviewer').meta({ value: 'SECONDS' }),
  maxCalls: limits.maxCalls.meta({ value: 'N' }),
  maxTokens: limits.maxTokens.meta({ value: 'N' }),
  maxCost: limits.maxCost.meta({ value: 'USD' }),
  maxCostPerMonth: limits.maxCostPerMonth.meta({ value: 'USD' }),
});
export type Ceilings = z.input<typeof Ceilings>;

/** What a review may be given that goes on with what is unread. */
export const ContinueRequest = Ceilings.extend({ cover: ReviewRequest.shape.cover });
export type ContinueRequest = z.input<typeof ContinueRequest>;

export const ImportRequest = z.strictObject({
  dir: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Run folder, folder of runs, or .jury of an earlier version; default: .jury of the project',
    )
    .meta({ positional: true, value: 'DIR' }),
});
export type ImportRequest = z.input<typeof ImportRequest>;

export const CleanRequest = z.strictObject({
  olderThan: z
    .number()
    .nonnegative()
    .optional()
    .describe('Only runs that began more than this many days ago')
    .meta({ value: 'DAYS' }),
  dryRun: z.boolean().default(false).describe('Name the runs and remove none'),
});
export type CleanRequest = z.input<typeof CleanRequest>;
