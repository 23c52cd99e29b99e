/** What collecting the reviews will take, told before the first member is asked. */
import { mostCalls, mostPairs } from '../../agreement/index.ts';
import type { Limits } from '../context/budget.ts';
import { present, sumOf } from '../groups.ts';
import type { VotePlan } from '../printed/votes.ts';
import { longestPair } from '../prompt/answer-form.ts';
import type { JudgeConfig, Price } from '../words/config.ts';
import { type Spent, nothingSpent } from '../words/review.ts';

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
export function forecast(calls: readonly ForecastCall[]) {
  const priced = calls.filter(({ price }) => price !== null);
  return {
    calls: calls.length,
    reviews: sumOf(calls, ({ items }) => items),
    inputTokens: sumOf(calls, call => tokensOf(call).input),
    outputTokens: sumOf(calls, call => tokensOf(call).output),
    cost: priced.length === 0 ? null : sumOf(priced, expectedCost),
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
export function expectedCost(call: ForecastCall) {
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
) {
  const secondsPerCall =
    seen.length > 0
      ? sumOf(seen, Number) / seen.length
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

export function forecastPanels(motions: number) {
  return { most: motions, callsEach: callsOfPanel };
}

interface ForecastContext {
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
) {
  const money =
    cost === null
      ? 'price unknown'
      : `about $${cost.toFixed(2)}${unpriced === 0 ? '' : ` and ${unpriced} calls of unknown price`}`;
  return present(
    `Plan: ${reviews} ${items} in ${calls} calls, about ${inputTokens} tokens in and ${outputTokens} out, ${money}.`,
    answered > 0 && `${answered} ${items} are answered already.`,
    `Ceiling: ${describeCeiling(limits)}.`,
    time && calls > 0 && describeTime(time),
    spent.calls > 0 && `Spent so far: ${describeSpent(spent)}.`,
  ).join(' ');
}

export function describePanels({ most, callsEach }: VotePlan['panels']) {
  if (most === 0) return 'Panels: none, as nobody is asked about any motion.';
  return `Panels come on top: up to ${callsEach} calls for each contested motion, of which there are at most ${most}.`;
}

export function describeSecondPass({ reviews }: NonNullable<VotePlan['secondPass']>) {
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
  return (
    present(
      maxCalls !== null && `${maxCalls} calls`,
      maxTokens !== null && `${maxTokens} tokens`,
      maxCost !== null && `$${maxCost}`,
    ).join(', ') || 'none (set --max-calls, --max-tokens or --max-cost)'
  );
}

// What a judge of open pairs may take, told with the plan and kept when it is asked.

/** Tries of each call, at most. */
export const triesOfJudge = 2;
/** Characters of instructions and frame around the pairs of a call. */
const frame = 1_600;

/** An answer about so many pairs is as long as that about so many claims. */
export function itemsOf(pairs: number) {
  return Math.ceil(pairs / 4);
}

/** `prices`: of each reviewer that can be asked, null where it is not known. */
export function forecastJudge(
  judge: JudgeConfig | 'auto',
  prices: readonly ForecastCall['price'][],
) {
  const own = judge === 'auto' ? null : judge;
  const able = own ? [own.price ?? null] : prices;
  // One reviewer alone says nothing that another says too.
  const isAsked = own !== null || able.length > 1;
  const calls = isAsked ? Math.min(own?.maxCalls ?? mostCalls, mostCalls) : 0;
  const pairs = isAsked ? Math.min(own?.maxPairs ?? mostPairs, mostPairs) : 0;
  const inCall = Math.ceil(pairs / Math.max(calls, 1));
  const material = { characters: inCall * longestPair + frame, items: itemsOf(inCall) };
  const each = able.map(price => forecast([{ ...material, price }]));
  const ceiling = calls * triesOfJudge;
  const { inputTokens = 0, outputTokens = 0 } = each[0] ?? {};
  return {
    model: own?.model ?? null,
    pairs,
    calls: { expected: calls, ceiling },
    tokens: ceiling * (inputTokens + outputTokens),
    cost: each.some(({ cost }) => cost === null)
      ? null
      : ceiling * Math.max(0, ...each.map(({ cost }) => cost ?? 0)),
  };
}
