/** Whether every merged finding traces to what a reviewer wrote. */
import { z } from 'zod';
import { Flag, Texts, Whole } from './fields.ts';

export const Grounding = z.object({
  status: z.enum(['ok', 'warn', 'violation']),
  checked: Whole,
  /** `P0|F1`; `-` where an entry has no id. */
  ungrounded: Texts,
  /** `F1: P0, its index says P1`. */
  severity_mismatch: Texts,
  /** `F1: not in the index of alpha`. */
  wrong_agent: Texts,
  foreign_skipped: Whole,
  strict: Flag,
});
export type Grounding = z.infer<typeof Grounding>;
