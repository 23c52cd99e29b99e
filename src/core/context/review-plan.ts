/** What a review would take, before anybody is asked: panel, reasons, ledgers, packs, calls, money, ceiling. */
import type { MonthSpending } from '../spending/month.ts';
import type { Persona } from '../words/persona.ts';
import {
  type BudgetFile,
  type Complexity,
  type GrantedBudget,
  type Limits,
  sharedLedger,
} from './budget.ts';
import type { Scope } from './scope.ts';
import type { Triage } from './triage.ts';
import type { VerifyForecast } from '../vote/band-settings.ts';
import type { DeliberationForecast } from '../vote/claim-vote.ts';
import type { UsualChange } from '../words/change.ts';
import type { Carried } from '../words/run.ts';
import type { Price } from '../words/config.ts';
import type { ToldKnowledge } from '../words/guideline.ts';

/** One reviewer and what would be sent to it. */
export interface PlannedPack {
  readonly id: string;
  readonly persona: string;
  readonly role: Persona['role'];
  readonly runner: string;
  readonly model: string | null;
  /** Who gets it, as the rules of egress know it; null for one on this machine, and when nobody knows. */
  readonly provider: string | null;
  /** With the port that is written; null for one without an endpoint of its own. */
  readonly host: string | null;
  readonly required: boolean;
  /** Null when nobody configured one. */
  readonly price: Price | null;
  readonly files: readonly string[];
  readonly skipped: readonly string[];
  /** How many packs are sent; 0 to analysers on this machine, which read the change itself. */
  readonly packs: number;
  readonly bytes: number;
  /** As the family of the reviewer counts. */
  readonly tokens: number;
  /** Tokens of its family for each that the counter of the subject counts. */
  readonly factor: number;
  /** Calls that one question takes at most. */
  readonly mostCalls: number;
  /** All that it would be asked it was asked by an earlier run, and nobody asks again. */
  readonly isKept?: boolean;
}

export interface PlannedReviewer extends Omit<PlannedPack, 'mostCalls' | 'isKept'> {
  readonly why: readonly string[];
  /** Tokens it may spend; null when it spends none. */
  readonly budget: number | null;
  readonly fits: boolean;
  readonly calls: CallRange;
  readonly cost: CostRange | null;
}

interface CallRange {
  readonly expected: number;
  /** With the one repair, every transport retry of both, and once more in text where a schema is given. */
  readonly ceiling: number;
}

/** US dollars. `input`: one call's prompt. `ceiling`: the rest of the budget at the dearer price on top. */
export interface CostRange {
  readonly input: number;
  readonly ceiling: number;
}

export interface ReviewPlan {
  readonly schema: 'jury.review-plan/1';
  readonly title: string;
  /** Which change was meant where the caller named none; null where it did. */
  readonly usual: UsualChange | null;
  /** What is kept of the run of an earlier state of the change; absent where nothing is. */
  readonly carried?: Carried;
  readonly subject: Omit<Scope, 'triaged'>;
  readonly complexity: Complexity | null;
  readonly isolation: BudgetFile['mode'];
  /** With what the budgets grew to, and for what. */
  readonly budget: GrantedBudget;
  /** Files that nobody on the panel will have read within the budgets and the limits of the caller. */
  readonly unread: readonly string[];
  readonly ledgers: readonly { readonly name: string; readonly total: number }[];
  readonly quorum: number;
  readonly panel: readonly PlannedReviewer[];
  readonly leftOut: Triage['leftOut'];
  readonly gaps: Triage['gaps'];
  /** What of the project's own words whom is told. */
  readonly knowledge: ToldKnowledge;
  readonly calls: CallRange;
  /** Null when the price of somebody who is paid is not known. */
  readonly cost: CostRange | null;
  /** What is done about uncertain claims beside the reviews; null: nothing. */
  readonly verify: VerifyForecast | null;
  /** The vote about claims beside the reviews; null: none is held. */
  readonly deliberation: DeliberationForecast | null;
  /** What the project has spent this month, and may; null where nobody who is asked costs anything. */
  readonly month: PlannedMonth | null;
  /**
   * What the run cannot exceed: the limits of the caller, or what the panel comes to. Null where neither is known, as with a vote
   * about however many claims there will be.
   */
  readonly ceiling: {
    readonly calls: number | null;
    readonly tokens: number | null;
    readonly cost: number | null;
  };
}

export interface PlannedMonth extends MonthSpending {
  /** US dollars; null: nobody set a ceiling. */
  readonly limit: number | null;
}

export interface PlanMaterial {
  readonly title: string;
  /** Null where nothing is kept of an earlier run. */
  readonly carried: Carried | null;
  readonly usual: UsualChange | null;
  readonly scope: Scope;
  readonly complexity: Complexity | null;
  readonly budget: GrantedBudget;
  readonly unread: readonly string[];
  readonly triage: Triage;
  readonly packs: readonly PlannedPack[];
  readonly knowledge: ToldKnowledge;
  readonly quorum: number;
  readonly limits: Limits;
  readonly verify: VerifyForecast | null;
  readonly deliberation: DeliberationForecast | null;
  readonly month: PlannedMonth | null;
}

export function drawPlan({
  title,
  carried,
  usual,
  scope,
  complexity,
  budget,
  unread,
  triage,
  packs,
  knowledge,
  quorum,
  limits,
  verify,
  deliberation,
  month,
}: PlanMaterial): ReviewPlan {
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
    calls: calls.ceiling + (verify?.calls.ceiling ?? 0),
    tokens: sum(Object.values(budget.granted)) + (verify?.tokens ?? 0),
    cost: addCosts(cost?.ceiling ?? null, verify?.cost ?? 0),
  };
  const most = isBounded ? ofPanel : { calls: null, tokens: null, cost: null };
  return {
    schema: 'jury.review-plan/1',
    title,
    usual,
    ...(carried !== null && { carried }),
    complexity,
    subject: {
      total_tokens: scope.total_tokens,
      counter: scope.counter,
      files: scope.files,
      skipped: scope.skipped,
    },
    isolation: budget.mode,
    budget,
    unread,
    ledgers: ledgersOf(budget),
    quorum,
    panel,
    leftOut: triage.leftOut,
    gaps: triage.gaps,
    knowledge,
    calls,
    cost,
    verify,
    deliberation,
    month,
    ceiling: {
      calls: lesser(limits.maxCalls, most.calls),
      tokens: lesser(limits.maxTokens, most.tokens),
      cost: lesser(limits.maxCost, most.cost),
    },
  };
}

function planReviewer(
  { mostCalls, isKept = false, ...pack }: PlannedPack,
  why: readonly string[],
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

function costOf(
  { price, tokens }: Pick<PlannedPack, 'price' | 'tokens'>,
  budget: number,
): CostRange | null {
  if (price === null) return null;
  const input = (tokens * price.input) / 1e6;
  return {
    input,
    ceiling: input + (Math.max(0, budget - tokens) * Math.max(price.input, price.output)) / 1e6,
  };
}

function totalCost(panel: readonly PlannedReviewer[]): CostRange | null {
  const costs = panel.map(({ cost }) => cost).filter(cost => cost !== null);
  return costs.length < panel.length
    ? null
    : {
        input: sum(costs.map(({ input }) => input)),
        ceiling: sum(costs.map(({ ceiling }) => ceiling)),
      };
}

function ledgersOf({ mode, granted }: GrantedBudget): ReviewPlan['ledgers'] {
  const own = Object.entries(granted).map(([name, total]) => ({ name, total }));
  return mode === 'branch' || own.length === 0
    ? own
    : [{ name: sharedLedger, total: sum(own.map(({ total }) => total)) }];
}

function addCosts(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

function lesser(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
