/** What asking about uncertain claims may take, told with the plan and kept when they are asked. */
import type { ReviewPlan } from '../printed/reports.ts';
import type { VerifySettings } from './band-settings.ts';
import { forecast, type ForecastCall } from './forecast.ts';
import { longestClaim } from './prompts/claims.ts';

/** Calls, when nobody sets a limit, for each reviewer that can be asked. */
const callsForEach = 2;
/** Uncertain claims of a run: measured, 5.0 on panels of 3 drawn reviewers and 5.5 on those of 12. */
const usualClaims = 5;
/** Characters of instructions and frame around the claims of a call. */
const frame = 6000;

/** `prices`: of each reviewer that can be asked, null where it is not known. */
export function forecastVerify(
  { level, batch, band }: VerifySettings,
  prices: readonly ForecastCall['price'][],
): NonNullable<ReviewPlan['verify']> {
  const reviewers = prices.length;
  const ceiling = level === 'band' && reviewers > 1 ? (band.calls ?? callsForEach * reviewers) : 0;
  const rounds = Math.max(0, Math.min(band.answers, reviewers - 1));
  const costs = prices.map(price => forecast([callOf(batch, price)]).cost);
  const { inputTokens, outputTokens } = forecast([callOf(batch, null)]);
  return {
    level,
    reviewers,
    calls: { expected: Math.min(ceiling, Math.ceil(usualClaims / batch) * rounds), ceiling },
    tokens: ceiling * (inputTokens + outputTokens),
    cost:
      ceiling === 0
        ? 0
        : costs.some(cost => cost === null)
          ? null
          : ceiling * Math.max(...costs.map(cost => cost ?? 0)),
  };
}

function callOf(batch: number, price: ForecastCall['price']): ForecastCall {
  return { characters: batch * longestClaim + frame, items: batch, price };
}
