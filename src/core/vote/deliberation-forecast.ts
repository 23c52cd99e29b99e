/** What a vote about claims takes, told with the plan: how many claims there will be is known only when the reviews are in. */
import type { ReviewPlan } from '../printed/reports.ts';
import type { DeliberationSettings } from './claim-vote.ts';
import { forecast, type ForecastCall } from './forecast.ts';
import { leastSeated, mostSeated } from './panels.ts';
import { longestClaim } from './prompts/claims.ts';

const reckonedClaims = 10;
/** Characters of instructions and frame around the claims of a call. */
const frame = 6000;

/** `prices`: of each reviewer that can be asked, null where it is not known. */
export function forecastDeliberation(
  { batch }: Pick<DeliberationSettings, 'batch'>,
  prices: readonly ForecastCall['price'][],
): NonNullable<ReviewPlan['deliberation']> {
  const reviewers = prices.length;
  const each = reviewers > 1 ? Math.ceil((reckonedClaims * (reviewers - 1)) / reviewers) : 0;
  const { calls, inputTokens, outputTokens, cost, unpriced } = forecast(
    prices.flatMap(price => callsAbout(each, batch, price)),
  );
  return {
    reviewers,
    batch,
    claims: reckonedClaims,
    calls,
    panelCalls: reviewers < leastSeated ? 0 : Math.min(mostSeated, reviewers) + 1,
    tokens: inputTokens + outputTokens,
    cost: calls === 0 ? 0 : unpriced > 0 ? null : cost,
  };
}

function callsAbout(claims: number, batch: number, price: ForecastCall['price']): ForecastCall[] {
  return Array.from({ length: Math.ceil(claims / batch) }, (_, index) => {
    const items = Math.min(batch, claims - index * batch);
    return { characters: items * longestClaim + frame, items, price };
  });
}
