/**
 * The ledgers of a run, enforced: one account for all reviewers or one for each. A reviewer's calls and its tools spend from
 * the same account. What is reserved for calls under way counts for what still fits; only what was spent sets the mode. In
 * shared mode each reviewer is sure of its own budget, and may borrow what those who have finished left of theirs.
 */
import {
  type Booking,
  type BudgetFile,
  consume,
  entitledTo,
  finish,
  firstAnswer,
  type FoldCode,
  holdingOf,
  type Ledger,
  type LedgerEvent,
  ledgerOf,
  openLedger,
  openLedgers,
  remainingFor,
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

/** What one reviewer may still spend: all it is entitled to is its ledger, in shared mode its own budget and what it may borrow. */
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
   * Is a call that has cost so much by now to be stopped? The last tokens of the ledger are for the answer: a call that
   * has said less than these is not stopped over a long prompt.
   */
  isPast(live: { readonly prompt: number; readonly output: number }): boolean;
  /** Tokens a further question may take, with room for its answer. */
  room(): number;
  /** Tokens a further question may take so that it and its answer end where the mode changes; never more than `room`. */
  aim(mode: ProgressiveMode): number;
  /** `total`: what it is entitled to. `own` is the same as `used`. */
  standing(): { readonly total: number; readonly used: number; readonly own: number };
}

interface AccountRules {
  readonly thresholds: ProgressiveSummarization;
  readonly onEvent: OnEvent;
}

/**
 * `granted`: tokens that were promised to reviewers before the ledgers could be opened. Throws when a total is no budget:
 * configurations are checked before.
 */
export function openTokenLedgers(
  budget: Pick<BudgetFile, 'mode' | 'budgets'>,
  { granted, ...rules }: AccountRules & { readonly granted: ReadonlyMap<string, number> },
) {
  const reviewers = Object.keys(budget.budgets);
  if (reviewers.length === 0)
    return { isolation: budget.mode, ledgerFor: () => null, finish: () => undefined };
  const opened = openLedgers(budget);
  if (!opened.ok) throw new Error(`The ledgers cannot be opened: ${opened.code}.`);
  const accounts = new Map(
    [...opened.ledgers.byName].map(([name, ledger]) => [name, openAccount(name, ledger, rules)]),
  );
  const accountOf = (reviewer: string) => {
    const found = ledgerOf(opened.ledgers, reviewer);
    return (found.ok ? accounts.get(found.name) : undefined) ?? null;
  };
  const ledgers = new Map(
    reviewers.map(reviewer => [reviewer, accountOf(reviewer)?.openFor(reviewer) ?? null]),
  );
  for (const [reviewer, tokens] of granted) ledgers.get(reviewer)?.reserve(tokens);
  return {
    isolation: budget.mode,
    /** Null: the reviewer spends no tokens. */
    ledgerFor: (reviewer: string) => ledgers.get(reviewer) ?? null,
    /** It takes nothing more: in shared mode the others may borrow what it left. */
    finish: (reviewer: string) => accountOf(reviewer)?.finish(reviewer),
  };
}

/** For a reviewer whose calls nobody counts: its tools may tell no more than this. Throws when the total is no budget. */
export function openToolLedger(
  reviewer: string,
  total: number,
  thresholds: ProgressiveSummarization,
): ReviewerLedger {
  const opened = openLedger(total);
  if (!opened.ok) throw new Error(`No ledger of ${total} tokens: ${opened.code}.`);
  return openAccount(reviewer, opened.ledger, { thresholds, onEvent: () => {} }).openFor(reviewer);
}

/** The one place where a ledger changes. */
function openAccount(name: string, opened: Ledger, { thresholds, onEvent }: AccountRules) {
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
  return {
    finish: (reviewer: string) => void (ledger = finish(ledger, reviewer)),
    openFor(reviewer: string): ReviewerLedger {
      let expected = 0;
      const answers = expectAnswers();
      const own = (): number => holdingOf(ledger, reviewer).used;
      const total = (): number => entitledTo(ledger, reviewer);
      const remaining = (): number => Math.max(0, remainingFor(ledger, reviewer) - expected);
      const room = (): number => Math.max(0, remaining() - answerRoom(total(), thresholds));
      return {
        charge: tokens =>
          tokens > remaining() && tokens <= remainingFor(ledger, reviewer)
            ? 'FOLD008'
            : book(reviewer, consume(ledger, reviewer, tokens)),
        mode: () => modeAt({ total: total(), used: own() }, thresholds),
        liveMode: () => modeAt({ total: total(), used: total() - remaining() }, thresholds),
        remaining,
        expect: tokens => void (expected = tokens),
        reserve: tokens => book(reviewer, reserve(ledger, reviewer, tokens)) === 'ok',
        // A resumed call may have found less to set aside than it was granted before.
        settle({ reserved, cost }) {
          const held = Math.min(reserved, holdingOf(ledger, reviewer).reserved);
          answers.add(cost - held);
          book(reviewer, settle(ledger, reviewer, { reserved: held, cost }));
        },
        isPast: ({ prompt, output }) =>
          output >= answerRoom(total(), thresholds) &&
          modeAt({ total: total(), used: own() + prompt + output }, thresholds) === 'force_return',
        room,
        aim: mode =>
          mode === 'full'
            ? Math.max(
                0,
                Math.min(
                  room(),
                  Math.floor(total() * (thresholds.full_analysis_threshold + pastThreshold)) -
                    own() -
                    answers.next(total()),
                ),
              )
            : room(),
        standing: () => ({ total: total(), used: own(), own: own() }),
      };
    },
  };
}

/** Just past the threshold, so that the next question is one of the next mode; less than the 2 % within which it is to be met. */
const pastThreshold = 0.015;

/**
 * What the next answer will cost, by those before it; of the first little is known, and a step that ends short of its threshold
 * is worse than one that goes beyond.
 */
function expectAnswers() {
  const costs: number[] = [];
  return {
    add: (tokens: number) => void costs.push(Math.max(0, tokens)),
    next: (total: number) =>
      costs.length === 0
        ? Math.floor(firstAnswer(total) / 2)
        : Math.round(costs.reduce((sum, cost) => sum + cost, 0) / costs.length),
  };
}

function answerRoom(
  total: number,
  { high_severity_threshold: threshold }: ProgressiveSummarization,
): number {
  return Math.ceil(total * (1 - threshold));
}
