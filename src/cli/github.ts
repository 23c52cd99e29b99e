/** `jury github`: what a workflow does with a pull request, one lesser command for each job of it. */
import { didYouMean, UserError } from '../core/errors.ts';
import { nearest } from '../core/schema-problem.ts';
import { z } from 'zod';
import { defineCommand, type RunnableCommand } from './command.ts';
import { publish } from './github-publish.ts';
import { pack, review } from './github-review.ts';

const lesser: Readonly<Record<string, RunnableCommand>> = { pack, review, publish };

const summary = 'Pack, review and publish a pull request in the workflows of GitHub';

/** Alone it does nothing: it names what does. */
const alone = defineCommand({
  summary,
  flags: z.strictObject({}),
  epilogue: `Lesser commands:
${Object.entries(lesser)
  .map(([word, command]) => `  jury github ${word.padEnd(10)}${command.summary}`)
  .join('\n')}`,
  run: () => {
    throw new UserError(`Say what to do: ${Object.keys(lesser).join(', ')}.`, {
      kind: 'usage',
      hint: 'See "jury github --help".',
    });
  },
});

export const github: RunnableCommand = {
  summary,
  read: (name, args, terminal) => {
    const { command, words, rest } = choose(name, args);
    return command.read(words, rest, terminal);
  },
  execute: (name, args, terminal) => {
    const { command, words, rest } = choose(name, args);
    return command.execute(words, rest, terminal);
  },
  describe: (name, aliases) => ({
    ...alone.describe(name, aliases),
    lesser: Object.entries(lesser).map(([word, command]) =>
      command.describe(`${name} ${word}`, []),
    ),
  }),
};

interface Chosen {
  readonly command: RunnableCommand;
  readonly words: string;
  readonly rest: readonly string[];
}

function choose(name: string, args: readonly string[]): Chosen {
  const [first = '', ...rest] = args;
  const command = Object.hasOwn(lesser, first) ? lesser[first] : undefined;
  if (command !== undefined) return { command, words: `${name} ${first}`, rest };
  if (first === '' || first.startsWith('-')) return { command: alone, words: name, rest: args };
  throw new UserError(`There is no command "jury ${name} ${first}".`, {
    kind: 'usage',
    hint: didYouMean(nearest(first, Object.keys(lesser))),
  });
}
