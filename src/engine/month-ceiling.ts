/** What a run may spend of its month, counted with everything else that spends in it: other runs, other processes, those that were killed. */
import { sentenceOf, UserError } from '../core/errors.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { SpendingLedger } from '../core/ports/spending-ledger.ts';
import { monthOf, refuseInMonth } from '../core/spending/month.ts';
import type { Usage } from '../core/words/review.ts';

export interface MonthCeiling {
  /** Makes room for one call that is expected to cost so many US dollars; says in one sentence why there is none, else null. */
  begin(expected: number): string | null;
  /** Books a call that has ended. `isCutOff`: nobody waited for it, so that what was expected of it stays booked. */
  end(expected: number, usage: Usage, isCutOff?: boolean): void;
}

interface MonthSettings {
  readonly ledger: SpendingLedger;
  /** US dollars; null: what is spent is counted, and nothing refused. */
  readonly limit: number | null;
  readonly clock: Pick<Clock, 'now'>;
  /** Told once, where nothing is refused and nothing can be counted. */
  readonly onNote: (message: string) => void;
}

/**
 * A call counts from its beginning on, in the month of it, as what is expected of it; as what it cost, when it has ended. Where nobody
 * states a price the dearest call of the run without one is what is expected of the next.
 */
export function createMonthCeiling({ ledger, limit, clock, onNote }: MonthSettings): MonthCeiling {
  const open: Open[] = [];
  let factor = 1;
  let dearest = 0;
  let isNoted = false;
  const unlessLimited = (error: unknown): string | null => {
    if (!(error instanceof UserError)) throw error;
    if (limit !== null) return sentenceOf(error);
    if (!isNoted) onNote(`What this run costs is not counted in its month: ${sentenceOf(error)}`);
    isNoted = true;
    return null;
  };
  return {
    begin(expected) {
      const month = monthOf(clock.now());
      const booked = expected > 0 ? expected * factor : dearest;
      try {
        const why = ledger.begin(month, booked, all => refuseInMonth(all, booked, limit));
        if (why === null) open.push({ month, expected, booked });
        return why;
      } catch (error) {
        return unlessLimited(error);
      }
    },
    end(expected, usage, isCutOff = false) {
      const index = open.findIndex(call => call.expected === expected);
      const [call] = index === -1 ? [] : open.splice(index, 1);
      if (call === undefined || (isCutOff && usage.cost === null)) return;
      const { cost, calls } = usage;
      if (cost !== null && expected > 0) factor = Math.max(factor, cost / expected);
      else if (cost !== null) dearest = Math.max(dearest, cost);
      try {
        ledger.end(call.month, call.booked, { cost, isMade: calls > 0 || cost !== null });
      } catch (error) {
        // It stays booked as what was expected of it.
        unlessLimited(error);
      }
    },
  };
}

interface Open {
  readonly month: string;
  /** As the caller says it, who ends it in the same words. */
  readonly expected: number;
  readonly booked: number;
}
