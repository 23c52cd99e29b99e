/** What collecting the reviews will take, told before the first member is asked. */
import type { Limits } from '../context/budget.ts';
import type { VotePlan } from '../printed/votes.ts';
import type { Price } from '../words/config.ts';
import { nothingSpent, type Spent } from '../words/review.ts';

export interface ForecastCall {
  readonly characters: number;
  /** Things asked about in it. */
  readonly items: number;
  /** Null when nobody configured one. */
  readonly price: Price | null;
}

export type Forecast = VotePlan['expected'];
type ForecastTime = VotePlan['time'];

/** Characters of a token when nobody has counted: a little less than prose has, so that the estimate is high. */
const charactersPerToken = 3.2;
const outputTokensPerItem = 220;

/** When every answer is whole at once. */
export function forecast(calls: readonly ForecastCall[]): Forecast {
  const priced = calls.filter(({ price }) => price !== null);
  return {
    calls: calls.length,
    reviews: sum(calls.map(({ items }) => items)),
    inputTokens: sum(calls.map(call => tokensOf(call).input)),
    outputTokens: sum(calls.map(call => tokensOf(call).output)),
    cost: priced.length === 0 ? null : sum(priced.map(expectedCost)),
    unpriced: calls.length - priced.length,
  };
}

function tokensOf({ characters, items }: ForecastCall) {
  return {
    input: Math.ceil(characters / charactersPerToken),
    output: items * outputTokensPerItem,
  };
}

/** US dollars of one call whose answer is whole; 0 when its price is not known. */
export function expectedCost(call: ForecastCall): number {
  const { input, output } = tokensOf(call);
  return call.price ? (input * call.price.input + output * call.price.output) / 1e6 : 0;
}

/** Where nobody has answered yet: seconds to the first token, and tokens a second. Slow for a hosted model, fast for one's own machine. */
const [assumedStart, assumedSpeed] = [2, 40];

/** How long the calls take, so many at a time. `seen`: seconds of calls like these that were answered before. */
export function forecastTime(
  { calls, outputTokens }: Forecast,
  lanes: number,
  seen: readonly number[],
): ForecastTime {
  const secondsPerCall =
    seen.length > 0
      ? sum(seen) / seen.length
      : assumedStart + (calls === 0 ? 0 : outputTokens / calls / assumedSpeed);
  return {
    seconds: Math.ceil(calls / lanes) * secondsPerCall,
    lanes,
    secondsPerCall,
    measured: seen.length,
  };
}

/** Up to three members on each of two sides and three between them, and a facilitator. */
const callsOfPanel = 10;

export function forecastPanels(motions: number): VotePlan['panels'] {
  return { most: motions, callsEach: callsOfPanel };
}

export interface ForecastContext {
  /** Reviews whose answers are in the journal; default: none. */
  readonly answered?: number;
  readonly time?: ForecastTime;
  /** What the run has spent before; default: nothing. */
  readonly spent?: Spent;
  /** What is asked about, in the plural; default: reviews. */
  readonly items?: string;
}

export function describeForecast(
  { calls, reviews, inputTokens, outputTokens, cost, unpriced }: Forecast,
  limits: Limits,
  { answered = 0, time, spent = nothingSpent, items = 'reviews' }: ForecastContext = {},
): string {
  const money =
    cost === null
      ? 'price unknown'
      : `about $${cost.toFixed(2)}${unpriced === 0 ? '' : ` and ${unpriced} calls of unknown price`}`;
  return [
    `Plan: ${reviews} ${items} in ${calls} calls, about ${inputTokens} tokens in and ${outputTokens} out, ${money}.`,
    ...(answered === 0 ? [] : [`${answered} ${items} are answered already.`]),
    `Ceiling: ${describeCeiling(limits)}.`,
    ...(!time || calls === 0 ? [] : [describeTime(time)]),
    ...(spent.calls === 0 ? [] : [`Spent so far: ${describeSpent(spent)}.`]),
  ].join(' ');
}

export function describePanels({ most, callsEach }: VotePlan['panels']): string {
  if (most === 0) return 'Panels: none, as nobody is asked about any motion.';
  return `Panels come on top: up to ${callsEach} calls for each contested motion, of which there are at most ${most}.`;
}

export function describeSecondPass({ reviews }: NonNullable<VotePlan['secondPass']>): string {
  return (
    `Plan of the second pass: motions that are accepted only with their amendments are put once more to those ` +
    `who amended or opposed them: at most ${reviews} reviews more, and a call for each amended text. --second-pass assume asks nobody.`
  );
}

function describeTime({ seconds, lanes, secondsPerCall, measured }: ForecastTime) {
  const basis =
    measured > 0 ? `as ${measured} calls before took` : `at ${assumedSpeed} tokens a second`;
  const each = `${measured > 0 ? '' : 'assumed: '}${secondsPerCall.toFixed(1)} s a call`;
  const all =
    seconds < 90
      ? `${Math.ceil(seconds)} s`
      : seconds < 5_400
        ? `${Math.ceil(seconds / 60)} minutes`
        : `${(seconds / 3_600).toFixed(1)} hours`;
  return `Time: about ${all}, ${lanes} at a time (${each}, ${basis}).`;
}

function describeSpent({ calls, tokens, cost }: Spent) {
  return `${calls} calls, ${tokens} tokens${cost > 0 ? `, $${cost.toFixed(2)}` : ''}`;
}

function describeCeiling({ maxCalls, maxTokens, maxCost }: Limits) {
  const parts = [
    maxCalls === null ? '' : `${maxCalls} calls`,
    maxTokens === null ? '' : `${maxTokens} tokens`,
    maxCost === null ? '' : `$${maxCost}`,
  ];
  return (
    parts.filter(part => part !== '').join(', ') ||
    'none (set --max-calls, --max-tokens or --max-cost)'
  );
}

function sum(numbers: readonly number[]) {
  return numbers.reduce((total, number) => total + number, 0);
}
