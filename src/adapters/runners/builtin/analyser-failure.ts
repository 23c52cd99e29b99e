import type { Cause } from '../../../core/review.ts';

/** Ends an analysis for a reason outside Jury, such as a program that cannot be started. The runner turns it into data. */
export class AnalyserFailure extends Error {
  override readonly name = 'AnalyserFailure';
  readonly failureCause: Cause;

  constructor(failureCause: Cause, message: string) {
    super(message);
    this.failureCause = failureCause;
  }
}
