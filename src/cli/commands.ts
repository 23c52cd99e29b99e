/**
 * The names of the commands, grouped by what a person wants; none is loaded before it is asked for. Those of the processes are
 * the rows of their table.
 */
import { processes } from '../core/process.ts';
import type { CommandGroups, RunnableCommand } from './command.ts';

const runCommands = () => import('./run-commands.ts');
const runs = () => import('./runs.ts');

export const groups: CommandGroups = {
  Review: {
    ...processEntries(),
    ...from(runCommands, 'collect'),
    ...from(() => import('./motions.ts'), 'motions'),
  },
  'Before a review': {
    ...from(runCommands, 'plan'),
    ...from(() => import('./context.ts'), 'context', 'index', 'search'),
  },
  'After a review': {
    ...from(runs, 'show', 'explain'),
    ...from(runCommands, 'report', 'resume'),
    ...from(runs, 'runs', 'import', 'clean'),
  },
  Decide: {
    ...from(() => import('./decide.ts'), 'dismiss', 'accept', 'approve', 'baseline'),
    ...from(runs, 'stats'),
  },
  'Check without asking anybody': {
    ...from(() => import('./checks.ts'), 'consensus', 'verify', 'ground'),
    ...from(runCommands, 'verdict'),
    ...from(runs, 'verdicts'),
  },
  'In a pull request': from(() => import('./github.ts'), 'github'),
  'On this machine': {
    ...from(runCommands, 'demo'),
    ...from(() => import('./doctor.ts'), 'init'),
    ...from(() => import('./decide.ts'), 'trust'),
    ...from(() => import('./doctor.ts'), 'doctor'),
    ...from(() => import('./hook.ts'), 'hook'),
    completion: async () => (await import('./help.ts')).completionOf(groups),
    help: async () => (await import('./help.ts')).helpOn(groups, commandNamed),
  },
  'Serve agents': from(() => import('./mcp.ts'), 'mcp'),
};

/** Those of a file, each under the name of its export. */
function from<Name extends string>(
  file: () => Promise<Record<Name, RunnableCommand>>,
  ...names: readonly Name[]
) {
  return Object.fromEntries(names.map(name => [name, async () => (await file())[name]]));
}

export const commands: CommandGroups[string] = Object.assign({}, ...Object.values(groups));

const aliases = new Map(
  processes.flatMap(({ name, entry }) => (entry?.aliases ?? []).map(alias => [alias, name])),
);

/** The command that a word is typed for; null: none. */
export function commandNamed(word: string) {
  const name = aliases.get(word) ?? word;
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return !load ? null : { name, load };
}

function processEntries() {
  return Object.fromEntries(
    processes.flatMap(process =>
      !process.entry ? [] : [[process.name, async () => (await runCommands()).commandOf(process)]],
    ),
  );
}
