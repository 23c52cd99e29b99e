/** A claim: the findings of different reviewers that say the same thing, with the support they give it. */
import { z } from 'zod';
import { ClaimDeliberation } from './deliberation/claim-deliberation.ts';
import { Finding, Location } from './finding.ts';
import { Severity } from './severity.ts';

export const Agreement = z.enum(['all', 'majority', 'single']);
export type Agreement = z.infer<typeof Agreement>;

export const Claim = z.object({
  /** `c-` and ten hex digits; the same claim keeps its id in later runs. */
  id: z.string().regex(/^c-[0-9a-f]{10}$/),
  severity: Severity,
  /** The own label of the most severe finding. */
  label: z.string(),
  agreement: Agreement,
  /** Distinct reviewers, in panel order. */
  supporters: z.array(z.string()),
  /** Supporters and every reviewer that completed and read the claim's file, in panel order. */
  electors: z.array(z.string()),
  /** Number of electors. */
  electorate: z.int().nonnegative(),
  /** Probability that the claim is real; null until a calibrated model computes it. */
  confidence: z.number().min(0).max(1).nullable(),
  /** Wording of the most severe finding. */
  text: z.string(),
  location: Location.nullable(),
  /** Every finding said about it, in panel order; nothing is ever removed by merging. */
  findings: z.array(Finding),
  /** Reviewers with their severities when they differ; null when they agree. */
  severityConflict: z.record(z.string(), Severity).nullable(),
  /** Ids of claims that say the opposite. */
  contradicts: z.array(z.string()),
  state: z.enum(['new', 'persisting', 'fixed', 'reopened', 'dismissed']),
  /** The vote about it; absent when none was asked for. */
  deliberation: ClaimDeliberation.optional(),
});
export type Claim = z.infer<typeof Claim>;

/**
 * `all` needs an electorate of two: a reviewer alone agrees with nobody.
 */
export function agreementOf(support: number, electorate: number): Agreement {
  if (electorate >= 2 && support === electorate) return 'all';
  return support >= 2 ? 'majority' : 'single';
}
