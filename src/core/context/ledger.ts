/**
 * The tokens a reviewer, or in shared mode the whole panel, may still spend. Ledgers are values: booking returns the
 * next one with the events it gave rise to, or says why it could not be done and leaves everything as it was.
 */
import { type BudgetFile, isAtLeastShare } from './budget.ts';
import type { FoldCode } from './fold.ts';

export interface Ledger {
  /** Positive. */
  readonly total: number;
  /** May exceed the total when a finished call cost more than was reserved for it. */
  readonly used: number;
  /** Has the one warning been given? */
  readonly warned: boolean;
  /** What each reviewer used of it. */
  readonly usedBy: Readonly<Record<string, number>>;
}

export type LedgerEvent = 'warning' | 'exhausted';

export type Booking =
  | { readonly ok: true; readonly ledger: Ledger; readonly events: readonly LedgerEvent[] }
  | { readonly ok: false; readonly code: FoldCode; readonly events: readonly LedgerEvent[] };

const warningShare = 0.8;

export function openLedger(total: number): Booking {
  if (!(total > 0) || !Number.isInteger(total)) return refuse('FOLD010');
  return total > Number.MAX_SAFE_INTEGER ? refuse('FOLD011') : { ok: true, ledger: { total, used: 0, warned: false, usedBy: {} }, events: [] };
}

/** Takes `tokens` out for `reviewer`. An exact fit is allowed; what does not fit is refused whole. */
export function consume(ledger: Ledger, reviewer: string, tokens: number): Booking {
  if (!isAmount(tokens)) return refuse('FOLD010');
  // Before the look at the total, which is always smaller: otherwise nobody would learn of an overflow.
  if (ledger.used + tokens > Number.MAX_SAFE_INTEGER) return refuse('FOLD011');
  if (ledger.used + tokens > ledger.total) return refuse('FOLD008', ['exhausted']);
  return book(ledger, reviewer, tokens);
}

export interface Settlement {
  /** Tokens that were consumed before the call. */
  readonly reserved: number;
  /** Tokens the call turned out to cost. */
  readonly cost: number;
}

/** Puts what a finished call really cost in the place of what was reserved for it, in full: the money is spent. */
export function settle(ledger: Ledger, reviewer: string, { reserved, cost }: Settlement): Booking {
  if (!isAmount(reserved) || !isAmount(cost) || reserved > (ledger.usedBy[reviewer] ?? 0)) return refuse('FOLD010');
  if (ledger.used - reserved + cost > Number.MAX_SAFE_INTEGER) return refuse('FOLD011');
  return book(ledger, reviewer, cost - reserved);
}

export function remainingOf({ total, used }: Ledger): number {
  return Math.max(0, total - used);
}

export function isExhausted({ total, used }: Ledger): boolean {
  return used >= total;
}

/** Ledgers by name: one under `sharedLedger`, or one for each reviewer. */
export interface Ledgers {
  readonly mode: BudgetFile['mode'];
  readonly byName: ReadonlyMap<string, Ledger>;
}

export const sharedLedger = '(run)';

/** Shared: one ledger whose total is the sum of all budgets. Branch: one for each reviewer. Refused when a total is no budget. */
export function openLedgers({ mode, budgets }: Pick<BudgetFile, 'mode' | 'budgets'>): { readonly ok: true; readonly ledgers: Ledgers } | { readonly ok: false; readonly code: FoldCode } {
  const totals: readonly (readonly [string, number])[] = mode === 'branch' ? Object.entries(budgets) : [[sharedLedger, Object.values(budgets).reduce((sum, budget) => sum + budget, 0)]];
  const byName = new Map<string, Ledger>();
  for (const [name, total] of totals) {
    const opened = openLedger(total);
    if (!opened.ok) return { ok: false, code: opened.code };
    byName.set(name, opened.ledger);
  }
  return { ok: true, ledgers: { mode, byName } };
}

/** The ledger that `reviewer` spends from. */
export function ledgerOf({ mode, byName }: Ledgers, reviewer: string): { readonly ok: true; readonly name: string; readonly ledger: Ledger } | { readonly ok: false; readonly code: FoldCode } {
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

function book(ledger: Ledger, reviewer: string, tokens: number): Booking {
  const used = ledger.used + tokens;
  const isFirstWarning = !ledger.warned && isAtLeastShare(used, ledger.total, warningShare);
  return {
    ok: true,
    ledger: { ...ledger, used, warned: ledger.warned || isFirstWarning, usedBy: { ...ledger.usedBy, [reviewer]: (ledger.usedBy[reviewer] ?? 0) + tokens } },
    events: [...(isFirstWarning ? ['warning' as const] : []), ...(used > ledger.total ? ['exhausted' as const] : [])],
  };
}
