/** What is known of a change before anybody answers: a bound at once, the exact figures when somebody needs them. */
import type { TokenCounter } from '../ports.ts';
import type { BudgetFile } from './budget.ts';
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
