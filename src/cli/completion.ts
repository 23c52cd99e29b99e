/** `jury completion`: the script that makes a shell complete, and the ids that such a script asks for. */
import { z } from 'zod';
import { createJury, UserError } from '../index.ts';
import { completions, shells } from '../render/completion/table.ts';
import { type CommandGroups, defineCommand, type RunnableCommand } from './command.ts';
import { describeCommands } from './describe-commands.ts';
import { callOf, type Terminal } from './terminal.ts';

/** For these commands. */
export function completionOf(commands: CommandGroups): RunnableCommand {
  return defineCommand({
    summary: 'Print what makes a shell complete the words of jury',
    flags: z.strictObject({
      shell: z
        .enum([...shells, 'runs', 'claims'], { error: `Name a shell: ${shells.join(', ')}` })
        .describe('Shell; or runs, claims: ids to complete with, one a line')
        .meta({ positional: true, value: 'SHELL' }),
    }),
    epilogue: `Examples:
  eval "$(jury completion bash)"         in ~/.bashrc
  eval "$(jury completion zsh)"          in ~/.zshrc, behind compinit
  jury completion fish | source          in ~/.config/fish/config.fish`,
    async run({ shell }, terminal) {
      if (shell === 'runs' || shell === 'claims') {
        const ids = await idsOf(shell, terminal);
        if (ids.length > 0) terminal.write(ids.join('\n'));
        return 0;
      }
      const groups = await describeCommands(commands);
      terminal.write(completions[shell](groups.flatMap(({ commands }) => commands)));
      return 0;
    },
  });
}

/** None where there is nothing yet: whoever presses Tab is told nothing about the state of a project. */
async function idsOf(kind: 'runs' | 'claims', terminal: Terminal): Promise<readonly string[]> {
  const jury = createJury(callOf(terminal));
  try {
    if (kind === 'claims') return (await jury.report('latest')).claims.map(({ id }) => id);
    const { ended, unfinished, votes, imported } = await jury.list();
    return [...ended, ...unfinished, ...votes, ...imported].map(({ run }) => run);
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
