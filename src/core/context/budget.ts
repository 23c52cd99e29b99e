/**
 * What reviewers may spend of tokens: the budget each gets by the size of the scope, the ledgers that book what it
 * spends, and the codes that say why something was not booked.
 */
import { z } from 'zod';
import { usageError } from '../errors.ts';
import { present } from '../groups.ts';
import { type Severity, isAtLeast } from '../words/finding.ts';
import foldCodes from './fold-codes.json' with { type: 'json' };
import { Amount, Text, Whole } from '../words/fields.ts';

/** Tokens by which the scale grows by one, and up to which the reviewers share one context. */
const scaleStep = 16_384;

export const Complexity = z.enum(['SIMPLE', 'STANDARD', 'COMPLEX']);
export type Complexity = z.infer<typeof Complexity>;

const multipliers: Readonly<Record<Complexity, number>> = {
  SIMPLE: 0.75,
  STANDARD: 1,
  COMPLEX: 1.5,
};

export const Isolation = z.enum(['auto', 'shared', 'branch']);
export type Isolation = z.infer<typeof Isolation>;

/** `all`: each file by every reader in whose domain it is. `once`: each by one. `risk`: as far as the formula reaches. */
export const Cover = z.enum(['all', 'once', 'risk']);
export type Cover = z.infer<typeof Cover>;

/** What `budget.json` says by the formula. */
const BudgetFile = z.object({
  total_tokens: Whole,
  /** From 1 to 4. */
  scale: Amount,
  /** `shared`: one ledger and one context for all. `branch`: each reviewer has its own. */
  mode: z.enum(['shared', 'branch']),
  multiplier: Amount,
  /** Tokens by reviewer. */
  budgets: z.record(Text, Whole),
});
export type BudgetFile = z.infer<typeof BudgetFile>;

/** `budget.json` of a run, in which a budget may have grown beyond the formula. */
export const GrantedBudget = BudgetFile.extend({
  /** Tokens by reviewer that it may spend; never fewer than `budgets` says. */
  granted: z.record(Text, Whole),
  /** What the budgets grew for; `dealt`: nobody chose, and one question does not hold the change for everybody. */
  cover: z.enum(['all', 'dealt', 'once', 'risk']),
});
export type GrantedBudget = z.infer<typeof GrantedBudget>;

/** Ceilings that a caller stated; null each: none. */
export interface Limits {
  readonly maxCalls: number | null;
  readonly maxTokens: number | null;
  /** US dollars. */
  readonly maxCost: number | null;
}

export function allotBudgets({
  totalTokens,
  complexity,
  isolation = 'auto',
  reviewers,
}: {
  /** Of the scope; a whole number. */
  readonly totalTokens: number;
  /** Null when nobody said. */
  readonly complexity: Complexity | null;
  /** Default: by size. */
  readonly isolation?: Isolation;
  readonly reviewers: readonly {
    readonly id: string;
    /** Tokens before scaling. */ readonly base: number;
  }[];
}): BudgetFile {
  return {
    total_tokens: totalTokens,
    // Exact: the divisor is a power of two.
    scale: Math.min(4, 1 + totalTokens / scaleStep),
    mode: isolation === 'auto' ? (totalTokens > scaleStep ? 'branch' : 'shared') : isolation,
    multiplier: complexity === null ? 1 : multipliers[complexity],
    budgets: Object.fromEntries(
      reviewers.map(({ id, base }) => [id, budgetOf(base, totalTokens, complexity)]),
    ),
  };
}

/** `floor(base * scale * multiplier)` in whole numbers: rounding once, at the end. Throws `UserError` above 2^53 - 1. */
function budgetOf(base: number, totalTokens: number, complexity: Complexity | null) {
  const steps = BigInt(Math.min(4 * scaleStep, scaleStep + totalTokens));
  const quarters = BigInt(4 * (complexity === null ? 1 : multipliers[complexity]));
  const budget = (BigInt(base) * steps * quarters) / BigInt(4 * scaleStep);
  if (budget > BigInt(Number.MAX_SAFE_INTEGER))
    throw usageError(
      `A base budget of ${base} tokens grows beyond what can be counted.`,
      'Set a smaller "budget" in the persona.',
    );
  return Number(budget);
}

/** Tokens to expect of an answer before there is one, from a reviewer with a budget of `total`. */
export function firstAnswer(total: number) {
  return Math.min(500, Math.floor(total / 50));
}

// Compares a share of a whole with a threshold exactly: 79.99 % is not 80 %, however large the numbers are.

/** Is `part / whole >= threshold`? Whole numbers, `whole` positive; the threshold means what its decimal digits say. */
export function isAtLeastShare(part: number, whole: number, threshold: number) {
  // Of the shortest decimal that names the number: 0.8 is 8/10 here, not the binary fraction next to it.
  const [digits = '0', exponent = '0'] = String(threshold).split('e');
  const [units = '0', decimals = ''] = digits.split('.');
  const shift = Number(exponent) - decimals.length;
  return shifted(BigInt(part), -shift) >= shifted(BigInt(units + decimals) * BigInt(whole), shift);
}

/** By so many decimal places to the left; not at all where they are negative. */
function shifted(number: bigint, places: number) {
  return number * 10n ** BigInt(Math.max(0, places));
}

/** `100 * part / whole`, rounded down. */
export function floorPercent(part: number, whole: number) {
  return Number((100n * BigInt(part)) / BigInt(whole));
}

/** `100 * part / whole`, rounded half up. */
export function roundPercent(part: number, whole: number) {
  return Number((200n * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));
}

/** Name of the one ledger of a run in shared mode. */
export const sharedLedger = '(run)';

/** Of ledgers and branches: `fold-codes.json` tells what each means and whether the same call may work later. */
export type FoldCode = keyof typeof foldCodes;

interface FoldPlace {
  readonly branchId?: string;
  readonly sessionId?: string;
}

/** `[FOLD004] maximum depth exceeded (branch_id=br_0a1b2c3d, session_id=s1)`; without a place, without the brackets. */
export function foldMessage(code: FoldCode, { branchId, sessionId }: FoldPlace = {}) {
  const place = present(
    branchId !== undefined && `branch_id=${branchId}`,
    sessionId !== undefined && `session_id=${sessionId}`,
  );
  return `[${code}] ${foldCodes[code].meaning}${place.length > 0 ? ` (${place.join(', ')})` : ''}`;
}

// How much a reviewer may still be asked for: everything, the grave things only, or to stop. Set by the ledger, never by the
// reviewer.

export const ProgressiveMode = z.enum(['full', 'high_severity_only', 'force_return']);
export type ProgressiveMode = z.infer<typeof ProgressiveMode>;

/** Shares of the ledger, as the configuration names them. */
export const ProgressiveSummarization = z
  .strictObject({
    full_analysis_threshold: Amount.gt(0)
      .lt(1)
      .default(0.8)
      .describe(
        'Share of its tokens from which a reviewer reports critical and high findings only.',
      ),
    high_severity_threshold: Amount.gt(0)
      .max(1)
      .default(0.95)
      .describe('Share of its tokens at which a reviewer is stopped.'),
    force_return_threshold: Amount.gt(0)
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
) {
  if (isAtLeastShare(used, total, thresholds.high_severity_threshold)) return 'force_return';
  return isAtLeastShare(used, total, thresholds.full_analysis_threshold)
    ? 'high_severity_only'
    : 'full';
}

export const SkippedSeverities = z.object({ medium_count: Whole, low_count: Whole });
export type SkippedSeverities = z.infer<typeof SkippedSeverities>;

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
