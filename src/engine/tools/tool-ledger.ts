/** The ledger of a reviewer as its tools see it: what is set aside for the question under way is as good as spent. */
import { consume, openLedger, remainingOf, type Ledger } from '../../core/context/ledger.ts';
import { defaultThresholds, modeAt, type ProgressiveSummarization } from '../../core/context/progressive-mode.ts';
import type { ToolLedger } from './reviewer-tools.ts';
import type { ReviewerLedger } from '../review/token-ledgers.ts';

export function toolLedgerOf(ledger: ReviewerLedger, thresholds: ProgressiveSummarization): ToolLedger {
  let expected = 0;
  const remaining = (): number => Math.max(0, ledger.remaining() - expected);
  return {
    charge: tokens => (tokens > remaining() ? 'FOLD008' : ledger.charge(tokens)),
    mode: () => modeAt({ total: ledger.standing().total, used: ledger.standing().total - remaining() }, thresholds),
    remaining,
    expect: tokens => void (expected = tokens),
  };
}

/** For a reviewer whose tokens nobody counts: its tools may tell no more than this. Throws when the total is no budget. */
export function createToolLedger(total: number, thresholds: ProgressiveSummarization = defaultThresholds): ToolLedger {
  const opened = openLedger(total);
  if (!opened.ok) throw new Error(`No ledger of ${total} tokens: ${opened.code}.`);
  let ledger: Ledger = opened.ledger;
  return {
    charge(tokens) {
      const booked = consume(ledger, '', tokens);
      if (booked.ok) ledger = booked.ledger;
      return booked.ok ? 'ok' : booked.code;
    },
    mode: () => modeAt(ledger, thresholds),
    remaining: () => remainingOf(ledger),
    // Nobody counts the calls either.
    expect: () => {},
  };
}
