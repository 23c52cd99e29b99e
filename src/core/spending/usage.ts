/** Token counts where nobody reports them, and what tokens cost. */
import type { Seat } from '../words/config.ts';
import type { Usage } from '../words/review.ts';

/** One call of a program that does not count: four characters to a token, marked as estimated. */
export function estimateUsage(seat: Seat, input: string, output: string): Usage {
  return withCost(seat, {
    calls: 1,
    inputTokens: Math.ceil(input.length / 4),
    outputTokens: Math.ceil(output.length / 4),
    cachedTokens: 0,
    cost: null,
    estimated: true,
  });
}

/** Fills in the cost from the price of the seat: US dollars for a million tokens, cached input at its own price when there is one. */
export function withCost({ price }: Seat, usage: Usage): Usage {
  if (!price) return usage;
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const millionths =
    (usage.inputTokens - cached) * price.input +
    cached * (price.cached ?? price.input) +
    usage.outputTokens * price.output;
  return { ...usage, cost: millionths / 1_000_000 };
}

/** With what it cost, where its provider does not say and the seat does. */
export function priced(usage: Usage, seat: Seat): Usage {
  return usage.cost === null ? withCost(seat, usage) : usage;
}
