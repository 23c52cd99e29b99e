/** What a review would take, before anybody is asked: panel, reasons, ledgers, packs, calls, money, ceiling. */
import type { ReviewPlan } from '../printed/reports.ts';
import type { Carried } from '../words/run.ts';
import { type GrantedBudget, type Limits, sharedLedger } from './budget.ts';
import type { Scope } from './scope.ts';
import type { Triage } from './triage.ts';

export type PlannedReviewer = ReviewPlan['panel'][number];

/** One reviewer and what would be sent to it. */
export interface PlannedPack extends Omit<
  PlannedReviewer,
  'why' | 'budget' | 'fits' | 'calls' | 'cost'
> {
  /** Calls that one question takes at most. */
  readonly mostCalls: number;
  /** All that it would be asked it was asked by an earlier run, and nobody asks again. */
  readonly isKept?: boolean;
}

export interface PlanMaterial extends Pick<
  ReviewPlan,
  | 'title'
  | 'usual'
  | 'complexity'
  | 'budget'
  | 'unread'
  | 'quorum'
  | 'knowledge'
  | 'judge'
  | 'deliberation'
  | 'month'
> {
  /** Null where nothing is kept of an earlier run. */
  readonly carried: Carried | null;
  readonly scope: Scope;
  readonly triage: Triage;
  readonly packs: readonly PlannedPack[];
  readonly limits: Limits;
}

export function drawPlan({
  carried,
  scope: { triaged: _triaged, ...subject },
  triage,
  packs,
  limits,
  ...settled
}: PlanMaterial): ReviewPlan {
  const { budget, judge, deliberation } = settled;
  const why = new Map(triage.seated.map(({ id, why: reasons }) => [id, reasons]));
  const panel = packs.map(pack =>
    planReviewer(pack, why.get(pack.id) ?? [], budget.granted[pack.id] ?? null),
  );
  const calls = {
    expected: sum(panel.map(reviewer => reviewer.calls.expected)),
    ceiling: sum(panel.map(reviewer => reviewer.calls.ceiling)),
  };
  const cost = totalCost(panel);
  const isBounded = deliberation === null || deliberation.calls === 0;
  const ofPanel = {
    calls: calls.ceiling + (judge?.calls.ceiling ?? 0),
    tokens: sum(Object.values(budget.granted)) + (judge?.tokens ?? 0),
    cost: cost === null || judge?.cost === null ? null : cost.ceiling + (judge?.cost ?? 0),
  };
  const most = isBounded ? ofPanel : { calls: null, tokens: null, cost: null };
  return {
    schema: 'jury.review-plan/1',
    ...settled,
    ...(carried !== null && { carried }),
    subject,
    isolation: budget.mode,
    ledgers: ledgersOf(budget),
    panel,
    leftOut: triage.leftOut,
    gaps: triage.gaps,
    calls,
    cost,
    ceiling: {
      calls: smaller(limits.maxCalls, most.calls),
      tokens: smaller(limits.maxTokens, most.tokens),
      cost: smaller(limits.maxCost, most.cost),
    },
  };
}

function planReviewer(
  { mostCalls, isKept = false, ...pack }: PlannedPack,
  why: string[],
  budget: number | null,
): PlannedReviewer {
  const questions = isKept ? 0 : Math.max(1, pack.packs);
  return {
    ...pack,
    why,
    budget,
    fits: budget === null || pack.tokens <= budget,
    calls: { expected: questions, ceiling: questions * mostCalls },
    cost: budget === null || isKept ? { input: 0, ceiling: 0 } : costOf(pack, budget),
  };
}

function costOf({ price, tokens }: Pick<PlannedPack, 'price' | 'tokens'>, budget: number) {
  if (price === null) return null;
  const input = (tokens * price.input) / 1e6;
  return {
    input,
    ceiling: input + (Math.max(0, budget - tokens) * Math.max(price.input, price.output)) / 1e6,
  };
}

function totalCost(panel: readonly PlannedReviewer[]) {
  const costs = panel.flatMap(({ cost }) => cost ?? []);
  return costs.length < panel.length
    ? null
    : {
        input: sum(costs.map(({ input }) => input)),
        ceiling: sum(costs.map(({ ceiling }) => ceiling)),
      };
}

function ledgersOf({ mode, granted }: GrantedBudget) {
  const own = Object.entries(granted).map(([name, total]) => ({ name, total }));
  return mode === 'branch' || own.length === 0
    ? own
    : [{ name: sharedLedger, total: sum(own.map(({ total }) => total)) }];
}

function smaller(one: number | null, other: number | null) {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

function sum(numbers: readonly number[]) {
  return numbers.reduce((total, number) => total + number, 0);
}
