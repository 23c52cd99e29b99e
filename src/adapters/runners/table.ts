/** The runners by name. Each is loaded when it is first asked for: no seat pays for the libraries of another. */
import type { RunnerName } from '../../core/config.ts';
import type { Runner } from '../../core/ports.ts';
import type { RunnerWorld } from './runner-world.ts';

export const runnerTable: Record<RunnerName, (world: RunnerWorld) => Promise<Runner>> = {
  claude: async world => (await import('./claude.ts')).createClaudeRunner(world),
  codex: async world => (await import('./codex.ts')).createCodexRunner(world),
  gemini: async world => (await import('./gemini.ts')).createGeminiRunner(world),
  opencode: async world => (await import('./opencode.ts')).createOpencodeRunner(world),
  command: async world => (await import('./command.ts')).createCommandRunner(world),
  api: async world => (await import('./api.ts')).createApiRunner(world),
  builtin: async world => (await import('./builtin.ts')).createBuiltinRunner(world),
  replay: async () => (await import('./replay.ts')).createReplayRunner(),
};

export function isBuiltinRunner(name: string): name is RunnerName {
  return Object.hasOwn(runnerTable, name);
}
