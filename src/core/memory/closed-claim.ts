/** What a run says about claims that count no more: those that are fixed, and those that somebody dismissed. */
import { z } from 'zod';
import { Severity } from '../severity.ts';
import { Disposition } from './known-claim.ts';

export const FixedClaim = z.object({
  id: z.string(),
  severity: Severity,
  text: z.string(),
  /** Where it was last said to be; null when it never named a file. */
  location: z.object({ path: z.string(), line: z.int().nullable() }).nullable(),
  /** How that is known, in words. */
  reason: z.string(),
});
export type FixedClaim = z.infer<typeof FixedClaim>;

export const DismissedClaim = Disposition.pick({ verdict: true, reason: true, scope: true, until: true }).extend({
  id: z.string(),
  /** Id of the claim that the dismissal was given for: another one when its scope is wider than a claim. */
  by: z.string(),
  /** The glob of the protected path it was set aside for; absent when somebody dismissed it. */
  protectedBy: z.string().optional(),
});
export type DismissedClaim = z.infer<typeof DismissedClaim>;
