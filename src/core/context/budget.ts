/**
 * What reviewers may spend of tokens: the budget each gets by the size of the scope, the ledgers that book what it
 * spends, and the codes that say why something was not booked.
 */
import { z } from 'zod';
import { usageError } from '../errors.ts';
import foldCodes from './fold-codes.json' with { type: 'json' };

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

/** `all`: each file by every reader in whose domain it is. `once`: each by one. `risk`: as far as the formula reaches. */
export const Cover = z.enum(['all', 'once', 'risk']);
export type Cover = z.infer<typeof Cover>;

/** What `budget.json` says by the formula. */
const BudgetFile = z.object({
  total_tokens: z.int(),
  /** From 1 to 4. */
  scale: z.number(),
  /** `shared`: one ledger and one context for all. `branch`: each reviewer has its own. */
  mode: z.enum(['shared', 'branch']),
  multiplier: z.number(),
  /** Tokens by reviewer. */
  budgets: z.record(z.string(), z.int()),
});
export type BudgetFile = z.infer<typeof BudgetFile>;

/** `budget.json` of a run, in which a budget may have grown beyond the formula. */
export const GrantedBudget = BudgetFile.extend({
  /** Tokens by reviewer that it may spend; never fewer than `budgets` says. */
  granted: z.record(z.string(), z.int()),
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

interface BudgetRequest {
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
    throw usageError(
      `A base budget of ${base} tokens grows beyond what can be counted.`,
      'Set a smaller "budget" in the persona.',
    );
  return Number(budget);
}

/** Tokens to expect of an answer before there is one, from a reviewer with a budget of `total`. */
export function firstAnswer(total: number): number {
  return Math.min(500, Math.floor(total / 50));
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

/**
 * The tokens a reviewer, or in shared mode the whole panel, may still spend. Ledgers are values: every booking returns the
 * next one with the events it gave rise to, or says why it could not be done and leaves everything as it was.
 */
export interface Ledger {
  /** Positive. */
  readonly total: number;
  /** Spent. May exceed the total when a finished call cost more than was reserved for it. */
  readonly used: number;
  /** Set aside for calls under way: not spent, and not to be had by anybody else. */
  readonly reserved: number;
  /** What each reviewer used and holds of it; their sums are the two figures above. */
  readonly by: Readonly<Record<string, Holding>>;
  /** Tokens that a reviewer is sure of until it has finished; their sum is at most the total. Whoever is not named is sure of none. */
  readonly shares: Readonly<Record<string, number>>;
  /** Those who take nothing more: what they left of their shares others may borrow. */
  readonly finished: ReadonlySet<string>;
  /** Has the one warning been given? */
  readonly warned: boolean;
}

interface Holding {
  readonly used: number;
  readonly reserved: number;
}

export type LedgerEvent = 'warning' | 'exhausted';

export type Booking =
  | { readonly ok: true; readonly ledger: Ledger; readonly events: readonly LedgerEvent[] }
  | { readonly ok: false; readonly code: FoldCode; readonly events: readonly LedgerEvent[] };

const warningShare = 0.8;

export function openLedger(total: number, shares: Ledger['shares'] = {}): Booking {
  if (!(total > 0) || !Number.isInteger(total)) return refuse('FOLD010');
  if (total > Number.MAX_SAFE_INTEGER) return refuse('FOLD011');
  const ledger = {
    total,
    used: 0,
    reserved: 0,
    by: {},
    shares,
    finished: new Set<string>(),
    warned: false,
  };
  return { ok: true, ledger, events: [] };
}

/** Sets `tokens` aside for a call of `reviewer`. An exact fit is allowed; what does not fit is refused whole. */
export function reserve(ledger: Ledger, reviewer: string, tokens: number): Booking {
  return (
    whyRefused(ledger, reviewer, tokens) ?? book(ledger, reviewer, { used: 0, reserved: tokens })
  );
}

/** Takes `tokens` out for `reviewer` at once, under the same conditions. */
export function consume(ledger: Ledger, reviewer: string, tokens: number): Booking {
  return (
    whyRefused(ledger, reviewer, tokens) ?? book(ledger, reviewer, { used: tokens, reserved: 0 })
  );
}

/** From now on `reviewer` takes nothing more. */
export function finish(ledger: Ledger, reviewer: string): Ledger {
  return { ...ledger, finished: new Set([...ledger.finished, reviewer]) };
}

export interface Settlement {
  /** Tokens that were set aside for the call. */
  readonly reserved: number;
  /** Tokens the call turned out to cost. */
  readonly cost: number;
}

/** Books what a finished call really cost in the place of what was reserved for it, in full: the money is spent. */
export function settle(ledger: Ledger, reviewer: string, { reserved, cost }: Settlement): Booking {
  if (!isAmount(reserved) || !isAmount(cost) || reserved > holdingOf(ledger, reviewer).reserved)
    return refuse('FOLD010');
  return ledger.used + cost > Number.MAX_SAFE_INTEGER
    ? refuse('FOLD011')
    : book(ledger, reviewer, { used: cost, reserved: -reserved });
}

/**
 * All that `reviewer` may spend: what the others have not taken and are not sure of, and never less than its own share, even
 * where a call of somebody else turned out dearer than what was set aside for it.
 */
export function entitledTo(
  { total, by, shares, finished }: Pick<Ledger, 'total' | 'by' | 'shares' | 'finished'>,
  reviewer: string,
): number {
  const others = new Set([...Object.keys(shares), ...Object.keys(by)]);
  others.delete(reviewer);
  let gone = 0;
  for (const other of others) {
    const { used, reserved } = holdingOf({ by }, other);
    gone += finished.has(other) ? used : Math.max(used + reserved, shares[other] ?? 0);
  }
  return Math.max(shares[reviewer] ?? 0, total - gone);
}

/** Of what it is entitled to, the tokens it has neither spent nor set aside. */
export function remainingFor(ledger: Ledger, reviewer: string): number {
  const { used, reserved } = holdingOf(ledger, reviewer);
  return Math.max(0, entitledTo(ledger, reviewer) - used - reserved);
}

export function holdingOf({ by }: Pick<Ledger, 'by'>, reviewer: string): Holding {
  return by[reviewer] ?? { used: 0, reserved: 0 };
}

/** Ledgers by name: one under `sharedLedger`, or one for each reviewer. */
interface Ledgers {
  readonly mode: BudgetFile['mode'];
  readonly byName: ReadonlyMap<string, Ledger>;
}

export const sharedLedger = '(run)';

/**
 * Shared: one ledger whose total is the sum of all budgets, of which each reviewer is sure of its own. Branch: one for each
 * reviewer. Refused when a total is no budget.
 */
export function openLedgers({
  mode,
  budgets,
}: Pick<BudgetFile, 'mode' | 'budgets'>):
  | { readonly ok: true; readonly ledgers: Ledgers }
  | { readonly ok: false; readonly code: FoldCode } {
  const totals: readonly (readonly [string, number])[] =
    mode === 'branch'
      ? Object.entries(budgets)
      : [[sharedLedger, Object.values(budgets).reduce((sum, budget) => sum + budget, 0)]];
  const byName = new Map<string, Ledger>();
  for (const [name, total] of totals) {
    const opened = openLedger(total, mode === 'shared' ? budgets : {});
    if (!opened.ok) return { ok: false, code: opened.code };
    byName.set(name, opened.ledger);
  }
  return { ok: true, ledgers: { mode, byName } };
}

/** The ledger that `reviewer` spends from. */
export function ledgerOf(
  { mode, byName }: Ledgers,
  reviewer: string,
):
  | { readonly ok: true; readonly name: string; readonly ledger: Ledger }
  | { readonly ok: false; readonly code: FoldCode } {
  const name = mode === 'shared' ? sharedLedger : reviewer;
  const ledger = byName.get(name);
  return ledger === undefined ? { ok: false, code: 'FOLD009' } : { ok: true, name, ledger };
}

function isAmount(tokens: number): boolean {
  return Number.isInteger(tokens) && tokens >= 0;
}

function refuse(code: FoldCode, events: readonly LedgerEvent[] = []): Booking {
  return { ok: false, code, events };
}

function whyRefused(ledger: Ledger, reviewer: string, tokens: number): Booking | null {
  if (!isAmount(tokens)) return refuse('FOLD010');
  // Before the look at the total, which is always smaller: otherwise nobody would learn of an overflow.
  if (ledger.used + ledger.reserved + tokens > Number.MAX_SAFE_INTEGER) return refuse('FOLD011');
  const remaining = remainingFor(ledger, reviewer);
  // Where more was spent than there is, not even nothing fits; but for whoever is sure of a share of its own.
  const isOver = remaining === 0 && ledger.used + ledger.reserved + tokens > ledger.total;
  return isOver || tokens > remaining ? refuse('FOLD008', ['exhausted']) : null;
}

function book(ledger: Ledger, reviewer: string, more: Holding): Booking {
  const own = holdingOf(ledger, reviewer);
  const used = ledger.used + more.used;
  const isFirstWarning = !ledger.warned && isAtLeastShare(used, ledger.total, warningShare);
  return {
    ok: true,
    ledger: {
      ...ledger,
      used,
      reserved: ledger.reserved + more.reserved,
      warned: ledger.warned || isFirstWarning,
      by: {
        ...ledger.by,
        [reviewer]: { used: own.used + more.used, reserved: own.reserved + more.reserved },
      },
    },
    events: [
      ...(isFirstWarning ? ['warning' as const] : []),
      ...(used > ledger.total ? ['exhausted' as const] : []),
    ],
  };
}

/** The codes of ledgers and branches as data: what each means and whether the same call may work later. */
export { foldCodes };

export type FoldCode = keyof typeof foldCodes;

export interface FoldPlace {
  readonly branchId?: string;
  readonly sessionId?: string;
}

/** `[FOLD004] maximum depth exceeded (branch_id=br_0a1b2c3d, session_id=s1)`; without a place, without the brackets. */
export function foldMessage(code: FoldCode, { branchId, sessionId }: FoldPlace = {}): string {
  const place = [
    branchId === undefined ? [] : [`branch_id=${branchId}`],
    sessionId === undefined ? [] : [`session_id=${sessionId}`],
  ].flat();
  return `[${code}] ${foldCodes[code].meaning}${place.length > 0 ? ` (${place.join(', ')})` : ''}`;
}
