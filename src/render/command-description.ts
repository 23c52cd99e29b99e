/** What help, completion and the manual are made of: the commands as data. */

export interface CommandDescription {
  /** As it is typed behind `jury`: `review`, `motions show`. */
  readonly name: string;
  readonly summary: string;
  readonly aliases: readonly string[];
  readonly positionals: readonly PositionalDescription[];
  readonly flags: readonly FlagDescription[];
  /** Lines below the help: examples, mostly. Empty where there are none. */
  readonly epilogue: string;
  readonly subcommands: readonly CommandDescription[];
}

export interface PositionalDescription {
  /** `RUN`, `FILE`: what kind of value it is, in the word that help prints. */
  readonly value: string;
  readonly isVariadic: boolean;
  readonly description: string;
  /** The only values, or the usual ones; empty where there are none. */
  readonly choices: readonly string[];
}

export interface FlagDescription extends Omit<PositionalDescription, 'value'> {
  /** With its dashes. */
  readonly name: string;
  /** With its dash; null where there is none. */
  readonly short: string | null;
  /** Null: it takes none. */
  readonly value: string | null;
}

/** A group of commands under one title, as the help prints them. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandDescription[];
}

/** Where a shell finds what a value may be, besides its choices. */
export type ValueSource = 'files' | 'folders' | 'runs' | 'claims' | 'revisions';

const sources: Readonly<Record<string, ValueSource>> = {
  FILE: 'files',
  'FILE|DIR': 'files',
  'DIR|FILE': 'files',
  PATH: 'files',
  GLOB: 'files',
  DIR: 'folders',
  RUN: 'runs',
  'DIR|RUN': 'runs',
  CLAIM: 'claims',
  'CLAIM|REVIEWER': 'claims',
  REV: 'revisions',
  COMMIT: 'revisions',
  RANGE: 'revisions',
  'RANGE|FILE': 'revisions',
};

/** Null: nobody but the person knows. */
export function sourceOf(value: string | null): ValueSource | null {
  return value !== null && Object.hasOwn(sources, value) ? (sources[value] ?? null) : null;
}

/** All of them, each followed by its subcommands. */
export function withSubcommands(commands: readonly CommandDescription[]): CommandDescription[] {
  return commands.flatMap(command => [command, ...withSubcommands(command.subcommands)]);
}
