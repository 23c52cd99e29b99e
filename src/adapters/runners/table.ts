/** The runners that ask somebody, by name. Each is loaded when it is first asked for: no seat pays for the libraries of another. */
import type { RunnerName } from '../../core/words/runner.ts';
import type { Runner } from '../../core/ports/runner.ts';
import type { Client } from './client.ts';
import type { RunnerWorld } from './executable.ts';

export const runnerTable: Record<
  Exclude<RunnerName, 'builtin' | 'sarif'>,
  (world: RunnerWorld) => Promise<Runner>
> = {
  claude: async world => asClient((await import('./claude.ts')).claude, world),
  codex: async world => asClient((await import('./codex.ts')).codex, world),
  gemini: async world => asClient((await import('./gemini.ts')).gemini, world),
  opencode: async world => asClient((await import('./opencode.ts')).opencode, world),
  command: async world => (await import('./command.ts')).createCommandRunner(world),
  api: async world => (await import('./api.ts')).createApiRunner(world),
  replay: async () => (await import('./replay.ts')).createReplayRunner(),
};

async function asClient(client: Client, world: RunnerWorld) {
  return (await import('./client-runner.ts')).createClientRunner(client, world);
}

export function isInTable(name: string): name is keyof typeof runnerTable {
  return Object.hasOwn(runnerTable, name);
}
