/** What a run may still spend, over all its rounds. A call that would go over a limit is not made. */
import type { Spent, Usage } from '../core/words/review.ts';
import type { MonthCeiling } from './month-ceiling.ts';
import type { Limits } from '../core/context/budget.ts';

export interface Ceiling {
  /**
   * Makes room for one call of a prompt of this many characters that is expected to cost so many US dollars; says in one sentence why
   * there is none, else null. `ofMonth`: what its month is told to expect, by default the same; null: it is free.
   */
  reserve(promptLength: number, cost?: number, ofMonth?: number | null): string | null;
  /** As `reserve` with nothing expected but of its month; where that could be gone over, calls under way are waited for. */
  reserveInMonth(promptLength: number, ofMonth: number | null): Promise<string | null>;
  /** The same for whoever can wait: while calls under way may turn out to cost less than was expected of them, nothing is refused. */
  reserveInTime(promptLength: number, cost?: number): Promise<string | null>;
  /** Books what a call cost that has ended, in whatever way, in the place of what was expected of it. */
  settle(usage: Usage, promptLength: number, cost?: number, ofMonth?: MonthSettlement): void;
  /** Books so many calls that were made before this process began. */
  recall(calls: number, usage: Usage): void;
  spent(): Spent;
  /** Why a call was not made, in the words of `reserve`; null where every one was. */
  refusal(): string | null;
  /** The same for the month alone. */
  refusalOfMonth(): string | null;
}

interface Refusal {
  readonly why: string;
  readonly isOfMonth: boolean;
}

interface MonthSettlement {
  /** As it was reserved. */
  readonly expected: number | null;
  /** Nobody waited for its end: what it cost in truth is not known. */
  readonly isCutOff?: boolean;
}

/** Characters of a token when nobody has counted: a little less than prose has, so that the estimate is high. */
const charactersPerToken = 3.2;

/** How many times its forecast a call may cost while none has ended that would tell: reasoning is written and paid for, too. */
const dearestUnseen = 4;

/** `month`: counts with whatever else spends in it; null: nobody does. */
export function createCeiling(
  limits: Limits,
  before: Spent,
  month: MonthCeiling | null = null,
): Ceiling {
  const books: Books = { limits, spent: { ...before }, underWay: nothingUnderWay(), dearest: null };
  let refused: string | null = null;
  let refusedByMonth: string | null = null;
  const waiting: (() => void)[] = [];
  const attempt = (call: Expected, ofMonth: number | null): Refusal | null => {
    const own = refusalOf(books, call);
    if (own !== null) return { why: own, isOfMonth: false };
    const why = ofMonth === null ? null : (month?.begin(ofMonth) ?? null);
    if (why !== null) return { why, isOfMonth: true };
    begin(books, call);
    return null;
  };
  const note = (refusal: Refusal | null): string | null => {
    if (refusal === null) return null;
    refused = refusal.why;
    if (refusal.isOfMonth) refusedByMonth = refusal.why;
    return refusal.why;
  };
  const settled = (): Promise<void> => new Promise(resolve => waiting.push(resolve));
  /** Also where it is refused now: what is under way may turn out to have cost less than is booked for it. */
  const attemptInMonth = async (
    call: Expected,
    ofMonth: number | null,
  ): Promise<Refusal | null> => {
    for (;;) {
      const refusal = attempt(call, ofMonth);
      if (refusal?.isOfMonth !== true || books.underWay.calls === 0) return refusal;
      await settled();
    }
  };
  return {
    reserve: (promptLength, cost = 0, ofMonth = cost) =>
      note(attempt({ tokens: promptLength / charactersPerToken, cost }, ofMonth)),
    async reserveInTime(promptLength, cost = 0) {
      const call = { tokens: promptLength / charactersPerToken, cost };
      while (isRoomToCome(books, call)) await settled();
      return note(await attemptInMonth(call, cost));
    },
    reserveInMonth: async (promptLength, ofMonth) =>
      note(await attemptInMonth({ tokens: promptLength / charactersPerToken, cost: 0 }, ofMonth)),
    settle(usage, promptLength, cost = 0, { expected, isCutOff } = { expected: cost }) {
      if (expected !== null) month?.end(expected, usage, isCutOff);
      end(books, { tokens: promptLength / charactersPerToken, cost }, usage);
      for (const resume of waiting.splice(0)) resume();
    },
    recall(made, usage) {
      books.spent.calls += made;
      book(books.spent, usage);
    },
    spent: () => ({ ...books.spent }),
    refusal: () => refused,
    refusalOfMonth: () => refusedByMonth,
  };
}

type Figures = { -readonly [Key in keyof Spent]: Spent[Key] };

interface Books {
  readonly limits: Limits;
  /** A call counts from its reservation on. */
  readonly spent: Figures;
  /** What is expected of calls under way: side by side they must not pass what each alone would not. */
  underWay: Figures;
  /** Most that a call cost, as a multiple of its forecast and at least 1: so much is expected of all others. Null: none has ended. */
  dearest: number | null;
}

type Expected = Pick<Spent, 'tokens' | 'cost'>;

function nothingUnderWay(): Figures {
  return { calls: 0, tokens: 0, cost: 0 };
}

function refusalOf({ limits, spent, underWay, dearest }: Books, call: Expected): string | null {
  const { maxCalls, maxTokens, maxCost } = limits;
  if (maxCalls !== null && spent.calls + 1 > maxCalls)
    return `The ceiling of ${maxCalls} calls is reached.`;
  if (maxTokens !== null && spent.tokens + underWay.tokens + call.tokens > maxTokens)
    return `The call would go over the ceiling of ${maxTokens} tokens.`;
  if (maxCost === null) return null;
  if (spent.cost >= maxCost) return `The ceiling of $${maxCost} is reached.`;
  // The first call alone shows what calls cost.
  const factor = dearest ?? (underWay.calls > 0 ? dearestUnseen : 1);
  return spent.cost + factor * (underWay.cost + call.cost) > maxCost
    ? `The call could go over the ceiling of $${maxCost}.`
    : null;
}

/** There is no room now, and there would be if calls under way cost next to nothing. */
function isRoomToCome(books: Books, call: Expected): boolean {
  return (
    books.underWay.calls > 0 &&
    refusalOf(books, call) !== null &&
    refusalOf({ ...books, underWay: nothingUnderWay() }, call) === null
  );
}

function begin({ spent, underWay }: Books, { tokens, cost }: Expected): void {
  spent.calls += 1;
  underWay.calls += 1;
  underWay.tokens += tokens;
  underWay.cost += cost;
}

function end(books: Books, { tokens, cost }: Expected, usage: Usage): void {
  const { underWay, spent } = books;
  underWay.calls -= 1;
  underWay.tokens -= tokens;
  underWay.cost -= cost;
  // Sums of fractions do not come back to nothing by themselves.
  if (underWay.calls <= 0) books.underWay = nothingUnderWay();
  book(spent, usage);
  if (cost > 0 && usage.cost !== null)
    books.dearest = Math.max(books.dearest ?? 1, usage.cost / cost);
}

function book(spent: Figures, { inputTokens, outputTokens, cost }: Usage): void {
  spent.tokens += inputTokens + outputTokens;
  spent.cost += cost ?? 0;
}
