/** All commands as data, for completion, the manual and the whole help. Loads every one of them. */
import type { CommandGroup } from '../render/command-description.ts';
import type { CommandGroups } from './command.ts';

export async function describeCommands(groups: CommandGroups): Promise<readonly CommandGroup[]> {
  return Promise.all(
    Object.entries(groups).map(async ([title, entries]) => ({
      title,
      commands: await Promise.all(
        Object.entries(entries).map(async ([name, { aliases = [], load }]) =>
          (await load()).describe(name, aliases),
        ),
      ),
    })),
  );
}
