/** How claims are put to the vote. */

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
