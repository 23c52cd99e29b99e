/** The table of built-in analysers. Each is loaded when it is first asked. */
import type { AnalyserName } from '../../core/words/config.ts';
import type { Analyser } from './analyser.ts';

export const analysers = {
  secrets: async () => (await import('./secrets.ts')).secrets,
  diff: async () => (await import('./diff.ts')).diff,
  javascript: async () => (await import('./javascript.ts')).javascript,
  patterns: async () => (await import('./patterns.ts')).patterns,
} satisfies Record<AnalyserName, () => Promise<Analyser>>;
