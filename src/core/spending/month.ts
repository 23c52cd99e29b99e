/**
 * The ceiling of a calendar month: what a project may spend in it, whatever runs there are. Months are those of UTC, so that they begin
 * at one moment for everybody who shares a configuration.
 */
import { z } from 'zod';
import { present } from '../groups.ts';
import type { Seat } from '../words/config.ts';
import type { Usage } from '../words/review.ts';
import { Amount, Count, Text } from '../words/fields.ts';
import { countOf } from '../text.ts';

/** What a project has spent in one month, by everything that ran in any process. */
export const MonthSpending = z.object({
  /** `2026-11` */
  month: Text,
  /** Calls that began. */
  calls: Count,
  /** Of those that ended, how many cost what nobody knows. They are in no sum. */
  unpriced: Count,
  /** US dollars of the calls that ended, as far as their prices are known. */
  cost: Amount.nonnegative(),
  /** US dollars expected of the calls that have not ended: they are under way, or were cut off and may have been charged. */
  underWay: Amount.nonnegative(),
});
export type MonthSpending = Readonly<z.infer<typeof MonthSpending>>;

export function nothingIn(month: string): MonthSpending {
  return { month, calls: 0, unpriced: 0, cost: 0, underWay: 0 };
}

export function monthOf(now: Date) {
  return now.toISOString().slice(0, 7);
}

/** First day of the month after it: `2026-12-01`. */
export function afterMonth(month: string) {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`;
}

/** Why a call that is expected to cost so much may not be made, in one sentence; null where it may. */
export function refuseInMonth(
  { month, cost, underWay }: MonthSpending,
  expected: number,
  limit: number | null,
) {
  if (limit === null) return null;
  if (cost + underWay >= limit)
    return (
      `The ceiling of $${limit} for the month is reached: $${dollars(cost + underWay)} of ${month} are spent. ` +
      `It begins anew on ${afterMonth(month)} (UTC).`
    );
  return cost + underWay + expected > limit
    ? `The call could go over the ceiling of $${limit} for the month: $${dollars(cost + underWay)} of ${month} are spent or under way.`
    : null;
}

/** Cents, and more digits where there are no cents yet. */
function dollars(amount: number) {
  return amount > 0 && amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2);
}

/** `$3.10 of $20.00 spent in 2026-11`, with what is not in the sum. */
export function describeMonth(
  { month, cost, underWay, unpriced }: MonthSpending,
  limit: number | null,
) {
  const more = present(
    underWay > 0 && `$${dollars(underWay)} of it under way or cut off`,
    unpriced > 0 && `${countOf(unpriced, 'call')} besides of which nobody knows the price`,
  );
  return (
    `$${dollars(cost + underWay)}${limit === null ? '' : ` of $${dollars(limit)}`} spent in ${month}` +
    (more.length === 0 ? '' : ` (${more.join('; ')})`)
  );
}

// Token counts where nobody reports them, and what tokens cost.

/** One call of a program that does not count: four characters to a token, marked as estimated. */
export function estimateUsage(seat: Pick<Seat, 'price'>, input: string, output: string) {
  return withCost(seat, {
    calls: 1,
    inputTokens: Math.ceil(input.length / 4),
    outputTokens: Math.ceil(output.length / 4),
    cachedTokens: 0,
    cost: null,
    estimated: true,
  });
}

/** Fills in the cost from the price of the seat: US dollars for a million tokens, cached input at its own price when there is one. */
export function withCost({ price }: Pick<Seat, 'price'>, usage: Usage) {
  if (!price) return usage;
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const millionths =
    (usage.inputTokens - cached) * price.input +
    cached * (price.cached ?? price.input) +
    usage.outputTokens * price.output;
  return { ...usage, cost: millionths / 1_000_000 };
}

/** With what it cost, where its provider does not say and the seat does. */
export function priced(usage: Usage, seat: Seat) {
  return usage.cost === null ? withCost(seat, usage) : usage;
}
