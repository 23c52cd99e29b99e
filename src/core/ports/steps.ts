import type { z } from 'zod';

/** Runs a step once and remembers its result across crashes. Results are JSON. */
export interface Steps {
  /**
   * Returns the remembered result of `key`, or runs `work`, remembers what it returns and returns that. What is remembered and not of
   * `schema` counts as not remembered, and is replaced. Of several calls of one key at a time only the first works, the others share
   * its result; a step that throws is not remembered.
   */
  step<Result>(
    key: string,
    work: () => Promise<Result>,
    schema?: z.ZodType<NoInfer<Result>>,
  ): Promise<Result>;
  /** The remembered result where it is of `schema`, else undefined. */
  recall<Result = unknown>(key: string, schema?: z.ZodType<Result>): Promise<Result | undefined>;
  /** Lets go of the run. Never rejects over the machine: whoever comes next takes over from a process that is gone. */
  close(): Promise<void>;
}

export type Recall = Pick<Steps, 'recall'>;

/** The steps of every run, by the id of the run. */
export interface StepsOfRuns {
  /**
   * Takes the run for this process until the steps are closed, and goes on with what is remembered. Throws `UserError` (kind `usage`)
   * that names who holds it, or (kind `machine`, `input`) for what the machine refuses.
   */
  open(run: string): Promise<Steps>;
  /** What is remembered, whoever works on the run. Changes nothing. */
  read(run: string): Promise<Recall>;
  /** True while a process that may be alive holds the run. */
  isHeld(run: string): Promise<boolean>;
}
