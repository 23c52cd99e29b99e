/** `jury github`: what a workflow does with a pull request, one lesser command for each job of it. */
import { z } from 'zod';
import { usageError } from '../core/errors.ts';
import { defineCommand } from './command.ts';
import { publish } from './github-publish.ts';
import { pack, review } from './github-review.ts';
import { type LesserCommands, withLesser } from './lesser-commands.ts';

const lesser: LesserCommands = { pack, review, publish };

/** Alone it does nothing: it names what does. */
const alone = defineCommand({
  summary: 'Pack, review and publish a pull request in the workflows of GitHub',
  flags: z.strictObject({}),
  epilogue: `Lesser commands:
${Object.entries(lesser)
  .map(([word, command]) => `  jury github ${word.padEnd(10)}${command.summary}`)
  .join('\n')}`,
  run: () => {
    throw usageError(
      `Say what to do: ${Object.keys(lesser).join(', ')}.`,
      'See "jury github --help".',
    );
  },
});

export const github = withLesser(alone, lesser);
