import type { z } from 'zod';

/** Runs a step once and remembers its result across crashes. Results are JSON. */
export interface Steps {
  /**
   * Returns the remembered result of `key`, or runs `work`, remembers what it returns and returns that. What is remembered and not of
   * `schema` counts as not remembered, and is replaced.
   */
  step<Result>(
    key: string,
    work: () => Promise<Result>,
    schema?: z.ZodType<NoInfer<Result>>,
  ): Promise<Result>;
  /** The remembered result, or undefined: for its owner to check against a schema. */
  recall(key: string): unknown;
  close(): void;
}
