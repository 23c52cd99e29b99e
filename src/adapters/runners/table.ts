/** The runners that ask somebody, by name. Each is loaded when it is first asked for: no seat pays for the libraries of another. */
import type { RunnerName } from '../../core/words/runner.ts';
import type { Runner } from '../../core/ports/runner.ts';
import type { RunnerWorld } from './runner-world.ts';

export const runnerTable: Record<
  Exclude<RunnerName, 'builtin' | 'sarif'>,
  (world: RunnerWorld) => Promise<Runner>
> = {
  claude: async world => (await import('./claude.ts')).createClaudeRunner(world),
  codex: async world => (await import('./codex.ts')).createCodexRunner(world),
  gemini: async world => (await import('./gemini.ts')).createGeminiRunner(world),
  opencode: async world => (await import('./opencode.ts')).createOpencodeRunner(world),
  command: async world => (await import('./command.ts')).createCommandRunner(world),
  api: async world => (await import('./api.ts')).createApiRunner(world),
  replay: async () => (await import('./replay.ts')).createReplayRunner(),
};

export function isInTable(name: string): name is keyof typeof runnerTable {
  return Object.hasOwn(runnerTable, name);
}
