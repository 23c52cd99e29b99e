/** Whether every merged finding traces to what a reviewer wrote. */
import { z } from 'zod';

export const Grounding = z.object({
  status: z.enum(['ok', 'warn', 'violation']),
  checked: z.int(),
  /** `P0|F1`; `-` where an entry has no id. */
  ungrounded: z.array(z.string()),
  /** `F1: P0, its index says P1`. */
  severity_mismatch: z.array(z.string()),
  /** `F1: not in the index of alpha`. */
  wrong_agent: z.array(z.string()),
  foreign_skipped: z.int(),
  strict: z.boolean(),
});
export type Grounding = z.infer<typeof Grounding>;
