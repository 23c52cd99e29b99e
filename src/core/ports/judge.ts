/** Who judges pairs of findings, and where the answers are kept. */
import type { Seat } from '../words/config.ts';

/** Where answers are remembered that were paid for: a text by the hash of the question. */
export interface PairAnswers {
  get(key: string): string | null;
  put(entries: readonly (readonly [key: string, value: string])[]): void;
  close(): void;
}

export interface JudgeSettings {
  /** A model that sits on no panel; null: those of the panel are asked. */
  readonly seat: Seat | null;
  readonly maxPairs: number;
  readonly maxCalls: number;
  readonly openAnswers: () => Promise<PairAnswers>;
}
