import type { MonthSpending } from '../spending/month.ts';

/**
 * What a project has spent, by month, kept beside its runs and counted whether they are kept or not. Every method is done when it
 * returns, and is one step for all processes: what one has booked the next one sees. Throws `UserError` for what cannot be read or
 * written: nobody may take it for nothing spent.
 */
export interface SpendingLedger {
  read(month: string): MonthSpending;
  /**
   * Books that a call begins which is expected to cost so many US dollars, unless `refuse` says in a sentence why it may not; returns
   * that sentence, or null.
   */
  begin(
    month: string,
    expected: number,
    refuse: (booked: MonthSpending) => string | null,
  ): string | null;
  /** Books the end of a call in the month it began in. `cost` null: nobody knows; `isMade` false: none was made after all. */
  end(
    month: string,
    expected: number,
    what: { readonly cost: number | null; readonly isMade: boolean },
  ): void;
  close(): void;
}
