/**
 * The names of the commands, grouped by what a person wants; none is loaded before it is asked for. Those of the processes are
 * the rows of their table.
 */
import { processes } from '../core/process.ts';
import type { CommandGroups, NamedCommand } from './command.ts';

export const groups: CommandGroups = {
  Review: {
    ...processEntries(),
    collect: async () => (await import('./run-commands.ts')).collect,
    motions: async () => (await import('./motions.ts')).motions,
  },
  'Before a review': {
    plan: async () => (await import('./run-commands.ts')).plan,
    context: async () => (await import('./context.ts')).context,
    index: async () => (await import('./context.ts')).index,
    search: async () => (await import('./context.ts')).search,
  },
  'After a review': {
    show: async () => (await import('./show.ts')).show,
    report: async () => (await import('./run-commands.ts')).report,
    explain: async () => (await import('./show.ts')).explain,
    runs: async () => (await import('./runs.ts')).runs,
    import: async () => (await import('./runs.ts')).importing,
    resume: async () => (await import('./run-commands.ts')).resume,
    clean: async () => (await import('./runs.ts')).clean,
  },
  Decide: {
    dismiss: async () => (await import('./decide.ts')).dismiss,
    accept: async () => (await import('./decide.ts')).accept,
    approve: async () => (await import('./decide.ts')).approve,
    baseline: async () => (await import('./decide.ts')).baseline,
    stats: async () => (await import('./runs.ts')).stats,
  },
  'Check without asking anybody': {
    consensus: async () => (await import('./checks.ts')).consensus,
    verify: async () => (await import('./checks.ts')).verify,
    ground: async () => (await import('./checks.ts')).ground,
    verdict: async () => (await import('./run-commands.ts')).verdict,
    verdicts: async () => (await import('./show.ts')).verdicts,
  },
  'In a pull request': {
    github: async () => (await import('./github.ts')).github,
  },
  'On this machine': {
    demo: async () => (await import('./run-commands.ts')).demo,
    init: async () => (await import('./init.ts')).init,
    trust: async () => (await import('./trust.ts')).trust,
    doctor: async () => (await import('./doctor.ts')).doctor,
    hook: async () => (await import('./hook.ts')).hook,
    completion: async () => (await import('./completion.ts')).completionOf(groups),
    help: async () => (await import('./help.ts')).helpOn(groups, commandNamed),
  },
  'Serve agents': {
    mcp: async () => (await import('./mcp.ts')).mcp,
  },
};

export const commands: CommandGroups[string] = Object.assign({}, ...Object.values(groups));

const aliases = new Map(
  processes.flatMap(({ name, entry }) =>
    (entry?.aliases ?? []).map(alias => [alias, name] as const),
  ),
);

/** The command that a word is typed for; null: none. */
export function commandNamed(word: string): NamedCommand | null {
  const name = aliases.get(word) ?? word;
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return load === undefined ? null : { name, load };
}

function processEntries(): CommandGroups[string] {
  return Object.fromEntries(
    processes.flatMap(process =>
      process.entry === null
        ? []
        : [[process.name, async () => (await import('./run-commands.ts')).commandOf(process)]],
    ),
  );
}
