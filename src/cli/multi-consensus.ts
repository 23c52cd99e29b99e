/**
 * The drop-in program `multi-consensus`: the command line and the exit codes of the earlier script, in front of the same library.
 * Standard output carries the report, everything else is standard error.
 */
import path from 'node:path';
import { consensusExits, programExits } from '../core/verdict/outcome.ts';
import { Strategy } from '../core/settings.ts';
import { type ModeName, modeNames, modes } from '../core/words/mode.ts';
import { Seconds } from '../core/words/fields.ts';
import { displayOf } from '../core/words/review.ts';
import { scaleOf } from '../core/words/finding.ts';
import {
  type ComparedCommits,
  type ConsensusRequest,
  createJury,
  readGivenFile,
  type Run,
  type RunEvent,
} from '../index.ts';
import {
  type ConsensusReport,
  renderConsensusJson,
  renderConsensusReport,
} from '../render/consensus-report.ts';
import { createEntryPoint, refuseReviewers } from './entry-point.ts';
import type { Environment, Terminal } from './terminal.ts';

export const { main, report } = createEntryPoint({
  prefix: 'Error: ',
  exits: {
    usage: consensusExits.usage,
    input: consensusExits.failed,
    machine: consensusExits.failed,
  },
  async run(argv, terminal) {
    refuseReviewers(terminal);
    return runMultiConsensus(argv, { ...terminal, isAttended: false });
  },
});

type ConsensusTerminal = Pick<Terminal, 'write' | 'note' | 'cwd' | 'environment' | 'signal'> &
  Partial<Pick<Terminal, 'isAttended'>>;

/** Resolves with the exit code. Throws `UserError` for what only the configuration or the repository can tell. */
export async function runMultiConsensus(argv: readonly string[], terminal: ConsensusTerminal) {
  const options = readConsensusArguments(argv, terminal.environment);
  if ('message' in options) {
    terminal.note(options.message);
    if (options.showsUsage) terminal.note(`\n${usage}`);
    return options.exitCode;
  }
  if (options.wantsHelp) {
    terminal.write(usage);
    return 0;
  }
  const compared = await compare(options, terminal);
  if (typeof compared === 'number') return compared;
  const request = await toRequest(options, compared, terminal);
  if (options.isDryRun) return printDryRun(request, terminal);
  if (request.commits?.isUnchanged) {
    print(emptyReport(options), options, terminal);
    return 0;
  }
  return ask(request, options, terminal);
}

/** An exit code when there is nothing to go on with; null when no commits were given. */
async function compare({ commits }: ConsensusArguments, terminal: ConsensusTerminal) {
  if (!commits) return null;
  const compared = await createJury(terminal).compareCommits(commits.base, commits.head);
  const { base, head } = commits;
  if (compared.status === 'missing') {
    terminal.note(
      compared.side === 'base'
        ? `Error: BASE_SHA '${base}' not found in repository`
        : `Error: HEAD_SHA '${head}' not found in repository`,
    );
    return consensusExits.failed;
  }
  if (compared.status === 'same') {
    terminal.note(`Error: BASE_SHA and HEAD_SHA are the same (${base})\nNothing to review`);
    return consensusExits.failed;
  }
  if (compared.status === 'unchanged')
    terminal.note(`Warning: No changes between ${base} and ${head}`);
  return compared;
}

async function toRequest(
  { mode, planFile, prompt, description, context, scale, strategy, timeout }: ConsensusArguments,
  compared: Exclude<ComparedCommits, { status: 'missing' }> | null,
  terminal: ConsensusTerminal,
) {
  const isReview = mode === 'code-review';
  return {
    mode,
    description,
    context,
    scale,
    strategy,
    timeout,
    prompt: isReview ? null : prompt,
    commits: compared && {
      base: compared.base,
      head: compared.head,
      isUnchanged: compared.status === 'unchanged',
    },
    requirements: isReview ? await readPlan(planFile, terminal) : null,
  };
}

async function readPlan(file: string | null, terminal: ConsensusTerminal) {
  if (file === null) return null;
  try {
    return await readGivenFile(path.resolve(terminal.cwd, file), terminal.signal);
  } catch {
    terminal.signal.throwIfAborted();
    // Missing, a folder or unreadable: in each case there is no plan to judge by, and the review goes on without.
    terminal.note(`Warning: plan file '${file}' not found`);
    return null;
  }
}

/** Reviewers differ in what does not fit; the longest prompt is the whole one. */
async function printDryRun(request: ConsensusRequest, terminal: ConsensusTerminal) {
  const { reviewers } = await createJury(terminal).preview({
    process: 'multi-consensus',
    ...request,
  });
  const prompt = reviewers.reduce(
    (longest, reviewer) => (reviewer.prompt.length > longest.length ? reviewer.prompt : longest),
    '',
  );
  terminal.write(`DRY RUN MODE\n\n${prompt}`);
  return 0;
}

async function ask(
  request: ConsensusRequest,
  options: ConsensusArguments,
  terminal: ConsensusTerminal,
) {
  const run = await createJury({
    ...terminal,
    onEvent: event => showEvent(event, options.mode, terminal),
  }).run({ process: 'multi-consensus', ...request, fresh: true });
  terminal.note(
    [
      'Reviewers complete:',
      ...run.reviews.map(review => `  - ${review.reviewer}: ${displayOf(review)}`),
    ].join('\n'),
  );
  if (terminal.signal.aborted) return programExits.interrupted;
  const failed = run.reviews.filter(review => review.required && review.status !== 'complete');
  for (const review of failed)
    terminal.note(`Error: ${review.reviewer} review failed ${displayOf(review)}`);
  if (failed.length > 0) return consensusExits.failed;
  print(toReport(run, options), options, terminal);
  return 0;
}

function showEvent(event: RunEvent, mode: ModeName, terminal: ConsensusTerminal) {
  if (event.type === 'note') terminal.note(event.message);
  if (event.type !== 'run-start') return;
  const seats = event.reviewers.map(
    ({ id, required }) => `  - ${id} (${required ? 'required' : 'optional'})...`,
  );
  terminal.note(
    [`Context prepared for ${mode} mode`, 'Launching reviewers...', ...seats].join('\n'),
  );
}

function print(
  report: ConsensusReport,
  { wantsJson }: ConsensusArguments,
  terminal: ConsensusTerminal,
) {
  terminal.write(wantsJson ? renderConsensusJson(report) : renderConsensusReport(report));
}

function toReport({ record, reviews, folder }: Run, { mode, scale, commits }: ConsensusArguments) {
  return { ...record, mode, commits, reviews, folder, scale: scale ?? modes[mode].scale };
}

function emptyReport({ mode, scale, commits, strategy }: ConsensusArguments): ConsensusReport {
  return {
    mode,
    commits,
    scale: scale ?? modes[mode].scale,
    reviews: [],
    claims: [],
    folder: null,
    strategy: { name: strategy ?? 'none', threshold: null, version: '1' },
    quorum: { required: 1, completed: 0, met: false },
    verification: mode === 'verification' ? { result: 'undecided', criteria: [] } : null,
  };
}

/** What was given; null where it was not. The contract is older than Jury: messages and exit codes are fixed. */
type ConsensusArguments = Exclude<
  ReturnType<typeof readConsensusArguments>,
  ReturnType<typeof withUsage>
>;

const usage = `Usage: multi-consensus --mode=MODE [OPTIONS]

Modes and what they need:
  code-review      --base-sha REV --head-sha REV [--plan-file FILE] [--description TEXT]
  general-prompt   --prompt TEXT [--context TEXT]
  debugging        --prompt TEXT [--context TEXT]
  architecture     --prompt TEXT [--context TEXT]
  verification     --prompt TEXT [--context TEXT] [--base-sha REV --head-sha REV]

Options, each as --name=value or --name value:
  --plan-file FILE     Plan or requirements to judge the change against; - for none
  --severities A,B,C   Labels to ask for instead of those of the mode, heaviest first
  --strategy NAME      How findings are matched: ${Strategy.options.join(', ')}
  --timeout SECONDS    Limit of each reviewer; default: 120
  --dry-run            Print what the reviewers would be sent, and call none
  --json               Print the report as JSON

Environment: SIMILARITY_THRESHOLD, an integer from 0 to 100, matches by word overlap at that cut (default 60).
`;

const valueNames = [
  'mode',
  'base-sha',
  'head-sha',
  'plan-file',
  'description',
  'prompt',
  'context',
  'severities',
  'strategy',
  'timeout',
] as const;
const switchNames = ['dry-run', 'json', 'help'] as const;
type Given = Partial<Record<(typeof valueNames | typeof switchNames)[number], string>>;

/** The last one of a repeated argument counts. An empty value counts as none. */
export function readConsensusArguments(argv: readonly string[], environment: Environment) {
  const values = splitArguments(argv);
  if ('message' in values) return values;
  const mode = modeNames.find(name => name === values.mode);
  const refusal = 'help' in values ? null : findRefusal(values, mode, environment);
  if (refusal) return refusal;
  return {
    mode: mode ?? 'code-review',
    commits:
      values['base-sha'] &&
      values['head-sha'] &&
      (mode === 'code-review' || mode === 'verification')
        ? { base: values['base-sha'], head: values['head-sha'] }
        : null,
    planFile: values['plan-file'] === '-' ? null : (values['plan-file'] ?? null),
    description: values.description ?? null,
    prompt: values.prompt ?? null,
    context: values.context ?? null,
    scale: values.severities === undefined ? null : scaleOf(values.severities.split(',')),
    strategy:
      Strategy.safeParse(values.strategy).data ??
      (environment.SIMILARITY_THRESHOLD === undefined ? null : 'overlap'),
    timeout: values.timeout === undefined ? null : Number(values.timeout),
    isDryRun: 'dry-run' in values,
    wantsJson: 'json' in values,
    wantsHelp: 'help' in values,
  };
}

function splitArguments(argv: readonly string[]) {
  const values: Given = {};
  for (let at = 0; at < argv.length; at += 1) {
    const argument = argv[at] ?? '';
    const [, name, attached] = /^--([a-z-]+)(?:=([^]*))?$/.exec(argument) ?? [];
    const valueName = valueNames.find(known => known === name);
    const switchName =
      argument === '-h'
        ? 'help'
        : switchNames.find(known => known === name && attached === undefined);
    if (switchName !== undefined) values[switchName] = '';
    else if (valueName === undefined) return withUsage(`Unknown argument: ${argument}`);
    else if (attached === undefined && isArgument(argv[at + 1]))
      return withUsage(`--${valueName} requires a value`);
    else {
      const value = attached ?? argv[(at += 1)] ?? '';
      if (value === '') delete values[valueName];
      else values[valueName] = value;
    }
  }
  return values;
}

/** Nothing, or one of our own names: no value of the argument before. */
function isArgument(next: string | undefined) {
  return (
    next === undefined ||
    [...valueNames, ...switchNames].some(
      name => next === `--${name}` || next.startsWith(`--${name}=`),
    )
  );
}

function findRefusal(values: Given, mode: ModeName | undefined, environment: Environment) {
  if (values.mode === undefined) return withUsage('--mode is required');
  if (mode === undefined) return withUsage(`Invalid mode '${values.mode}'. Must be ${listModes()}`);
  const isHalfRange =
    mode === 'verification' &&
    (values['base-sha'] === undefined) !== (values['head-sha'] === undefined);
  const required = [...modes[mode].required, ...(isHalfRange ? ['--base-sha', '--head-sha'] : [])];
  const missing = required.find(flag => values[flag.slice(2) as keyof Given] === undefined);
  if (missing !== undefined) return withUsage(`${missing} is required for ${mode} mode`);
  if (values.severities !== undefined && !scaleOf(values.severities.split(',')))
    return {
      ...withUsage(`Invalid --severities '${values.severities}'`),
      exitCode: consensusExits.usage,
      showsUsage: false,
    };
  if (values.strategy !== undefined && !Strategy.safeParse(values.strategy).success)
    return withUsage(
      `Invalid --strategy '${values.strategy}'. Must be one of ${Strategy.options.join(', ')}`,
    );
  if (
    values.timeout !== undefined &&
    !(/^[1-9]\d*$/.test(values.timeout) && Seconds.safeParse(Number(values.timeout)).success)
  )
    return withUsage(`Invalid --timeout '${values.timeout}'. Must be a number of seconds`);
  const threshold = environment.SIMILARITY_THRESHOLD ?? '60';
  return /^\d{1,3}$/.test(threshold) && Number(threshold) <= 100
    ? null
    : {
        ...withUsage('SIMILARITY_THRESHOLD must be an integer from 0 to 100'),
        showsUsage: false,
      };
}

function listModes() {
  const quoted = modeNames.map(name => `'${name}'`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`;
}

/** Refuses, and shows how it is called. */
function withUsage(sentence: string) {
  const exitCode: number = consensusExits.failed;
  return { message: `Error: ${sentence}`, exitCode, showsUsage: true };
}
