/** Opens the matcher of a strategy with what it needs of the world. A strategy that cannot run is never replaced by another. */
import { createMatcher } from '../core/consensus/strategies.ts';
import type { EmbeddingConfig, JudgeConfig, Strategy } from '../core/config.ts';
import { UserError } from '../core/errors.ts';
import type { Matcher } from '../core/ports.ts';

export interface Matching {
  readonly strategy: Strategy;
  /** Percent, for strategies whose cut can be set. */
  readonly threshold: number;
  readonly embedding: EmbeddingConfig | null;
  readonly judge: JudgeConfig | null;
}

export async function openMatcher({ strategy, threshold }: Matching): Promise<Matcher> {
  if (strategy === 'embedding' || strategy === 'llm') throw new UserError(`Strategy ${strategy} is not configured.`, { kind: 'usage' });
  return createMatcher(strategy, threshold);
}
