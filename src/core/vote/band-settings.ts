/** The `band` key of the configuration: which claims are uncertain, and how many are asked about them. */
import { z } from 'zod';

export const BandSettings = z.strictObject({
  reliability: z
    .number()
    .gt(0.5)
    .max(0.9)
    .default(0.7)
    .describe('Share of right answers expected of a reviewer of whom nothing is known.'),
  cut: z
    .number()
    .min(0.05)
    .max(0.95)
    .default(0.5)
    .describe('Confidence at which a claim counts: the band lies around it.'),
  answers: z.int().positive().default(2).describe('Reviewers asked about one claim, at most.'),
  calls: z
    .int()
    .positive()
    .optional()
    .describe('Calls at most, repeats included; default: two for each reviewer that can be asked.'),
});
export type BandSettings = z.infer<typeof BandSettings>;

/** What is done about uncertain claims, settled with the plan. */
export interface VerifySettings {
  readonly level: 'checks' | 'band';
  /** Claims in one call. */
  readonly batch: number;
  readonly band: BandSettings;
}
