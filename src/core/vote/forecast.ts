/** What collecting the reviews will take, told before the first member is asked. */
import type { Price } from '../words/config.ts';

export interface ForecastCall {
  readonly characters: number;
  /** Things asked about in it. */
  readonly items: number;
  /** Null when nobody configured one. */
  readonly price: Price | null;
}

export interface Forecast {
  readonly calls: number;
  readonly reviews: number;
  /** Estimated, a little high. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars for the calls with a known price; null when none has one. */
  readonly cost: number | null;
  /** Calls without a known price. */
  readonly unpriced: number;
}

/** Characters of a token when nobody has counted: a little less than prose has, so that the estimate is high. */
const charactersPerToken = 3.2;
const outputTokensPerItem = 220;

/** When every answer is whole at once. */
export function forecast(calls: readonly ForecastCall[]): Forecast {
  const priced = calls.filter(({ price }) => price !== null);
  return {
    calls: calls.length,
    reviews: sum(calls.map(({ items }) => items)),
    inputTokens: sum(calls.map(tokensIn)),
    outputTokens: sum(calls.map(tokensOut)),
    cost:
      priced.length === 0
        ? null
        : sum(
            priced.map(
              call =>
                (tokensIn(call) * (call.price?.input ?? 0) +
                  tokensOut(call) * (call.price?.output ?? 0)) /
                1e6,
            ),
          ),
    unpriced: calls.length - priced.length,
  };
}

export interface CeilingLimits {
  readonly maxCalls: number | null;
  readonly maxTokens: number | null;
  readonly maxCost: number | null;
}

export function describeForecast(
  { calls, reviews, inputTokens, outputTokens, cost, unpriced }: Forecast,
  limits: CeilingLimits,
  items = 'reviews',
): string {
  const money =
    cost === null
      ? 'price unknown'
      : `about $${cost.toFixed(2)}${unpriced === 0 ? '' : ` and ${unpriced} calls of unknown price`}`;
  return `Plan: ${reviews} ${items} in ${calls} calls, about ${inputTokens} tokens in and ${outputTokens} out, ${money}. Ceiling: ${describeCeiling(limits)}.`;
}

function describeCeiling({ maxCalls, maxTokens, maxCost }: CeilingLimits): string {
  const parts = [
    ...(maxCalls === null ? [] : [`${maxCalls} calls`]),
    ...(maxTokens === null ? [] : [`${maxTokens} tokens`]),
    ...(maxCost === null ? [] : [`$${maxCost}`]),
  ];
  return parts.length === 0
    ? 'none (set --max-calls, --max-tokens or --max-cost)'
    : parts.join(', ');
}

function tokensIn({ characters }: ForecastCall): number {
  return Math.ceil(characters / charactersPerToken);
}

function tokensOut({ items }: ForecastCall): number {
  return items * outputTokensPerItem;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
