/** `jury completion`: the script that makes a shell complete, and the words that such a script asks for. */
import { processes } from '../core/process.ts';
import {
  type CommandGroup,
  beginning,
  completions,
  shells,
  suggestWords,
} from '../render/completion.ts';
import { type CommandGroups, defineCommand } from './command.ts';
import { z } from 'zod';
import { ifUserError } from '../core/errors.ts';
import { createJury } from '../index.ts';
import type { Terminal } from './terminal.ts';
import { Texts } from '../core/words/fields.ts';
import { argument } from '../core/flags.ts';

/** For these commands. */
export function completionOf(commands: CommandGroups) {
  return defineCommand({
    summary: 'Print what makes a shell complete the words of jury',
    flags: z.strictObject({
      shell: argument(
        z.enum([...shells, 'words'], { error: `Name a shell: ${shells.join(', ')}` }),
        'SHELL',
        'Shell; or words: what may stand in place of the last of the words behind --',
      ),
      typed: argument(Texts.default([]), 'WORD', 'What was typed behind jury'),
    }),
    epilogue: `Examples:
  eval "$(jury completion bash)"         in ~/.bashrc
  eval "$(jury completion zsh)"          in ~/.zshrc, behind compinit
  jury completion fish | source          in ~/.config/fish/config.fish`,
    async run({ shell, typed }, terminal) {
      if (shell !== 'words') {
        terminal.write(completions[shell]);
        return 0;
      }
      const groups = await describeCommands(commands);
      const all = groups.flatMap(group => group.commands);
      const words = await Promise.all(
        suggestWords(all, typed).map(async word =>
          word === '@runs' || word === '@claims'
            ? await idsOf(word, typed.at(-1) ?? '', terminal)
            : [word],
        ),
      );
      if (words.flat().length > 0) terminal.write(words.flat().join('\n'));
      return 0;
    },
  });
}

/** None where there is nothing yet: whoever presses Tab is told nothing about the state of a project. */
async function idsOf(kind: '@runs' | '@claims', start: string, terminal: Terminal) {
  const jury = createJury(terminal);
  const ids =
    kind === '@claims'
      ? jury.report('latest').then(({ claims }) => claims.map(({ id }) => id))
      : jury
          .list()
          .then(({ ended, unfinished, votes, imported }) => [
            'latest',
            ...[...ended, ...unfinished, ...votes, ...imported].map(({ run }) => run),
          ]);
  return beginning(start, await ids.catch(ifUserError([])));
}

export async function describeCommands(groups: CommandGroups): Promise<readonly CommandGroup[]> {
  return Promise.all(
    Object.entries(groups).map(async ([title, entries]) => ({
      title,
      commands: await Promise.all(
        Object.entries(entries).map(async ([name, load]) =>
          (await load()).describe(
            name,
            processes.find(process => process.name === name)?.entry?.aliases ?? [],
          ),
        ),
      ),
    })),
  );
}
