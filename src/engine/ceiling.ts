/** What a run may still spend, over all its rounds. A call that would go over a limit is not made. */
import type { Spent, Usage } from '../core/words/review.ts';

export interface Limits {
  readonly maxCalls: number | null;
  readonly maxTokens: number | null;
  /** US dollars; only calls whose price is known count. */
  readonly maxCost: number | null;
}

export interface Ceiling {
  /** Makes room for one call of a prompt of this many characters; says in one sentence why there is none, else null. */
  reserve(promptLength: number): string | null;
  /** Books what a finished call cost, in the place of what was expected of a prompt of so many characters. */
  settle(usage: Usage, promptLength: number): void;
  /** Books so many calls that were made before this process began. */
  recall(calls: number, usage: Usage): void;
  spent(): Spent;
  /** Why a call was not made, in the words of `reserve`; null where every one was. */
  refusal(): string | null;
}

/** Characters of a token when nobody has counted: a little less than prose has, so that the estimate is high. */
const charactersPerToken = 3.2;

export function createCeiling(limits: Limits, before: Spent): Ceiling {
  let { calls, tokens, cost } = before;
  let refused: string | null = null;
  /** Of prompts under way: side by side they must not pass what each alone would not. */
  let expected = 0;
  const book = (usage: Usage): void => {
    tokens += usage.inputTokens + usage.outputTokens;
    cost += usage.cost ?? 0;
  };
  const refusalOf = (promptLength: number): string | null => {
    if (limits.maxCalls !== null && calls + 1 > limits.maxCalls)
      return `The ceiling of ${limits.maxCalls} calls is reached.`;
    if (
      limits.maxTokens !== null &&
      tokens + expected + promptLength / charactersPerToken > limits.maxTokens
    )
      return `The call would go over the ceiling of ${limits.maxTokens} tokens.`;
    if (limits.maxCost !== null && cost >= limits.maxCost)
      return `The ceiling of $${limits.maxCost} is reached.`;
    return null;
  };
  return {
    reserve(promptLength) {
      const why = refusalOf(promptLength);
      if (why !== null) refused = why;
      else {
        calls += 1;
        expected += promptLength / charactersPerToken;
      }
      return why;
    },
    settle(usage, promptLength) {
      expected = Math.max(0, expected - promptLength / charactersPerToken);
      book(usage);
    },
    recall(made, usage) {
      calls += made;
      book(usage);
    },
    spent: () => ({ calls, tokens, cost }),
    refusal: () => refused,
  };
}
