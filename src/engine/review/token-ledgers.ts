/**
 * The ledgers of a run, enforced: one account for all reviewers or one for each. A reviewer's calls and its tools spend from
 * the same account. What is reserved for calls under way counts for what still fits; only what was spent sets the mode.
 */
import {
  type Booking,
  type BudgetFile,
  consume,
  type FoldCode,
  holdingOf,
  type Ledger,
  type LedgerEvent,
  ledgerOf,
  openLedger,
  openLedgers,
  remainingOf,
  reserve,
  settle,
  type Settlement,
} from '../../core/context/budget.ts';
import {
  modeAt,
  type ProgressiveMode,
  type ProgressiveSummarization,
} from '../../core/context/progressive-mode.ts';
import type { OnEvent } from '../../core/words/events.ts';

/** What one reviewer may still spend. In shared mode all of them look at the same tokens. */
export interface ReviewerLedger {
  /** Takes tokens out at once, for the result of a tool; what does not fit is refused whole. */
  charge(tokens: number): 'ok' | FoldCode;
  /** By what was spent so far. */
  mode(): ProgressiveMode;
  /** As its tools see it while a call goes on: what is set aside or expected is as good as spent. */
  liveMode(): ProgressiveMode;
  /** Tokens that are neither spent nor reserved nor expected. */
  remaining(): number;
  /** Tokens that the call under way has cost by now beyond what was set aside for it and charged. */
  expect(tokens: number): void;
  /** Sets tokens aside for a call; false when they do not fit. */
  reserve(tokens: number): boolean;
  /** Books what a finished call really cost in place of what was reserved for it: in full, the money is spent. */
  settle(call: Settlement): void;
  /**
   * Is a call that has cost so much by now to be stopped? In shared mode only if it is past its own share too. The last
   * tokens of the ledger are for the answer: a call that has said less than these is not stopped over a long prompt.
   */
  isPast(live: { readonly prompt: number; readonly output: number }): boolean;
  /** Tokens a further question may take, with room for its answer. */
  room(): number;
  /** `own`: of what was used, by this reviewer. */
  standing(): { readonly total: number; readonly used: number; readonly own: number };
}

export interface TokenLedgers {
  readonly isolation: BudgetFile['mode'];
  /** Null: the reviewer spends no tokens. */
  ledgerFor(reviewer: string): ReviewerLedger | null;
}

interface AccountRules {
  readonly thresholds: ProgressiveSummarization;
  readonly onEvent: OnEvent;
}

/** `granted`: tokens that were promised to reviewers before the ledgers could be opened. Throws when a total is no budget: configurations are checked before. */
export function openTokenLedgers(
  budget: BudgetFile,
  { granted, ...rules }: AccountRules & { readonly granted: ReadonlyMap<string, number> },
): TokenLedgers {
  const reviewers = Object.keys(budget.budgets);
  if (reviewers.length === 0) return { isolation: budget.mode, ledgerFor: () => null };
  const opened = openLedgers(budget);
  if (!opened.ok) throw new Error(`The ledgers cannot be opened: ${opened.code}.`);
  const accounts = new Map(
    [...opened.ledgers.byName].map(([name, ledger]) => [name, openAccount(name, ledger, rules)]),
  );
  const ledgers = new Map(
    reviewers.map(reviewer => {
      const found = ledgerOf(opened.ledgers, reviewer);
      return [
        reviewer,
        (found.ok ? accounts.get(found.name) : undefined)?.(
          reviewer,
          budget.budgets[reviewer] ?? 0,
        ) ?? null,
      ];
    }),
  );
  for (const [reviewer, tokens] of granted) ledgers.get(reviewer)?.reserve(tokens);
  return { isolation: budget.mode, ledgerFor: reviewer => ledgers.get(reviewer) ?? null };
}

/** For a reviewer whose calls nobody counts: its tools may tell no more than this. Throws when the total is no budget. */
export function openToolLedger(
  reviewer: string,
  total: number,
  thresholds: ProgressiveSummarization,
): ReviewerLedger {
  const opened = openLedger(total);
  if (!opened.ok) throw new Error(`No ledger of ${total} tokens: ${opened.code}.`);
  return openAccount(reviewer, opened.ledger, { thresholds, onEvent: () => {} })(reviewer, total);
}

/** `share`: the reviewer's own budget, in shared mode a part of the total. */
type Account = (reviewer: string, share: number) => ReviewerLedger;

/** The one place where a ledger changes. */
function openAccount(name: string, opened: Ledger, { thresholds, onEvent }: AccountRules): Account {
  let ledger = opened;
  /** Each event is given once. */
  const told = new Set<LedgerEvent>();
  const book = (reviewer: string, booking: Booking): 'ok' | FoldCode => {
    if (booking.ok) ({ ledger } = booking);
    for (const type of booking.events) {
      if (told.has(type)) continue;
      told.add(type);
      onEvent({ type, ledger: name, reviewer, used: ledger.used, total: ledger.total });
    }
    return booking.ok ? 'ok' : booking.code;
  };
  const isForced = (used: number, total: number): boolean =>
    modeAt({ used, total }, thresholds) === 'force_return';
  return (reviewer, share) => {
    let expected = 0;
    const own = (): number => holdingOf(ledger, reviewer).used;
    const remaining = (): number => Math.max(0, remainingOf(ledger) - expected);
    return {
      charge: tokens =>
        tokens > remaining() && tokens <= remainingOf(ledger)
          ? 'FOLD008'
          : book(reviewer, consume(ledger, reviewer, tokens)),
      mode: () => modeAt(ledger, thresholds),
      liveMode: () => modeAt({ total: ledger.total, used: ledger.total - remaining() }, thresholds),
      remaining,
      expect: tokens => void (expected = tokens),
      reserve: tokens => book(reviewer, reserve(ledger, reviewer, tokens)) === 'ok',
      // A resumed call may have found less to set aside than it was granted before.
      settle({ reserved, cost }) {
        const held = Math.min(reserved, holdingOf(ledger, reviewer).reserved);
        book(reviewer, settle(ledger, reviewer, { reserved: held, cost }));
      },
      isPast({ prompt, output }) {
        const live = prompt + output;
        return (
          output >= answerRoom(share, thresholds) &&
          isForced(ledger.used + live, ledger.total) &&
          isForced(own() + live, share)
        );
      },
      room: () => Math.max(0, remaining() - answerRoom(ledger.total, thresholds)),
      standing: () => ({ total: ledger.total, used: ledger.used, own: own() }),
    };
  };
}

function answerRoom(
  total: number,
  { high_severity_threshold: threshold }: ProgressiveSummarization,
): number {
  return Math.ceil(total * (1 - threshold));
}
