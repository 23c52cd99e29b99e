/** What a project has spent in the month: opened for a run or a vote, asked before one, and told to whoever wants to know. */
import { openSpendingLedger, readSpending } from '../adapters/store/spending-file.ts';
import type { ReviewPlan } from '../core/printed/reports.ts';
import { inputError, sentenceOf, usageError, UserError } from '../core/errors.ts';
import {
  afterMonth,
  describeMonth,
  monthOf,
  type MonthSpending,
  nothingIn,
  refuseInMonth,
} from '../core/spending/month.ts';
import type { Seat } from '../core/words/config.ts';
import { isFree } from '../core/words/runner.ts';
import type { Plan } from '../core/words/plan.ts';
import { createMonthCeiling } from '../engine/ceiling.ts';
import { type Call, clockOf, noteTo } from './call.ts';
import { readRuns } from './earlier-run.ts';
import type { OwnState } from './own-state.ts';

export interface MonthRequest {
  readonly state: OwnState;
  /** US dollars; null: nobody set a ceiling, and what is spent is counted all the same. */
  readonly limit: number | null;
  /** Ceiling of the run or the vote itself; null and absent: none. */
  readonly maxCost?: number | null;
  /** Whoever is asked. */
  readonly asked: readonly (Pick<Seat, 'runner' | 'price'> & { readonly id?: string })[];
}

/** The reviewers of a run, and a judge that sits on no panel. */
export function paidBy({ seats, judge }: Plan): MonthRequest['asked'] {
  return judge === null || judge === 'auto'
    ? seats
    : [...seats, { id: 'the judge', runner: 'api', ...(judge.price && { price: judge.price }) }];
}

/**
 * Null where nobody who is asked costs anything, and where nobody set a ceiling and nothing can be counted, which is said. Throws
 * `UserError` where somebody did: what cannot be counted must not be spent.
 */
export async function openMonth(request: MonthRequest, call: Call) {
  const { state, limit, asked } = request;
  const paid = asked.filter(({ runner }) => !isFree(runner));
  if (paid.length === 0) return null;
  const clock = clockOf(call);
  const onNote = noteTo(call);
  try {
    const ledger = await openSpendingLedger(state, () => spentBefore(state, call));
    const unpriced = unpricedOf(paid);
    if (limit !== null && unpriced !== null)
      onNote(
        'The ceiling of the month counts what a reviewer without a price costs only where its provider says so: ' +
          `${unpriced}.`,
      );
    return {
      ...createMonthCeiling({ ledger, limit, clock, onNote }),
      close: () => ledger.close(),
    };
  } catch (error) {
    if (limit !== null || !(error instanceof UserError)) throw error;
    onNote(`What this run costs is not counted in its month: ${error.message}`);
    return null;
  }
}

/** Throws `UserError`: a ceiling of money that cannot hold (kind `usage`), nothing left of the month (kind `input`). */
export async function refuseUnaffordable(
  { state, limit, maxCost = null, asked }: MonthRequest,
  call: Call,
): Promise<void> {
  const paid = asked.filter(({ runner }) => !isFree(runner));
  const unpriced = unpricedOf(paid);
  if (maxCost !== null && unpriced !== null)
    throw usageError(
      `Nobody was asked: a ceiling of $${maxCost} cannot hold where nobody knows what a call costs (${unpriced}).`,
      'State price: { input: 1, output: 5 } for each of them, in US dollars for a million tokens, or set a ceiling of calls ' +
        'and tokens in its place (maxCalls, maxTokens; --max-calls, --max-tokens).',
    );
  if (limit === null || paid.length === 0) return;
  const spending = await spentThisMonth(state, call);
  if (refuseInMonth(spending, 0, limit) === null) return;
  throw inputError(
    `Nobody was asked: ${describeMonth(spending, limit)}.`,
    `It begins anew on ${afterMonth(spending.month)} (UTC). Until then raise maxCostPerMonth, or --max-cost-per-month for this ` +
      'call, or ask the built-in checks alone: --reviewers secrets,javascript,patterns,diff.',
  );
}

/** Names of those whose calls cost nobody knows what; null where there are none. */
function unpricedOf(paid: MonthRequest['asked']) {
  const unpriced = paid.filter(({ price }) => !price);
  const names = unpriced.map(({ id }) => id ?? '').filter(Boolean);
  return unpriced.length === 0 ? null : names.join(', ') || 'the reviewer of the vote';
}

/** For a plan; null where nobody who is asked costs anything, and where nobody set a ceiling and nothing can be read, which is said. */
export async function plannedMonth(
  { state, limit, asked }: MonthRequest,
  call: Call,
): Promise<ReviewPlan['month']> {
  if (asked.every(({ runner }) => isFree(runner))) return null;
  try {
    return { ...(await spentThisMonth(state, call)), limit };
  } catch (error) {
    if (limit !== null || !(error instanceof UserError)) throw error;
    noteTo(call)(sentenceOf(error));
    return null;
  }
}

export async function spentThisMonth(state: OwnState, call: Call): Promise<MonthSpending> {
  const month = monthOf(clockOf(call).now());
  const booked = await readSpending(state, month);
  return booked ?? (await spentBefore(state, call)) ?? nothingIn(month);
}

/** What the runs that are kept have spent in this month, where nobody has written it down yet. */
async function spentBefore(state: OwnState, call: Call) {
  const month = monthOf(clockOf(call).now());
  const reviews = (await readRuns(state))
    .filter(({ record }) => record.startedAt.startsWith(month))
    .flatMap(({ reviews }) => reviews)
    .filter(({ runner }) => !isFree(runner));
  if (reviews.length === 0) return null;
  // What a later run took over was paid for once.
  const usages = [
    ...new Map(reviews.map(each => [`${each.reviewer} ${each.startedAt}`, each.usage])).values(),
  ];
  return {
    month,
    calls: usages.reduce((sum, { calls }) => sum + calls, 0),
    unpriced: usages.reduce((sum, { calls, cost }) => sum + (cost === null ? calls : 0), 0),
    cost: usages.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    underWay: 0,
  };
}
