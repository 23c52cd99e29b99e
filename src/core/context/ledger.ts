/**
 * The tokens a reviewer, or in shared mode the whole panel, may still spend. Ledgers are values: every booking returns the
 * next one with the events it gave rise to, or says why it could not be done and leaves everything as it was.
 */
import { type BudgetFile, isAtLeastShare } from './budget.ts';
import type { FoldCode } from './fold.ts';

export interface Ledger {
  /** Positive. */
  readonly total: number;
  /** Spent. May exceed the total when a finished call cost more than was reserved for it. */
  readonly used: number;
  /** Set aside for calls under way: not spent, and not to be had by anybody else. */
  readonly reserved: number;
  /** What each reviewer used and holds of it; their sums are the two figures above. */
  readonly by: Readonly<Record<string, Holding>>;
  /** Has the one warning been given? */
  readonly warned: boolean;
}

export interface Holding {
  readonly used: number;
  readonly reserved: number;
}

export type LedgerEvent = 'warning' | 'exhausted';

export type Booking =
  | { readonly ok: true; readonly ledger: Ledger; readonly events: readonly LedgerEvent[] }
  | { readonly ok: false; readonly code: FoldCode; readonly events: readonly LedgerEvent[] };

const warningShare = 0.8;

export function openLedger(total: number): Booking {
  if (!(total > 0) || !Number.isInteger(total)) return refuse('FOLD010');
  return total > Number.MAX_SAFE_INTEGER
    ? refuse('FOLD011')
    : { ok: true, ledger: { total, used: 0, reserved: 0, by: {}, warned: false }, events: [] };
}

/** Sets `tokens` aside for a call of `reviewer`. An exact fit is allowed; what does not fit is refused whole. */
export function reserve(ledger: Ledger, reviewer: string, tokens: number): Booking {
  return whyRefused(ledger, tokens) ?? book(ledger, reviewer, { used: 0, reserved: tokens });
}

/** Takes `tokens` out for `reviewer` at once, under the same conditions. */
export function consume(ledger: Ledger, reviewer: string, tokens: number): Booking {
  return whyRefused(ledger, tokens) ?? book(ledger, reviewer, { used: tokens, reserved: 0 });
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

/** Gives back what was set aside for a call that is not made. */
export function release(ledger: Ledger, reviewer: string, tokens: number): Booking {
  return settle(ledger, reviewer, { reserved: tokens, cost: 0 });
}

/** Tokens that are neither spent nor set aside. */
export function remainingOf({
  total,
  used,
  reserved,
}: Pick<Ledger, 'total' | 'used' | 'reserved'>): number {
  return Math.max(0, total - used - reserved);
}

export function holdingOf({ by }: Pick<Ledger, 'by'>, reviewer: string): Holding {
  return by[reviewer] ?? { used: 0, reserved: 0 };
}

/** Ledgers by name: one under `sharedLedger`, or one for each reviewer. */
export interface Ledgers {
  readonly mode: BudgetFile['mode'];
  readonly byName: ReadonlyMap<string, Ledger>;
}

export const sharedLedger = '(run)';

/** Shared: one ledger whose total is the sum of all budgets. Branch: one for each reviewer. Refused when a total is no budget. */
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
    const opened = openLedger(total);
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

function whyRefused(ledger: Ledger, tokens: number): Booking | null {
  if (!isAmount(tokens)) return refuse('FOLD010');
  const taken = ledger.used + ledger.reserved + tokens;
  // Before the look at the total, which is always smaller: otherwise nobody would learn of an overflow.
  if (taken > Number.MAX_SAFE_INTEGER) return refuse('FOLD011');
  return taken > ledger.total ? refuse('FOLD008', ['exhausted']) : null;
}

function book(ledger: Ledger, reviewer: string, more: Holding): Booking {
  const own = holdingOf(ledger, reviewer);
  const used = ledger.used + more.used;
  const isFirstWarning = !ledger.warned && isAtLeastShare(used, ledger.total, warningShare);
  return {
    ok: true,
    ledger: {
      total: ledger.total,
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
