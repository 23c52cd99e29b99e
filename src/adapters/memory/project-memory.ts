/** The `Memory` port over the file of this machine and the decisions of the committed baseline. */
import type { Disposition } from '../../core/memory/known-claim.ts';
import { reliabilityOf } from '../../core/memory/reliability.ts';
import { rememberRun } from '../../core/memory/remember-run.ts';
import type { Matcher, Memory } from '../../core/ports.ts';
import type { MemoryFile } from './memory-file.ts';

export interface MemorySettings {
  readonly file: MemoryFile;
  /** Decisions of the baseline file. */
  readonly baseline: readonly Disposition[];
  /** A matcher that nobody else uses. */
  readonly createMatcher: () => Promise<Matcher>;
}

export function createMemory({ file, baseline, createMatcher }: MemorySettings): Memory {
  return {
    remember: run => file.update(async ({ claims, dispositions }) => {
      const result = await rememberRun({ claims, dispositions: [...dispositions, ...baseline] }, { ...run, matcher: await createMatcher() });
      return { claims: result.changed, dispositions: [], result };
    }),
    async reliability() {
      const { claims, dispositions } = await file.read();
      return reliabilityOf({ claims, dispositions: [...dispositions, ...baseline] });
    },
  };
}
