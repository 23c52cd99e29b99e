/** Commands that are called by a second word behind the one they belong to: `jury hook install`. */
import { didYouMean, usageError } from '../core/errors.ts';
import { nearest } from '../core/schema-problem.ts';
import type { RunnableCommand } from './command.ts';

/** By the second word. */
export type LesserCommands = Readonly<Record<string, RunnableCommand>>;

/**
 * `own`: what runs where the second word names none of them. `refuse` is asked before that, and throws `UserError` where the word can
 * be nothing else; default: anything but an option is refused.
 */
export function withLesser(
  own: RunnableCommand,
  lesser: LesserCommands,
  refuse: (name: string, args: readonly string[]) => void = (name, args) =>
    refuseUnknown(name, args[0] ?? '', Object.keys(lesser)),
): RunnableCommand {
  const choose = (name: string, args: readonly string[]): Chosen => {
    const [first = '', ...rest] = args;
    const command = Object.hasOwn(lesser, first) ? lesser[first] : undefined;
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
      lesser: Object.entries(lesser).map(([word, command]) =>
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
