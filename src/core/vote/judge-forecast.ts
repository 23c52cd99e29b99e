/** What a judge of open pairs may take, told with the plan and kept when it is asked. */
import { mostCalls, mostPairs } from '../../agreement/index.ts';
import type { ReviewPlan } from '../printed/reports.ts';
import type { JudgeConfig } from '../words/config.ts';
import { forecast, type ForecastCall } from './forecast.ts';
import { longestPair } from './prompts/pairs.ts';

/** Tries of each call, at most. */
export const triesOfJudge = 2;
/** Characters of instructions and frame around the pairs of a call. */
const frame = 1_600;

/** `prices`: of each reviewer that can be asked, null where it is not known. */
export function forecastJudge(
  judge: JudgeConfig | 'auto',
  prices: readonly ForecastCall['price'][],
): NonNullable<ReviewPlan['judge']> {
  const own = judge === 'auto' ? null : judge;
  const able = own === null ? prices : [own.price ?? null];
  const calls = able.length === 0 ? 0 : Math.min(own?.maxCalls ?? mostCalls, mostCalls);
  const pairs = calls === 0 ? 0 : Math.min(own?.maxPairs ?? mostPairs, mostPairs);
  const characters = Math.ceil(pairs / Math.max(calls, 1)) * longestPair + frame;
  const each = able.map(price => forecast([{ characters, items: 1, price }]));
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
