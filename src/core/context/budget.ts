/** How many tokens each reviewer may spend: its base, scaled by the size of the scope and by how complex it is said to be. */
import { z } from 'zod';
import { UserError } from '../errors.ts';

/** Tokens by which the scale grows by one, and up to which the reviewers share one context. */
const scaleStep = 16_384;

export const complexities = ['SIMPLE', 'STANDARD', 'COMPLEX'] as const;
export const Complexity = z.enum(complexities);
export type Complexity = z.infer<typeof Complexity>;

export const multipliers: Readonly<Record<Complexity, number>> = {
  SIMPLE: 0.75,
  STANDARD: 1,
  COMPLEX: 1.5,
};

const isolations = ['auto', 'shared', 'branch'] as const;
export const Isolation = z.enum(isolations);
export type Isolation = z.infer<typeof Isolation>;

/** The file `budget.json`. */
export interface BudgetFile {
  readonly total_tokens: number;
  /** From 1 to 4. */
  readonly scale: number;
  /** `shared`: one ledger and one context for all. `branch`: each reviewer has its own. */
  readonly mode: 'shared' | 'branch';
  readonly multiplier: number;
  /** Tokens by reviewer. */
  readonly budgets: Readonly<Record<string, number>>;
}

export interface BudgetRequest {
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
}

export function allotBudgets({
  totalTokens,
  complexity,
  isolation = 'auto',
  reviewers,
}: BudgetRequest): BudgetFile {
  return {
    total_tokens: totalTokens,
    scale: scaleOf(totalTokens),
    mode: isolation === 'auto' ? (totalTokens > scaleStep ? 'branch' : 'shared') : isolation,
    multiplier: complexity === null ? 1 : multipliers[complexity],
    budgets: Object.fromEntries(
      reviewers.map(({ id, base }) => [id, budgetOf(base, totalTokens, complexity)]),
    ),
  };
}

/** `min(4, 1 + totalTokens / 16384)`, exact: the divisor is a power of two. */
export function scaleOf(totalTokens: number): number {
  return Math.min(4, 1 + totalTokens / scaleStep);
}

/** `floor(base * scale * multiplier)` in whole numbers: rounding once, at the end. Throws `UserError` above 2^53 - 1. */
export function budgetOf(base: number, totalTokens: number, complexity: Complexity | null): number {
  const steps = BigInt(Math.min(4 * scaleStep, scaleStep + totalTokens));
  const quarters = BigInt(4 * (complexity === null ? 1 : multipliers[complexity]));
  const budget = (BigInt(base) * steps * quarters) / BigInt(4 * scaleStep);
  if (budget > BigInt(Number.MAX_SAFE_INTEGER))
    throw new UserError(`A base budget of ${base} tokens grows beyond what can be counted.`, {
      kind: 'usage',
      hint: 'Set a smaller "budget" in the persona.',
    });
  return Number(budget);
}

// Compares a share of a whole with a threshold exactly: 79.99 % is not 80 %, however large the numbers are.

/** Is `part / whole >= threshold`? Whole numbers, `whole` positive; the threshold means what its decimal digits say. */
export function isAtLeastShare(part: number, whole: number, threshold: number): boolean {
  const { numerator, denominator } = fractionOf(threshold);
  return BigInt(part) * denominator >= numerator * BigInt(whole);
}

/** `100 * part / whole`, rounded down. */
export function floorPercent(part: number, whole: number): number {
  return Number((100n * BigInt(part)) / BigInt(whole));
}

/** `100 * part / whole`, rounded half up. */
export function roundPercent(part: number, whole: number): number {
  return Number((200n * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));
}

/** Of the shortest decimal that names the number: 0.8 is 8/10 here, not the binary fraction next to it. */
function fractionOf(threshold: number): {
  readonly numerator: bigint;
  readonly denominator: bigint;
} {
  const [digits = '0', exponent = '0'] = String(threshold).split('e');
  const [whole = '0', decimals = ''] = digits.split('.');
  const shift = Number(exponent) - decimals.length;
  const value = BigInt(whole + decimals);
  return shift >= 0
    ? { numerator: value * 10n ** BigInt(shift), denominator: 1n }
    : { numerator: value, denominator: 10n ** BigInt(-shift) };
}
