/** How claims are put to the vote: which are uncertain, how many are asked about them, how they are deliberated. */
import { z } from 'zod';
import { Amount, Whole } from './fields.ts';

export const BandSettings = z.strictObject({
  reliability: Amount.gt(0.5)
    .max(0.9)
    .default(0.7)
    .describe('Share of right answers expected of a reviewer of whom nothing is known.'),
  cut: Amount.min(0.05)
    .max(0.95)
    .default(0.5)
    .describe('Confidence at which a claim counts: the band lies around it.'),
  answers: Whole.positive().default(2).describe('Reviewers asked about one claim, at most.'),
  calls: Whole.positive()
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

/** Shares of those who took part. */
export type StanceThresholds = Readonly<Record<'consensus' | 'contested', number>>;

export interface ClaimThresholds extends StanceThresholds {
  /** Shares of the electorate: of what is well supported, and of what few support. */
  readonly low: number;
  readonly medium: number;
}

/** How claims are deliberated, settled with the plan. */
export interface DeliberationSettings extends ClaimThresholds {
  /** Claims in one call. */
  readonly batch: number;
  readonly panelConcurrency: number;
}
