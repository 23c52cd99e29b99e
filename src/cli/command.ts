/** Makes a command of the terminal out of a request schema: options, help and errors all come from the one schema. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { didYouMean, usageError } from '../core/errors.ts';
import { firstProblem, nearest } from '../core/schema-problem.ts';
import { flag } from '../core/flags.ts';
import type { CommandDescription } from '../render/completion.ts';
import { wrapWords } from '../render/figures.ts';
import type { Terminal } from './terminal.ts';

/** Of every command that may ask whom a configuration seats. */
export const TrustFlags = z.strictObject({
  trustConfig: flag(
    'Let the configuration that was found start, reach and read what it names, this once',
  ),
});

interface CommandDefinition<Flags extends z.ZodObject> {
  summary: string;
  /** Keys in camel case become flags in kebab case. `meta({ positional: true })` makes an argument of a key, in the order of the schema. */
  flags: Flags;
  /** Lines below the help: examples, mostly. */
  epilogue?: string;
  /** Resolves with the exit code. Throws `UserError` for what the person can put right. */
  run: (input: z.output<Flags>, terminal: Terminal) => Promise<number>;
}

export interface RunnableCommand {
  readonly summary: string;
  /** Arguments that ask for help print it. */
  execute(name: string, args: readonly string[], terminal: Terminal): Promise<number>;
  /** The same schema as data, under the name that is typed. */
  describe(name: string, aliases: readonly string[]): CommandDescription;
}

/** By title of the group, then by name; none is loaded before it is asked for. */
export type CommandGroups = Readonly<
  Record<string, Readonly<Record<string, () => Promise<RunnableCommand>>>>
>;

export function defineCommand<Flags extends z.ZodObject>(
  definition: CommandDefinition<Flags>,
): RunnableCommand {
  const { summary, flags, run } = definition;
  return {
    summary,
    async execute(name, args, terminal) {
      const given = readArguments(toCommander(name, definition, terminal), fieldsOf(flags), args);
      if (!given) return 0;
      const checked = flags.safeParse(given, { reportInput: true });
      if (!checked.success) throw toUsageError(name, flags, checked.error);
      return run(checked.data, terminal);
    },
    describe: (name, aliases) => describeCommand(definition, name, aliases),
  };
}

/** A key of the schema, with what its registry and its type say of it. */
interface Field {
  key: string;
  description: string;
  value: string;
  alias?: string;
  positional?: boolean;
  variadic?: boolean;
  /** Takes what stands behind `--`; a key `separated` of the schema is told that there was one. */
  afterDashes?: boolean;
  /** For programs: no flag is made of it. */
  internal?: boolean;
  /** One letter. */
  short?: string;
  /** The usual values of one that takes others as well, for completion. */
  usual?: readonly string[];
  type: 'boolean' | 'number' | 'array' | 'string';
  /** The only values. */
  only: readonly string[];
  /** True by default: its flag says no. */
  isOn: boolean;
}

function fieldsOf(flags: z.ZodObject): Field[] {
  return Object.entries<z.core.$ZodType>(flags.shape).map(([key, schema]) => ({
    description: '',
    value: 'VALUE',
    ...(z.globalRegistry.get(schema) as Partial<Field> | undefined),
    ...kindOf(schema),
    key,
  }));
}

/** Of what a schema is wrapped in (optional, default) only the default says anything. */
function kindOf(schema: z.core.$ZodType): Pick<Field, 'type' | 'only' | 'isOn'> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const { type } = def;
  if (type === 'default') return { ...kindOf(def.innerType), isOn: def.defaultValue === true };
  if (type === 'optional' || type === 'nullable') return kindOf(def.innerType);
  const only = type === 'enum' ? Object.values(def.entries).map(String) : [];
  const isPlain = type === 'boolean' || type === 'number' || type === 'array';
  return { type: isPlain ? type : 'string', only, isOn: false };
}

/** What people may give: by its place, and by a flag. */
function shownFields(flags: z.ZodObject) {
  const shown = fieldsOf(flags)
    .filter(({ internal }) => !internal)
    .map(field => ({
      ...field,
      isVariadic: field.type === 'array',
      choices: field.only.length > 0 ? field.only : (field.usual ?? []),
    }));
  return {
    positionals: shown.filter(({ positional }) => positional),
    options: shown.filter(({ positional }) => !positional),
  };
}

function describeCommand(
  { summary, flags, epilogue = '' }: CommandDefinition<z.ZodObject>,
  name: string,
  aliases: readonly string[],
) {
  const { positionals, options } = shownFields(flags);
  return {
    name,
    summary,
    aliases,
    positionals,
    flags: options.map(({ key, isOn, short, ...field }) => ({
      ...field,
      name: `--${isOn ? 'no-' : ''}${kebab(key)}`,
      short: short === undefined ? null : `-${short}`,
      value: field.type === 'boolean' ? null : field.value,
    })),
    epilogue,
    subcommands: [],
  };
}

function toCommander(
  name: string,
  { summary, flags, epilogue }: CommandDefinition<z.ZodObject>,
  terminal: Terminal,
) {
  const command = new Command(`jury ${name}`)
    .description(`${summary}.`)
    .exitOverride()
    .allowExcessArguments(false);
  // Below that many columns for the words a table is no table any more, and commander leaves its lines as they are.
  command.configureHelp({ minWidthToWrap: 16 });
  command.configureOutput({
    writeOut: text => terminal.write(text),
    writeErr: () => {},
    getOutHelpWidth: () => terminal.width,
  });
  const { positionals, options } = shownFields(flags);
  for (const { isVariadic, value, description } of positionals)
    command.argument(`[${value}${isVariadic ? '...' : ''}]`, description);
  for (const [field, title] of groupFlags(options))
    for (const option of toOptions(field))
      command.addOption(title === null ? option : option.helpGroup(title));
  command.helpOption('-h, --help', 'Show this');
  return epilogue
    ? command.addHelpText('after', `\n${wrapWords(epilogue, terminal.width, true)}`)
    : command;
}

function toOptions({ key, value, description, alias, variadic, short, type, only, isOn }: Field) {
  const make = (flag: string) => {
    const flags = `${short === undefined ? '' : `-${short}, `}--${flag}`;
    const option = new Option(
      type === 'boolean' ? flags : `${flags} <${value}${variadic ? '...' : ''}>`,
      `${description}${only.length === 0 ? '' : ` (${only.join(', ')})`}`,
    );
    if (type === 'number') option.argParser(toNumber);
    if (type === 'array' && !variadic) option.argParser(toList);
    return option;
  };
  const flag = kebab(key);
  if (isOn) return [make(`no-${flag}`), make(flag).hideHelp()];
  return [make(flag), ...(alias ? [make(alias).hideHelp()] : [])];
}

function toNumber(text: string) {
  const number = Number(text);
  // What else JavaScript takes for a number (0x10, 1e3, an empty word) nobody means by it.
  if (!/^[-+.\d]+$/.test(text) || !Number.isFinite(number))
    throw new InvalidArgumentError('It must be a number.');
  return number;
}

/** Lists are comma-separated, and the option may be repeated. */
function toList(text: string, before: unknown) {
  const items = text
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');
  if (items.length === 0) throw new InvalidArgumentError('It must not be empty.');
  return [...(Array.isArray(before) ? before.map(String) : []), ...items];
}

/** The values given; null when help was asked for and printed. */
function readArguments(command: Command, fields: readonly Field[], args: readonly string[]) {
  const pathsKey = fields.find(({ afterDashes }) => afterDashes)?.key;
  const dashes = pathsKey === undefined ? -1 : args.indexOf('--');
  try {
    command.parse(dashes === -1 ? [...args] : args.slice(0, dashes), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return null;
    const [sentence = '', hint] = error.message.replace(/^error: /, '').split('\n');
    const [, flag = ''] = /^unknown option '(--[a-z-]+)'/.exec(sentence) ?? [];
    throw usageError(
      `${sentence.charAt(0).toUpperCase()}${sentence.slice(1).replace(/\.$/, '')}.`,
      foreign.get(flag) ?? hint?.replace(/^\(|\)$/g, '') ?? `See "${command.name()} --help".`,
      error,
    );
  }
  const positionals = fields.filter(({ positional }) => positional);
  const given: Record<string, unknown> = {
    ...Object.fromEntries(
      Object.entries(command.opts()).map(([key, value]) => [
        fields.find(({ alias }) => alias === key)?.key ?? key,
        value as unknown,
      ]),
    ),
    ...Object.fromEntries(
      positionals
        .map(({ key }, index) => [key, command.processedArgs[index] as unknown])
        .filter(([, value]) => value !== undefined),
    ),
  };
  if (pathsKey === undefined || dashes === -1) return given;
  const before = given[pathsKey];
  if (Array.isArray(before) && before.length > 0)
    throw usageError(
      'Before -- stands one revision, and behind it the paths.',
      `See "${command.name()} --help".`,
    );
  return { ...given, [pathsKey]: args.slice(dashes + 1), separated: true };
}

/** Flags of other tools that are near one of ours and mean something else. */
const foreign: ReadonlyMap<string, string> = new Map([
  ['--watch', 'There is no watch mode: call jury again when something has changed.'],
  ['--cached', 'What is staged: --staged.'],
]);

function toUsageError(name: string, flags: z.ZodObject, error: z.ZodError) {
  const problem = firstProblem(flags, error);
  const key = String(problem.path[0] ?? '');
  const field = fieldsOf(flags).find(each => each.key === key);
  const what = field?.positional ? field.value : `--${kebab(key)}`;
  return usageError(
    `${what}: ${problem.sentence}`,
    didYouMean(problem.suggestions) ?? `See "jury ${name} --help".`,
    error,
  );
}

function kebab(key: string) {
  return key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** By the second word. */
type Subcommands = Record<string, RunnableCommand>;

/**
 * `own`: what runs where the second word names none of them. `refuse` is asked before that, and throws `UserError` where the word can
 * be nothing else; default: anything but an option is refused.
 */
export function withSubcommands(
  own: RunnableCommand,
  subcommands: Subcommands,
  refuse: (name: string, args: readonly string[]) => void = (name, args) =>
    refuseUnknown(name, args[0] ?? '', Object.keys(subcommands)),
): RunnableCommand {
  return {
    summary: own.summary,
    async execute(name, args, terminal) {
      const [first = '', ...rest] = args;
      const command = Object.hasOwn(subcommands, first) ? subcommands[first] : undefined;
      if (command) return command.execute(`${name} ${first}`, rest, terminal);
      refuse(name, args);
      return own.execute(name, args, terminal);
    },
    describe: (name, aliases) => ({
      ...own.describe(name, aliases),
      subcommands: Object.entries(subcommands).map(([word, command]) =>
        command.describe(`${name} ${word}`, []),
      ),
    }),
  };
}

/** Of subcommands that have no command of their own above them: named alone, it says what there is. */
export function groupCommands(
  summary: string,
  epilogue: string,
  subcommands: Subcommands,
): RunnableCommand {
  const alone = defineCommand({
    summary,
    flags: z.strictObject({}),
    epilogue,
    run: () => {
      throw usageError(
        `Say what to do: ${Object.keys(subcommands).join(', ')}.`,
        'See its --help.',
      );
    },
  });
  return withSubcommands(alone, subcommands);
}

function refuseUnknown(name: string, word: string, known: readonly string[]) {
  if (word === '' || word.startsWith('-')) return;
  throw usageError(
    `There is no command "jury ${name} ${word}".`,
    didYouMean(nearest(word, known)) ?? `See "jury ${name} --help".`,
  );
}

/**
 * Under which title help lists a flag, where a command has so many that nobody reads them through: in the order of help, keys as
 * the requests have them.
 */
const groups = {
  'What is reviewed:':
    'exact base head staged worktree untracked patch pr files exclude plan description ' +
    'context contextFile mode untrusted continue run',
  'Who is asked:': 'config trustConfig reviewers require complexity allStages timeout fresh dryRun',
  'What it may cost:': 'maxCalls maxTokens maxCost maxCostPerMonth cover readers isolation',
  'What decides:': 'failOn quorum protocol strict ignoreVetos deliberate strategy act severities',
  'What is printed:': 'format json out',
};

const titles = new Map(
  Object.entries(groups).flatMap(([title, keys]) => keys.split(' ').map(key => [key, title])),
);
const order = [...titles.keys()];

/** Below that the order of the schema tells enough. */
const leastFlags = 12;

/** In the order of help, each with its title; null: among the others, at the end. */
function groupFlags<Field extends { key: string }>(
  fields: readonly Field[],
): readonly (readonly [Field, string | null])[] {
  if (fields.length < leastFlags) return fields.map(field => [field, null]);
  return fields
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(field => [field, titles.get(field.key) ?? null]);
}

function placeOf({ key }: { key: string }) {
  const index = order.indexOf(key);
  return index === -1 ? order.length : index;
}
