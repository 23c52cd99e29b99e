/**
 * The ledgers of a run, enforced: one account for all reviewers or one for each. A reviewer's calls and its tools spend from
 * the same account. What is reserved for calls under way counts for what still fits; only what was spent sets the mode. In
 * shared mode each reviewer is sure of its own budget, and may borrow what those who have finished left of theirs.
 */
import {
  type BudgetFile,
  type FoldCode,
  type ProgressiveMode,
  type ProgressiveSummarization,
  firstAnswer,
  isAtLeastShare,
  modeAt,
  sharedLedger,
} from '../../core/context/budget.ts';
import type { OnEvent } from '../../core/words/review.ts';

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
  settle(call: { readonly reserved: number; readonly cost: number }): void;
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

/**
 * `granted`: tokens that were promised to reviewers before the ledgers could be opened. Throws when a total is no budget:
 * configurations are checked before.
 */
export function openTokenLedgers(
  { mode, budgets }: Pick<BudgetFile, 'mode' | 'budgets'>,
  {
    granted,
    ...rules
  }: { thresholds: ProgressiveSummarization; onEvent: OnEvent } & {
    granted: ReadonlyMap<string, number>;
  },
) {
  const own = Object.entries(budgets);
  const all = own.reduce((sum, [, tokens]) => sum + tokens, 0);
  const shared =
    mode === 'shared' && own.length > 0
      ? openAccount(sharedLedger, all, budgets, rules.onEvent)
      : null;
  const accounts = new Map(
    own.map(([name, total]) => [name, shared ?? openAccount(name, total, {}, rules.onEvent)]),
  );
  const ledgers = new Map(
    [...accounts].map(([name, account]) => [name, ledgerOf(account, name, rules.thresholds)]),
  );
  for (const [reviewer, tokens] of granted) ledgers.get(reviewer)?.reserve(tokens);
  return {
    isolation: mode,
    /** Null: the reviewer spends no tokens. */
    ledgerFor: (reviewer: string) => ledgers.get(reviewer) ?? null,
    /** It takes nothing more: in shared mode the others may borrow what it left. */
    finish: (reviewer: string) => accounts.get(reviewer)?.finish(reviewer),
  };
}

/** For a reviewer whose calls nobody counts: its tools may tell no more than this. Throws when the total is no budget. */
export function openToolLedger(
  reviewer: string,
  total: number,
  thresholds: ProgressiveSummarization,
): ReviewerLedger {
  return ledgerOf(
    openAccount(reviewer, total, {}, () => {}),
    reviewer,
    thresholds,
  );
}

interface Holding {
  used: number;
  reserved: number;
}

const warningShare = 0.8;

/**
 * What a reviewer, or in shared mode the whole panel, may spend: `total` tokens. `shares`: tokens that a reviewer is sure of until it
 * has finished, together at most the total. What is spent may exceed it where a call cost more than was reserved for it.
 */
function openAccount(
  name: string,
  total: number,
  shares: Readonly<Record<string, number>>,
  onEvent: OnEvent,
) {
  const fault =
    total > Number.MAX_SAFE_INTEGER ? 'FOLD011' : total > 0 && isAmount(total) ? null : 'FOLD010';
  if (fault !== null) throw new Error(`No ledger of ${total} tokens: ${fault}.`);
  const holdings = new Map<string, Holding>();
  const finished = new Set<string>();
  const told = new Set<string>();
  const holdingOf = (reviewer: string) => holdings.get(reviewer) ?? { used: 0, reserved: 0 };
  const sumOf = (key: keyof Holding) =>
    [...holdings.values()].reduce((sum, holding) => sum + holding[key], 0);
  /** Each event is given once. */
  const tell = (type: 'warning' | 'exhausted', reviewer: string) => {
    if (!told.has(type)) onEvent({ type, ledger: name, reviewer, used: sumOf('used'), total });
    told.add(type);
  };
  /**
   * What the others have not taken and are not sure of, and never less than its own share, even where a call of somebody else turned
   * out dearer than what was set aside for it.
   */
  const entitledTo = (reviewer: string) => {
    const others = new Set([...Object.keys(shares), ...holdings.keys()]);
    others.delete(reviewer);
    let gone = 0;
    for (const other of others) {
      const { used, reserved } = holdingOf(other);
      gone += finished.has(other) ? used : Math.max(used + reserved, shares[other] ?? 0);
    }
    return Math.max(shares[reviewer] ?? 0, total - gone);
  };
  const remainingFor = (reviewer: string) => {
    const { used, reserved } = holdingOf(reviewer);
    return Math.max(0, entitledTo(reviewer) - used - reserved);
  };
  const book = (reviewer: string, more: Holding) => {
    const { used, reserved } = holdingOf(reviewer);
    holdings.set(reviewer, { used: used + more.used, reserved: reserved + more.reserved });
    const all = sumOf('used');
    if (isAtLeastShare(all, total, warningShare)) tell('warning', reviewer);
    if (all > total) tell('exhausted', reviewer);
  };
  /** An exact fit is allowed; what does not fit is refused whole. */
  const take = (reviewer: string, tokens: number, key: keyof Holding): 'ok' | FoldCode => {
    if (!isAmount(tokens)) return 'FOLD010';
    const all = sumOf('used') + sumOf('reserved') + tokens;
    // Before the look at the total, which is always smaller: otherwise nobody would learn of an overflow.
    if (all > Number.MAX_SAFE_INTEGER) return 'FOLD011';
    const remaining = remainingFor(reviewer);
    // Where more was spent than there is, not even nothing fits; but for whoever is sure of a share of its own.
    if (tokens > remaining || (remaining === 0 && all > total)) {
      tell('exhausted', reviewer);
      return 'FOLD008';
    }
    book(reviewer, { used: 0, reserved: 0, [key]: tokens });
    return 'ok';
  };
  return {
    finish: (reviewer: string) => void finished.add(reviewer),
    holdingOf,
    entitledTo,
    remainingFor,
    take,
    /** What a finished call really cost in place of what was reserved for it. */
    settle(reviewer: string, { used, reserved }: Holding) {
      if (Number.isSafeInteger(sumOf('used') + used)) book(reviewer, { used, reserved: -reserved });
    },
  };
}

function ledgerOf(
  { holdingOf, entitledTo, remainingFor, take, settle }: ReturnType<typeof openAccount>,
  reviewer: string,
  thresholds: ProgressiveSummarization,
): ReviewerLedger {
  let expected = 0;
  const answers = expectAnswers();
  const own = () => holdingOf(reviewer).used;
  const entitled = () => entitledTo(reviewer);
  const remaining = () => Math.max(0, remainingFor(reviewer) - expected);
  const room = () => Math.max(0, remaining() - answerRoom(entitled(), thresholds));
  const modeOf = (used: number) => modeAt({ total: entitled(), used }, thresholds);
  return {
    charge: tokens =>
      tokens > remaining() && tokens <= remainingFor(reviewer)
        ? 'FOLD008'
        : take(reviewer, tokens, 'used'),
    mode: () => modeOf(own()),
    liveMode: () => modeOf(entitled() - remaining()),
    remaining,
    expect: tokens => void (expected = tokens),
    reserve: tokens => take(reviewer, tokens, 'reserved') === 'ok',
    settle({ reserved, cost }) {
      // A resumed call may have found less to set aside than it was granted before.
      const held = Math.min(reserved, holdingOf(reviewer).reserved);
      answers.add(cost - held);
      settle(reviewer, { used: cost, reserved: held });
    },
    isPast: ({ prompt, output }) =>
      output >= answerRoom(entitled(), thresholds) &&
      modeOf(own() + prompt + output) === 'force_return',
    room,
    aim: mode =>
      mode === 'full'
        ? Math.max(
            0,
            Math.min(
              room(),
              Math.floor(entitled() * (thresholds.full_analysis_threshold + pastThreshold)) -
                own() -
                answers.next(entitled()),
            ),
          )
        : room(),
    standing: () => ({ total: entitled(), used: own(), own: own() }),
  };
}

function isAmount(tokens: number) {
  return Number.isInteger(tokens) && tokens >= 0;
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
) {
  return Math.ceil(total * (1 - threshold));
}
