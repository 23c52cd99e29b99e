/** What a judge of open pairs may take, told with the plan and kept when it is asked. */
import { mostCalls, mostPairs } from '../../agreement/index.ts';
import type { ReviewPlan } from '../printed/reports.ts';
import type { JudgeConfig } from '../words/config.ts';
import { forecast, type ForecastCall } from './forecast.ts';
import { longestPair } from '../prompt/pairs.ts';

/** Tries of each call, at most. */
export const triesOfJudge = 2;
/** Characters of instructions and frame around the pairs of a call. */
const frame = 1_600;

/** An answer about so many pairs is as long as that about so many claims. */
export function itemsOf(pairs: number): number {
  return Math.ceil(pairs / 4);
}

/** `prices`: of each reviewer that can be asked, null where it is not known. */
export function forecastJudge(
  judge: JudgeConfig | 'auto',
  prices: readonly ForecastCall['price'][],
): NonNullable<ReviewPlan['judge']> {
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
