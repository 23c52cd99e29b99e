/** The runners that ask somebody, by name. Each is loaded when it is first asked for: no seat pays for the libraries of another. */
import { type ClientName, clientNames, type RunnerName } from '../../core/words/runner.ts';
import type { Runner } from '../../core/ports/runner.ts';
import type { RunnerWorld } from './executable.ts';

type Open = (world: RunnerWorld) => Promise<Runner>;

export const runnerTable: Record<Exclude<RunnerName, 'builtin' | 'sarif'>, Open> = {
  ...(Object.fromEntries(
    clientNames.map(name => [
      name,
      async world => (await import('./client-runner.ts')).createClientRunner(name, world),
    ]),
  ) as Record<ClientName, Open>),
  command: async world => (await import('./command.ts')).createCommandRunner(world),
  api: async world => (await import('./api.ts')).createApiRunner(world),
  replay: async () => (await import('./replay.ts')).createReplayRunner(),
};
