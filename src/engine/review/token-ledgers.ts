/**
 * The ledgers of a run, enforced: one for all reviewers or one for each. What is reserved for calls that are under way
 * counts for what still fits; only what was really spent sets the mode.
 */
import type { BudgetFile } from '../../core/context/budget.ts';
import type { FoldCode } from '../../core/context/fold.ts';
import { consume, ledgerOf, openLedgers, remainingOf, settle, type Booking, type Ledger, type LedgerEvent } from '../../core/context/ledger.ts';
import { modeAt, type ProgressiveMode, type ProgressiveSummarization } from '../../core/context/progressive-mode.ts';
import type { OnEvent } from '../../core/events.ts';

/** What one reviewer may still spend. In shared mode all of them look at the same tokens. */
export interface ReviewerLedger {
  /** Takes tokens out at once, for the result of a tool; what does not fit is refused whole. */
  charge(tokens: number): 'ok' | FoldCode;
  /** By what was spent so far. */
  mode(): ProgressiveMode;
  /** Tokens that are neither spent nor reserved. */
  remaining(): number;
  /** Sets tokens aside for a call; false when they do not fit. */
  reserve(tokens: number): boolean;
  /** Books what a finished call really cost in place of what was reserved for it: in full, the money is spent. */
  settle(call: { readonly reserved: number; readonly cost: number }): void;
  /**
   * Is a call that has cost so much by now to be stopped? In shared mode only if it is past its own share too. The last
   * tokens of the ledger are for the answer: a call that has said less than these is not stopped over a long prompt.
   */
  isPast(live: { readonly prompt: number; readonly output: number }): boolean;
  /** Tokens a further question may take, with room for its answer. */
  room(): number;
  standing(): LedgerStanding;
}

export interface LedgerStanding {
  readonly total: number;
  readonly used: number;
  /** Of that, by this reviewer. */
  readonly own: number;
}

export interface TokenLedgers {
  readonly isolation: BudgetFile['mode'];
  /** Null: the reviewer spends no tokens. */
  ledgerFor(reviewer: string): ReviewerLedger | null;
}

interface Account {
  readonly name: string;
  ledger: Ledger;
  reserved: number;
  /** Events that were given: each is given once. */
  readonly told: Set<LedgerEvent>;
}

/** `granted`: tokens that were promised to reviewers before the ledgers could be opened. Throws when a total is no budget: configurations are checked before. */
export function openTokenLedgers(budget: BudgetFile, { thresholds, granted, onEvent }: { readonly thresholds: ProgressiveSummarization; readonly granted: ReadonlyMap<string, number>; readonly onEvent: OnEvent }): TokenLedgers {
  const reviewers = Object.keys(budget.budgets);
  const opened = reviewers.length === 0 ? null : openLedgers(budget);
  if (opened !== null && !opened.ok) throw new Error(`The ledgers cannot be opened: ${opened.code}.`);
  const accounts = new Map<string, Account>();
  if (opened !== null) for (const [name, ledger] of opened.ledgers.byName) accounts.set(name, { name, ledger, reserved: 0, told: new Set() });
  const accountOf = (reviewer: string): Account | null => {
    const found = opened === null || !reviewers.includes(reviewer) ? null : ledgerOf(opened.ledgers, reviewer);
    return found?.ok ? (accounts.get(found.name) ?? null) : null;
  };
  for (const [reviewer, tokens] of granted) {
    const account = accountOf(reviewer);
    if (account !== null) account.reserved += tokens;
  }
  return {
    isolation: budget.mode,
    ledgerFor: reviewer => {
      const account = accountOf(reviewer);
      return account === null ? null : openReviewerLedger(account, { reviewer, share: budget.budgets[reviewer] ?? 0, thresholds, onEvent });
    },
  };
}

interface Holder {
  readonly reviewer: string;
  /** Its own budget, in shared mode a part of the total. */
  readonly share: number;
  readonly thresholds: ProgressiveSummarization;
  readonly onEvent: OnEvent;
}

function openReviewerLedger(account: Account, { reviewer, share, thresholds, onEvent }: Holder): ReviewerLedger {
  const own = (): number => account.ledger.usedBy[reviewer] ?? 0;
  const book = (booking: Booking): 'ok' | FoldCode => {
    if (booking.ok) account.ledger = booking.ledger;
    for (const event of booking.events) tell(event);
    return booking.ok ? 'ok' : booking.code;
  };
  const tell = (type: LedgerEvent): void => {
    if (account.told.has(type)) return;
    account.told.add(type);
    onEvent({ type, ledger: account.name, reviewer, used: account.ledger.used, total: account.ledger.total });
  };
  const remaining = (): number => Math.max(0, remainingOf(account.ledger) - account.reserved);
  const isForced = (used: number, total: number): boolean => modeAt({ used, total }, thresholds) === 'force_return';
  return {
    charge: tokens => (tokens > remaining() && Number.isInteger(tokens) ? refuseExhausted(tell) : book(consume(account.ledger, reviewer, tokens))),
    mode: () => modeAt(account.ledger, thresholds),
    remaining,
    reserve(tokens) {
      if (tokens > remaining()) {
        tell('exhausted');
        return false;
      }
      account.reserved += tokens;
      return true;
    },
    settle({ reserved, cost }) {
      account.reserved = Math.max(0, account.reserved - reserved);
      book(settle(account.ledger, reviewer, { reserved: 0, cost }));
    },
    isPast: ({ prompt, output }) => output >= answerRoom(share, thresholds) && isForced(account.ledger.used + prompt + output, account.ledger.total) && isForced(own() + prompt + output, share),
    room: () => Math.max(0, remaining() - answerRoom(account.ledger.total, thresholds)),
    standing: () => ({ total: account.ledger.total, used: account.ledger.used, own: own() }),
  };
}

function answerRoom(total: number, { high_severity_threshold: threshold }: ProgressiveSummarization): number {
  return Math.ceil(total * (1 - threshold));
}

function refuseExhausted(tell: (type: LedgerEvent) => void): FoldCode {
  tell('exhausted');
  return 'FOLD008';
}
