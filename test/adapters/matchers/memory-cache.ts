/** A cache as long-lived as the test, and texts that need no masking. */
import type { JudgeSettings } from '../../../src/core/ports/matcher.ts';

export interface TestCache {
  readonly answers: Map<string, string>;
  readonly open: JudgeSettings['openAnswers'];
}

export function createTestCache(): TestCache {
  const answers = new Map<string, string>();
  return {
    answers,
    open: async () => ({
      get: key => answers.get(key) ?? null,
      put: entries => {
        for (const [key, value] of entries) answers.set(key, value);
      },
      close: () => {},
    }),
  };
}

export const asTheyAre = async (texts: readonly string[]): Promise<readonly string[]> => texts;
