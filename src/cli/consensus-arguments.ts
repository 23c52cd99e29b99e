/** The arguments of `multi-consensus`, whose contract is older than Jury: messages and exit codes are fixed. */
import { Strategy } from '../core/words/config.ts';
import { modeNames, modes, type ModeName } from '../core/words/mode.ts';
import { scaleOf, type LabelScale } from '../core/words/severity.ts';
import { consensusExits } from '../core/verdict/outcome.ts';

export interface ConsensusArguments {
  readonly mode: ModeName;
  /** As given; null when the mode takes no commits or none were given. */
  readonly commits: { readonly base: string; readonly head: string } | null;
  readonly planFile: string | null;
  readonly description: string | null;
  readonly prompt: string | null;
  readonly context: string | null;
  readonly scale: LabelScale | null;
  readonly strategy: Strategy | null;
  /** Seconds; null when not given. */
  readonly timeout: number | null;
  readonly isDryRun: boolean;
  readonly wantsJson: boolean;
  readonly wantsHelp: boolean;
}

export interface Refusal {
  readonly message: string;
  readonly exitCode: number;
  readonly showsUsage: boolean;
}

export const usage = `Usage: multi-consensus --mode=MODE [OPTIONS]

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
type ValueName = (typeof valueNames)[number];
type SwitchName = (typeof switchNames)[number];

interface Given {
  readonly values: Partial<Record<ValueName, string>>;
  readonly switches: ReadonlySet<SwitchName>;
}

/** The last one of a repeated argument counts. An empty value counts as none. */
export function readConsensusArguments(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ConsensusArguments | Refusal {
  const given = splitArguments(argv);
  if ('message' in given) return given;
  const { values, switches } = given;
  const mode = modeNames.find(name => name === values.mode);
  const refusal = switches.has('help') ? null : findRefusal(given, mode, environment);
  if (refusal !== null) return refusal;
  return {
    mode: mode ?? 'code-review',
    commits:
      values['base-sha'] && values['head-sha'] && mode && takesCommits(mode)
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
    isDryRun: switches.has('dry-run'),
    wantsJson: switches.has('json'),
    wantsHelp: switches.has('help'),
  };
}

function takesCommits(mode: ModeName): boolean {
  return mode === 'code-review' || mode === 'verification';
}

function splitArguments(argv: readonly string[]): Given | Refusal {
  const values: Partial<Record<ValueName, string>> = {};
  const switches = new Set<SwitchName>();
  for (let at = 0; at < argv.length; at += 1) {
    const argument = argv[at] ?? '';
    const [, name, attached] = /^--([a-z-]+)(?:=([^]*))?$/.exec(argument) ?? [];
    const valueName = valueNames.find(known => known === name);
    const switchName =
      argument === '-h'
        ? 'help'
        : switchNames.find(known => known === name && attached === undefined);
    if (switchName !== undefined) switches.add(switchName);
    else if (valueName === undefined) return withUsage(`Unknown argument: ${argument}`);
    else if (attached === undefined && isArgument(argv[at + 1]))
      return withUsage(`--${valueName} requires a value`);
    else {
      const value = attached ?? argv[(at += 1)] ?? '';
      if (value === '') delete values[valueName];
      else values[valueName] = value;
    }
  }
  return { values, switches };
}

/** Nothing, or one of our own names: no value of the argument before. */
function isArgument(next: string | undefined): boolean {
  return (
    next === undefined ||
    [...valueNames, ...switchNames].some(
      name => next === `--${name}` || next.startsWith(`--${name}=`),
    )
  );
}

function findRefusal(
  { values }: Given,
  mode: ModeName | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Refusal | null {
  if (values.mode === undefined) return withUsage('--mode is required');
  if (mode === undefined) return withUsage(`Invalid mode '${values.mode}'. Must be ${listModes()}`);
  const isHalfRange =
    mode === 'verification' &&
    (values['base-sha'] === undefined) !== (values['head-sha'] === undefined);
  const required = [...modes[mode].required, ...(isHalfRange ? ['--base-sha', '--head-sha'] : [])];
  const missing = required.find(flag => values[flag.slice(2) as ValueName] === undefined);
  if (missing !== undefined) return withUsage(`${missing} is required for ${mode} mode`);
  if (values.severities !== undefined && scaleOf(values.severities.split(',')) === null)
    return {
      message: `Error: Invalid --severities '${values.severities}'`,
      exitCode: consensusExits.usage,
      showsUsage: false,
    };
  if (values.strategy !== undefined && !Strategy.safeParse(values.strategy).success)
    return withUsage(
      `Invalid --strategy '${values.strategy}'. Must be one of ${Strategy.options.join(', ')}`,
    );
  if (values.timeout !== undefined && !/^[1-9]\d{0,6}$/.test(values.timeout))
    return withUsage(`Invalid --timeout '${values.timeout}'. Must be a number of seconds`);
  return isThreshold(environment.SIMILARITY_THRESHOLD ?? '60')
    ? null
    : {
        message: 'Error: SIMILARITY_THRESHOLD must be an integer from 0 to 100',
        exitCode: consensusExits.failed,
        showsUsage: false,
      };
}

function isThreshold(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= 100;
}

function listModes(): string {
  const quoted = modeNames.map(name => `'${name}'`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`;
}

function withUsage(sentence: string): Refusal {
  return { message: `Error: ${sentence}`, exitCode: consensusExits.failed, showsUsage: true };
}
