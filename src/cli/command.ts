/** Makes a command of the terminal out of a request schema: options, help and errors all come from the one schema. */
import { didYouMean, usageError, type UserError } from '../core/errors.ts';
import { firstProblem, nearest } from '../core/schema-problem.ts';
import { flag } from '../core/flags.ts';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import type { CommandDescription, FlagDescription } from '../render/command-description.ts';
import { wrapLines } from '../render/terminal-text.ts';
import { groupFlags } from './flag-groups.ts';
import type { Terminal } from './terminal.ts';

/** Of every command that may ask whom a configuration seats. */
export const TrustFlags = z.strictObject({
  trustConfig: flag(
    'Let the configuration that was found start, reach and read what it names, this once',
  ),
});

export interface CommandDefinition<Flags extends z.ZodObject> {
  readonly summary: string;
  /** Keys in camel case become flags in kebab case. `meta({ positional: true })` makes an argument of a key, in the order of the schema. */
  readonly flags: Flags;
  /** Lines below the help: examples, mostly. */
  readonly epilogue?: string;
  /** Resolves with the exit code. Throws `UserError` for what the person can put right. */
  readonly run: (input: z.output<Flags>, terminal: Terminal) => Promise<number>;
}

export interface RunnableCommand {
  readonly summary: string;
  /** Reads the arguments and runs nothing; null when they ask for help, which is printed. Throws `UserError` as `execute` would. */
  read(name: string, args: readonly string[], terminal: Terminal): unknown;
  execute(name: string, args: readonly string[], terminal: Terminal): Promise<number>;
  /** The same schema as data, under the name that is typed. */
  describe(name: string, aliases: readonly string[]): CommandDescription;
}

/** A command before it is loaded. */
export type LoadCommand = () => Promise<RunnableCommand>;

export interface NamedCommand {
  readonly name: string;
  readonly load: LoadCommand;
}

/** By title of the group, then by name. */
export type CommandGroups = Readonly<Record<string, Readonly<Record<string, LoadCommand>>>>;

export function defineCommand<Flags extends z.ZodObject>(
  definition: CommandDefinition<Flags>,
): RunnableCommand {
  const read = (
    name: string,
    args: readonly string[],
    terminal: Terminal,
  ): z.output<Flags> | null => {
    const given = readArguments(
      toCommander(name, definition, terminal),
      Object.keys(positionalsOf(definition.flags)),
      args,
      pathsKeyOf(definition.flags),
    );
    if (given === null) return null;
    const checked = definition.flags.safeParse(given, { reportInput: true });
    if (!checked.success) throw toUsageError(name, definition.flags, checked.error);
    return checked.data;
  };
  return {
    summary: definition.summary,
    read,
    async execute(name, args, terminal) {
      const input = read(name, args, terminal);
      return input === null ? 0 : definition.run(input, terminal);
    },
    describe: (name, aliases) => describeCommand(definition, name, aliases),
  };
}

interface FlagMeta {
  readonly value?: string;
  readonly alias?: string;
  readonly positional?: boolean;
  readonly variadic?: boolean;
  /** Takes what stands behind `--`; a key `separated` of the schema is told that there was one. */
  readonly afterDashes?: boolean;
  /** For programs: no flag is made of it. */
  readonly internal?: boolean;
  /** One letter. */
  readonly short?: string;
  /** The usual values of one that takes others as well, for completion. */
  readonly usual?: readonly string[];
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

function positionalsOf(flags: z.ZodObject): Shape {
  return Object.fromEntries(
    Object.entries<z.core.$ZodType>(flags.shape).filter(([, schema]) => metaOf(schema).positional),
  );
}

function metaOf(schema: z.core.$ZodType): FlagMeta {
  return (z.globalRegistry.get(schema) ?? {}) as FlagMeta;
}

function describeCommand(
  { summary, flags, epilogue = '' }: CommandDefinition<z.ZodObject>,
  name: string,
  aliases: readonly string[],
): CommandDescription {
  const shown = Object.entries<z.core.$ZodType>(flags.shape).filter(
    ([, schema]) => !metaOf(schema).internal,
  );
  return {
    name,
    summary,
    aliases,
    positionals: shown
      .filter(([, schema]) => metaOf(schema).positional)
      .map(([, schema]) => ({ value: metaOf(schema).value ?? 'VALUE', ...termsOf(schema) })),
    flags: shown
      .filter(([, schema]) => !metaOf(schema).positional)
      .map(([key, schema]) => describeFlag(key, schema)),
    epilogue,
    subcommands: [],
  };
}

function describeFlag(key: string, schema: z.core.$ZodType): FlagDescription {
  const { value = 'VALUE', short } = metaOf(schema);
  return {
    name: `--${kindOf(schema).isOn ? 'no-' : ''}${kebab(key)}`,
    short: short === undefined ? null : `-${short}`,
    value: kindOf(schema).type === 'boolean' ? null : value,
    ...termsOf(schema),
  };
}

function termsOf(schema: z.core.$ZodType): Omit<FlagDescription, 'name' | 'short' | 'value'> {
  const { type, choices } = kindOf(schema);
  return {
    isVariadic: type === 'array',
    description: describe(schema),
    choices: choices ?? metaOf(schema).usual ?? [],
  };
}

function toCommander(
  name: string,
  { summary, flags, epilogue }: CommandDefinition<z.ZodObject>,
  terminal: Terminal,
): Command {
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
  const made = new Map<string, readonly Option[]>();
  for (const [key, schema] of Object.entries<z.core.$ZodType>(flags.shape)) {
    if (metaOf(schema).internal) continue;
    if (metaOf(schema).positional) command.addArgument(toArgument(schema));
    else made.set(key, toOptions(key, schema));
  }
  for (const { key, title } of groupFlags([...made.keys()]))
    for (const option of made.get(key) ?? [])
      command.addOption(title === null ? option : option.helpGroup(title));
  command.helpOption('-h, --help', 'Show this');
  return epilogue
    ? command.addHelpText('after', `\n${wrapLines(epilogue, terminal.width)}`)
    : command;
}

function toArgument(schema: z.core.$ZodType): Argument {
  const { value = 'VALUE' } = metaOf(schema);
  const isVariadic = kindOf(schema).type === 'array';
  return new Argument(`[${value}${isVariadic ? '...' : ''}]`, describe(schema));
}

function toOptions(key: string, schema: z.core.$ZodType): Option[] {
  const { value = 'VALUE', alias, variadic, short } = metaOf(schema);
  const kind = kindOf(schema);
  const make = (flag: string): Option => {
    const flags = `${short === undefined ? '' : `-${short}, `}--${flag}`;
    const option = new Option(
      kind.type === 'boolean' ? flags : `${flags} <${value}${variadic ? '...' : ''}>`,
      describe(schema),
    );
    if (kind.type === 'number') option.argParser(toNumber);
    if (kind.type === 'array' && !variadic) option.argParser(toList);
    if (kind.choices) option.description = `${describe(schema)} (${kind.choices.join(', ')})`;
    return option;
  };
  const flag = kebab(key);
  if (kind.isOn) return [make(`no-${flag}`), make(flag).hideHelp()];
  return [make(flag), ...(alias ? [make(alias).hideHelp().implies({})] : [])];
}

function describe(schema: z.core.$ZodType): string {
  const { description } = z.globalRegistry.get(schema) ?? {};
  return description ?? '';
}

interface Kind {
  readonly type: 'boolean' | 'number' | 'array' | 'string';
  readonly choices: readonly string[] | null;
  /** True by default: its flag says no. */
  readonly isOn: boolean;
}

/** Of what a schema is wrapped in (optional, default) only the default says anything. */
function kindOf(schema: z.core.$ZodType): Kind {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const { type } = def;
  if (type === 'default') return { ...kindOf(def.innerType), isOn: def.defaultValue === true };
  if (type === 'optional' || type === 'nullable') return kindOf(def.innerType);
  const choices = type === 'enum' ? Object.values(def.entries).map(String) : null;
  const isPlain = type === 'boolean' || type === 'number' || type === 'array';
  return { type: isPlain ? type : 'string', choices, isOn: false };
}

function toNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number))
    throw new InvalidArgumentError('It must be a number.');
  return number;
}

/** Lists are comma-separated, and the option may be repeated. */
function toList(text: string, before: unknown): string[] {
  const earlier = Array.isArray(before) ? before.map(String) : [];
  return [
    ...earlier,
    ...text
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== ''),
  ];
}

/** The values given; null when help was asked for and printed. */
function readArguments(
  command: Command,
  positionals: readonly string[],
  args: readonly string[],
  pathsKey: string | null,
): Record<string, unknown> | null {
  const dashes = pathsKey === null ? -1 : args.indexOf('--');
  try {
    command.parse(dashes === -1 ? [...args] : args.slice(0, dashes), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return null;
    const [sentence = '', hint] = error.message.replace(/^error: /, '').split('\n');
    throw usageError(
      `${sentence.charAt(0).toUpperCase()}${sentence.slice(1).replace(/\.$/, '')}.`,
      foreignHint(sentence) ?? hint?.replace(/^\(|\)$/g, '') ?? `See "${command.name()} --help".`,
      error,
    );
  }
  const named = positionals
    .map((key, index) => [key, command.processedArgs[index] as unknown])
    .filter(([, value]) => value !== undefined);
  const given = { ...canonical(command.opts()), ...Object.fromEntries(named) };
  if (pathsKey === null || dashes === -1) return given;
  const before: unknown = given[pathsKey];
  if (Array.isArray(before) && before.length > 0)
    throw usageError(
      'Before -- stands one revision, and behind it the paths.',
      `See "${command.name()} --help".`,
    );
  return { ...given, [pathsKey]: args.slice(dashes + 1), separated: true };
}

/** Flags of other tools that are near one of ours and mean something else. */
const foreign: Readonly<Record<string, string>> = {
  '--watch': 'There is no watch mode: call jury again when something has changed.',
};

function foreignHint(sentence: string): string | null {
  const [, flag = ''] = /^unknown option '(--[a-z-]+)'/.exec(sentence) ?? [];
  return Object.hasOwn(foreign, flag) ? (foreign[flag] ?? null) : null;
}

/** The key that takes what stands behind `--`; null where the command has none. */
function pathsKeyOf(flags: z.ZodObject): string | null {
  const found = Object.entries<z.core.$ZodType>(flags.shape).find(
    ([, schema]) => metaOf(schema).afterDashes,
  );
  return found?.[0] ?? null;
}

const aliases: Readonly<Record<string, string>> = { agents: 'reviewers' };

/** Old names of flags become the ones of the schema. */
function canonical(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [aliases[key] ?? key, value]),
  );
}

function toUsageError(name: string, flags: z.ZodObject, error: z.ZodError): UserError {
  const problem = firstProblem(flags, error);
  const key = String(problem.path[0] ?? '');
  const meta = metaOf(flags.shape[key] as z.core.$ZodType);
  const what = meta.positional ? (meta.value ?? key) : `--${kebab(key)}`;
  return usageError(
    `${what}: ${problem.sentence}`,
    didYouMean(problem.suggestions) ?? `See "jury ${name} --help".`,
    error,
  );
}

function kebab(key: string): string {
  return key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** By the second word. */
export type Subcommands = Readonly<Record<string, RunnableCommand>>;

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
  const choose = (name: string, args: readonly string[]): Chosen => {
    const [first = '', ...rest] = args;
    const command = Object.hasOwn(subcommands, first) ? subcommands[first] : undefined;
    if (command !== undefined) return { command, called: `${name} ${first}`, rest };
    refuse(name, args);
    return { command: own, called: name, rest: args };
  };
  return {
    summary: own.summary,
    read(name, args, terminal) {
      const { command, called, rest } = choose(name, args);
      return command.read(called, rest, terminal);
    },
    execute(name, args, terminal) {
      const { command, called, rest } = choose(name, args);
      return command.execute(called, rest, terminal);
    },
    describe: (name, aliases) => ({
      ...own.describe(name, aliases),
      subcommands: Object.entries(subcommands).map(([word, command]) =>
        command.describe(`${name} ${word}`, []),
      ),
    }),
  };
}

interface Chosen {
  readonly command: RunnableCommand;
  /** As it is named in its help and its errors. */
  readonly called: string;
  readonly rest: readonly string[];
}

function refuseUnknown(name: string, word: string, known: readonly string[]): void {
  if (word === '' || word.startsWith('-')) return;
  throw usageError(
    `There is no command "jury ${name} ${word}".`,
    didYouMean(nearest(word, known)) ?? `See "jury ${name} --help".`,
  );
}
