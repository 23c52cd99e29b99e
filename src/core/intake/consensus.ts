/** What comes of findings that were produced elsewhere: what was taken in, and the claims it forms. */
import type { Claim } from '../claim.ts';
import type { Matcher } from '../ports.ts';
import type { Intake } from './intake.ts';

export interface Consensus extends Intake {
  readonly strategy: Pick<Matcher, 'name' | 'threshold' | 'version'>;
  /** Every finding of the intake that is not left out is in exactly one. */
  readonly claims: readonly Claim[];
}
