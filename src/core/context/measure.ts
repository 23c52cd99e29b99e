/** What is known of a change before anybody answers: a bound at once, the exact figures when somebody needs them. */
import type { TokenCounter } from '../ports.ts';
import { allotBudgets, type BudgetFile, type BudgetRequest } from './budget.ts';
import type { Scope } from './scope.ts';

/** The exact figures. Loading an encoding takes longer than starting a panel, so that they are worked out beside it. */
export interface Measured {
  readonly scope: Scope;
  readonly budget: BudgetFile;
  /** Counts for nobody in particular: the subject and its budgets. */
  readonly counter: TokenCounter;
  /** By reviewer: tokens of its family for each that `counter` counts. */
  readonly factors: Readonly<Record<string, number>>;
}

/** Works the figures out when it is first called; later calls give the same promise. */
export type Measure = () => Promise<Measured>;

/** What each reviewer may spend at the very least, however small the change turns out to be. */
export function leastBudgets({ complexity, reviewers }: Omit<BudgetRequest, 'totalTokens' | 'isolation'>): Readonly<Record<string, number>> {
  return allotBudgets({ totalTokens: 0, complexity, reviewers }).budgets;
}

/** Tokens of a text can never be more than its bytes in UTF-8: every token stands for at least one. */
export function boundTokens(text: string): number {
  return new TextEncoder().encode(text).length;
}
