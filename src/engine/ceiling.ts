/** The `Ceiling` port over the books of this process, and the month that it shares with others. */
import type { Limits } from '../core/context/budget.ts';
import type { Ceiling, ExpectedCall, Refusal } from '../core/ports/limits.ts';
import type { Spent, Usage } from '../core/words/review.ts';
import type { MonthCeiling } from './month-ceiling.ts';

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
  const refusals: { last: string | null; ofMonth: string | null } = { last: null, ofMonth: null };
  const waiting: (() => void)[] = [];
  const attempt = (call: Expected, ofMonth: number | null): Refusal | null => {
    const own = refusalOf(books, call);
    if (own !== null) return { why: own, isOfMonth: false };
    const why = ofMonth === null ? null : (month?.begin(ofMonth) ?? null);
    if (why !== null) return { why, isOfMonth: true };
    begin(books, call);
    return null;
  };
  return {
    async take({ characters, cost, ofMonth = cost }: ExpectedCall) {
      const call = { tokens: characters / charactersPerToken, cost };
      for (;;) {
        const refusal = attempt(call, ofMonth);
        if (refusal === null) break;
        // Were what is under way for nothing, would there be room?
        const mayCome =
          books.underWay.calls > 0 &&
          (refusal.isOfMonth ||
            refusalOf({ ...books, underWay: nothingUnderWay() }, call) === null);
        if (!mayCome) {
          refusals.last = refusal.why;
          if (refusal.isOfMonth) refusals.ofMonth = refusal.why;
          return refusal;
        }
        await new Promise<void>(resolve => waiting.push(resolve));
      }
      return {
        give(usage, isCutOff = false) {
          if (ofMonth !== null) month?.end(ofMonth, usage, isCutOff);
          end(books, call, usage);
          for (const resume of waiting.splice(0)) resume();
          return Promise.resolve();
        },
      };
    },
    book(made, usage) {
      books.spent.calls += made;
      book(books.spent, usage);
      return Promise.resolve();
    },
    spent: () => Promise.resolve({ ...books.spent }),
    refusals: () => Promise.resolve({ ...refusals }),
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
