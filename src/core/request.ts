/** What a caller may ask for: one schema each, from which the type, the flags, the help text and a tool's input all come. */
import { z } from 'zod';
import { Complexity, Cover, Isolation } from './context/budget.ts';
import { defaultChangedLinesMin, gateNames } from './integrity/integrity.ts';
import { analyserNames, clientNames } from './words/runner.ts';
import { PullNumber, PullRequest } from './words/change.ts';
import {
  actHelp,
  ActRule,
  coverHelp,
  FailRules,
  limits,
  ReviewerId,
  Strategy,
} from './settings.ts';
import { VerdictFile } from './verdict/record.ts';
import { modeNames } from './words/mode.ts';
import { type LabelScale, severities } from './words/finding.ts';
import {
  Amount,
  Seconds,
  Flag,
  NullableText,
  Share,
  Text,
  Texts,
  Whole,
  optional,
  preset,
} from './words/fields.ts';
import { argument, flag, positional, set, text, value, word } from './flags.ts';

const configuration = text(
  'FILE',
  'Configuration file; default: jury.config.yaml or .json, found upwards',
);

const background = {
  context: text('TEXT', 'Background for the reviewers'),
  contextFile: text('FILE', 'File with the background'),
} as const;

/** Those that may be named without a configuration. */
const usualReviewers: readonly string[] = [...analyserNames, ...clientNames];

/** What fail rules mostly are; the tier `all` is the rarest. */
const usualFailRules: readonly string[] = [
  'never',
  ...severities,
  ...['single', 'majority', 'all', 'check'].flatMap(tier =>
    severities.map(severity => `${tier}:${severity}`),
  ),
];

/** What a run that goes on may be given in place of what it began with. A ceiling is of the whole run: what it has spent counts. */
export const Ceilings = z.strictObject({
  timeout: set(Seconds, 'SECONDS', 'Seconds for each reviewer'),
  maxCalls: limits.maxCalls.meta({ value: 'N' }),
  maxTokens: limits.maxTokens.meta({ value: 'N' }),
  maxCost: limits.maxCost.meta({ value: 'USD' }),
  maxCostPerMonth: limits.maxCostPerMonth.meta({ value: 'USD' }),
});
export type Ceilings = z.input<typeof Ceilings>;

/** An empty one would be all of them. */
const Paths = z.array(Text.min(1)).default([]);

/** A list of texts that may be left out. */
const list = (name: string, help: string) => set(Texts, name, help);

/** What every question to a panel has in common. */
export const PanelRequest = z.strictObject({
  reviewers: value(
    Texts.min(1).optional(),
    'LIST',
    `Reviewers to ask, by id; also ${usualReviewers.join(', ')}`,
    { alias: 'agents', usual: usualReviewers },
  ),
  require: list('NAME', 'Reviewers that must complete (repeatable)'),
  quorum: limits.quorum.meta({ value: 'N' }),
  strategy: set(Strategy, 'NAME', 'How findings are matched'),
  act: set(ActRule, 'RULE', actHelp),
  config: configuration,
  ...Ceilings.shape,
  failOn: value(
    FailRules.optional(),
    'RULES',
    'Fail rules: never, a severity, or all:, majority:, single: or check: and a severity',
    { usual: usualFailRules },
  ),
  fresh: flag('Ask anew about everything, whatever earlier runs answered'),
});

/** `ci`, two rounds of exchange, is a word of the contract and refused where it is asked for. */
const Protocol = z.enum(['veto', 'aad', 'ci', 'vote']);

export const ReviewRequest = PanelRequest.extend({
  range: argument(
    Text.max(4_096).optional(),
    'RANGE',
    'A..B or A...B, what B adds since it left A; one commit; staged; unstaged; a path; default: what is not ' +
      'committed, else what the branch adds, else the last commit',
  ),
  paths: argument(
    Paths,
    'PATH',
    'Behind a revision: only these files, folders or globs of the change; paths alone: whole files, of folders all',
    { afterDashes: true },
  ),
  separated: flag(
    'The range is a revision and the paths are paths, as with --: nothing is guessed',
  ).meta({ internal: true }),
  usual: flag('The paths are of the change that is usual where none is named').meta({
    internal: true,
  }),
  exact: flag('Compare the two trees of a range as they are, not from the merge base'),
  base: word('REV', 'As A of A..B'),
  head: word('REV', 'As B of A..B; default: HEAD'),
  rules: optional(z.literal('gates'), 'The rule set, where it is not that of a review').meta({
    internal: true,
  }),
  reader: optional(
    z.enum(['needed', 'any']),
    'Must a reader be seated? Default: as the rule set says',
  ).meta({ internal: true }),
  staged: flag('Review what is staged against HEAD'),
  worktree: flag('Review the working tree against HEAD'),
  untracked: preset(Flag, true, 'Leave out of uncommitted work the files that git does not track'),
  patch: text('FILE', 'Review a patch file; - reads standard input'),
  pr: set(
    PullNumber,
    'N',
    'Review a pull request of origin, or GITHUB_REPOSITORY, on GitHub; fetched, not checked out',
  ),
  pull: optional(
    PullRequest,
    'A pull request that is known already, as the event of a workflow tells it',
  ).meta({ internal: true }),
  files: value(Texts.min(1).optional(), 'GLOB', 'Review whole files, by path, folder or glob', {
    variadic: true,
  }),
  plan: text('FILE', 'File with the plan or requirements the change is judged against'),
  description: text('TEXT', 'What the change is meant to do, for the reviewers'),
  exclude: list('GLOB', 'Globs of files to leave out; the report lists them'),
  complexity: set(
    Complexity,
    'WORD',
    'How complex the change is: sizes the budgets and leaves out reviewers that a simpler one does not need',
  ),
  cover: set(Cover, 'WORD', coverHelp),
  readers: set(
    Whole.positive(),
    'N',
    'Readers of each file where one question does not hold the change; default: 2',
  ),
  protocol: set(
    Protocol,
    'NAME',
    'How the verdicts of the reviewers decide: veto, aad (independent drafts), vote (two thirds of ' +
      'the readers); default: fail rules decide, vetoes count besides',
  ),
  strict: flag('Every warning of a reviewer counts as a veto'),
  ignoreVetos: flag('Show vetoes as advice; the security coverage still counts'),
  isolation: value(
    Isolation.default('auto'),
    'WORD',
    'One ledger of tokens for all reviewers, or one for each; auto: by the size of the change',
  ),
  deliberate: flag(
    'Put claims that few support to the vote of the other reviewers, and contested ones to a panel',
  ),
  untrusted: flag("The change is somebody else's: demand full evidence from every reviewer"),
  continue: word(
    'RUN',
    'Go on with this run (id, beginning of one, or latest): open a new budget for what is unread of ' +
      'its change; of the other flags only ceilings are taken',
  ),
});
export type ReviewRequest = z.input<typeof ReviewRequest>;

export const AskRequest = PanelRequest.extend({
  prompt: positional(
    'PROMPT',
    'The question; - reads standard input',
    'Say what to ask, in quotes, or - to read it from standard input',
  ),
  mode: value(
    z.enum(['general', 'debugging', 'architecture', 'verification']).default('general'),
    'MODE',
    'What kind of answer is asked for',
  ),
  ...background,
  severities: list('A,B,C', "Labels to use instead of the mode's, most severe first"),
});
export type AskRequest = z.input<typeof AskRequest>;

export const ClaimsRequest = z.strictObject({
  files: argument(
    Texts.min(1, 'Name at least one file'),
    'FILE',
    'Files with findings (SARIF, or JSON with "findings"), runs (latest, an id, a folder); - reads standard input',
  ),
  strategy: set(Strategy, 'NAME', 'How findings are matched; default: that of the configuration'),
  act: set(ActRule, 'RULE', actHelp),
  threshold: set(
    Whole.min(0).max(100),
    'N',
    'Percent from which two findings are the same, for strategies overlap and embedding',
  ),
  config: configuration,
});
export type ClaimsRequest = z.input<typeof ClaimsRequest>;

export const VerifyRequest = z.strictObject({
  range: argument(
    Text.max(4_096).optional(),
    'RANGE',
    'A..B, A...B, one commit or a branch; default: the last commit',
  ),
  staged: flag('Verify what is staged against HEAD'),
  worktree: flag('Verify the working tree against HEAD'),
  coverage: text('FILE', 'Coverage report in the lcov format'),
  changedLinesMin: value(
    Share.default(defaultChangedLinesMin),
    'SHARE',
    'Share of the changed lines that tests must run',
  ),
  gate: value(
    Texts.default([]),
    'NAME=RESULT',
    `Result of a gate of the project: ${gateNames.join(', ')}, each =pass, =fail or =not_run`,
  ),
  exempt: value(Texts.default([]), 'FINDING=REASON', 'A finding that is meant, with the reason'),
  evidence: text('FILE', 'Check an evidence file: which recommendations are proven'),
});
export type VerifyRequest = z.input<typeof VerifyRequest>;

export const DocumentRequest = PanelRequest.extend({
  path: positional(
    'FILE|DIR',
    'A design, plan or specification; of a folder, its Markdown files',
    'Name the document, or a folder of Markdown files',
  ),
  description: text('TEXT', 'What the document is for, for the reviewers'),
  allStages: flag('Ask the reviewers of every stage, whatever the first ones find'),
  untrusted: flag("The document is somebody else's: demand full evidence from every reviewer"),
});
export type DocumentRequest = z.input<typeof DocumentRequest>;

export const ResearchRequest = PanelRequest.extend({
  question: positional(
    'QUESTION',
    'The question; - reads standard input',
    'Say what to find out, in quotes, or - to read it from standard input',
  ),
  ...background,
});
export type ResearchRequest = z.input<typeof ResearchRequest>;

export const BrainstormRequest = PanelRequest.extend({
  topic: positional(
    'TOPIC',
    'The topic; - reads standard input',
    'Say what it is about, in quotes, or - to read it from standard input',
  ),
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
  range: argument(
    Text.max(4_096).optional(),
    'RANGE',
    'A..B, A...B, one commit or a branch; default: what is not committed',
  ),
  paths: argument(Paths, 'PATH', 'Only these files, folders or globs of the change', {
    afterDashes: true,
  }),
  run: text('RUN', 'Judge this run (id, beginning of one, or latest) and ask nobody'),
});
export type GatesRequest = z.input<typeof GatesRequest>;

/** Nobody is asked: the answers lie in a folder. */
export const CollectRequest = z.strictObject({
  dir: positional('DIR', 'Folder with a file <agent>.md of each agent'),
  expect: set(Texts.min(1), 'LIST', 'Agents that were sent; one without a file counts as failed'),
  subject: value(
    z.array(Text.min(1)).min(1).optional(),
    'RANGE|PATH',
    'What they looked at, and where their places are looked up; default: the working tree',
    { variadic: true },
  ),
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
  agent: value(ReviewerId, 'NAME', 'Its name, and that of the file'),
  status: value(VerdictStatus, 'STATUS', 'What it came to'),
  summary: value(VerdictFile.shape.summary, 'TEXT', 'One line of at most 160 characters'),
  type: value(VerdictType.default('verdict'), 'TYPE', 'What the agent did'),
  model: value(Text.default(''), 'MODEL', 'Model that answered'),
  tokens: value(VerdictFile.shape.tokens_spent.default(0), 'N', 'Tokens it spent, in and out'),
  findings: value(VerdictFile.shape.findings_count.default(0), 'N', 'Findings in its file'),
  files: value(Texts.default([]), 'LIST', 'Files it changed'),
  detail: word('FILE', 'Its own file'),
  session: value(Text.default(''), 'ID', 'Id of the run or the session'),
  phase: text('WORD', 'Phase of the work'),
  dir: word('DIR', 'Folder of the verdict files; default: .jury/verdicts of the project'),
});
export type VerdictRequest = z.input<typeof VerdictRequest>;

/** What `multi-consensus` asks for once its own arguments are read. */
export const ConsensusRequest = z.strictObject({
  mode: z.enum(modeNames),
  /** Full ids of two commits; null when the question is about no change. */
  commits: z.strictObject({ base: Text, head: Text, isUnchanged: Flag }).nullable(),
  description: NullableText,
  /** Text of the plan or requirements. */
  requirements: NullableText,
  /** Null in a code review only. */
  prompt: NullableText,
  context: NullableText,
  /** Labels instead of those of the mode. */
  scale: z.custom<LabelScale>(value => value instanceof Map).nullable(),
  strategy: Strategy.nullable(),
  /** Seconds for each reviewer that sets none of its own. */
  timeout: Seconds.nullable(),
  fresh: z.literal(true).default(true),
});
export type ConsensusRequest = z.input<typeof ConsensusRequest>;

export const GroundRequest = z.strictObject({
  dir: positional('DIR', 'Folder with findings.json and the files of the agents'),
  strict: flag('Any ungrounded entry or warning is a violation'),
});
export type GroundRequest = z.input<typeof GroundRequest>;

/** What a review may be given that goes on with what is unread. */
export const ContinueRequest = Ceilings.extend({ cover: ReviewRequest.shape.cover });
export type ContinueRequest = z.input<typeof ContinueRequest>;

export const ImportRequest = z.strictObject({
  dir: argument(
    Text.min(1).optional(),
    'DIR',
    'Run folder, folder of runs, or .jury of an earlier version; default: .jury of the project',
  ),
});
export type ImportRequest = z.input<typeof ImportRequest>;

export const CleanRequest = z.strictObject({
  olderThan: set(Amount.nonnegative(), 'DAYS', 'Only runs that began more than this many days ago'),
  dryRun: flag('Name the runs and remove none'),
});
export type CleanRequest = z.input<typeof CleanRequest>;
