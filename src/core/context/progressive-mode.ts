/** How much a reviewer may still be asked for: everything, the grave things only, or to stop. Set by the ledger, never by the reviewer. */
import { z } from 'zod';
import { isAtLeast, type Severity } from '../words/severity.ts';
import { isAtLeastShare } from './budget.ts';

export const ProgressiveMode = z.enum(['full', 'high_severity_only', 'force_return']);
export type ProgressiveMode = z.infer<typeof ProgressiveMode>;

/** Shares of the ledger, as the configuration names them. */
export const ProgressiveSummarization = z
  .strictObject({
    full_analysis_threshold: z
      .number()
      .gt(0)
      .lt(1)
      .default(0.8)
      .describe(
        'Share of its tokens from which a reviewer reports critical and high findings only.',
      ),
    high_severity_threshold: z
      .number()
      .gt(0)
      .max(1)
      .default(0.95)
      .describe('Share of its tokens at which a reviewer is stopped.'),
    force_return_threshold: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe('Older name of high_severity_threshold; must be equal to it.'),
  })
  .refine(({ full_analysis_threshold: first, high_severity_threshold: second }) => first < second, {
    path: ['full_analysis_threshold'],
    error: 'must be less than high_severity_threshold',
  })
  .refine(
    ({ force_return_threshold: third, high_severity_threshold: second }) =>
      third === undefined || third === second,
    {
      path: ['force_return_threshold'],
      error: 'must be equal to high_severity_threshold: there are two thresholds',
    },
  );
export type ProgressiveSummarization = z.infer<typeof ProgressiveSummarization>;

export const defaultThresholds = ProgressiveSummarization.parse({});

/** By `used / total`, compared exactly; a threshold belongs to the stricter mode. */
export function modeAt(
  /** A positive total, which may be exceeded. */
  { total, used }: { readonly total: number; readonly used: number },
  thresholds = defaultThresholds,
): ProgressiveMode {
  if (isAtLeastShare(used, total, thresholds.high_severity_threshold)) return 'force_return';
  return isAtLeastShare(used, total, thresholds.full_analysis_threshold)
    ? 'high_severity_only'
    : 'full';
}

export interface SkippedSeverities {
  readonly medium_count: number;
  readonly low_count: number;
}

/** What stays of findings that were made in mode `high_severity_only`, and how many were removed. */
export function keepSevere<Item extends { readonly severity: Severity }>(
  findings: readonly Item[],
): { readonly kept: readonly Item[]; readonly skipped: SkippedSeverities } {
  const count = (severity: Severity) =>
    findings.filter(finding => finding.severity === severity).length;
  return {
    kept: findings.filter(({ severity }) => isAtLeast(severity, 'high')),
    skipped: { medium_count: count('medium'), low_count: count('low') },
  };
}
