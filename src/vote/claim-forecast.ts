/** What asking about claims takes, told with the plan: how many there will be is known only when the reviews are in. */
import type { ReviewPlan } from '../core/printed/reports.ts';
import type { DeliberationSettings } from '../core/words/claim-settings.ts';
import { forecast, type ForecastCall } from '../core/spending/forecast.ts';
import { leastSeated, mostSeated } from './panels.ts';
import { longestClaim } from './prompts/claims.ts';

/** Of each reviewer that can be asked, null where it is not known. */
type Prices = readonly ForecastCall['price'][];

/** Claims that few support, by which a deliberation is reckoned. */
const reckonedClaims = 10;
/** Characters of instructions and frame around the claims of a call. */
const frame = 6000;

export function forecastDeliberation(
  { batch }: Pick<DeliberationSettings, 'batch'>,
  prices: Prices,
): NonNullable<ReviewPlan['deliberation']> {
  const reviewers = prices.length;
  const each = reviewers > 1 ? Math.ceil((reckonedClaims * (reviewers - 1)) / reviewers) : 0;
  const asked = prices.flatMap(price =>
    Array.from({ length: Math.ceil(each / batch) }, (_, index) =>
      callAbout(Math.min(batch, each - index * batch), price),
    ),
  );
  const { calls, inputTokens, outputTokens, cost, unpriced } = forecast(asked);
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

function callAbout(items: number, price: Prices[number]): ForecastCall {
  return { characters: items * longestClaim + frame, items, price };
}
