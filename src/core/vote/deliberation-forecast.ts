/** What a vote about claims takes, told with the plan: how many claims there will be is known only when the reviews are in. */
import type { DeliberationSettings } from './claim-vote.ts';
import { forecast, type ForecastCall } from './forecast.ts';
import { longestClaim } from './prompts.ts';

/** Nothing but the ceiling of the run bounds it: every claim that few support is put to the vote. */
export interface DeliberationForecast {
  /** Reviewers that can be asked. */
  readonly reviewers: number;
  /** Claims in one call. */
  readonly batch: number;
  /** Claims of one supporter each that the rest is reckoned for, raised by all alike. */
  readonly claims: number;
  /** Calls of their votes, when every answer can be used at once. */
  readonly calls: number;
  /** Further calls for each claim that is contested, at most, when every answer can be used at once. */
  readonly panelCalls: number;
  /** Of the votes, in and out. */
  readonly tokens: number;
  /** US dollars for the votes; null when the price of somebody is not known. */
  readonly cost: number | null;
}

const reckonedClaims = 10;
/** Seats at a table: three on each side and three in between. */
const mostSeated = 9;
/** Characters of instructions and frame around the claims of a call. */
const frame = 6000;

/** `prices`: of each reviewer that can be asked, null where it is not known. */
export function forecastDeliberation(
  { batch }: Pick<DeliberationSettings, 'batch'>,
  prices: readonly ForecastCall['price'][],
): DeliberationForecast {
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
    panelCalls: reviewers > 1 ? Math.min(mostSeated, reviewers) + 1 : 0,
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
