/** What a run may spend of its month, counted with all else that spends in it: other runs, other processes, those that were killed. */
import { sentenceOf, UserError } from '../core/errors.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { SpendingLedger } from '../core/ports/spending-ledger.ts';
import { monthOf, refuseInMonth } from '../core/spending/month.ts';
import type { Usage } from '../core/words/review.ts';

export interface MonthCeiling {
  /** Makes room for one call that is expected to cost so many US dollars; says in one sentence why there is none, else null. */
  begin(expected: number): string | null;
  /** Books a call that has ended. `isCutOff`: nobody waited for it, so that it counts as what was expected of it. */
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

/** How many times its forecast a call may cost while none has ended that would tell: reasoning is written and paid for, too. */
const dearestUnseen = 4;

/**
 * A call counts from its beginning on, in the month of it, as what is expected of it; as what it cost, when it has ended. Where nobody
 * states a price the dearest call of the run without one is what is expected of the next, and at least what calls of the month have
 * cost on average. While nothing tells what they cost, there is one of them at a time.
 */
export function createMonthCeiling({ ledger, limit, clock, onNote }: MonthSettings): MonthCeiling {
  const open: Open[] = [];
  /** Most that a call cost, as a multiple of its forecast and at least 1; null: none has ended. */
  let seen: number | null = null;
  let dearest = 0;
  /** A call has ended of which nobody says what it cost: neither will the others. */
  let isUntold = false;
  let isNoted = false;
  const unlessLimited = (error: unknown): string | null => {
    if (!(error instanceof UserError)) throw error;
    if (limit !== null) return sentenceOf(error);
    if (!isNoted) onNote(`What this run costs is not counted in its month: ${sentenceOf(error)}`);
    isNoted = true;
    return null;
  };
  const expectedOf = (expected: number, factor: number): number =>
    expected > 0 ? expected * factor : dearest;
  let usual = 0;
  /** Of one without a price. Calls under way are among those it is divided by: what it was before they began holds. */
  const usualIn = (month: string): number => {
    if (limit === null) return 0;
    const { calls, unpriced, cost } = ledger.read(month);
    usual = Math.max(usual, cost / Math.max(1, calls - unpriced));
    return usual;
  };
  const book = (month: string, expected: number, factor: number, mustBeAlone: boolean) => {
    const booked =
      expected > 0 ? expected * factor : Math.max(dearest, isUntold ? 0 : usualIn(month));
    if (limit !== null && booked === 0 && !isUntold && open.some(call => call.booked === 0))
      return 'What a call costs is not known before the first has ended.';
    // Calls under way were booked when less was known of what calls cost.
    const short = open.reduce(
      (sum, call) => sum + Math.max(0, expectedOf(call.expected, factor) - call.booked),
      0,
    );
    const why = ledger.begin(month, booked, all =>
      mustBeAlone && all.underWay > 0
        ? refuseInMonth(all, expectedOf(expected, dearestUnseen), limit)
        : refuseInMonth({ ...all, underWay: all.underWay + short }, booked, limit),
    );
    if (why === null) open.push({ month, expected, booked });
    return why;
  };
  return {
    begin(expected) {
      const month = monthOf(clock.now());
      try {
        const why = book(month, expected, seen ?? dearestUnseen, false);
        // The first call alone shows what calls cost.
        return why !== null && seen === null && expected > 0 ? book(month, expected, 1, true) : why;
      } catch (error) {
        return unlessLimited(error);
      }
    },
    end(expected, usage, isCutOff = false) {
      const index = open.findIndex(call => call.expected === expected);
      const [call] = index === -1 ? [] : open.splice(index, 1);
      if (call === undefined) return;
      const { calls } = usage;
      const forecast = expected > 0 ? expected : call.booked;
      const cost = usage.cost ?? (isCutOff && forecast > 0 ? forecast : null);
      isUntold ||= cost === null && calls > 0;
      if (cost !== null && expected > 0) seen = Math.max(seen ?? 1, cost / expected);
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
