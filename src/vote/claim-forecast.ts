/** What asking about claims takes, told with the plan: how many there will be is known only when the reviews are in. */
import type { ReviewPlan } from '../core/printed/reports.ts';
import type { VerifySettings, DeliberationSettings } from '../core/words/claim-settings.ts';
import { expectedCost, forecast, type ForecastCall } from '../core/spending/forecast.ts';
import { leastSeated, mostSeated } from './panels.ts';
import { longestClaim } from './prompts/claims.ts';

/** Of each reviewer that can be asked, null where it is not known. */
type Prices = readonly ForecastCall['price'][];

/** Claims that few support, by which a deliberation is reckoned. */
const reckonedClaims = 10;
/** Uncertain claims of a run: measured, 5.0 on panels of 3 drawn reviewers and 5.5 on those of 12. */
const usualClaims = 5;
/** Calls about uncertain claims for each reviewer that can be asked, where no limit is set. */
const callsForEach = 2;
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

/** An upper bound: no call is made beyond it. */
export function forecastVerify(
  { level, batch, band }: VerifySettings,
  prices: Prices,
): NonNullable<ReviewPlan['verify']> {
  const reviewers = prices.length;
  const ceiling = level === 'band' && reviewers > 1 ? (band.calls ?? callsForEach * reviewers) : 0;
  // The best are asked, and about what one of those said another.
  const asked = Math.min(reviewers, band.answers + 1) * Math.ceil(usualClaims / batch);
  const { inputTokens, outputTokens } = forecast([callAbout(batch, null)]);
  const costs = prices.map(price => expectedCost(callAbout(batch, price)));
  return {
    level,
    reviewers,
    calls: { expected: Math.min(ceiling, asked), ceiling },
    tokens: ceiling * (inputTokens + outputTokens),
    cost: ceiling > 0 && prices.includes(null) ? null : ceiling * Math.max(0, ...costs),
  };
}

function callAbout(items: number, price: Prices[number]): ForecastCall {
  return { characters: items * longestClaim + frame, items, price };
}
